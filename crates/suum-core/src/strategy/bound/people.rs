//! Records in the form that the lower bounds use.

use crate::{Neighbors, Profile, Target};

/// Relative margin for rounding: bounds are sums of positive terms over at most about 10^6 levels,
/// each term right to a few units of 2^-53.
pub(super) const ROUNDING: f64 = 1e-9;

/// Records with the same budget.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Alike {
    /// Largest cost of a change of value to one of them: ε, or 2ε.
    pub(super) epsilon: f64,
    /// Number of records.
    pub(super) count: u64,
}

/// All records, in ascending order of the cost of a change of value.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct People {
    /// Levels, the strictest first.
    pub(super) levels: Vec<Alike>,
}

impl People {
    /// Returns the people of a profile. A change of value is a removal and an addition: if ε bounds
    /// only these, it costs up to 2ε.
    pub(super) fn from_profile(profile: &Profile, neighbors: Neighbors) -> Self {
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

    /// Returns n, unused records included.
    pub(super) fn records(&self) -> u64 {
        self.levels.iter().map(|level| level.count).sum()
    }

    /// Returns the number of records that may be used (ε > 0).
    pub(super) fn usable(&self) -> u64 {
        let usable = self.levels.iter().filter(|level| level.epsilon > 0.0);
        usable.map(|level| level.count).sum()
    }

    /// Returns the people in at most `levels` levels, to search on: neighbouring levels get the
    /// budget of one of them.
    pub(super) fn coarse(&self, levels: usize) -> Self {
        let together = self.levels.len().div_ceil(levels.max(1)).max(1);
        let merged = self.levels.chunks(together).map(|chunk| Alike {
            epsilon: chunk[chunk.len() / 2].epsilon,
            count: chunk.iter().map(|level| level.count).sum(),
        });
        Self { levels: merged.collect() }
    }

    /// Returns the people in at most `levels` levels, of which each has the largest budget of those
    /// that it joins: whoever may spend more lets any method do better.
    pub(super) fn raised(&self, levels: usize) -> Self {
        let together = self.levels.len().div_ceil(levels.max(1)).max(1);
        let (unused, used): (Vec<Alike>, Vec<Alike>) =
            self.levels.iter().partition(|level| level.epsilon == 0.0);
        let joined = used.chunks(together).filter_map(|chunk| {
            let count = chunk.iter().map(|level| level.count).sum();
            chunk.last().map(|last| Alike { epsilon: last.epsilon, count })
        });
        Self { levels: unused.into_iter().chain(joined).collect() }
    }

    /// Converts an RMSE against the mean of the distribution to one for the target. The mean of the
    /// records is a standard deviation of `deviation` away (triangle inequality).
    pub(super) fn for_target(target: Target, rmse: f64, deviation: f64) -> f64 {
        match target {
            Target::Population => rmse,
            Target::Dataset | Target::DatasetCorrelated => {
                (rmse * (1.0 - ROUNDING) - deviation).max(0.0)
            }
        }
    }
}

/// Returns the distance of two values, each of half of the records, with this variance or, if that
/// is less, the width of the bounds; in units of the range.
pub(super) fn pair_width(variance: f64) -> f64 {
    (2.0 * variance.sqrt()).min(1.0)
}
