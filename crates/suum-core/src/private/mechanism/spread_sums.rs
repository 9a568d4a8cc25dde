//! Weighted sum, and the spread of its values.

use dashu_int::{IBig, UBig};

use super::{ExactSums, WeightedSum};
use crate::certificate::verify::Description;
use crate::{DiscreteLaplace, Loss, Question, Randomness};

/// Weighted sum of grid indices g, and one of their products g·(G − g), with noise of scales b and
/// G·b. The second costs nothing.
///
/// # Guarantee
///
/// With y = g/G in [0, 1], replacing y by z in a record of weight W costs it (W·G/b)·(|y − z| +
/// |y(1 − y) − z(1 − z)|). With d = |y − z| the second part is d·|1 − y − z| ≤ d·(1 − d), so both
/// are at most d + d·(1 − d) ≤ 1: the loss is at most W·G/b, what the [`WeightedSum`] of the
/// indices costs alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SpreadSums {
    sum: WeightedSum,
}

impl SpreadSums {
    /// Returns the mechanism that adds the spread to a weighted sum of grid indices.
    pub(crate) fn new(sum: WeightedSum) -> Self {
        Self { sum }
    }

    /// Returns the weighted sum of indices, with its weights and its scale, which determine the
    /// cost of both.
    pub fn sum(&self) -> &WeightedSum {
        &self.sum
    }

    /// Returns G, the largest index.
    pub fn points(&self) -> u64 {
        self.sum.sensitivity()
    }

    /// Returns G·b, the scale of the noise of the second sum.
    pub fn spread_scale(&self) -> UBig {
        self.sum.scale() * UBig::from(self.points())
    }

    /// Returns the exact loss of one record of the level at this position.
    pub fn loss(&self, position: usize) -> Loss {
        self.sum.loss(position)
    }

    /// Returns the description of the measurement in a certificate.
    pub(crate) fn description(&self) -> Description {
        let question = Question::SumAndSpread { grid: self.points() };
        Description { question, ..self.sum.description() }
    }

    /// Returns the sum of indices, with the noise that it has without the second sum, and then the
    /// sum of products.
    pub(super) fn release(
        &self,
        by_level: &[ExactSums<'_>],
        randomness: &mut Randomness,
    ) -> Vec<IBig> {
        let sum = self.sum.release(by_level, randomness);
        let noise = DiscreteLaplace::new(self.spread_scale()).sample(randomness);
        let (mut records, mut centred) = (IBig::ZERO, IBig::ZERO);
        for level_sums in by_level {
            let (Some(weight), [_, squares]) =
                (self.sum.weights().get(level_sums.position), level_sums.sums)
            else {
                continue;
            };
            let weight = IBig::from(weight.clone());
            records += &weight * IBig::from(level_sums.count);
            centred += weight * squares.to_big();
        }
        // The table has Σ(2g − G)², and G² − (2g − G)² = 4·g·(G − g).
        let points = IBig::from(self.points());
        let spread = (records * &points * points - centred) / IBig::from(4u8);
        vec![sum, spread + noise]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ExactSum, Profile};

    #[test]
    fn no_replacement_on_a_small_grid_costs_more() {
        // The loss of f → g is exact: |f − g|/b + |f(G − f) − g(G − g)|/(G·b), in units of W.
        for points in 1..60i64 {
            let product = |g: i64| g * (points - g);
            let moved = |f: i64, g: i64| points * (f - g).abs() + (product(f) - product(g)).abs();
            let pairs = (0..=points).flat_map(|f| (0..=points).map(move |g| (f, g)));
            let worst = pairs.map(|(f, g)| moved(f, g)).max().unwrap();
            assert_eq!(worst, points * points, "{points}: from one bound to the other");
        }
    }

    #[test]
    fn sums_are_those_of_the_definition() {
        // Only public records, so that there is no noise.
        let profile: Profile = "0:2,inf:4".parse().unwrap();
        let (points, indices) = (10, [0i128, 3, 10, 7]);
        let weights = [0u32, 5].map(UBig::from).to_vec();
        let sums = SpreadSums::new(WeightedSum::calibrated(&profile, weights, points));
        let squares = indices.iter().map(|g| (2 * g - 10) * (2 * g - 10)).sum();
        let exact = [indices.iter().sum(), squares].map(ExactSum::from_raw);
        let unused = [7i128, 40].map(ExactSum::from_raw);
        let by_level = [
            ExactSums { position: 0, count: 2, sums: &unused },
            ExactSums { position: 1, count: 4, sums: &exact },
        ];
        let noisy = sums.release(&by_level, &mut Randomness::insecure(1));
        let spread: i128 = indices.iter().map(|g| g * (10 - g)).sum();
        assert_eq!(noisy, [IBig::from(5 * 20), IBig::from(5 * spread)]);
    }
}
