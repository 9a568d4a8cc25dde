//! The part of a plan's page in which people move tiers about and see what a release would do.
//!
//! The formulas of `suum plan` are here a second time, in JavaScript, so that a page needs nothing
//! but itself. They are the same to the digits that are printed: tests compare them in a browser.

use serde::Serialize;
use suum_core::{Choice, Epsilon, Options, Plan, Statistic, Target, WeightedPlan};

use crate::Tier;
use crate::statistic::planned;

pub(crate) mod steps;

/// The plan: from numbers of people to risks, losses and the words of a report, without a page.
macro_rules! formulas {
    () => {
        concat!(
            include_str!("double_double.js"),
            include_str!("weights.js"),
            include_str!("estimators.js"),
            include_str!("risk.js"),
            include_str!("bound.js"),
            include_str!("interval.js"),
            include_str!("tail.js"),
            include_str!("losses.js"),
            include_str!("plan.js"),
            include_str!("figures.js"),
            include_str!("words.js"),
        )
    };
}

#[cfg(test)]
const FORMULAS: &str = formulas!();

/// The script that makes [`what_if_section`] answer to its readers, to stand in the page behind it.
pub const WHAT_IF_SCRIPT: &str = concat!(
    "(() => {\n\"use strict\";\n",
    formulas!(),
    include_str!("scales.js"),
    include_str!("curve.js"),
    include_str!("page.js"),
    include_str!("start.js"),
    "})();\n"
);

/// More tiers than these cannot be moved about one by one.
const TIERS: usize = 32;
/// Integers above this are not exact in JavaScript.
const EXACT: u64 = (1 << 53) - 1;

/// A section of a page, in HTML, in which readers change the tiers, bounds and target of a plan and
/// see its figures, as `suum plan` would print them.
///
/// It is for the mean of values inside declared bounds, with replace-one neighbours. `None` for
/// other plans: of other statistics, shrunk, with a share of the budget, of more than 32 tiers or
/// 2^53 records.
///
/// It brings its style and the numbers it starts from, and needs [`WHAT_IF_SCRIPT`] and nothing
/// else. Its colours are those of the page: `--ink`, `--paper`, `--soft`, `--faint`, `--line`,
/// `--accent`, `--warn`, `--good`. One page can hold one of it.
///
/// # Example
///
/// ```
/// use suum_core::{Bounds, Options, Statistic, WeightedRequest};
/// use suum_report::{Tier, WHAT_IF_SCRIPT, what_if_section};
///
/// let plan = WeightedRequest::new(Statistic::Mean, Bounds::UNIT, Options::default())?
///     .plan("0.1:50,inf:2".parse()?)?;
/// let section = what_if_section(&plan, &Tier::of_profile(&plan.setting().profile)).unwrap();
/// let page =
///     format!("<!doctype html><title>Plan</title>{section}<script>{WHAT_IF_SCRIPT}</script>");
/// # assert!(page.contains("<section id=\"what-if\""));
/// # Ok::<(), suum_core::Error>(())
/// ```
pub fn what_if_section(plan: &WeightedPlan, tiers: &[Tier]) -> Option<String> {
    let facts = facts(plan, tiers)?;
    Some(format!(
        "<section id=\"what-if\" class=\"what-if\" \
        aria-labelledby=\"what-if-title\">\n<style>\n{}</style>\n{}\
         <script type=\"application/json\" id=\"what-if-facts\">{facts}</script>\n</section>\n",
        include_str!("style.css"),
        include_str!("section.html"),
    ))
}

/// The section of a plan's page in which readers change who takes part, and its script: that of a
/// mean, or step by step where there is one.
pub(crate) fn of_plan(
    plan: &Plan,
    tiers: &[Tier],
    options: Option<&str>,
) -> Option<(String, &'static str)> {
    let moved = planned(plan).what_if(tiers).map(|section| (section, WHAT_IF_SCRIPT));
    moved.or_else(|| Some((steps::section(plan, tiers, options)?, steps::SCRIPT)))
}

/// What the page starts from.
#[derive(Serialize)]
struct Given<'a> {
    facts: Facts,
    tiers: Vec<GivenTier<'a>>,
}

#[derive(Serialize)]
struct Facts {
    bounds: [f64; 2],
    target: Target,
    variance: Option<f64>,
    beta: f64,
    confidence: f64,
    points: u64,
    estimator: &'static str,
}

#[derive(Serialize)]
struct GivenTier<'a> {
    /// Nothing where the budget is the name.
    label: Option<&'a str>,
    epsilon: Epsilon,
    count: u64,
}

impl<'a> GivenTier<'a> {
    fn of(tier: &'a Tier) -> Self {
        let named = tier.level != tier.epsilon.to_string();
        Self {
            label: named.then_some(tier.level.as_str()),
            epsilon: tier.epsilon,
            count: tier.count,
        }
    }
}

/// The public facts of the plan, as JSON; `None` if the page has no formulas for it.
fn facts(plan: &WeightedPlan, tiers: &[Tier]) -> Option<String> {
    let (options, bounds) = (plan.request().options(), plan.setting().bounds);
    // What the formulas read, and what changes none of their figures.
    let of_page = Options {
        estimator: options.estimator,
        target: options.target,
        variance: options.variance,
        beta: options.beta,
        confidence: options.confidence,
        adapt: options.adapt,
        spare: options.spare,
        ..Options::default()
    };
    let known = plan.request().statistic() == Statistic::Mean && *options == of_page;
    if !known || tiers.is_empty() || tiers.len() > TIERS || plan.setting().profile.records() > EXACT
    {
        return None;
    }
    let given = Given {
        facts: Facts {
            bounds: [bounds.lower(), bounds.upper()],
            target: options.target,
            variance: options.variance,
            beta: options.beta,
            confidence: options.confidence,
            points: plan.grid().points(),
            estimator: match options.estimator {
                // Without squares `auto` is not what it is with them, which the page has in mind.
                Choice::Auto if plan.request().measures_spread() && !plan.measures_spread() => {
                    plan.chosen().estimator.name()
                }
                Choice::Auto => "auto",
                Choice::Named(estimator) => estimator.name(),
            },
        },
        tiers: tiers.iter().map(GivenTier::of).collect(),
    };
    json(&given)
}

/// What a section starts from, as JSON that no script element ends in.
fn json(given: &impl Serialize) -> Option<String> {
    // Inside a script element "<" could begin its end, or a comment.
    Some(serde_json::to_string(given).ok()?.replace('<', "\\u003c"))
}

#[cfg(test)]
mod tests;
