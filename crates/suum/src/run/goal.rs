//! How near an estimate is to come: with a ledger what that costs, without one how many people it
//! takes.

use suum_core::{Error, Plan, Profile, Result};
use suum_report::Needed;

use super::Task;

/// What is to be at most so large.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Goal {
    /// The expected error.
    Rmse,
    /// Half the length of the interval.
    HalfWidth,
}

impl Goal {
    /// What the job asks for; the error, if it asks for nothing.
    pub(crate) fn of(task: &Task<'_>) -> Self {
        match task.charge.target_half_width {
            Some(_) => Self::HalfWidth,
            None => Self::Rmse,
        }
    }

    /// The name of the option, and what it is about.
    pub(crate) fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Rmse => ("target-rmse", "expected error"),
            Self::HalfWidth => ("target-half-width", "expected half-width"),
        }
    }

    /// What the plan reaches.
    ///
    /// # Errors
    ///
    /// Refuses plans of which that is not known.
    pub(crate) fn reached(self, plan: &Plan) -> Result<f64> {
        let reached = match self {
            Self::Rmse => plan.rmse(),
            Self::HalfWidth => plan.half_width(),
        };
        reached.ok_or_else(|| {
            let (option, _) = self.words();
            let what = match self {
                Self::Rmse => {
                    "several statistics have different errors, and one is known only with bounds"
                }
                Self::HalfWidth => "there is no one interval to be planned here",
            };
            Error::request(format!("{option}: {what}"))
                .with_hint(format!("use --spend SHARE in place of --{option}"))
        })
    }
}

/// The largest factor by which people are multiplied.
const MOST: f64 = 1e9;

/// How many times as many people it takes to come as near as is asked for, if anything is.
///
/// # Errors
///
/// Refuses a target that no number of people reaches, and plans of which nothing is known.
pub(crate) fn needed(
    task: &Task<'_>,
    profile: &Profile,
    plan: impl Fn(Profile) -> Result<Plan>,
) -> Result<Option<Needed>> {
    let goal = Goal::of(task);
    let Some(target) = task.charge.target() else {
        return Ok(None);
    };
    let (option, _) = goal.words();
    if !(target > 0.0 && target.is_finite()) {
        return Err(Error::parameter(format!("{option}: must be a positive number"))
            .with_hint(format!("for example --{option} 0.5")));
    }
    let reached = |factor: f64| goal.reached(&plan(profile.times(factor)?)?);
    let (mut low, mut high) = (1.0, 1.0);
    if reached(high)? > target {
        while reached(high)? > target {
            if high > MOST {
                return Err(Error::request(format!(
                    "{option}: not even a thousand million times as many people come so near"
                ))
                .with_hint("ask for less, or for people who allow more"));
            }
            low = high;
            high *= 2.0;
        }
    } else {
        while low > 1e-6 && low * profile.records() as f64 > 2.0 {
            let fewer = low / 2.0;
            // So few that nothing can be planned for them are too few.
            if reached(fewer).map_or(true, |reached| reached > target) {
                low = fewer;
                break;
            }
            low = fewer;
            high = fewer;
        }
    }
    // To a part in a thousand.
    while high / low > 1.001 {
        let middle = (low * high).sqrt();
        match reached(middle).map_or(true, |reached| reached > target) {
            true => low = middle,
            false => high = middle,
        }
    }
    let people = profile.times(high)?;
    let planned = plan(people.clone())?;
    let reached = goal.reached(&planned)?;
    let basis = match &planned {
        // Of what learns first no bound is known before seeing the data.
        Plan::Weighted(plan) if plan.adaptive().is_some() => {
            "That is the worst case of a mean that does not learn first."
        }
        Plan::Weighted(_) => "That is the worst case.",
        _ => "",
    };
    Ok(Some(Needed { option, target, factor: high, profile: people, reached, basis }))
}
