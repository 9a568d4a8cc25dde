//! Mean and second moment, measured together.

use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;

use super::{ExactSums, LevelMechanism, common_scale, total_weight, weighing, weight_loss};
use crate::certificate::verify::Description;
use crate::{
    DiscreteLaplace, Distribution, Exact, LevelEntry, Loss, Profile, Question, Randomness,
};

/// Weighted sum of centred grid indices c = 2g − G, and one of their squares, with noise of scales
/// b and G·b.
///
/// # Guarantee
///
/// With u = c/G in [−1, 1], replacing u by v in a record of weight W costs it (W·G/b)·(|u − v| +
/// |u² − v²|). That is largest at u = 1, v = −1/2: the loss is at most (9/4)·W·G/b. Two separate
/// releases of the same noise would cost 3·W·G/b: the two sums cannot both move as far as they
/// could alone. b is the least integer with 9·W_j·G ≤ 4·b·ε_j for every finite level.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MomentSums {
    weights: Vec<UBig>,
    points: u64,
    scale: UBig,
    total: UBig,
}

/// Noisy sums, which may be published.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct NoisyMoments {
    /// Σ W·c plus noise.
    pub(crate) first: IBig,
    /// Σ W·c² plus noise.
    pub(crate) second: IBig,
}

impl MomentSums {
    /// Returns the mechanism for the levels of `profile`, with `weights` in its order, on a grid of
    /// `points` steps.
    pub(crate) fn calibrated(profile: &Profile, weights: Vec<UBig>, points: u64) -> Self {
        let sensitivity = UBig::from(points) * UBig::from(9u8);
        let scale = common_scale(profile.levels(), &weights, &sensitivity, &UBig::from(4u8));
        let total = total_weight(profile, &weights);
        Self { weights, points, scale, total }
    }

    /// Returns W_j for each level, in the order of the profile.
    pub fn weights(&self) -> &[UBig] {
        &self.weights
    }

    /// Returns b, the scale of the noise in centred steps; zero if only public records count.
    pub fn scale(&self) -> &UBig {
        &self.scale
    }

    /// Returns Σ W over all records.
    pub fn total_weight(&self) -> &UBig {
        &self.total
    }

    /// Returns the exact loss of one record of the level at this position: 9·W·G/(4b).
    pub fn loss(&self, position: usize) -> Loss {
        let sensitivity = UBig::from(self.points) * UBig::from(9u8);
        weight_loss(&self.weights, position, &self.scale, (&sensitivity, &UBig::from(4u8)))
    }
}

impl LevelMechanism for MomentSums {
    type Exact<'e> = ExactSums<'e>;
    type Out = NoisyMoments;

    fn loss(&self, position: usize) -> Loss {
        self.loss(position)
    }

    fn description(&self) -> Description {
        let points = UBig::from(self.points);
        Description {
            question: Question::Moments { grid: self.points },
            distribution: Distribution::DiscreteLaplace,
            sensitivity: Exact(RBig::from_parts((points * UBig::from(9u8)).into(), 4u8.into())),
            scale: Some(self.scale.clone().into()),
        }
    }

    fn level(&self, position: usize) -> LevelEntry {
        weighing(&self.weights, position)
    }

    fn release(&self, by_level: &[ExactSums<'_>], randomness: &mut Randomness) -> NoisyMoments {
        let mut first = DiscreteLaplace::new(self.scale.clone()).sample(randomness);
        let mut second =
            DiscreteLaplace::new(&self.scale * UBig::from(self.points)).sample(randomness);
        for level_sums in by_level {
            let (Some(weight), [sum, squares]) =
                (self.weights.get(level_sums.position), level_sums.sums)
            else {
                continue;
            };
            let weight = IBig::from(weight.clone());
            let centred = sum.to_big() * IBig::from(2u8)
                - IBig::from(level_sums.count) * IBig::from(self.points);
            first += &weight * centred;
            second += weight * squares.to_big();
        }
        NoisyMoments { first, second }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_replacement_on_a_small_grid_costs_more() {
        // The loss of u → v is exact: |c − c'|/b + |c² − c'²|/(G·b), in units of W.
        for points in 1..60i64 {
            let moved = |c: i64, d: i64| points * (c - d).abs() + (c * c - d * d).abs();
            let pairs = (0..=points)
                .flat_map(|g| (0..=points).map(move |f| (2 * g - points, 2 * f - points)));
            let worst = pairs.map(|(c, d)| moved(c, d)).max().unwrap();
            // At most 9/4·G², and close to it on any but the coarsest grids.
            assert!(4 * worst <= 9 * points * points, "{points}");
            assert!(points < 10 || 100 * worst > 220 * points * points, "{points}: {worst}");
        }
    }

    #[test]
    fn spends_what_is_allowed_and_no_more() {
        let profile: Profile = "0.1:5,0.7:3,inf:2".parse().unwrap();
        let weights = [1u32, 3, 4].map(UBig::from).to_vec();
        let sums = MomentSums::calibrated(&profile, weights, 1 << 30);
        for (position, level) in profile.levels().iter().enumerate() {
            assert!(sums.loss(position).within(level.epsilon));
        }
        assert!(sums.loss(0).rounded_up() > 0.0999999);
        assert_eq!(*sums.total_weight(), UBig::from(22u8));
    }
}
