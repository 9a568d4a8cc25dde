//! Weights: how much one record of each level counts.
//!
//! Every optimal weighting of CC23 and CC24 gives a record min(ε, τ) up to scale ([`Weights::clipped`]); what
//! differs is the objective that picks the clip level τ, in [`l2`] and [`l1`].

mod integer;
pub(crate) mod l1;
pub(crate) mod l2;

use crate::Profile;
use crate::double_double::DoubleDouble;

/// The weight of one record of each level, in the order of the profile; all records together weigh 1.
#[derive(Debug, Clone, PartialEq)]
pub struct Weights(Vec<f64>);

impl Weights {
    /// Weights proportional to `share` of each usable level's budget; unused records weigh nothing.
    ///
    /// `share` maps ε > 0 to a non-negative number and is infinite for at most ε = ∞; then only those count.
    pub(crate) fn proportional_to(profile: &Profile, share: impl Fn(f64) -> f64) -> Self {
        let shares: Vec<f64> = profile
            .levels()
            .iter()
            .map(|level| if level.epsilon.is_unused() { 0.0 } else { share(level.epsilon.get()) })
            .collect();
        let unbounded = shares.iter().any(|share| share.is_infinite());
        let used = |share: f64| match (unbounded, share.is_infinite()) {
            (true, true) => 1.0,
            (true, false) => 0.0,
            (false, _) => share,
        };
        let mut sum = DoubleDouble::ZERO;
        for (level, share) in profile.levels().iter().zip(&shares) {
            sum = sum + DoubleDouble::product(level.count as f64, used(*share));
        }
        Self(shares.into_iter().map(|share| used(share) / sum.get()).collect())
    }

    /// The clipped family: weights min(ε, τ)/Σ min(ε, τ), for τ in (0, ∞].
    ///
    /// With noise scaled to the largest w/ε a record spends exactly min(ε, τ): nobody loses more than they
    /// allowed, and everyone above τ keeps ε − τ for free (CC23 section III, CC24 section 3).
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
        Self::proportional_to(profile, |epsilon| epsilon.min(tau))
    }

    /// One record's weight per level, in the order of the profile.
    pub fn per_level(&self) -> &[f64] {
        &self.0
    }

    /// max w/ε over the finite levels: the noise scale in units of the range; 0 if only public records count.
    pub fn noise(&self, profile: &Profile) -> f64 {
        self.0
            .iter()
            .zip(profile.levels())
            .filter(|(weight, level)| **weight > 0.0 && !level.epsilon.is_public())
            .map(|(weight, level)| weight / level.epsilon.get())
            .fold(0.0, f64::max)
    }

    /// ‖w‖₂² = Σ w² over all records.
    pub fn squared_norm(&self, profile: &Profile) -> f64 {
        self.sum_over(profile, |weight| weight * weight)
    }

    /// ‖w − 1/n‖₂² over all records; equal to ‖w‖₂² − 1/n without the cancellation.
    pub fn squared_distance(&self, profile: &Profile) -> f64 {
        self.squared_distance_from(profile, 1.0 / profile.records() as f64)
    }

    /// Σ (w − centre)² over all records.
    pub(crate) fn squared_distance_from(&self, profile: &Profile, centre: f64) -> f64 {
        self.sum_over(profile, |weight| (weight - centre) * (weight - centre))
    }

    /// Σ w over all records; 1 unless the weights are those of a biased estimator.
    pub(crate) fn total(&self, profile: &Profile) -> f64 {
        self.sum_over(profile, |weight| weight)
    }

    /// Weights as they are, one per level of the profile they are for.
    pub(crate) fn from_levels(per_level: Vec<f64>) -> Self {
        Self(per_level)
    }

    /// ‖w − 1/n‖₁ over all records, between 0 and 2.
    pub fn distance(&self, profile: &Profile) -> f64 {
        let equal = 1.0 / profile.records() as f64;
        self.sum_over(profile, |weight| (weight - equal).abs())
    }

    /// The largest weight.
    pub fn largest(&self) -> f64 {
        self.0.iter().copied().fold(0.0, f64::max)
    }

    /// The least weight.
    pub(crate) fn least(&self) -> f64 {
        self.0.iter().copied().fold(f64::INFINITY, f64::min)
    }

    fn sum_over(&self, profile: &Profile, term: impl Fn(f64) -> f64) -> f64 {
        self.0.iter().zip(profile.levels()).map(|(weight, level)| level.count as f64 * term(*weight)).sum()
    }
}
