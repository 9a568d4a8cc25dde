//! Target for an estimate: with a ledger its price, without one the number of people it takes.

use suum_core::{Error, OptionName, Phrase, Plan, Profile, Result, Unit, leave_out, option, say};
use suum_report::{ExpectedErrors, PeopleNeeded};

use super::Task;
use crate::Population;
use crate::statistic::StatisticName;

/// Quantity with a target.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Goal {
    /// Expected error.
    Rmse,
    /// Half-width of the interval.
    HalfWidth,
}

impl Goal {
    /// Quantity that the job has a target for; the error by default.
    pub(crate) fn for_task(task: &Task<'_>) -> Self {
        match task.charge.target_half_width {
            Some(_) => Self::HalfWidth,
            None => Self::Rmse,
        }
    }

    /// Name of the option, and of its quantity.
    pub(crate) fn words(self) -> (OptionName, &'static str) {
        match self {
            Self::Rmse => (option::TARGET_RMSE, "expected error"),
            Self::HalfWidth => (option::TARGET_HALF_WIDTH, "expected half-width"),
        }
    }

    /// Value that the plan reaches.
    ///
    /// # Errors
    ///
    /// Refuses plans whose value is not known.
    pub(crate) fn measure(self, task: &Task<'_>, plan: &Plan) -> Result<f64> {
        let reached = match self {
            Self::Rmse => plan.rmse(),
            Self::HalfWidth => plan.half_width(),
        };
        reached.ok_or_else(|| self.unknown(task, plan))
    }

    /// Returns the value that simulated releases reach.
    ///
    /// # Errors
    ///
    /// Fails if none of them has an interval.
    fn simulated(self, task: &Task<'_>, expected: &ExpectedErrors) -> Result<f64> {
        let first = expected.estimates.first();
        let reached = match self {
            Self::Rmse => first.map(|one| one.rmse),
            Self::HalfWidth => first.and_then(|one| one.half_width),
        };
        reached.ok_or_else(|| {
            let (option, _) = self.words();
            Error::request(option, "no simulated release had an interval").with_fix(way_out(task))
        })
    }

    /// Error for a plan whose value is not known.
    fn unknown(self, task: &Task<'_>, plan: &Plan) -> Error {
        let (option, _) = self.words();
        let what = if plan.statistic() == "summary" {
            "several statistics have different ones"
        } else if plan.no_interval().is_some() {
            "a release would have no interval"
        } else {
            "how long an interval will be depends on what the release finds"
        };
        Error::request(option, what).with_fix(way_out(task))
    }
}

/// Way out if a target cannot be reached.
pub(crate) fn way_out(task: &Task<'_>) -> Phrase {
    let (option, _) = Goal::for_task(task).words();
    match task.charge.ledger {
        Some(_) => say("use").set(option::SPEND, "SHARE").say("in place of").option(option),
        None => leave_out(option),
    }
}

/// Refuses a target of a plan without accounts if it has no meaning.
pub(crate) fn check(task: &Task<'_>, population: &Population) -> Result<()> {
    if task.charge.target().is_none() || task.charge.ledger.is_some() {
        return Ok(());
    }
    if population.what_if.is_some() {
        let (option, _) = Goal::for_task(task).words();
        return Err(Error::request(option, say("is for one plan without").option(option::WHAT_IF))
            .with_fix(way_out(task)));
    }
    let (what, hint) = match task.query.statistic {
        StatisticName::Sum => ("a sum", say("plan the mean")),
        StatisticName::Count => ("a count", way_out(task)),
        _ => return Ok(()),
    };
    let (option, _) = Goal::for_task(task).words();
    Err(Error::request(option, format!("the error of {what} grows with the number of people"))
        .with_fix(hint))
}

/// Largest factor by which people are multiplied.
const MOST: f64 = 1e9;

/// Function that simulates a plan for these people.
pub(crate) type Simulate<'a> = &'a dyn Fn(&Profile, &Plan) -> Result<ExpectedErrors>;

/// Multiple of the present number of people that the target takes, if there is one and there are no
/// accounts: with accounts, budget is spent instead of adding people. With `simulate`, for data of
/// a shape.
///
/// # Errors
///
/// Refuses a target that no number of people reaches, and plans whose value is not known.
pub(crate) fn needed(
    task: &Task<'_>,
    profile: &Profile,
    plan: impl Fn(Profile) -> Result<Plan>,
    simulate: Option<Simulate<'_>>,
) -> Result<Option<PeopleNeeded>> {
    let goal = Goal::for_task(task);
    let Some(target) = task.charge.target().filter(|_| task.charge.ledger.is_none()) else {
        return Ok(None);
    };
    let (option, _) = goal.words();
    let own = plan(profile.clone())?;
    check_points(task, own.unit())?;
    // The target for quantiles is one of ranks, which simulations say nothing of.
    let simulate = simulate.filter(|_| matches!(own.unit(), Unit::Value | Unit::Square));
    let reached_by = |planned: &Plan, people: &Profile| match simulate {
        Some(simulate) if planned.statistic() != "summary" => {
            goal.simulated(task, &simulate(people, planned)?)
        }
        _ => goal.measure(task, planned),
    };
    let reached = |factor: f64| {
        let people = profile.times(factor)?;
        reached_by(&plan(people.clone())?, &people)
    };
    let now = reached(1.0)?;
    let precision = if simulate.is_some() { SIMULATED } else { EXACT };
    let factor = least_factor(profile, (option, target), now, precision, reached)?;
    let people = profile.times(factor)?;
    let planned = plan(people.clone())?;
    let reached = reached_by(&planned, &people)?;
    let basis = match &planned {
        _ if simulate.is_some() => "That is for data of the assumed shape, by simulation.",
        // No bound is known in advance for a mean that learns first.
        Plan::Weighted(plan) if plan.adaptive().is_some() => {
            "That is the worst case of a mean that does not learn first."
        }
        Plan::Weighted(_) => "That is the worst case.",
        Plan::Unbounded(_) if planned.unit() == Unit::Square => {
            "That is in squared standard deviations of the values, for the distribution inside the \
             range that is hardest to sample."
        }
        Plan::Unbounded(_) if points(&planned).is_none() => {
            "That is for normal data, in standard deviations of the values."
        }
        _ => "",
    };
    let points = points(&planned);
    Ok(Some(PeopleNeeded {
        option,
        target,
        factor,
        profile: people,
        reached,
        now,
        points,
        basis: basis.to_owned(),
        ordinary: None,
        hint: hint(&planned, target),
    }))
}

/// Number of records that the target takes if the values have an ordinary spread, which `plan`
/// declares: a standard deviation of an eighth of the width of the bounds.
pub(crate) fn ordinary(
    task: &Task<'_>,
    profile: &Profile,
    needed: &PeopleNeeded,
    plan: impl Fn(Profile) -> Result<Plan>,
) -> Result<u64> {
    let goal = Goal::for_task(task);
    let reached = |factor: f64| goal.measure(task, &plan(profile.times(factor)?)?);
    let asked = (needed.option, needed.target);
    let factor = least_factor(profile, asked, reached(1.0)?, EXACT, reached)?;
    Ok(profile.times(factor)?.records())
}

/// Precision of a factor: a thousandth, or that of simulations.
const EXACT: f64 = 1.001;
const SIMULATED: f64 = 1.02;

/// Least factor of the people with which the target is reached; the present people reach `now`.
fn least_factor(
    profile: &Profile,
    (option, target): (OptionName, f64),
    now: f64,
    precision: f64,
    reached: impl Fn(f64) -> Result<f64>,
) -> Result<f64> {
    let (mut low, mut high) = (1.0, 1.0);
    if now > target {
        while reached(high)? > target {
            if high > MOST {
                return Err(Error::request(
                    option,
                    "not even a thousand million times as many people come so near",
                )
                .with_fix("allow a larger error, or plan for people who allow more"));
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
    while high / low > precision {
        let middle = (low * high).sqrt();
        match reached(middle).map_or(true, |reached| reached > target) {
            true => low = middle,
            false => high = middle,
        }
    }
    Ok(high)
}

/// Refuses percentage points if errors are in units of the values.
fn check_points(task: &Task<'_>, unit: Unit) -> Result<()> {
    let (option, _) = Goal::for_task(task).words();
    match task.charge.is_target_in_points() && !matches!(unit, Unit::Share | Unit::Rank) {
        true => Err(Error::request(
            option,
            "percentage points are for shares, and for the ranks of quantiles",
        )
        .with_fix(say("give a number in the units of the values, such as").set(option, "0.5"))),
        false => Ok(()),
    }
}

/// Likely meaning of a target that every release reaches.
fn hint(plan: &Plan, target: f64) -> Option<String> {
    match (plan.unit(), plan) {
        (Unit::Share | Unit::Rank, _) if target >= 0.5 => Some(
            "Every release comes so near, since a share is a part of 1: half a percentage point is \
             0.5pp, or 0.005."
                .to_owned(),
        ),
        (Unit::Value, Plan::Weighted(plan)) if target >= plan.request().bounds().width() / 2.0 => {
            Some(
                "Every release comes so near, since it is half of the width of the bounds: a \
                 target is in the units of the values."
                    .to_owned(),
            )
        }
        _ => None,
    }
}

/// Name of percentage points, if errors are shares.
fn points(plan: &Plan) -> Option<&'static str> {
    match plan.unit() {
        Unit::Rank => Some("percentage points of the rank"),
        Unit::Share => Some("percentage points"),
        Unit::Value | Unit::Square | Unit::Records => None,
    }
}
