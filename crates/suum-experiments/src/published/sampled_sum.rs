//! Noisy sum over a random sample: integers only.

use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;
use suum::{DiscreteLaplace, Epsilon, Loss, Profile, Randomness, least_scale};

use super::sampling_probability::{SamplingProbability, Subsampling};

/// A random sample of the records, and one noise at the sample's own ε for all.
///
/// Kept values are centred and dropped ones count as the centre, so that dropping a record is one
/// more way of replacing it. In integers: a kept record adds 2g − G, with g its grid index and G
/// the number of steps.
///
/// # Guarantee
///
/// Replacing a value moves the sum by at most 2G, dropping a record by less; noise of scale b =
/// ⌈2G/t⌉ makes that t′-private with t′ = 2G/b ≤ t. A record kept with probability p then loses
/// ln(1 + p(e^{t′} − 1)), which [`SamplingProbability`] holds within ε (DG26 Theorem 10). The
/// certificate states ε for it, and t′ for records always kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SampledSum {
    probability: Vec<(Epsilon, SamplingProbability)>,
    points: u64,
    scale: UBig,
    expected: UBig,
}

impl SampledSum {
    /// Creates a sample at the given threshold of values on a grid of this many steps.
    pub fn new(profile: &Profile, threshold: Epsilon, points: u64) -> Self {
        let subsampling = threshold.exact().map(Subsampling::before);
        let probability: Vec<(Epsilon, SamplingProbability)> = profile
            .levels()
            .iter()
            .map(|level| {
                let probability = match &subsampling {
                    // t = ∞ keeps public records alone.
                    None if level.epsilon.is_public() => SamplingProbability::ALWAYS,
                    None => SamplingProbability::NEVER,
                    Some(_) if level.epsilon.is_unused() => SamplingProbability::NEVER,
                    Some(subsampling) => subsampling.sampling_probability(level.epsilon),
                };
                (level.epsilon, probability)
            })
            .collect();
        let expected = probability
            .iter()
            .zip(profile.levels())
            .map(|((_, probability), level)| {
                UBig::from(probability.numerator()) * UBig::from(level.count)
            })
            .fold(UBig::ZERO, |sum, term| sum + term);
        let scale = least_scale(UBig::from(points) * UBig::from(2u8), threshold);
        Self { probability, points, scale, expected }
    }

    /// Probability of keeping a record with this budget.
    pub fn sampling_probability(&self, epsilon: Epsilon) -> SamplingProbability {
        let found = self.probability.binary_search_by(|(budget, _)| budget.cmp(&epsilon));
        found.map_or(SamplingProbability::NEVER, |position| self.probability[position].1)
    }

    /// Scale b of the noise; zero if only public records are kept.
    pub fn scale(&self) -> &UBig {
        &self.scale
    }

    /// Public divisor 2^64·Σp.
    pub fn expected(&self) -> &UBig {
        &self.expected
    }

    /// Largest change 2G of the sum when one record is replaced.
    pub fn sensitivity(&self) -> UBig {
        UBig::from(self.points) * UBig::from(2u8)
    }

    /// Bound on the loss of one record of this budget.
    pub fn loss(&self, epsilon: Epsilon) -> Loss {
        let probability = self.sampling_probability(epsilon);
        if probability == SamplingProbability::NEVER {
            return Loss::ZERO;
        }
        if self.scale == UBig::ZERO {
            return Loss::Unlimited;
        }
        match epsilon.exact() {
            Some(epsilon) if !probability.is_always() => Loss::Finite(epsilon),
            _ => Loss::Finite(RBig::from_parts(IBig::from(self.sensitivity()), self.scale.clone())),
        }
    }

    /// Σ(2g − G) over the records that are kept this time, with the noise; records are budgets and
    /// grid indices.
    pub(super) fn release(
        &self,
        records: impl IntoIterator<Item = (Epsilon, u64)>,
        randomness: &mut Randomness,
    ) -> IBig {
        let mut noisy = DiscreteLaplace::new(self.scale.clone()).sample(randomness);
        for (epsilon, index) in records {
            if self.sampling_probability(epsilon).decide(randomness) {
                noisy += IBig::from(2 * i128::from(index) - i128::from(self.points));
            }
        }
        noisy
    }
}
