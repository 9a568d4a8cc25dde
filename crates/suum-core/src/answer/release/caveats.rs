//! Caveats of releases: limits of their protection and of their intervals.

use super::{Estimate, Release};
use crate::answer::assumption::Assumption;
use crate::{Bounds, Loss, ProtectedUnit, Quantity, Spending};

/// Reason why an estimate without declared bounds has no interval.
pub(crate) const CLIPPED: &str = "the bounds were learned from the data, and values beyond them \
    were moved to them; by how much that changes the estimate is not known, and it can be many \
    times the expected error";

/// Expected error of a rank, as a share of all records, from which on an estimate without an
/// interval is uninformative: a rank drawn blindly is off by 0.29 or more.
const BLIND: f64 = 0.25;

/// Caveats of every release: the unit that it protects, the assumptions of its intervals, and its
/// uninformative answers.
///
/// # Example
///
/// ```
/// use suum_core::*;
///
/// let grid = Grid::new(Bounds::new(0.0, 10.0)?);
/// let sums = vec![ExactSum::from_raw(i128::from(grid.points()))];
/// let two = LevelSums {
///     label: None,
///     epsilon: Epsilon::new(0.1)?,
///     count: 2,
///     sums,
///     cells: Default::default(),
/// };
/// let table = LevelTable::new(None, Measure::Numbers(grid.into()), vec![two])?;
/// let request = WeightedRequest::new(Statistic::Mean, grid.bounds(), Options::default())?;
/// let plan = WeightedPlan::new(&request, table.profile()?, grid)?;
/// let release = plan.release(table, &mut Randomness::insecure(1))?;
/// assert_eq!(release.uninformative(), ["mean"]);
/// # Ok::<(), suum_core::Error>(())
/// ```
impl Release {
    /// Returns the unit that the guarantee protects.
    pub fn protects(&self) -> ProtectedUnit {
        ProtectedUnit::by(self.person.as_deref())
    }

    /// Returns true if no noise was added, because everybody who counts is public.
    pub fn is_noiseless(&self) -> bool {
        let is_public = |row: &Spending| row.epsilon.is_public() || row.spent == Loss::ZERO;
        let is_drawn = self.neighbors().hides_participation();
        self.privacy.iter().all(|row| match is_drawn {
            // If there is noise, public people lose no more than others.
            true => row.spent == Loss::Unlimited || row.epsilon.is_unused(),
            false => is_public(row),
        })
    }

    /// Returns the reason why there is no interval, or why some quantiles have none; `None` if all
    /// have one.
    pub fn no_interval(&self) -> Option<&'static str> {
        self.procedure.any().no_interval(self)
    }

    /// Returns the reason why an estimate has no interval, if it has none: its values were clamped
    /// to a range.
    pub(crate) fn clipped(&self) -> Option<&'static str> {
        self.interval().is_none().then_some(CLIPPED)
    }

    /// Returns the assumptions of the intervals; empty if all numbers are exact or no estimate has
    /// an interval.
    pub fn assumptions(&self) -> Vec<Assumption> {
        let procedure = self.procedure.any();
        let none = self.estimates.iter().all(|one| one.interval.is_none());
        match none && !procedure.always_assumes() {
            true => Vec::new(),
            false => procedure.assumptions(self),
        }
    }

    /// Returns the names of answers whose intervals cover nearly all possible values: a statistic,
    /// a category, or a quantile such as `0.5`.
    ///
    /// A quantile without an interval is among them if its rank is expected to be about as far off
    /// as a blind guess.
    pub fn uninformative(&self) -> Vec<String> {
        let useless: Vec<&Estimate> = match self.procedure.parts() {
            [] => self.estimates.iter().filter(|one| self.says_nothing(one)).collect(),
            // Each part has its own errors.
            parts => {
                let useless = parts.iter().flat_map(|part| {
                    let release = &part.release;
                    release.estimates.iter().filter(|one| release.says_nothing(one))
                });
                useless.filter(|one| self.estimate_of(&one.of).is_some()).collect()
            }
        };
        useless.into_iter().map(|one| one.of.to_string()).collect()
    }

    fn says_nothing(&self, one: &Estimate) -> bool {
        match one.interval {
            Some(interval) => {
                let procedure = self.procedure.any();
                let bounds = procedure.facts().bounds.unwrap_or(Bounds::UNIT);
                let add_remove = self.neighbors().hides_participation();
                let (least, most) = one.of.range(bounds, procedure.unit(), add_remove);
                interval.is_nearly_all_of(least, most)
            }
            None => {
                matches!(one.of, Quantity::Quantile(_))
                    && self.error.is_some_and(|error| error.rmse >= BLIND)
            }
        }
    }
}
