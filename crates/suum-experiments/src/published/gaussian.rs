//! `gaussian-diffusion`: a range from a random sample, then the affine mean inside it.

use std::collections::BTreeMap;

use suum::{
    Bounds, Choice, Epsilon, Error, Estimator, Grid, Loss, Options, Profile, Randomness, Result,
    Share, Statistic, WeightedPlan, WeightedRequest, option,
};

use super::DiffusionPlan;
use super::answer::{Answer, LevelSpending, Person, check_profile, table_of};

/// Part of every budget that is for the range, as published.
const HALF: f64 = 0.5;
/// Failure probability of the search; each stage fails with a quarter of it, given enough data.
const FAILURE_PROBABILITY: f64 = 0.1;
/// Least ratio of survivors to those that the searches leave outside on purpose. The searches find
/// something in noise as well; with fewer survivors, one range in fifty is wrong.
const SURVIVORS: f64 = 2.5;

/// Mean of values without declared bounds, by the published pipeline, corrected.
///
/// Half of every budget finds a range ([`DiffusionPlan`]), the other half buys the affine mean of
/// the values clamped to it.
///
/// # When
///
/// To compare with: the range can be wrong without a sign of it. `suum mean --bounds auto` needs
/// fewer records and checks its range.
///
/// # Example
///
/// ```
/// use suum::{Epsilon, Randomness};
/// use suum_experiments::published::{DiffusionMean, profile_of};
///
/// let one = Epsilon::new(1.0)?;
/// let people: Vec<_> =
///     (0..5000u32).map(|i| (one, 990.0 + f64::from(i * 7919 % 5000) / 250.0)).collect();
/// let plan = DiffusionMean::new(profile_of(&people)?)?;
/// let answer = plan.release(&people, &mut Randomness::insecure(1))?;
/// assert!((answer.estimate - 1000.0).abs() < 10.0 && answer.interval.is_none());
/// assert!(answer.privacy[0].spent.within(one));
/// # Ok::<(), suum::Error>(())
/// ```
///
/// Source: DG26 Algorithm 7.
#[derive(Debug, Clone, PartialEq)]
pub struct DiffusionMean {
    profile: Profile,
    range: DiffusionPlan,
    // The mean inside the unit interval, to plan with.
    mean: WeightedPlan,
}

impl DiffusionMean {
    /// Creates a plan for records of this profile.
    ///
    /// # Errors
    ///
    /// Refuses a profile in which nobody may be used, and one with too few people for a range.
    pub fn new(profile: Profile) -> Result<Self> {
        let range = DiffusionPlan::new(&profile, Share::new(HALF)?, FAILURE_PROBABILITY)?;
        if range.survivors() < SURVIVORS * range.allowance() {
            return Err(too_few());
        }
        Ok(Self { mean: mean_inside(Bounds::UNIT, &profile)?, range, profile })
    }

    /// Bound on the loss of a record of this budget: the search and the mean. Public records are
    /// published as they are, whatever the search costs.
    pub fn loss(&self, epsilon: Epsilon) -> Loss {
        self.with_search(epsilon, self.mean.loss_of(epsilon))
    }

    fn with_search(&self, epsilon: Epsilon, mean: Loss) -> Loss {
        match mean {
            Loss::Unlimited => Loss::Unlimited,
            mean => mean.plus(&self.range.loss(epsilon)),
        }
    }

    /// Finds a range and releases the mean of the values clamped to it. The order of the records
    /// must not depend on their values; NaN is a placeholder, and counts in the middle of the
    /// range.
    ///
    /// # Errors
    ///
    /// Refuses records of another profile; and, by a private decision, data without a range that
    /// can be found: the cost of the search is spent then, too.
    pub fn release(&self, people: &[Person], randomness: &mut Randomness) -> Result<Answer> {
        self.release_after(0.0, people, randomness)
    }

    /// Releases like [`release`](Self::release), after this part of every budget was spent
    /// otherwise.
    pub(super) fn release_after(
        &self,
        before: f64,
        people: &[Person],
        randomness: &mut Randomness,
    ) -> Result<Answer> {
        check_profile(people, &self.profile)?;
        // Checks the planned losses before anything is drawn.
        LevelSpending::from_profile(&self.profile, |epsilon| self.loss(epsilon))?;
        let found = self.range.find(people.iter().copied(), randomness);
        let release = found.ok_or_else(too_few).and_then(|bounds| {
            let table = table_of(people, Grid::new(bounds))?;
            let release = mean_inside(bounds, &self.profile)?.release(table, randomness)?;
            Ok((bounds, release))
        });
        let spent = before + (1.0 - before) * HALF;
        let (bounds, release) = release.map_err(|refused| refused.after_spending(spent))?;
        // Actual losses: another range can round the weights of the mean in another way.
        let drawn: BTreeMap<Epsilon, &Loss> =
            release.privacy.iter().map(|row| (row.epsilon, &row.spent)).collect();
        let privacy = LevelSpending::from_profile(&self.profile, |epsilon| {
            let mean = drawn.get(&epsilon).map_or(Loss::ZERO, |loss| (*loss).clone());
            self.with_search(epsilon, mean)
        })?;
        Ok(Answer {
            estimate: release.estimate(),
            interval: None,
            bounds,
            risk: None,
            privacy,
            private: release.private,
        })
    }
}

/// Plan of the mean inside a range, for the half of every budget that is left.
fn mean_inside(bounds: Bounds, profile: &Profile) -> Result<WeightedPlan> {
    let options = Options {
        estimator: Choice::Named(Estimator::Affine),
        share: Share::new(HALF)?,
        ..Options::default()
    };
    let request = WeightedRequest::new(Statistic::Mean, bounds, options)?;
    WeightedPlan::new(&request, profile.clone(), Grid::new(bounds))
}

/// Refusal of too few records.
pub(super) fn too_few() -> Error {
    Error::request(option::BOUNDS, "not enough for a range by gaussian-diffusion at this privacy")
        .with_fix("take more records, or suum mean --bounds auto, which needs fewer")
}
