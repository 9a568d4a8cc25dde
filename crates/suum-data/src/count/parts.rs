//! Counts of a level besides its number of records and their sum.

use suum_core::{Measure, Numbers};

use crate::count::moments::Moments;

/// Counts besides the tallies.
pub(crate) enum Parts {
    // Only budgets were read.
    Nothing,
    // Tallies say it all.
    Sum,
    // The counts of categories, level after level, in steps of a record; tallies are empty.
    CategoryRule { width: usize, steps: u64, counts: Vec<u64> },
    Moments(Box<Moments>),
}

impl Parts {
    /// Creates parts without levels, with room for `limit` pairs of a level and a candidate.
    pub(crate) fn new(measure: &Measure, limit: usize) -> Self {
        match measure {
            Measure::Nothing => Self::Nothing,
            Measure::Numbers(Numbers { squares: false, cells: None, .. }) => Self::Sum,
            Measure::Numbers(numbers) => Self::Moments(Box::new(Moments::new(numbers, limit))),
            Measure::Categories(categories) => Self::CategoryRule {
                width: categories.len(),
                steps: categories.steps(),
                counts: Vec::new(),
            },
        }
    }

    /// Creates parts of the same kind without levels.
    pub(crate) fn emptied(&self) -> Self {
        match self {
            Self::Nothing => Self::Nothing,
            Self::Sum => Self::Sum,
            Self::CategoryRule { width, steps, .. } => {
                Self::CategoryRule { width: *width, steps: *steps, counts: Vec::new() }
            }
            Self::Moments(moments) => Self::Moments(Box::new(moments.emptied())),
        }
    }

    /// Adds many records besides the tallies: the position of the level of each, and its index or
    /// category.
    #[inline]
    pub(crate) fn add_all(
        &mut self,
        positions: impl Iterator<Item = usize> + Clone,
        indices: &[u64],
    ) {
        match self {
            Self::Nothing | Self::Sum => {}
            Self::CategoryRule { width, steps, counts } => {
                for (position, class) in positions.zip(indices) {
                    counts[position * *width + *class as usize] += *steps;
                }
            }
            Self::Moments(moments) => moments.add_all(positions, indices),
        }
    }
}
