//! Expected errors of a plan for data of a named shape, from simulated releases.

use std::collections::BTreeMap;

use rayon::iter::{IntoParallelIterator, ParallelIterator};
use suum_core::{
    AddRemoveRequest, Epsilon, Error, ErrorKind, MemoryRecords, Numbers, Plan, Profile,
    QuantileEstimator, Quantity, Randomness, Records, Release, Result, Target, UnboundedAddRemove,
    leave_out, option, say,
};
use suum_data::Phase;
use suum_report::{ExpectedErrors, ExpectedEstimate};

use super::Task;
use crate::Population;
use crate::query::Query;
use crate::simulation::{Dice, Errors, ScaledShape, Shape};
use crate::statistic::StatisticName;

/// Source of the simulated releases.
#[derive(Clone, Copy)]
pub(crate) enum Simulator<'a> {
    /// Plan for a public profile, with the measure of its numbers.
    Known(&'a Plan, Numbers),
    /// Request under hidden participation.
    AddRemove(&'a AddRemoveKind),
}

/// Request under hidden participation.
pub(crate) enum AddRemoveKind {
    /// Request with declared bounds.
    Declared(AddRemoveRequest),
    /// Request without declared bounds.
    Unbounded(UnboundedAddRemove),
}

impl AddRemoveKind {
    /// Plan for the assumed people.
    pub(crate) fn plan(&self, assumed: Profile) -> Result<Plan> {
        match self {
            Self::Declared(request) => request.plan(assumed),
            Self::Unbounded(request) => request.plan(assumed).map(Plan::from),
        }
    }
}

/// Refuses a shape if there is nothing to simulate.
pub(crate) fn check(query: &Query, population: &Population) -> Result<()> {
    if population.assume.is_none() {
        return Ok(());
    }
    if matches!(query.statistic, StatisticName::Count | StatisticName::Frequency) {
        return Err(Error::request(
            option::ASSUME,
            "shapes are of numbers, and this statistic has none",
        )
        .with_fix(
            say("leave").option(option::ASSUME).say("out: the plan has a bound of the error"),
        ));
    }
    if population.what_if.is_some() {
        return Err(Error::request(option::ASSUME, "simulations are of one plan, and not of two")
            .with_fix(say("plan twice, with").option(option::PROFILE)));
    }
    Ok(())
}

/// Largest number of records in one simulation.
const MOST: u64 = 4_000_000;
/// Least and largest number of simulations; they are fewer for more records, and for more groups.
const SIMULATIONS: [u64; 2] = [50, 200];
const LEAST_OF_GROUPS: u64 = 20;
/// Number of records that take as long as one level.
const EACH_LEVEL: u64 = 1000;
/// Largest number of levels of `mixed` quantiles, which are drawn one by one.
const MOST_OF_MIXED: usize = 32;
/// Seed of the data, and of the noise.
const SEED: u64 = 20_260_301;
/// Distance of the seeds of noise from the seeds of data, which are the numbers of the simulations.
const NOISE: u64 = 1 << 32;

/// Estimate of one release: its error, and its half-width.
type SimulatedEstimate = (Quantity, f64, Option<f64>);

/// Expected error and half-width for data of this shape and people of this profile, for one of
/// `plans` plans. `factor` is the multiple of the present number of people.
pub(crate) fn expected(
    task: &Task<'_>,
    shape: Shape,
    (profile, factor): (&Profile, Option<f64>),
    simulated: Simulator<'_>,
    plans: usize,
) -> Result<ExpectedErrors> {
    let query = task.query;
    let records = profile.records();
    if records > MOST {
        return Err(Error::request(
            option::ASSUME,
            format!("simulations are of at most {MOST} records"),
        )
        .with_fix(
            leave_out(option::ASSUME).say(", or assume fewer people with").option(option::PROFILE),
        ));
    }
    if query.estimator.0 == QuantileEstimator::Mixed.name()
        && query.statistic.has_quantiles()
        && profile.levels().len() > MOST_OF_MIXED
    {
        return Err(Error::request(
            option::ASSUME,
            format!("mixed quantiles are simulated of at most {MOST_OF_MIXED} budgets"),
        )
        .with_fix(
            say("leave").option(option::ASSUME).say("or").option(option::ESTIMATOR).say("out"),
        ));
    }
    let plans = plans.max(1) as u64;
    let least = if plans > 1 { LEAST_OF_GROUPS } else { SIMULATIONS[0] };
    let effort = records.max(1) + EACH_LEVEL * profile.levels().len() as u64;
    let simulations = (MOST / effort / plans).clamp(least, SIMULATIONS[1]);
    let (scaled, in_deviations) = simulated.scaled(shape)?;
    let counts = |epsilon: Epsilon| simulated.counts(epsilon);
    let people = profile.levels().iter().filter(|level| counts(level.epsilon));
    let people = people.map(|level| level.count as f64).sum::<f64>();
    let one = |simulation: u64| -> Result<Option<Vec<SimulatedEstimate>>> {
        let mut dice = Dice::new(SEED, simulation);
        let (mut records, truth) = scaled.draw(profile, counts, &mut dice)?;
        let truth = match query.target {
            Target::Population => scaled.truth(),
            Target::Dataset | Target::DatasetCorrelated => &truth,
        };
        let mut randomness = Randomness::insecure(SEED + NOISE + simulation);
        let release = match simulated.release(&mut records, &mut randomness) {
            Ok(release) => release,
            // A private decision; everything else has been refused before.
            Err(refused) if in_deviations && refused.kind() != ErrorKind::Internal => {
                return Ok(None);
            }
            Err(refused) => return Err(refused),
        };
        let seen = release.estimates.iter().filter_map(|estimate| {
            let error = truth.error(&estimate.of, estimate.estimate, people)?;
            let half = estimate.interval.map(|interval| (interval.upper - interval.lower) / 2.0);
            Some((estimate.of.clone(), error, half))
        });
        Ok(Some(seen.collect()))
    };
    let progress = &*task.progress;
    progress.enter(Phase::Simulating, Some(simulations));
    let counted = |simulation| one(simulation).inspect(|_| progress.step());
    let all = (0..simulations).into_par_iter().map(counted).collect::<Result<Vec<_>>>()?;
    let refused = all.iter().filter(|one| one.is_none()).count();
    if refused == all.len() {
        return Err(Error::request(
            option::ASSUME,
            format!("no range was found in any of {simulations} simulations of {shape} data"),
        )
        .with_fix(
            say("assume another shape or more people, or declare bounds with")
                .set(option::BOUNDS, "LO,HI"),
        ));
    }
    Ok(ExpectedErrors {
        shape: shape.name(),
        values: shape.describe(!in_deviations),
        simulations: all.len(),
        refused,
        in_deviations,
        factor,
        estimates: summed_up(all.into_iter().flatten().flatten()),
    })
}

/// Summary of all simulations of each quantity, in the order of a release.
fn summed_up(all: impl Iterator<Item = SimulatedEstimate>) -> Vec<ExpectedEstimate> {
    let mut order: Vec<Quantity> = Vec::new();
    let mut seen: BTreeMap<usize, (Vec<f64>, Vec<f64>)> = BTreeMap::new();
    for (of, error, half) in all {
        let at = order.iter().position(|known| *known == of).unwrap_or_else(|| {
            order.push(of);
            order.len() - 1
        });
        let (errors, halves) = seen.entry(at).or_default();
        errors.push(error);
        halves.extend(half);
    }
    let estimate = |(of, (errors, halves)): (Quantity, (Vec<f64>, Vec<f64>))| {
        let (intervals, length) = (halves.len(), Errors::new(halves).mean());
        let (squared, of_squared) = Errors::new(errors).mean_squared();
        let rmse = squared.sqrt();
        let any = intervals > 0;
        ExpectedEstimate {
            of: of.to_string(),
            unit: of.unit(),
            rmse,
            // By the rule of the derivative.
            rmse_error: if rmse > 0.0 { of_squared / (2.0 * rmse) } else { 0.0 },
            half_width: any.then_some(length.0),
            half_width_error: any.then_some(length.1),
            intervals,
        }
    };
    order.into_iter().zip(seen.into_values()).map(estimate).collect()
}

impl Simulator<'_> {
    /// Shape over the declared bounds; without them with standard deviation 1.
    fn scaled(self, shape: Shape) -> Result<(ScaledShape, bool)> {
        let numbers = match self {
            Self::Known(Plan::Unbounded(_), _) | Self::AddRemove(AddRemoveKind::Unbounded(_)) => {
                return Ok((ScaledShape::standard(shape), true));
            }
            Self::Known(_, numbers) => Some(numbers),
            Self::AddRemove(AddRemoveKind::Declared(request)) => request.numbers(),
        };
        let bounds = numbers.ok_or_else(no_numbers)?.grid.bounds();
        Ok((ScaledShape::over(shape, bounds.lower(), bounds.width()), false))
    }

    /// Returns true if an estimate counts records of this budget.
    fn counts(self, epsilon: Epsilon) -> bool {
        let budgets = match self {
            Self::Known(..) => return true,
            Self::AddRemove(AddRemoveKind::Declared(request)) => request.budgets(),
            Self::AddRemove(AddRemoveKind::Unbounded(request)) => request.budgets(),
        };
        budgets.round_down(epsilon) != Epsilon::UNUSED
    }

    fn release(self, records: &mut MemoryRecords, randomness: &mut Randomness) -> Result<Release> {
        match self {
            Self::Known(Plan::Unbounded(plan), _) => plan.release(records, randomness),
            Self::Known(plan, numbers) => plan.clone().release(records.table(numbers)?, randomness),
            Self::AddRemove(AddRemoveKind::Declared(request)) => {
                let numbers = request.numbers().ok_or_else(no_numbers)?;
                request.release(records.table(numbers)?, randomness)
            }
            Self::AddRemove(AddRemoveKind::Unbounded(request)) => {
                request.release(records, randomness)
            }
        }
    }
}

/// Refusal of an assumed shape if there is nothing to simulate.
pub(crate) fn no_numbers() -> Error {
    Error::internal("a shape is assumed of a statistic without numbers")
        .with_fix("please report it, with the options")
}
