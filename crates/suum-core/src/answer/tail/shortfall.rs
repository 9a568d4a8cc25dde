//! Bounds on the probability that a weighted share of a sample falls short of its mean.

use std::f64::consts::FRAC_1_SQRT_2;

use crate::answer::interval::scaled_erfc;

/// Bounds on the probability that the shortfall exceeds given amounts.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Shortfall {
    /// Amounts in ascending order, each with a bound on the probability of a larger shortfall: 1
    /// before the first, and 0 from the last on.
    steps: Vec<(f64, f64)>,
}

/// Assumption on the numbers B of a sample, besides their mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sample {
    /// Independent numbers, each 0 or 1, with all weights distinguished.
    Independent,
    /// Numbers with a mean of exp(−λ·Σ w·B) of at most that of independent ones.
    Bounded,
}

/// Grid of tilts: their distance, in units of one over the standard deviation, the factor between
/// them where the shortfall is less likely than required, and their largest number.
const STEP: f64 = 0.05;
const GROWTH: f64 = 1.1;
const MOST: usize = 400;
/// Share of the required probability below which a probability is negligible.
const NOTHING: f64 = 1e-3;
/// Share of the largest shortfall that counts as all of it.
const NEARLY: f64 = 1.0 - 1e-9;
/// Twice the constant of Berry and Esseen for terms of different laws.
const BERRY_ESSEEN: f64 = 1.12;

impl Shortfall {
    /// Returns the bound that the shortfall never exceeds this amount.
    pub(crate) fn certain(most: f64) -> Self {
        Self { steps: vec![(most, 0.0)] }
    }

    /// Returns bounds on the shortfall S = Σ w·(p − B), for groups given by the number and the
    /// weight of their records. They are best near a probability of `miss`.
    ///
    /// # Formula
    ///
    /// Let K = ln E exp(λS). Under probabilities that are tilted by exp(λS) the B are independent
    /// with mean p' = p·e^(−λw)/(1 − p + p·e^(−λw)); let u = K'(λ) be the mean and s the standard
    /// deviation of S, and a = λs. Then
    ///
    /// P(S > u) = e^(K − λu)·E'\[exp(−λ(S − u)); S > u\] ≤ e^(K − λu)·f, where
    /// f = e^(a²/2)·Q(a) + 1.12·Σ E'|X − E'X|³/s³,
    ///
    /// with Q the tail of a standard normal variable and X the terms of S. For the expectation is
    /// ∫ λe^(−λy)·P'(u < S ≤ u + y) dy, and the distribution function of S differs nowhere by more
    /// than 0.56·Σ E'|X − E'X|³/s³ from the normal one (Shevtsova 2010). With f = 1 it is
    /// Chernoff's inequality.
    pub(crate) fn from_groups(groups: &[(f64, f64)], p: f64, sample: Sample, miss: f64) -> Self {
        let sum = |of: &dyn Fn(f64) -> f64| -> f64 {
            groups.iter().map(|(count, weight)| count * of(*weight)).sum()
        };
        let unit = (p * (1.0 - p) * sum(&|weight| weight * weight)).sqrt();
        let far = (-2.0 * miss.max(f64::MIN_POSITIVE).ln()).sqrt();
        let all = p * sum(&|weight| weight);
        let (mut steps, mut z, mut least) = (Vec::new(), STEP, 1.0f64);
        while steps.len() < MOST && least > NOTHING * miss {
            let (short, bound) = tilted(groups, p, z / unit, sample);
            if short > all * NEARLY {
                break;
            }
            least = bound.min(least);
            steps.push((short, least));
            z = if z < far { z + STEP } else { z * GROWTH };
        }
        steps.push((all, 0.0));
        Self { steps }
    }

    /// Returns bounds on the shortfall from a share q if it is at most `bias`, apart from
    /// independent terms whose squared ranges add up to `square`: it exceeds `bias` + u with a
    /// probability of at most exp(−2u²/`square`) (Hoeffding 1963), and never exceeds q.
    pub(crate) fn from_bias(bias: f64, square: f64, q: f64, miss: f64) -> Self {
        let (unit, mut z) = (square.sqrt() / 2.0, 0.0f64);
        let (mut steps, mut least) = (Vec::new(), 1.0f64);
        while unit > 0.0 && least > NOTHING * miss && bias + z * unit < q {
            least = (-z * z / 2.0).exp();
            steps.push((bias + z * unit, least));
            z += STEP;
        }
        let last = if unit > 0.0 { q } else { bias.min(q) };
        steps.push((last, 0.0));
        Self { steps }
    }

    /// Returns these bounds, combined with the bound that the shortfall exceeds u with a
    /// probability of at most exp(−2u²/`square`) (Hoeffding 1963).
    pub(crate) fn and_hoeffding(mut self, square: f64) -> Self {
        for (amount, beyond) in &mut self.steps {
            *beyond = beyond.min((-2.0 * *amount * *amount / square).exp());
        }
        self
    }

    /// Returns these bounds, combined with the bound that the shortfall never exceeds `most`.
    pub(crate) fn and_certain(mut self, most: f64) -> Self {
        if self.steps.last().is_none_or(|(amount, _)| *amount > most) {
            self.steps.retain(|(amount, _)| *amount < most);
            self.steps.push((most, 0.0));
        }
        self
    }

    /// Returns true if the amount is known with certainty.
    pub(crate) fn is_certain(&self) -> bool {
        self.steps.len() == 1
    }

    /// Returns an upper bound on Σ part·P(the shortfall exceeds `amount` + further), for parts with
    /// ascending further distances, and the range of amounts (the last one excluded) with the same
    /// bound.
    pub(crate) fn beyond_all(&self, amount: f64, parts: &[(f64, f64)]) -> (f64, [f64; 2]) {
        let first = parts.first().map_or(0.0, |(_, further)| amount + further);
        let mut next = self.steps.partition_point(|(step, _)| *step <= first);
        let (mut sum, mut from, mut to) = (0.0, f64::NEG_INFINITY, f64::INFINITY);
        for (part, further) in parts {
            while self.steps.get(next).is_some_and(|(step, _)| *step <= amount + further) {
                next += 1;
            }
            let before = next.checked_sub(1).map(|last| self.steps[last]);
            sum += part * before.map_or(1.0, |(_, beyond)| beyond);
            from = before.map_or(from, |(step, _)| from.max(step - further));
            to = self.steps.get(next).map_or(to, |(step, _)| to.min(step - further));
        }
        // Rounding may have put the amount beside a step that it is on.
        (sum, [from.min(amount), to.max(amount)])
    }

    /// Returns an amount that the shortfall exceeds with a probability of at most `miss`.
    pub(crate) fn bound(&self, miss: f64) -> f64 {
        let likely = self.steps.partition_point(|(_, beyond)| *beyond > miss);
        self.steps.get(likely).or(self.steps.last()).map_or(0.0, |(amount, _)| *amount)
    }
}

/// Returns the mean of the shortfall, tilted by λ, and a bound on the probability of a larger one.
fn tilted(groups: &[(f64, f64)], p: f64, lambda: f64, sample: Sample) -> (f64, f64) {
    // Terms of the logarithm K − λu, in which large terms cancel.
    let (mut mean, mut log, mut square, mut third) = (0.0, 0.0, 0.0, 0.0);
    let is_independent = sample == Sample::Independent;
    for (count, weight) in groups {
        let x = lambda * weight;
        let falls = p * (-x).exp_m1();
        let own = p * (-x).exp() / (1.0 + falls);
        mean += count * weight * (p - own);
        log += count * (falls.ln_1p() + x * own);
        if is_independent {
            let variance = own * (1.0 - own) * weight * weight;
            square += count * variance;
            third += count * variance * weight * (own * own + (1.0 - own) * (1.0 - own));
        }
    }
    let factor = match sample {
        Sample::Independent if square > 0.0 => {
            let sd = square.sqrt();
            let normal = scaled_erfc(lambda * sd * FRAC_1_SQRT_2) / 2.0;
            (normal + BERRY_ESSEEN * third / (sd * square)).min(1.0)
        }
        _ => 1.0,
    };
    (mean, log.min(0.0).exp() * factor)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    impl Shortfall {
        /// Returns an upper bound on the probability of a larger shortfall.
        pub(crate) fn beyond(&self, amount: f64) -> f64 {
            let before = self.steps.partition_point(|(step, _)| *step <= amount);
            before.checked_sub(1).map_or(1.0, |last| self.steps[last].1)
        }
    }

    proptest! {
        /// The weighted sum equals that of single amounts, and stays the same up to the next step.
        #[test]
        fn sums_are_those_of_their_parts(
            p in 0.05f64..0.95,
            amount in -0.5f64..1.5,
            further in prop::collection::vec(-0.5f64..0.5, 1..20),
            within in 0.001f64..0.999,
        ) {
            let groups = [(30.0, 0.02), (8.0, 0.05)];
            let short = Shortfall::from_groups(&groups, p, Sample::Bounded, 0.05);
            let mut further = further;
            further.sort_by(f64::total_cmp);
            let part = |further: &f64| (0.1 + further * further, *further);
            let parts: Vec<(f64, f64)> = further.iter().map(part).collect();
            let each = |amount: f64| -> f64 {
                parts.iter().map(|(part, further)| part * short.beyond(amount + further)).sum()
            };
            let (sum, [from, to]) = short.beyond_all(amount, &parts);
            prop_assert_eq!(sum, each(amount));
            prop_assert!(from <= amount && amount <= to);
            let between = |from: f64, to: f64| from + within * (to - from);
            let same = between(from.max(amount - 1.0), to.min(amount + 1.0));
            prop_assert_eq!(each(same), sum);
            prop_assert!(from < -2.0 || each(from - 1e-9) >= sum);
            prop_assert!(to > 2.0 || each(to + 1e-9) <= sum);
        }
    }

    /// ln of the number of ways to choose `k` of `n`.
    fn ln_choose(n: u32, k: u32) -> f64 {
        (1..=k).map(|i| (f64::from(n - k + i) / f64::from(i)).ln()).sum()
    }

    /// P(B = k) for all k, B binomial.
    fn binomial(n: u32, p: f64) -> Vec<f64> {
        let log =
            |k: u32| ln_choose(n, k) + f64::from(k) * p.ln() + f64::from(n - k) * (1.0 - p).ln();
        (0..=n).map(|k| log(k).exp()).collect()
    }

    /// Two groups of records, whose law is summed up: no bound is below it, and those of
    /// independent records are near it.
    #[test]
    fn no_amount_is_missing_more_often_than_stated() {
        for (one, other, p) in [
            ((10, 1.0), (0, 0.0), 0.5),
            ((300, 1.0), (0, 0.0), 0.1),
            ((400, 1.0), (30, 7.3), 0.5),
            ((60, 1.0), (200, 0.31), 0.9),
            ((7, 1.0), (5, 2.7), 0.05),
            ((900, 1.0), (900, 0.1), 0.75),
        ] {
            let mut missing: Vec<(f64, f64)> = Vec::new();
            let mean = p * (f64::from(one.0) * one.1 + f64::from(other.0) * other.1);
            for (k, first) in binomial(one.0, p).into_iter().enumerate() {
                for (l, second) in binomial(other.0, p).into_iter().enumerate() {
                    let amount = mean - k as f64 * one.1 - l as f64 * other.1;
                    missing.push((amount, first * second));
                }
            }
            let truth = |more: f64| -> f64 {
                missing.iter().filter(|(amount, _)| *amount > more + 1e-9).map(|one| one.1).sum()
            };
            let groups = [one, other].map(|(count, weight)| (f64::from(count), weight));
            for miss in [0.1, 1e-3] {
                let of = |sample| Shortfall::from_groups(&groups, p, sample, miss);
                let (sharp, chernoff) = (of(Sample::Independent), of(Sample::Bounded));
                for (amount, bound) in sharp.steps.iter().step_by(4) {
                    let truth = truth(*amount);
                    assert!(truth <= bound * (1.0 + 1e-9), "{one:?} {other:?} {amount}");
                    assert!(*bound <= chernoff.beyond(*amount) * (1.0 + 1e-9));
                }
                assert!(truth(sharp.bound(miss)) <= miss && truth(chernoff.bound(miss)) <= miss);
                let sd = missing.iter().map(|(amount, p)| amount * amount * p).sum::<f64>().sqrt();
                // Of many records it is hardly further than the normal distribution says.
                let is_large = one.0 >= 900 && miss > 0.01;
                let normal = 1.282 * sd;
                assert!(!is_large || sharp.bound(miss) < 1.2 * normal, "{one:?} {other:?}");
                assert!(!is_large || chernoff.bound(miss) > 1.5 * normal, "{one:?} {other:?}");
            }
        }
    }

    #[test]
    fn what_is_certain_is_not_exceeded() {
        let certain = Shortfall::certain(0.2);
        assert!(certain.is_certain());
        assert_eq!((certain.beyond(0.19), certain.beyond(0.2)), (1.0, 0.0));
        assert_eq!((certain.bound(0.0), certain.bound(0.5)), (0.2, 0.2));
        let hoeffding = Shortfall::from_groups(&[(10.0, 1.0)], 0.3, Sample::Bounded, 0.01);
        let both = hoeffding.clone().and_hoeffding(1.0);
        assert!(both.bound(0.01) < hoeffding.bound(0.01) && !both.is_certain());
        // Nothing can be missing beyond all.
        assert_eq!(hoeffding.bound(0.0), 3.0);
    }
}
