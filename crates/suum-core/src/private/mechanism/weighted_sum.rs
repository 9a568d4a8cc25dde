//! One weighted sum with one noise.

use dashu_int::{IBig, UBig};

use super::{ExactSums, common_scale, total_weight, weighing, weight_loss};
use crate::certificate::verify::Description;
use crate::{DiscreteLaplace, Distribution, LevelEntry, Loss, Profile, Question, Randomness};

/// Weighted sum: integer weights, and the least noise that keeps every budget.
///
/// Releases A + K, with A = Σ_j W_j·S_j, S_j the exact sum of level j, and K discrete Laplace noise
/// of integer scale b.
///
/// # Guarantee
///
/// Replacing one record of level j moves S_j by at most M grid steps, so the release costs that
/// record exactly W_j·M/b: its [`loss`](WeightedSum::loss). b is the least integer with W_j·M ≤
/// b·ε_j for every finite level, decided in exact rational arithmetic. Records of weight zero lose
/// nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WeightedSum {
    weights: Vec<UBig>,
    sensitivity: u64,
    scale: UBig,
    total: UBig,
}

impl WeightedSum {
    /// Returns the mechanism for the levels of `profile`, with `weights` in its order.
    ///
    /// `sensitivity` is M.
    pub(crate) fn calibrated(profile: &Profile, weights: Vec<UBig>, sensitivity: u64) -> Self {
        let scale = common_scale(profile.levels(), &weights, &UBig::from(sensitivity), &UBig::ONE);
        let total = total_weight(profile, &weights);
        Self { weights, sensitivity, scale, total }
    }

    /// Returns W_j for each level, in the order of the profile.
    pub fn weights(&self) -> &[UBig] {
        &self.weights
    }

    /// Returns M, the most by which one record of weight 1 can move the sum.
    pub fn sensitivity(&self) -> u64 {
        self.sensitivity
    }

    /// Returns b, the scale of the noise; zero if only public records count.
    pub fn scale(&self) -> &UBig {
        &self.scale
    }

    /// Returns Σ W over all records, the divisor of the estimate.
    pub fn total_weight(&self) -> &UBig {
        &self.total
    }

    /// Returns the exact loss of one record of the level at this position: W·M/b.
    pub fn loss(&self, position: usize) -> Loss {
        let sensitivity = UBig::from(self.sensitivity);
        weight_loss(&self.weights, position, &self.scale, (&sensitivity, &UBig::ONE))
    }

    /// Returns the description of the measurement in a certificate.
    pub(crate) fn description(&self) -> Description {
        Description {
            question: Question::Sum { grid: self.sensitivity },
            distribution: Distribution::DiscreteLaplace,
            sensitivity: self.sensitivity.into(),
            scale: Some(self.scale.clone().into()),
        }
    }

    /// Returns the certificate entry of a record of the level at this position.
    pub(crate) fn level(&self, position: usize) -> LevelEntry {
        weighing(&self.weights, position)
    }

    pub(super) fn release(&self, by_level: &[ExactSums<'_>], randomness: &mut Randomness) -> IBig {
        let mut noisy = DiscreteLaplace::new(self.scale.clone()).sample(randomness);
        for level_sums in by_level {
            if let (Some(weight), Some(sum)) =
                (self.weights.get(level_sums.position), level_sums.sums.first())
            {
                noisy += sum.to_big() * IBig::from(weight.clone());
            }
        }
        noisy
    }
}
