//! Sum of values shrunk by their budgets, with noise at the largest of them: integers only.

use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;
use suum::{DiscreteLaplace, Epsilon, Loss, Profile, Randomness};

/// Values weighted by their budgets, and one noise for all.
///
/// With D the common denominator of all budgets, which are doubles and so fractions, a record adds
/// ε·D·g, g its grid index of G steps. The noise is discrete Laplace of scale D·G.
///
/// # Guarantee
///
/// Replacing a value moves the sum by at most ε·D·G, so the record loses exactly ε.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StretchedSum {
    /// Weights ε·D, by ε.
    weights: Vec<(Epsilon, UBig)>,
    points: u64,
    scale: UBig,
    whole: UBig,
}

impl StretchedSum {
    /// Creates the sum for people of this profile, none of whom is public; a public record weighs
    /// nothing.
    pub fn new(profile: &Profile, points: u64) -> Self {
        let exact = |epsilon: Epsilon| epsilon.exact().unwrap_or(RBig::ZERO);
        // Powers of two: the largest is a multiple of the others.
        let denominators = profile.levels().iter().map(|level| exact(level.epsilon).into_parts().1);
        let common = denominators.max().unwrap_or(UBig::ONE);
        let weight = |epsilon: Epsilon| {
            let (_, weight) = (exact(epsilon) * RBig::from(common.clone())).floor().into_parts();
            (epsilon, weight)
        };
        let weights: Vec<(Epsilon, UBig)> =
            profile.levels().iter().map(|level| weight(level.epsilon)).collect();
        let largest = weights.iter().map(|(_, weight)| weight).max().cloned();
        Self {
            points,
            scale: common * UBig::from(points),
            whole: largest.unwrap_or(UBig::ONE)
                * UBig::from(profile.records())
                * UBig::from(points),
            weights,
        }
    }

    /// Scale b of the noise.
    pub fn scale(&self) -> &UBig {
        &self.scale
    }

    /// Largest possible sum n·max ε·D·G: everybody at the upper bound with the largest ε.
    pub fn whole(&self) -> &UBig {
        &self.whole
    }

    /// Exact loss of a record of this budget.
    pub fn loss(&self, epsilon: Epsilon) -> Loss {
        let moved = self.weight(epsilon) * UBig::from(self.points);
        Loss::Finite(RBig::from_parts(IBig::from(moved), self.scale.clone()))
    }

    fn weight(&self, epsilon: Epsilon) -> UBig {
        let found = self.weights.binary_search_by(|(budget, _)| budget.cmp(&epsilon));
        found.map_or(UBig::ZERO, |position| self.weights[position].1.clone())
    }

    /// Σ ε·D·g and the noise; records are budgets and grid indices.
    pub(super) fn release(
        &self,
        records: impl IntoIterator<Item = (Epsilon, u64)>,
        randomness: &mut Randomness,
    ) -> IBig {
        let mut noisy = DiscreteLaplace::new(self.scale.clone()).sample(randomness);
        for (epsilon, index) in records {
            noisy += IBig::from(self.weight(epsilon) * UBig::from(index));
        }
        noisy
    }
}
