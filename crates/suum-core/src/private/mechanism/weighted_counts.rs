//! Weighted counts of categories, with noise that adds up to zero.

use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;

#[cfg(doc)]
use crate::Categories;
use crate::certificate::verify::Description;
use crate::private::level_mechanism::ExactSums;
use crate::private::weights::{WeightTable, Weighting};
use crate::{Distribution, LevelEntry, Loss, Profile, Question, Randomness, SumZeroLaplace};

/// Weighted counts of categories: integer weights, and the least noise that keeps every budget.
///
/// Releases A_c + Z_c for every category c, with A_c = Σ_j W_j·n_jc, n_jc the records of level j in
/// the category, in s [steps](Categories::steps) of a record, and Z [noise that adds up to
/// zero](SumZeroLaplace) of integer scale b. All A_c together are s·Σ W over all records, which is
/// public with replace-one neighbours; so are all that is released.
///
/// # Guarantee
///
/// A record has s steps in all categories together. Replacing one of weight W moves A by W·(p − q),
/// where p and q are not negative and add up to s each: that adds up to zero and has a norm of at
/// most 2sW. So every result that Z can lead to from one of the two it can lead to from the other,
/// with a probability that differs by a factor of at most exp(sW/b). The release costs the record
/// sW/b: its [`loss`](WeightedCounts::loss). b is the least integer with s·W_j ≤ b·ε_j for every
/// finite level, decided in exact rational arithmetic. Records of weight zero lose nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WeightedCounts {
    weights: WeightTable,
    steps: u64,
    noise: SumZeroLaplace,
}

/// Number of binary digits by which weights are made finer in one step, and by which the scale of
/// the noise exceeds the number of categories at least. Then the noise is practically continuous,
/// and fast to draw.
const FINE: usize = 20;

impl WeightedCounts {
    /// Returns the mechanism for the levels of `profile`, with `weights` in its order, made finer
    /// if the noise would otherwise be only a few steps.
    pub(crate) fn calibrated(
        profile: &Profile,
        weights: Vec<UBig>,
        (categories, steps): (usize, u64),
    ) -> Self {
        let least = UBig::from(categories) << FINE;
        let sensitivity = RBig::from(steps);
        let mut weights = WeightTable::new(profile.levels(), weights);
        let scale = loop {
            let scale = weights.least_scale(profile.levels(), &sensitivity);
            if scale == UBig::ZERO || scale >= least {
                break scale;
            }
            weights = weights.finer(FINE);
        };
        Self { weights, steps, noise: SumZeroLaplace::new(scale, categories) }
    }

    /// Returns W_j for each level, in the order of the profile.
    pub fn weights(&self) -> &[UBig] {
        self.weights.weights()
    }

    /// Returns b, the scale of the noise; zero if only public records count.
    pub fn scale(&self) -> &UBig {
        self.noise.scale()
    }

    /// Returns s, the number of steps of one record.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Returns s·Σ W over all records, the divisor of the estimates.
    pub fn total_weight(&self) -> UBig {
        self.weights.total() * UBig::from(self.steps)
    }

    /// Returns the exact loss of one record of the level at this position: sW/b.
    pub fn loss(&self, position: usize) -> Loss {
        self.weights.loss_at(position, &RBig::from(self.steps), self.scale())
    }

    /// Returns the description of the measurement in a certificate.
    pub(crate) fn description(&self) -> Description {
        Description {
            question: Question::CountsOfKnownTotal {
                categories: self.noise.components(),
                steps: self.steps,
            },
            distribution: Distribution::SumZeroLaplace,
            sensitivity: self.steps.into(),
            scale: Some(self.scale().clone().into()),
        }
    }

    /// Returns the certificate entry of a record of the level at this position.
    pub(crate) fn level(&self, position: usize) -> LevelEntry {
        self.weights.entry(position)
    }

    pub(super) fn release(
        &self,
        by_level: &[ExactSums<'_>],
        randomness: &mut Randomness,
    ) -> Vec<IBig> {
        let mut noisy = self.noise.sample(randomness);
        for level_sums in by_level {
            let weight = IBig::from(self.weights.weight(level_sums.position));
            for (noisy, count) in noisy.iter_mut().zip(level_sums.sums) {
                *noisy += count.to_big() * &weight;
            }
        }
        noisy
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ExactSum;

    #[test]
    fn spends_what_is_allowed_and_no_more() {
        let profile: Profile = "0.1:5,0.7:3,inf:2".parse().unwrap();
        let weights = [1u32, 3, 4].map(UBig::from).to_vec();
        let counts = WeightedCounts::calibrated(&profile, weights, (5, 1));
        for (position, level) in profile.levels().iter().enumerate() {
            assert!(counts.loss(position).within(level.epsilon));
        }
        assert!(counts.loss(0).rounded_up() > 0.0999999);
        assert!(*counts.scale() >= UBig::from(5u32 << 20), "{counts:?}");
        // Weights are finer, all alike.
        assert_eq!(&counts.weights()[1] / UBig::from(3u8), counts.weights()[0]);
    }

    /// The budgets at which weights of 40 digits would leave noise of one step, and none.
    #[test]
    fn noise_for_boundless_budgets_is_fine() {
        let profile: Profile = "1e12:5,1e100:3".parse().unwrap();
        let weights = [1u64 << 40, 1 << 40].map(UBig::from).to_vec();
        let counts = WeightedCounts::calibrated(&profile, weights, (3, 1));
        assert!(*counts.scale() >= UBig::from(3u32 << 20));
        assert!(counts.loss(0).rounded_up() > 0.999999e12);
    }

    /// Of all ways to divide four steps among three categories, no two are further apart than the
    /// loss says, and some are as far.
    #[test]
    fn replaced_shares_lose_exactly_what_is_certified() {
        const STEPS: u64 = 4;
        let profile: Profile = "0.1:5,0.7:3,inf:2".parse().unwrap();
        let weights = [1u32, 3, 4].map(UBig::from).to_vec();
        let counts = WeightedCounts::calibrated(&profile, weights, (3, STEPS));
        let shares: Vec<[u64; 3]> = (0..=STEPS)
            .flat_map(|one| (0..=STEPS - one).map(move |two| [one, two, STEPS - one - two]))
            .collect();
        for (position, level) in profile.levels().iter().enumerate().take(2) {
            let weight = &counts.weights()[position];
            let moved = |one: &[u64; 3], other: &[u64; 3]| {
                let parts = one.iter().zip(other).map(|(one, other)| one.abs_diff(*other));
                UBig::from(parts.sum::<u64>())
            };
            let pairs = shares.iter().flat_map(|one| shares.iter().map(move |two| (one, two)));
            let most = pairs.map(|(one, two)| moved(one, two) * weight).max().unwrap();
            // Noise that adds up to zero pays half of the norm.
            let lost = RBig::from_parts(most.into(), counts.scale() * UBig::from(2u8));
            assert_eq!(Loss::Finite(lost), counts.loss(position));
            assert!(counts.loss(position).within(level.epsilon));
        }
    }

    #[test]
    fn what_is_released_adds_up_to_all_weight() {
        let profile: Profile = "0.1:5,0.7:3".parse().unwrap();
        let counts =
            WeightedCounts::calibrated(&profile, [2u32, 3].map(UBig::from).to_vec(), (3, 1));
        let sums = [[1, 4, 0], [0, 0, 3]].map(|sums| sums.map(ExactSum::from_raw));
        let by_level: Vec<_> = sums
            .iter()
            .zip([5, 3])
            .enumerate()
            .map(|(position, (sums, count))| ExactSums { position, count, sums })
            .collect();
        let mut randomness = Randomness::insecure(4);
        let noisy = counts.release(&by_level, &mut randomness);
        assert_eq!(noisy.iter().sum::<IBig>(), IBig::from(counts.total_weight()));
        // Away from the counts themselves, by at most 40 scales: all but e^−40.
        let near = |noisy: &IBig, exact: IBig| {
            let scale = IBig::from(counts.scale().clone());
            let noise = noisy - exact;
            noise != IBig::ZERO && noise < &scale * 40 && noise > scale * -40
        };
        let [one, other] = [0, 1].map(|level| IBig::from(counts.weights()[level].clone()));
        assert!(near(&noisy[0], one.clone()) && near(&noisy[1], one * 4));
        assert!(near(&noisy[2], other * 3));
    }
}
