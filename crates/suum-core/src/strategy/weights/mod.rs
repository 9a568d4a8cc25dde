//! Weights of records, by level.
//!
//! Every optimal weighting of CC23 and CC24 gives a record min(ε, τ) up to scale
//! ([`Weights::clipped`]); what differs is the objective that picks the clip level τ, in [`l2`] and
//! [`l1`]; [`select`] picks it of budgets in no order.

#[cfg(test)]
mod any_profile;
mod clipped_weights;
mod integer;
pub(crate) mod l1;
pub(crate) mod l2;
mod select;
mod strata;
mod workers;

pub(crate) use clipped_weights::{ClippedSums, ClippedWeights};
pub use select::personal_weights;
pub(crate) use strata::{FilledStrata, stratified};
pub use workers::{Alone, Workers};

use crate::arithmetic::double_double::DoubleDouble;
use crate::{Level, Profile};

/// Weight of one record of each level, in the order of the profile; all records together weigh 1.
#[derive(Debug, Clone, PartialEq)]
pub struct Weights {
    per_level: Vec<f64>,
    equal: Equal,
}

/// Data from which w − 1/n is computed on demand; with strata the difference to equal weights in
/// each, w − D_d/n_d.
#[derive(Debug, Clone, PartialEq)]
enum Equal {
    /// Weights proportional to these shares of the n records, with their sum to full precision,
    /// because with 10^9 records the difference can be the ninth digit of w.
    Shares { shares: Vec<f64>, sum: DoubleDouble, n: f64 },
    /// Weights proportional to shares min(ε, τ) for a finite τ, with the sum of the shares.
    ClippedWeights { tau: f64, sum: DoubleDouble, n: f64 },
    /// Equal weight of all records, 1/n.
    All(f64),
    /// Equal weight in each stratum, D_d/n_d, for each level.
    Strata(Vec<f64>),
}

impl Weights {
    /// Returns weights proportional to `share` of each usable level's budget; unused records weigh
    /// nothing.
    ///
    /// `share` maps ε > 0 to a non-negative number and is infinite for at most ε = ∞; then only
    /// those count.
    pub(crate) fn proportional_to(profile: &Profile, share: impl Fn(f64) -> f64) -> Self {
        let levels = profile.levels();
        let shares = levels
            .iter()
            .map(|level| if level.epsilon.is_unused() { 0.0 } else { share(level.epsilon.get()) });
        let mut shares: Vec<f64> = shares.collect();
        if shares.iter().any(|share| share.is_infinite()) {
            shares
                .iter_mut()
                .for_each(|share| *share = if share.is_infinite() { 1.0 } else { 0.0 });
        }
        let sum = DoubleDouble::sum_of_products(levels.len(), |position| {
            (levels[position].count as f64, shares[position])
        });
        let n = profile.records() as f64;
        let per_level = shares.iter().map(|share| share / sum.get()).collect();
        Self { per_level, equal: Equal::Shares { shares, sum, n } }
    }

    /// Returns weights of the clipped family, min(ε, τ)/Σ min(ε, τ), for τ in (0, ∞].
    ///
    /// With noise scaled to the largest w/ε a record spends exactly min(ε, τ): nobody loses more
    /// than they allowed, and everyone above τ keeps ε − τ for free (CC23 section III, CC24 section
    /// 3).
    ///
    /// # Example
    ///
    /// ```
    /// use suum_core::Weights;
    ///
    /// let weights = Weights::clipped(&"1:2,4:1".parse()?, 2.0);
    /// assert_eq!(weights.per_level(), [0.25, 0.5]);
    /// # Ok::<(), suum_core::Error>(())
    /// ```
    pub fn clipped(profile: &Profile, tau: f64) -> Self {
        if tau.is_infinite() {
            return Self::proportional_to(profile, |epsilon| epsilon);
        }
        let (levels, n) = (profile.levels(), profile.records() as f64);
        let share = |level: &Level| level.epsilon.get().min(tau);
        let sum = DoubleDouble::sum_of_products(levels.len(), |position| {
            (levels[position].count as f64, share(&levels[position]))
        });
        let per_level = levels.iter().map(|level| share(level) / sum.get()).collect();
        Self { per_level, equal: Equal::ClippedWeights { tau, sum, n } }
    }

    /// Returns the weight of one record per level, in the order of the profile.
    pub fn per_level(&self) -> &[f64] {
        &self.per_level
    }

    /// Returns max w/ε over the finite levels: the noise scale in units of the range; 0 if only
    /// public records count.
    pub fn noise(&self, profile: &Profile) -> f64 {
        self.per_level
            .iter()
            .zip(profile.levels())
            .filter(|(weight, level)| **weight > 0.0 && !level.epsilon.is_public())
            .map(|(weight, level)| weight / level.epsilon.get())
            .fold(0.0, f64::max)
    }

    /// Returns ‖w‖₂² = Σ w² over all records.
    pub fn squared_norm(&self, profile: &Profile) -> f64 {
        sum_over(profile, &self.per_level, |weight| weight * weight)
    }

    /// Returns ‖w − 1/n‖₂² over all records; equal to ‖w‖₂² − 1/n without the cancellation.
    pub fn squared_distance(&self, profile: &Profile) -> f64 {
        self.sum_from_equal(profile, |distance| distance * distance)
    }

    /// Returns ‖w − 1/n‖₁ over all records, between 0 and 2.
    pub fn distance(&self, profile: &Profile) -> f64 {
        self.sum_from_equal(profile, f64::abs)
    }

    /// Returns Σ term over all records, for the distance of each weight from equal ones.
    fn sum_from_equal(&self, profile: &Profile, term: impl Fn(f64) -> f64) -> f64 {
        let count = |level: &Level| level.count as f64;
        self.over_from_equal(profile, |level, distance| count(level) * term(distance))
    }

    /// Returns Σ term over all levels, for the distance of a weight from equal ones.
    fn over_from_equal(&self, profile: &Profile, term: impl FnMut(&Level, f64) -> f64) -> f64 {
        // A separate loop for each kind, without branches inside.
        let weights = self.per_level.iter();
        let distance = |share: f64, sum: DoubleDouble, n: f64| {
            (DoubleDouble::product(n, share) - sum).get() / sum.get() / n
        };
        match &self.equal {
            Equal::Shares { shares, sum, n } => {
                over(profile, shares.iter().map(|share| distance(*share, *sum, *n)), term)
            }
            Equal::ClippedWeights { tau, sum, n } => {
                let shares = profile.levels().iter().map(|level| level.epsilon.get().min(*tau));
                over(profile, shares.map(|share| distance(share, *sum, *n)), term)
            }
            Equal::All(equal) => over(profile, weights.map(|weight| weight - equal), term),
            Equal::Strata(equal) => {
                let distances = weights.zip(equal).map(|(weight, equal)| weight - equal);
                over(profile, distances, term)
            }
        }
    }

    /// Returns Σ (w − centre)² over all records.
    pub(crate) fn squared_distance_from(&self, profile: &Profile, centre: f64) -> f64 {
        sum_over(profile, &self.per_level, |weight| (weight - centre) * (weight - centre))
    }

    /// Returns Σ w over all records; 1 unless the weights are those of a biased estimator.
    pub(crate) fn total(&self, profile: &Profile) -> f64 {
        sum_over(profile, &self.per_level, |weight| weight)
    }

    /// Returns the given weights, one per level of the profile.
    pub(crate) fn from_levels(profile: &Profile, per_level: Vec<f64>) -> Self {
        Self { per_level, equal: Equal::All(1.0 / profile.records() as f64) }
    }

    /// Returns weights that keep these shares of strata.
    fn for_strata(profile: &Profile, shares: &[f64], per_level: Vec<f64>) -> Self {
        let records = profile.records_of_strata();
        let equal = |position: usize| {
            let stratum = profile.stratum(position);
            shares[stratum] / records[stratum] as f64
        };
        let equal = (0..per_level.len()).map(equal).collect();
        Self { per_level, equal: Equal::Strata(equal) }
    }

    /// Returns the sum of squares over the records of each stratum: of weights, or of their
    /// distances from equal ones if `from_equal`.
    pub(crate) fn squares_of_strata(&self, profile: &Profile, from_equal: bool) -> Vec<f64> {
        let square = |level: &Level, value: f64| level.count as f64 * value * value;
        let weights = || self.per_level.iter().copied();
        if !profile.is_stratified() {
            return vec![match from_equal {
                true => self.over_from_equal(profile, square),
                false => over(profile, weights(), square),
            }];
        }
        let mut sums = vec![0.0; profile.records_of_strata().len()];
        let mut position = 0;
        let add = |level: &Level, value: f64| {
            sums[profile.stratum(position)] += square(level, value);
            position += 1;
            0.0
        };
        match from_equal {
            true => self.over_from_equal(profile, add),
            false => over(profile, weights(), add),
        };
        sums
    }

    /// Returns the least weight in each stratum.
    pub(crate) fn least_of_strata(&self, profile: &Profile) -> Vec<f64> {
        let mut least = vec![f64::INFINITY; profile.records_of_strata().len()];
        for (position, weight) in self.per_level.iter().enumerate() {
            let least = &mut least[profile.stratum(position)];
            *least = least.min(*weight);
        }
        least
    }

    /// Largest move of a weighted sum of numbers from 0 to 1 if two records of one stratum change
    /// their values: the largest difference of their weights.
    pub(crate) fn largest_swap(&self, profile: &Profile) -> f64 {
        let least = self.least_of_strata(profile);
        let weights = self.per_level.iter().enumerate();
        let swaps = weights.map(|(position, weight)| weight - least[profile.stratum(position)]);
        swaps.fold(0.0, f64::max)
    }

    /// Returns the largest weight.
    pub fn largest(&self) -> f64 {
        self.per_level.iter().copied().fold(0.0, f64::max)
    }

    /// Returns the least weight.
    pub(crate) fn least(&self) -> f64 {
        self.per_level.iter().copied().fold(f64::INFINITY, f64::min)
    }
}

/// Returns Σ term over all records, with one of `values` per level.
fn sum_over(profile: &Profile, values: &[f64], term: impl Fn(f64) -> f64) -> f64 {
    over(profile, values.iter().copied(), |level, value| level.count as f64 * term(value))
}

/// Returns Σ term over all levels, each with one of the values.
fn over(
    profile: &Profile,
    values: impl Iterator<Item = f64>,
    mut term: impl FnMut(&Level, f64) -> f64,
) -> f64 {
    values.zip(profile.levels()).map(|(value, level)| term(level, value)).sum()
}
