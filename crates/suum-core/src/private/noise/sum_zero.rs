//! Discrete Laplace noise on the hyperplane of vectors that add up to zero, sampled exactly.

use std::collections::BTreeSet;

use dashu_int::{IBig, UBig};

use super::Randomness;

/// Distribution of integer vectors z of k components with Σz = 0 and P(z) ∝ exp(−‖z‖₁/(2b)), for an
/// integer scale b: discrete Laplace noise of scale 2b in every component, given that they add up
/// to zero.
///
/// Adding z to a vector of integers that changes by W in one component and by −W in another, where
/// one record changes, costs that record exactly W/b: both vectors differ by a point of the lattice
/// of z, whose norm is 2W. The scale 0 stands for no noise at all.
///
/// # Formula
///
/// With k = 2 it is (K, −K), K discrete Laplace of scale b. In the continuous limit the variance of
/// one component is 4b²·(k − 1)(2k − 1)/(k(k + 1)), against 8b² of independent noise of scale 2b.
///
/// # Example
///
/// ```
/// use suum_core::{Randomness, SumZeroLaplace};
///
/// let noise = SumZeroLaplace::new(1000u32.into(), 5);
/// let draw = noise.sample(&mut Randomness::insecure(1));
/// assert_eq!(draw.len(), 5);
/// assert_eq!(draw.iter().sum::<dashu_int::IBig>(), 0.into());
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SumZeroLaplace {
    scale: UBig,
    components: usize,
}

impl SumZeroLaplace {
    /// Returns the distribution of this scale, in integer steps, with this many components.
    pub fn new(scale: UBig, components: usize) -> Self {
        Self { scale, components }
    }

    /// Returns b, in integer steps.
    pub fn scale(&self) -> &UBig {
        &self.scale
    }

    /// Returns k, the number of components.
    pub fn components(&self) -> usize {
        self.components
    }

    /// Returns one exact draw: k integers that add up to zero.
    ///
    /// # Proof
    ///
    /// A discrete Laplace variable is the difference of two independent geometric ones, so z has
    /// the law of U − V, where U and V are vectors of k independent geometric variables of ratio
    /// r = exp(−1/(2b)), given that both have the same sum m. Given m, each of them is uniform
    /// among the C(m + d, d) vectors of that sum, d = k − 1, and P(m) ∝ C(m + d, d)²·x^m with
    /// x = r² = exp(−1/b). By the identity of Li Shanlan, C(m + d, d)² =
    /// Σ_i C(d, i)²·C(m − i + 2d, 2d), so m is i plus 2d + 1 independent geometric variables of
    /// ratio x, with P(i) ∝ C(d, i)²·x^i: how many of d marked ones there are among d drawn of 2d,
    /// kept with probability exp(−i/b).
    ///
    /// It takes about 4k draws of single integers, if b is not far below k. Never fails; the
    /// running time is random, with an expectation that does not depend on the data.
    pub fn sample(&self, randomness: &mut Randomness) -> Vec<IBig> {
        let k = self.components;
        if self.scale == UBig::ZERO || k < 2 || randomness.is_noiseless() {
            return vec![IBig::ZERO; k];
        }
        let mut sum = loop {
            let marked = UBig::from(randomness.marked(k - 1));
            if randomness.bernoulli_exp(&marked, &self.scale) {
                break marked;
            }
        };
        for _ in 0..2 * k - 1 {
            sum += randomness.geometric(&self.scale);
        }
        let (up, down) = (randomness.composition(&sum, k), randomness.composition(&sum, k));
        up.into_iter().zip(down).map(|(up, down)| IBig::from(up) - IBig::from(down)).collect()
    }
}

impl Randomness {
    /// Returns the number of marked items among `half` drawn without replacement from twice as
    /// many, of which `half` are marked.
    pub(super) fn marked(&mut self, half: usize) -> usize {
        let mut marked = half;
        for drawn in 0..half {
            if self.below(&UBig::from(2 * half - drawn)) < UBig::from(marked) {
                marked -= 1;
            }
        }
        half - marked
    }

    /// Returns nonnegative integers that add up to `sum`, uniform among all vectors with this many
    /// parts, at least one: the gaps between parts − 1 different bars on sum + parts − 1 places.
    fn composition(&mut self, sum: &UBig, parts: usize) -> Vec<UBig> {
        let places = sum + UBig::from(parts - 1);
        let mut bars = BTreeSet::new();
        while bars.len() < parts - 1 {
            // A place that is taken is drawn again.
            bars.insert(self.below(&places));
        }
        let mut from = UBig::ZERO;
        let mut composed = Vec::with_capacity(parts);
        for bar in bars.into_iter().chain([places]) {
            composed.push(&bar - &from);
            from = bar + UBig::ONE;
        }
        composed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn draws(b: u32, k: usize, count: usize, seed: u64) -> Vec<Vec<i64>> {
        let noise = SumZeroLaplace::new(UBig::from(b), k);
        let mut randomness = Randomness::insecure(seed);
        let one = |noise: IBig| i64::try_from(noise).unwrap();
        let draw = |_| noise.sample(&mut randomness).into_iter().map(one).collect();
        (0..count).map(draw).collect()
    }

    /// All vectors of k integers that add up to zero, none beyond `half_width`.
    fn vectors(k: usize, half_width: i64) -> Vec<Vec<i64>> {
        let mut all = vec![Vec::new()];
        for _ in 1..k {
            let longer = |vector: &Vec<i64>| -> Vec<Vec<i64>> {
                (-half_width..=half_width).map(|next| [&vector[..], &[next]].concat()).collect()
            };
            all = all.iter().flat_map(longer).collect();
        }
        for vector in &mut all {
            vector.push(-vector.iter().sum::<i64>());
        }
        all
    }

    /// χ² of draws at scale `b` against the probabilities at scale `assumed`, vector by vector,
    /// those of small probability together; and its degrees of freedom.
    fn chi2(b: u32, assumed: f64, k: usize, count: usize, seed: u64) -> (f64, f64) {
        // Far enough out for all but 1e-4 of the probability, which is counted with the rest.
        let all = vectors(k, 10 * i64::from(b) + 4);
        let weight = |vector: &Vec<i64>| {
            (-vector.iter().map(|z| z.abs()).sum::<i64>() as f64 / (2.0 * assumed)).exp()
        };
        let total: f64 = all.iter().map(weight).sum();
        let mut counts = std::collections::BTreeMap::new();
        draws(b, k, count, seed)
            .into_iter()
            .for_each(|draw| *counts.entry(draw).or_insert(0.0) += 1.0);
        let (mut value, mut cells) = (0.0, 0.0);
        let (mut rest, mut expected_rest) = (count as f64, count as f64);
        for vector in &all {
            let expected = weight(vector) / total * count as f64;
            if expected >= 10.0 {
                let seen = counts.get(vector).copied().unwrap_or(0.0);
                value += (seen - expected).powi(2) / expected;
                (rest, expected_rest) = (rest - seen, expected_rest - expected);
                cells += 1.0;
            }
        }
        (value + (rest - expected_rest).powi(2) / expected_rest.max(1.0), cells)
    }

    /// Mean f and variance 2f: beyond six standard deviations and a little, a false alarm of less
    /// than 1e-6 for each of the fixed seeds.
    fn limit(freedom: f64) -> f64 {
        freedom + 6.0 * (2.0 * freedom).sqrt() + 15.0
    }

    const CASES: [(u32, usize, u64); 4] = [(1, 2, 1), (5, 2, 2), (2, 3, 3), (1, 4, 4)];

    #[test]
    fn every_vector_has_its_probability() {
        for (b, k, seed) in CASES {
            let (value, freedom) = chi2(b, f64::from(b), k, 40_000, seed);
            assert!(freedom > 5.0 && value < limit(freedom), "{b} {k}: {value} of {freedom}");
        }
    }

    #[test]
    #[ignore = "takes seconds"]
    fn another_scale_has_not() {
        for (b, k, seed) in CASES {
            for off in [0.93, 1.07] {
                let (value, freedom) = chi2(b, off * f64::from(b), k, 40_000, seed);
                assert!(value > limit(freedom), "{b} {k} taken for {off}: {value} of {freedom}");
            }
        }
    }

    /// Three properties of many components and of huge scales: the sum, the mean of Σ|z|, which is
    /// Gamma(k − 1) with scale 2b, and the variance of one component.
    #[test]
    fn many_components_have_the_moments_of_the_limit() {
        for (k, scale, count, seed) in [(60, 1u128 << 20, 300, 1), (7, 1 << 90, 3000, 2)] {
            let noise = SumZeroLaplace::new(UBig::from(scale), k);
            let mut randomness = Randomness::insecure(seed);
            let (mut norms, mut squares) = (0.0, 0.0);
            for _ in 0..count {
                let draw = noise.sample(&mut randomness);
                assert_eq!(draw.iter().sum::<IBig>(), IBig::ZERO);
                let draw: Vec<f64> =
                    draw.iter().map(|z| z.to_f64().value() / scale as f64).collect();
                norms += draw.iter().map(|z| z.abs()).sum::<f64>() / f64::from(count);
                squares += draw.iter().map(|z| z * z).sum::<f64>() / k as f64 / f64::from(count);
            }
            let size = k as f64;
            let norm = 2.0 * (size - 1.0);
            let square = 4.0 * (size - 1.0) * (2.0 * size - 1.0) / (size * (size + 1.0));
            // Gamma(k − 1) of scale 2: five standard errors. The mean square of k components that
            // hardly depend on each other, of kurtosis below 8: likewise.
            let error = 5.0 * (4.0 * (size - 1.0) / f64::from(count)).sqrt();
            assert!((norms - norm).abs() < error, "{k}: {norms} {norm}");
            let error = 5.0 * square * (8.0 / (size * f64::from(count))).sqrt();
            assert!((squares - square).abs() < error, "{k}: {squares} {square}");
        }
    }

    #[test]
    fn compositions_are_uniform() {
        let mut randomness = Randomness::insecure(3);
        let mut counts = std::collections::BTreeMap::new();
        for _ in 0..21_000 {
            let parts = randomness.composition(&UBig::from(5u8), 3);
            assert_eq!(parts.iter().sum::<UBig>(), UBig::from(5u8));
            *counts.entry(parts).or_insert(0.0) += 1.0;
        }
        // C(7, 2) of them: five standard deviations.
        assert_eq!(counts.len(), 21);
        assert!(counts.values().all(|count: &f64| (count - 1000.0).abs() < 5.0 * 31.0));
        assert_eq!(randomness.composition(&UBig::ZERO, 4), vec![UBig::ZERO; 4]);
        assert_eq!(randomness.composition(&UBig::from(9u8), 1), vec![UBig::from(9u8)]);
    }

    #[test]
    fn without_scale_or_company_there_is_no_noise() {
        let mut randomness = Randomness::insecure(1);
        for (scale, k) in [(0u8, 3), (9, 1), (9, 0)] {
            let draw = SumZeroLaplace::new(UBig::from(scale), k).sample(&mut randomness);
            assert_eq!(draw, vec![IBig::ZERO; k]);
        }
    }
}
