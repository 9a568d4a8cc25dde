//! Two-sided geometric distribution with a slope for each side and a largest value, drawn exactly.

use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;

use super::Randomness;
use crate::certificate::enclosure::{down, exact, exp_minus, up};

/// Integer K ≤ M with P(K = k) ∝ exp(−k/u) for k ≥ 0 and exp(k/d) for k < 0, of integer scales u
/// and d. Without M there is no largest value; scales of 0 stand for no noise at all.
///
/// # Formula
///
/// With r = exp(−1/u) and q = exp(−1/d), the probabilities are r^k and q^|k| over Z = (1 −
/// r^(M+1))/(1 − r) + q/(1 − q), and P(K > M − w) = (r^(M−w+1) − r^(M+1))/(1 − r)/Z for w up to M.
///
/// # Example
///
/// ```
/// use suum_core::{Randomness, TwoSlopes};
///
/// let noise = TwoSlopes::new(500u32.into(), 750u32.into()).cut_at(4000u32.into());
/// let draw = noise.sample(&mut Randomness::insecure(1));
/// assert!(draw <= 4000.into() && draw > (-30_000).into());
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TwoSlopes {
    up: UBig,
    down: UBig,
    most: Option<UBig>,
}

/// Scales up to this many binary digits are small, and sums over their ratios are enclosed by
/// exponentials; those of larger ones by their series.
const SMALL: usize = 32;

impl TwoSlopes {
    /// Returns the distribution of these scales above and below zero, without a largest value.
    pub fn new(up: UBig, down: UBig) -> Self {
        Self { up, down, most: None }
    }

    /// Returns the distribution given that K is at most `most`.
    #[must_use]
    pub fn cut_at(self, most: UBig) -> Self {
        Self { most: Some(most), ..self }
    }

    /// Returns u, the scale above zero.
    pub fn up(&self) -> &UBig {
        &self.up
    }

    /// Returns d, the scale below zero.
    pub fn down(&self) -> &UBig {
        &self.down
    }

    /// Returns M, the largest value, if there is one.
    pub fn most(&self) -> Option<&UBig> {
        self.most.as_ref()
    }

    /// Returns one exact draw.
    ///
    /// Proof definition: for every integer k up to M, the probability of returning k is exactly
    /// that of the formula, provided the bytes of `randomness` are uniform. A round takes the upper
    /// side with probability u/(u + d), and one trial of a geometric variable of that side's scale
    /// (Canonne, Kamath and Steinke 2020, Algorithm 2), which succeeds at x with probability (1 −
    /// 1/e)/u·exp(−x/u) or (1 − 1/e)/d·exp(−x/d). So it succeeds at any k with a probability of (1
    /// − 1/e)/(u + d) times exp(−k/u) or exp(k/d), the same factor on both sides. A failed round,
    /// zero from below and a value above M are drawn again. Never fails; a round succeeds with a
    /// probability above 0.3, whatever M is.
    pub fn sample(&self, randomness: &mut Randomness) -> IBig {
        if self.up == UBig::ZERO || self.down == UBig::ZERO || randomness.is_noiseless() {
            return IBig::ZERO;
        }
        let both = &self.up + &self.down;
        loop {
            let is_above = randomness.below(&both) < self.up;
            let scale = if is_above { &self.up } else { &self.down };
            let Some(size) = randomness.geometric_trial(scale) else { continue };
            match is_above {
                true if self.most.as_ref().is_none_or(|most| size <= *most) => return size.into(),
                false if size != UBig::ZERO => return -IBig::from(size),
                _ => {}
            }
        }
    }

    /// Returns an upper bound on P(K > M − w), in exact arithmetic; 1 if w exceeds M, and 0 without
    /// noise or without M.
    pub(crate) fn reaches_within(&self, w: &UBig) -> RBig {
        let Some(most) = &self.most else { return RBig::ZERO };
        if *w == UBig::ZERO || self.up == UBig::ZERO || self.down == UBig::ZERO {
            return RBig::ZERO;
        }
        if w > most {
            return RBig::ONE;
        }
        let beyond = most + UBig::ONE;
        let ([above_low, above_high], [below_low, _]) =
            (whole_side(&self.up), whole_side(&self.down));
        let [cut_low, cut_high] = powers(&beyond, &self.up);
        let [_, near_high] = powers(&(&beyond - w), &self.up);
        // The tail rounded up, over all weight rounded down; the lower side is without zero.
        let tail = above_high * (near_high - cut_low);
        let all = above_low * (RBig::ONE - cut_high) + below_low - RBig::ONE;
        (tail / all).min(RBig::ONE)
    }
}

/// Returns bounds on exp(−x/b).
fn powers(x: &UBig, scale: &UBig) -> [RBig; 2] {
    let ratio = RBig::from_parts(x.clone().into(), scale.clone());
    [exact(&exp_minus(&up(&ratio)).low), exact(&exp_minus(&down(&ratio)).high)]
}

/// Returns bounds on Σ exp(−k/b) over k ≥ 0, which is 1/(1 − exp(−1/b)).
///
/// Of large scales they are b + 1/2 and b + 1/2 + 1/(12b): with x = 1/b, 1/(1 − e^−x) is 1/x + 1/2
/// + x/12 − x³/720 + …, a series whose partial sums enclose it.
fn whole_side(scale: &UBig) -> [RBig; 2] {
    if *scale < UBig::ONE << SMALL {
        let [low, high] = powers(&UBig::ONE, scale);
        let sum = |power: RBig| RBig::ONE / (RBig::ONE - power);
        return [sum(low), sum(high)];
    }
    let half = RBig::from_parts(IBig::ONE, UBig::from(2u8));
    let least = RBig::from(scale.clone()) + half;
    let more = RBig::from_parts(IBig::ONE, scale * UBig::from(12u8));
    [least.clone(), least + more]
}

#[cfg(test)]
mod tests {
    use super::*;

    const DRAWS: u32 = 200_000;

    fn noise(up: u32, down: u32, most: Option<u32>) -> TwoSlopes {
        let noise = TwoSlopes::new(up.into(), down.into());
        most.map_or(noise.clone(), |most| noise.cut_at(most.into()))
    }

    /// Probabilities of all integers from `least` to M, from the formula of the law.
    fn law(up: f64, down: f64, least: i32, most: i32) -> Vec<f64> {
        let weight = |k: i32| {
            if k < 0 { (f64::from(k) / down).exp() } else { (-f64::from(k) / up).exp() }
        };
        let all: f64 = (-4000..=most).map(weight).sum();
        (least..=most).map(|k| weight(k) / all).collect()
    }

    /// χ² of draws against a law, over the integers from −20 to 20 and both tails.
    fn chi2(sampled: &TwoSlopes, (up, down): (f64, f64), most: i32, seed: u64) -> f64 {
        let mut randomness = Randomness::insecure(seed);
        let mut counts = [0.0; 41];
        for _ in 0..DRAWS {
            let k: i32 = sampled.sample(&mut randomness).try_into().unwrap();
            assert!(k <= most, "{k}");
            counts[(k.clamp(-20, 20) + 20) as usize] += 1.0;
        }
        let mut expected = [0.0; 41];
        for (k, p) in (-4000..=most).zip(law(up, down, -4000, most)) {
            expected[(k.clamp(-20, 20) + 20) as usize] += p * f64::from(DRAWS);
        }
        let cells = counts.iter().zip(expected).filter(|(_, expected)| *expected > 0.0);
        cells.map(|(count, expected)| (count - expected).powi(2) / expected).sum()
    }

    const CASES: [(u32, u32, u32, u64); 5] =
        [(5, 8, 30, 1), (3, 3, 12, 2), (8, 2, 9, 3), (1, 6, 4, 4), (6, 9, 4000, 5)];

    // At most 40 degrees of freedom: P(χ² > 86) = 3e-5 for a right sampler, for each fixed seed.
    const LIMIT: f64 = 86.0;

    #[test]
    #[ignore = "takes seconds"]
    fn draws_follow_the_law_with_its_cut() {
        for (up, down, most, seed) in CASES {
            let sampled = noise(up, down, Some(most));
            let value = chi2(&sampled, (up.into(), down.into()), most as i32, seed);
            assert!(value < LIMIT, "{sampled:?}: χ² = {value}");
        }
        let without = noise(5, 8, None);
        assert!(chi2(&without, (5.0, 8.0), 4000, 6) < LIMIT);
    }

    #[test]
    #[ignore = "takes seconds"]
    fn draws_follow_no_law_with_another_slope_or_side() {
        let sampled = noise(6, 9, Some(4000));
        for other in [(6.3, 9.0), (5.7, 9.0), (6.0, 9.45), (6.0, 8.55), (9.0, 6.0)] {
            let value = chi2(&sampled, other, 4000, 7);
            assert!(value > LIMIT, "{other:?}: χ² = {value}");
        }
    }

    #[test]
    fn huge_scales_have_the_right_sides() {
        let (up, down) = (UBig::from(2u8) << 200, UBig::from(3u8) << 200);
        let sampled = TwoSlopes::new(up.clone(), down).cut_at(&up * UBig::from(9u8));
        let mut randomness = Randomness::insecure(9);
        let draws = 4000;
        let above = (0..draws).filter(|_| sampled.sample(&mut randomness) > IBig::ZERO).count();
        // 2/5, but for what is beyond the cut; five standard deviations of 31.
        assert!((above as f64 - 0.4 * f64::from(draws)).abs() < 155.0, "{above}");
    }

    #[test]
    fn bounds_on_the_tail_are_those_of_the_law() {
        for (up, down, most) in [(5, 8, 30), (3, 3, 12), (1, 6, 4), (40, 60, 900)] {
            let cut = noise(up, down, Some(most));
            for w in 0..=most {
                let law = law(up.into(), down.into(), (most - w) as i32 + 1, most as i32);
                let (sum, bound) = (law.iter().sum::<f64>(), cut.reaches_within(&w.into()));
                let bound = bound.to_f64().value();
                assert!((bound - sum).abs() <= 1e-12 * sum, "{cut:?} {w}: {bound} {sum}");
            }
            assert_eq!(cut.reaches_within(&(most + 1).into()), RBig::ONE);
        }
    }

    /// Both ways to enclose the sum of a side agree where both are close.
    #[test]
    fn bounds_of_large_and_of_small_scales_agree() {
        let scale = (UBig::ONE << SMALL) - UBig::ONE;
        let [low, high] = whole_side(&scale);
        let [below, above] = whole_side(&(&scale + UBig::ONE));
        assert!(low <= high && below <= above);
        let step = (below - low).to_f64().value();
        assert!((step - 1.0).abs() < 1e-9, "{step}");
        assert!((high - RBig::from(scale)).to_f64().value() < 0.500001);
    }

    #[test]
    fn scales_of_zero_are_silent() {
        let silent = noise(0, 0, Some(0));
        assert_eq!(silent.sample(&mut Randomness::insecure(1)), IBig::ZERO);
        assert_eq!(silent.reaches_within(&UBig::ZERO), RBig::ZERO);
    }
}
