//! Data of a trial.

use super::Dice;

/// Source of the values of a trial. Records are in the order of the profile's levels.
pub enum Data<T> {
    /// Values drawn anew and independently; the truth is the distribution's.
    Independent {
        /// Draws one value.
        draw: Box<dyn Fn(&mut Dice) -> T + Send + Sync>,
        /// The mean, or the probability of every category.
        truth: Vec<f64>,
    },
    /// Values that are the same in every trial, one per record; the truth is theirs.
    Fixed(Vec<T>),
    /// Values in random order, one per record; the truth is theirs.
    Permuted(Vec<T>),
}

impl<T: Copy> Data<T> {
    /// Creates a source of values drawn independently from a distribution with the given mean (one
    /// number), or with the given probabilities of categories.
    pub fn independent(
        draw: impl Fn(&mut Dice) -> T + Send + Sync + 'static,
        truth: Vec<f64>,
    ) -> Self {
        Data::Independent { draw: Box::new(draw), truth }
    }

    /// Truth of a distribution; `None` for fixed values, whose truth depends on the statistic.
    pub(super) fn truth(&self) -> Option<&[f64]> {
        match self {
            Data::Independent { truth, .. } => Some(truth),
            _ => None,
        }
    }

    /// Number of records, if it is fixed.
    pub(super) fn records(&self) -> Option<usize> {
        self.values().map(<[T]>::len)
    }

    /// Values, if they are fixed.
    pub(super) fn values(&self) -> Option<&[T]> {
        match self {
            Data::Independent { .. } => None,
            Data::Fixed(values) | Data::Permuted(values) => Some(values),
        }
    }

    /// Replaces the contents of `values` with the values of one trial, record by record.
    pub(super) fn fill(&self, records: usize, dice: &mut Dice, values: &mut Vec<T>) {
        values.clear();
        match self {
            Data::Independent { draw, .. } => values.extend((0..records).map(|_| draw(dice))),
            Data::Fixed(fixed) => values.extend_from_slice(fixed),
            Data::Permuted(fixed) => {
                values.extend_from_slice(fixed);
                // Fisher and Yates.
                for position in 0..values.len() {
                    let other = position + dice.below(values.len() - position);
                    values.swap(position, other);
                }
            }
        }
    }
}

impl Data<usize> {
    /// Returns true if a fixed value is not a category below `categories`.
    pub(super) fn exceeds(&self, categories: usize) -> bool {
        self.values().is_some_and(|values| values.iter().any(|value| *value >= categories))
    }
}
