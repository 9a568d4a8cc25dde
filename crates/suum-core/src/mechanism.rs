//! The mechanism: an exact weighted sum plus discrete Laplace noise, in integers only.

use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;

use crate::{DiscreteLaplace, ExactSum, Loss, Profile, Randomness};

/// Integer weights, the grid they act on, and the least noise that keeps every budget.
///
/// Releases A + K with A = Σ_j W_j·S_j, S_j the exact sum of the grid indices of level j, and K discrete Laplace
/// noise of integer scale b.
///
/// # Guarantee
///
/// Replacing one record of level j moves A by at most W_j·G, so the release costs that record exactly W_j·G/b:
/// its [`loss`](WeightedSum::loss). b is the least integer with W_j·G ≤ b·ε_j for every finite level, decided in
/// exact rational arithmetic. Records of weight zero lose nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WeightedSum {
    weights: Vec<UBig>,
    points: u64,
    scale: UBig,
    total: UBig,
}

impl WeightedSum {
    /// The mechanism for the levels of `profile`, with `weights` in its order, on a grid of G = `points` steps.
    pub(crate) fn calibrated(profile: &Profile, weights: Vec<UBig>, points: u64) -> Self {
        let mut scale = UBig::ZERO;
        let mut total = UBig::ZERO;
        for (level, weight) in profile.levels().iter().zip(&weights) {
            total += weight * UBig::from(level.count);
            let Some(epsilon) = level.epsilon.exact() else { continue };
            if *weight == UBig::ZERO {
                continue;
            }
            // ε is dyadic: W·G/ε = W·G·denominator/numerator, rounded up.
            let (numerator, denominator) = epsilon.into_parts();
            let (_, numerator) = numerator.into_parts();
            let needed = weight * UBig::from(points) * denominator;
            // Most levels need the same scale as the last one or less: one product decides.
            if needed > &scale * &numerator {
                scale = (needed + &numerator - UBig::ONE) / numerator;
            }
        }
        Self { weights, points, scale, total }
    }

    /// W_j per level, in the order of the profile.
    pub fn weights(&self) -> &[UBig] {
        &self.weights
    }

    /// G: by how much a grid index can change.
    pub fn points(&self) -> u64 {
        self.points
    }

    /// b: the scale of the noise; zero if only public records count.
    pub fn scale(&self) -> &UBig {
        &self.scale
    }

    /// Σ W over all records.
    pub fn total_weight(&self) -> &UBig {
        &self.total
    }

    /// The exact loss of one record of the level at this position: W·G/b.
    pub fn loss(&self, position: usize) -> Loss {
        match self.weights.get(position) {
            Some(weight) if *weight != UBig::ZERO => {
                if self.scale == UBig::ZERO {
                    return Loss::Unlimited;
                }
                Loss::Finite(RBig::from_parts(
                    IBig::from(weight * UBig::from(self.points)),
                    self.scale.clone(),
                ))
            }
            _ => Loss::ZERO,
        }
    }

    /// A + K: the only way from exact sums to something publishable.
    ///
    /// `sums` are pairs of a level's position and a sum of grid indices of that level; they are consumed.
    pub(crate) fn release(
        &self,
        sums: impl IntoIterator<Item = (usize, ExactSum)>,
        randomness: &mut Randomness,
    ) -> IBig {
        let mut noisy = DiscreteLaplace::new(self.scale.clone()).sample(randomness);
        for (position, sum) in sums {
            if let Some(weight) = self.weights.get(position) {
                noisy += sum.to_big() * IBig::from(weight.clone());
            }
        }
        noisy
    }
}
