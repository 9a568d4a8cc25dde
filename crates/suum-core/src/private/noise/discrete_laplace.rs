//! Discrete Laplace distribution, sampled exactly.

use dashu_int::{IBig, UBig};

use super::Randomness;

/// Discrete Laplace distribution of integer scale b: an integer K with P(K = k) ∝ exp(−|k|/b).
///
/// Adding K to an integer that changes by at most Δ when one record changes costs that record
/// exactly Δ/b. The scale 0 stands for no noise at all.
///
/// # Formula
///
/// P(K = k) = (1 − r)/(1 + r)·r^|k| with r = exp(−1/b); mean 0, variance 2r/(1 − r)², close to 2b².
///
/// # Example
///
/// ```
/// use suum_core::{DiscreteLaplace, Randomness};
///
/// let noise = DiscreteLaplace::new(1000u32.into());
/// let draw = noise.sample(&mut Randomness::insecure(1));
/// assert!(draw > (-20_000).into() && draw < 20_000.into());
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DiscreteLaplace {
    scale: UBig,
}

impl DiscreteLaplace {
    /// Returns the distribution of scale `scale`, in integer steps.
    pub fn new(scale: UBig) -> Self {
        Self { scale }
    }

    /// Returns one exact draw.
    ///
    /// Proof definition (Canonne, Kamath and Steinke 2020, Algorithm 2): for every integer k, the
    /// probability of returning k is exactly (1 − r)/(1 + r)·r^|k|, provided the bytes of
    /// `randomness` are uniform. Never fails; the running time is random, with expectation bounded
    /// independently of the data.
    pub fn sample(&self, randomness: &mut Randomness) -> IBig {
        if self.scale == UBig::ZERO || randomness.is_noiseless() {
            return IBig::ZERO;
        }
        loop {
            let magnitude = IBig::from(randomness.geometric(&self.scale));
            // Zero would count twice if both of its signs were accepted.
            let negative = randomness.bit();
            if negative && magnitude == IBig::ZERO {
                continue;
            }
            return if negative { -magnitude } else { magnitude };
        }
    }
}

impl Randomness {
    /// Returns a geometric variable of this positive scale b: P(X = x) ∝ exp(−x/b) for x ≥ 0,
    /// exactly (Canonne, Kamath and Steinke 2020, Algorithm 2, before its sign).
    pub(super) fn geometric(&mut self, scale: &UBig) -> UBig {
        loop {
            if let Some(found) = self.geometric_trial(scale) {
                return found;
            }
        }
    }

    /// Returns x with probability (1 − 1/e)/b·exp(−x/b) for every x ≥ 0, and otherwise nothing: one
    /// trial of a [geometric variable](Self::geometric) of this positive scale b.
    pub(super) fn geometric_trial(&mut self, scale: &UBig) -> Option<UBig> {
        // X = U + b·V has ratio exp(−1/b): U uniform, kept with probability exp(−U/b) …
        let fine = self.below(scale);
        if !self.bernoulli_exp_below_one(&fine, scale) {
            return None;
        }
        // … and V geometric with ratio exp(−1).
        let mut coarse = 0u64;
        while self.bernoulli_exp_below_one(&UBig::ONE, &UBig::ONE) {
            coarse += 1;
        }
        Some(fine + scale * UBig::from(coarse))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// χ² of draws at scale `b` against the probabilities at scale `assumed`, over 2·BINS + 1
    /// cells: single integers or runs of them, and both tails.
    fn chi2(b: u32, assumed: f64, draws: u32, seed: u64) -> f64 {
        const BINS: i64 = 12;
        let run = i64::from(b).div_euclid(4).max(1);
        let noise = DiscreteLaplace::new(UBig::from(b));
        let mut randomness = Randomness::insecure(seed);
        let mut counts = [0u32; 2 * BINS as usize + 1];
        for _ in 0..draws {
            let k: i64 = noise.sample(&mut randomness).try_into().unwrap();
            let cell = k.div_euclid(run).clamp(-BINS, BINS);
            counts[(cell + BINS) as usize] += 1;
        }
        let r = (-1.0 / assumed).exp();
        let upper_tail = |k: i64| {
            // P(K ≥ k)
            if k > 0 {
                r.powf(k as f64) / (1.0 + r)
            } else {
                1.0 - r.powf((1 - k) as f64) / (1.0 + r)
            }
        };
        (-BINS..=BINS)
            .map(|cell| {
                let from = if cell == -BINS { 1.0 } else { upper_tail(cell * run) };
                let to = if cell == BINS { 0.0 } else { upper_tail((cell + 1) * run) };
                let expected = (from - to) * f64::from(draws);
                (f64::from(counts[(cell + BINS) as usize]) - expected).powi(2) / expected
            })
            .sum()
    }

    // 24 degrees of freedom: P(χ² > 62.0) = 3.4e-5 for a right sampler, for each of the fixed seeds
    // below.
    const LIMIT: f64 = 62.0;

    #[test]
    #[ignore = "takes seconds"]
    fn passes_at_the_right_scale() {
        for (b, seed) in [(1, 1), (2, 2), (3, 3), (10, 4), (1000, 5), (123_457, 6)] {
            let value = chi2(b, f64::from(b), 200_000, seed);
            assert!(value < LIMIT, "scale {b}: χ² = {value}");
        }
    }

    #[test]
    #[ignore = "takes seconds"]
    fn fails_five_percent_off() {
        for (b, seed) in [(2, 2), (3, 3), (10, 4), (1000, 5), (123_457, 6)] {
            for off in [0.95, 1.05] {
                let value = chi2(b, off * f64::from(b), 200_000, seed);
                assert!(value > LIMIT, "scale {b} taken for {off} of it: χ² = {value}");
            }
        }
    }

    #[test]
    fn huge_scales_have_the_right_spread() {
        let noise = DiscreteLaplace::new(UBig::ONE << 300);
        let mut randomness = Randomness::insecure(9);
        let beyond = (0..4000)
            .map(|_| noise.sample(&mut randomness))
            .filter(|k| *k > IBig::from(UBig::ONE << 300) || *k < -IBig::from(UBig::ONE << 300))
            .count() as f64;
        // P(|K| > b) = 1/e; five standard deviations of 30.5.
        assert!((beyond - 4000.0 / std::f64::consts::E).abs() < 153.0, "{beyond}");
    }

    /// The duration of a draw reveals something: the number of random words grows with the
    /// magnitude, by a few for every whole scale, as `docs/explanation/known-limits.md` says. It
    /// does not grow with the scale beyond the digits of it.
    #[test]
    fn draws_take_a_few_more_words_for_every_scale_of_magnitude() {
        for (bits, seed) in [(20usize, 1), (60, 2), (300, 3)] {
            let scale = UBig::ONE << bits;
            let noise = DiscreteLaplace::new(scale.clone());
            let mut randomness = Randomness::insecure(seed);
            // Words and draws, by how many whole scales the magnitude has.
            let mut seen = [(0.0, 0.0); 4];
            for _ in 0..40_000 {
                let before = randomness.words_drawn();
                let (_, magnitude) = noise.sample(&mut randomness).into_parts();
                let scales = usize::try_from(magnitude / &scale).unwrap();
                if let Some((words, draws)) = seen.get_mut(scales) {
                    *words += (randomness.words_drawn() - before) as f64;
                    *draws += 1.0;
                }
            }
            let mean = seen.map(|(words, draws)| words / draws);
            // Two and a half, whatever the scale: five standard deviations of at most 0.6 either
            // way.
            for steps in mean.windows(2).take(2) {
                let more = steps[1] - steps[0];
                assert!(more > 0.0 && more < 5.5, "2^{bits}: {mean:?}");
            }
            assert!(mean[0] < 9.0 + bits as f64 / 7.0, "2^{bits}: {mean:?}");
        }
    }

    #[test]
    fn scale_zero_is_silent() {
        assert_eq!(
            DiscreteLaplace::new(UBig::ZERO).sample(&mut Randomness::insecure(1)),
            IBig::ZERO
        );
    }
}
