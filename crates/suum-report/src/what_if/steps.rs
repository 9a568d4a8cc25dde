//! Part of a plan's page in which readers change one tier step by step, for statistics whose
//! formulas the page does not have: every step is a plan of its own, made in advance.

use serde::Serialize;
use suum_core::{Epsilon, Level, Plan, Profile};

use super::{TierInput, around, json};
use crate::Tier;
use crate::figures::{significant, spent};
use crate::planned_error::PlannedError;
use crate::statistic::planned;
use crate::tiers::kept_part;

/// Script that makes the section interactive.
pub(crate) const SCRIPT: &str = concat!(
    "(() => {\n\"use strict\";\n",
    include_str!("figures.js"),
    include_str!("curve.js"),
    include_str!("section.js"),
    include_str!("steps.js"),
    "})();\n"
);

/// Largest number of tiers, each with all its steps; more take too long.
const TIERS: usize = 8;
/// Budgets that a tier may be changed to, and factors for its number of people, besides the planned
/// ones.
const EPSILONS: [f64; 11] =
    [0.0, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0, f64::INFINITY];
const FACTORS: [f64; 8] = [0.0, 0.1, 0.3, 0.5, 2.0, 3.0, 10.0, 30.0];

/// Initial data of the page.
#[derive(Serialize)]
struct PageInput<'a> {
    unit: String,
    /// Options of the command, if there is one.
    options: Option<&'a str>,
    made: Step,
    tiers: Vec<TierSteps<'a>>,
}

/// Tier with its steps, in order, one of which is the plan.
#[derive(Serialize)]
struct TierSteps<'a> {
    #[serde(flatten)]
    tier: TierInput<'a>,
    epsilons: Vec<(Epsilon, Step)>,
    counts: Vec<(u64, Step)>,
}

/// Figures of the plan of a step.
#[derive(Serialize, Clone)]
struct Step {
    /// Error, and its text.
    error: f64,
    words: String,
    estimator: &'static str,
    /// Spent and kept budget of each tier; `None` for tiers without people.
    tiers: Vec<Option<[String; 2]>>,
    profile: String,
}

/// Section of a page, in HTML, in which readers change the budget of one tier, or its number of
/// people, step by step. `None` for plans under hidden participation or with a search for bounds,
/// with several errors, with strata, or with more than 8 tiers.
pub(crate) fn section(plan: &Plan, tiers: &[Tier], options: Option<&str>) -> Option<String> {
    let given = page_input(plan, tiers, options)?;
    Some(around(include_str!("steps.html"), &json(&given)?))
}

fn page_input<'a>(
    plan: &Plan,
    tiers: &'a [Tier],
    options: Option<&'a str>,
) -> Option<PageInput<'a>> {
    if tiers.is_empty() || tiers.len() > TIERS {
        return None;
    }
    let step = |tiers: &[Tier]| step(plan, tiers);
    let made = step(tiers)?;
    let PlannedError { figure, unit, .. } = error(plan)?;
    // If the plan contains more than its request says, steps would belong to another plan.
    if (made.error - figure).abs() > 1e-9 * made.error {
        return None;
    }
    let changed = |at: usize, change: &dyn Fn(&mut Tier)| {
        let mut tiers = tiers.to_vec();
        tiers.get_mut(at).map(change)?;
        step(&tiers)
    };
    let stepped = |(at, tier): (usize, &'a Tier)| {
        let mut epsilons: Vec<Epsilon> =
            EPSILONS.into_iter().filter_map(|epsilon| Epsilon::new(epsilon).ok()).collect();
        epsilons.push(tier.epsilon);
        epsilons.sort_unstable();
        epsilons.dedup();
        let of_epsilon = |epsilon: Epsilon| match epsilon == tier.epsilon {
            true => Some((epsilon, made.clone())),
            false => Some((epsilon, changed(at, &|tier| tier.epsilon = epsilon)?)),
        };
        let times = |factor: f64| (tier.count as f64 * factor).round() as u64;
        let mut counts: Vec<u64> = FACTORS.into_iter().map(times).collect();
        counts.push(tier.count);
        counts.sort_unstable();
        counts.dedup();
        let of_count = |count: u64| match count == tier.count {
            true => Some((count, made.clone())),
            false => Some((count, changed(at, &|tier| tier.count = count)?)),
        };
        TierSteps {
            tier: TierInput::from_tier(tier),
            epsilons: epsilons.into_iter().filter_map(of_epsilon).collect(),
            counts: counts.into_iter().filter_map(of_count).collect(),
        }
    };
    let tiers = tiers.iter().enumerate().map(stepped).collect();
    Some(PageInput { unit, options, made: made.clone(), tiers })
}

/// Step with the plan for these tiers, if there is one.
fn step(plan: &Plan, tiers: &[Tier]) -> Option<Step> {
    let people = tiers.iter().filter(|tier| tier.count > 0);
    let levels = people.map(|tier| Level { epsilon: tier.epsilon, count: tier.count });
    let profile = Profile::new(levels).ok()?;
    let plan = planned(plan).again(profile.clone())?;
    let error = error(&plan)?.figure;
    let would = |tier: &Tier| {
        let loss = plan.loss_of(tier.epsilon);
        (tier.count > 0).then(|| [spent(&loss, tier.epsilon), kept_part(&loss, tier.epsilon)])
    };
    Some(Step {
        error,
        words: significant(error, 4),
        estimator: plan.estimator()?,
        tiers: tiers.iter().map(would).collect(),
        profile: profile.to_string(),
    })
}

/// Expected error, if there is exactly one.
fn error(plan: &Plan) -> Option<PlannedError> {
    planned(plan).errors(false).pop().filter(|_| plan.rmse().is_some())
}
