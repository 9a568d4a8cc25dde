//! The records as the lower bounds see them.

use crate::{Neighbors, Profile, Target};

/// Relative room for rounding: bounds are sums of positive terms over at most some 10^6 levels,
/// each term right to a few units of 2^-53.
pub(super) const ROUNDING: f64 = 1e-9;

/// All records of one budget.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Alike {
    /// What a change of value may cost one of them: ε, or 2ε.
    pub(super) epsilon: f64,
    /// How many there are.
    pub(super) count: u64,
}

/// All records, in ascending order of what a change of value may cost them.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct People {
    /// From the strictest on.
    pub(super) levels: Vec<Alike>,
}

impl People {
    /// The people of a profile. A change of value is a removal and an addition: where ε bounds
    /// these alone, it costs up to 2ε.
    pub(super) fn of(profile: &Profile, neighbors: Neighbors) -> Self {
        let factor = match neighbors {
            Neighbors::ReplaceOne | Neighbors::Both => 1.0,
            Neighbors::AddRemove => 2.0,
        };
        let alike = |level: &crate::Level| Alike {
            epsilon: factor * level.epsilon.get(),
            count: level.count,
        };
        Self { levels: profile.levels().iter().map(alike).collect() }
    }

    /// n, unused records included.
    pub(super) fn records(&self) -> u64 {
        self.levels.iter().map(|level| level.count).sum()
    }

    /// The records that may be used (ε > 0).
    pub(super) fn usable(&self) -> u64 {
        let usable = self.levels.iter().filter(|level| level.epsilon > 0.0);
        usable.map(|level| level.count).sum()
    }

    /// The same in at most so many levels, to search on: neighbouring levels have the budget of
    /// one of them.
    pub(super) fn coarse(&self, levels: usize) -> Self {
        let together = self.levels.len().div_ceil(levels.max(1)).max(1);
        let merged = self.levels.chunks(together).map(|chunk| Alike {
            epsilon: chunk[chunk.len() / 2].epsilon,
            count: chunk.iter().map(|level| level.count).sum(),
        });
        Self { levels: merged.collect() }
    }

    /// From an RMSE against the distribution to one against the mean of the records, which is a
    /// standard deviation of `deviation` away: the triangle inequality.
    pub(super) fn for_target(target: Target, rmse: f64, deviation: f64) -> f64 {
        match target {
            Target::Population => rmse,
            Target::Dataset | Target::DatasetCorrelated => {
                (rmse * (1.0 - ROUNDING) - deviation).max(0.0)
            }
        }
    }
}

/// The width of two values, each half of the records, whose variance is that or the largest there
/// is; in units of the range.
pub(super) fn pair_width(variance: f64) -> f64 {
    (2.0 * variance.sqrt()).min(1.0)
}
