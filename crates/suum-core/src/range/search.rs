//! The two ways to search a range.

use super::{DiffusionPlan, FoundRange, Places, RangeEstimator, RangePlan};
use crate::{Epsilon, Error, Loss, Neighbors, Profile, Randomness, Result, Share};

/// How a range is searched, decided from public facts.
#[derive(Debug, Clone, PartialEq)]
pub enum RangeSearch {
    /// By weighted ranks.
    Weighted(RangePlan),
    /// From a random sample, as published; corrected.
    Diffused(DiffusionPlan),
}

/// The published pipeline spends half of every budget on the range.
const HALF: f64 = 0.5;
/// Each of its stages fails with a quarter of this probability, given enough data.
const BETA: f64 = 0.1;
/// Its searches find something in noise as well. With fewer survivors than so many times those it
/// leaves outside on purpose, one in fifty is wrong.
const SURVIVORS: f64 = 2.5;
/// About how many standard deviations its ranges reach, which are rounded to powers of two.
const REACH: f64 = 6.0;

impl RangeSearch {
    /// A search for records of this profile.
    ///
    /// # Errors
    ///
    /// Refuses a profile with which no range could be found.
    pub fn new(estimator: RangeEstimator, profile: &Profile) -> Result<Self> {
        match estimator {
            RangeEstimator::Gaussian => {
                RangePlan::new(profile, Neighbors::ReplaceOne).map(RangeSearch::Weighted)
            }
            RangeEstimator::GaussianDiffusion => {
                let plan = DiffusionPlan::new(profile, Share::new(HALF)?, BETA)?;
                if plan.survivors() < SURVIVORS * plan.allowance() {
                    return Err(too_few());
                }
                Ok(RangeSearch::Diffused(plan))
            }
        }
    }

    /// The share of every budget that is left for the mean.
    pub fn for_mean(&self) -> Share {
        match self {
            RangeSearch::Weighted(plan) => plan.shares().mean,
            RangeSearch::Diffused(plan) => plan.diffusion().share(),
        }
    }

    /// How many standard deviations the range reaches to each side, or about how many.
    pub fn reach(&self) -> f64 {
        match self {
            RangeSearch::Weighted(plan) => plan.reach(),
            RangeSearch::Diffused(_) => REACH,
        }
    }

    /// A bound on the loss of a record that allows this budget.
    pub fn loss(&self, budget: Epsilon) -> Loss {
        match self {
            RangeSearch::Weighted(plan) => plan.loss(budget),
            RangeSearch::Diffused(plan) => plan.loss(budget),
        }
    }

    /// The range.
    ///
    /// # Errors
    ///
    /// Refuses, by a private decision, data in which there is no range to be found at this privacy:
    /// what [`for_mean`](Self::for_mean) leaves of every budget is spent then, too.
    pub fn find(&self, places: &mut dyn Places, randomness: &mut Randomness) -> Result<FoundRange> {
        match self {
            RangeSearch::Weighted(plan) => {
                plan.find(places, randomness)?.ok_or_else(|| plan.no_range())
            }
            RangeSearch::Diffused(plan) => {
                let budgets = places.budgets().to_vec();
                let mut records = Vec::new();
                places.visit(&mut |level, value| {
                    records.extend(budgets.get(level).map(|budget| (*budget, value)));
                })?;
                let bounds = plan.find(records, randomness).ok_or_else(too_few)?;
                let estimator = RangeEstimator::GaussianDiffusion;
                Ok(FoundRange { estimator, bounds, share: HALF, bell: None })
            }
        }
    }
}

fn too_few() -> Error {
    Error::request("bounds: not enough for a range by gaussian-diffusion at this privacy")
        .with_hint(
            "use the estimator gaussian, which needs fewer records, or declare bounds: \
            --bounds LO,HI",
        )
}
