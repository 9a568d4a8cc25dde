//! Probability with which a record stays in a random sample: integers only.

use dashu_int::UBig;
use dashu_int::ops::BitTest;
use dashu_ratio::RBig;

use suum::{Epsilon, Randomness};

/// Probability with 64 binary digits, never above the one it represents.
///
/// # Example
///
/// ```
/// use suum::Randomness;
/// use suum_experiments::published::SamplingProbability;
///
/// assert!(SamplingProbability::ALWAYS.decide(&mut Randomness::insecure(1)));
/// assert!(!SamplingProbability::NEVER.decide(&mut Randomness::insecure(1)));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct SamplingProbability(u128);

impl SamplingProbability {
    /// Probability 1.
    pub const ALWAYS: SamplingProbability = SamplingProbability(1 << 64);
    /// Probability 0.
    pub const NEVER: SamplingProbability = SamplingProbability(0);

    /// Largest probability of 64 digits that is at most `numerator`/`denominator`; 1 if the ratio
    /// is 1 or more, or undefined.
    ///
    /// # Example
    ///
    /// ```
    /// use suum_experiments::published::SamplingProbability;
    ///
    /// assert_eq!(SamplingProbability::ratio(1, 4).numerator(), 1 << 62);
    /// assert!(SamplingProbability::ratio(4, 4).is_always());
    /// ```
    pub fn ratio(numerator: u64, denominator: u64) -> Self {
        if numerator >= denominator {
            return Self::ALWAYS;
        }
        Self((u128::from(numerator) << 64) / u128::from(denominator))
    }

    /// Numerator over 2^64.
    pub fn numerator(self) -> u128 {
        self.0
    }

    /// Returns true if every record is kept.
    pub fn is_always(self) -> bool {
        self == Self::ALWAYS
    }

    /// Draws a random decision: true with exactly this probability.
    pub fn decide(self, randomness: &mut Randomness) -> bool {
        randomness.below(&(UBig::ONE << 64)) < UBig::from(self.0)
    }
}

/// Dropping of records at random before a mechanism that is t-private.
pub(super) struct Subsampling {
    threshold: RBig,
    // At least e^t − 1.
    growth: RBig,
}

impl Subsampling {
    /// Creates it for a mechanism with this t.
    pub(super) fn before(threshold: RBig) -> Self {
        let (_, growth) = exponential_minus_one(&threshold);
        Self { threshold, growth }
    }

    /// Largest probability p of 64 digits for which p·(e^t − 1) ≤ e^ε − 1 is proved, so that
    /// dropping a record with probability 1 − p costs it at most ε (DG26 Theorem 10).
    ///
    /// Decided in rational arithmetic: e^ε − 1 is bounded from below and e^t − 1 from above by
    /// their Taylor sums, so nothing depends on a floating-point exponential.
    pub(super) fn sampling_probability(&self, epsilon: Epsilon) -> SamplingProbability {
        let Some(budget) = epsilon.exact() else { return SamplingProbability::ALWAYS };
        if budget >= self.threshold {
            return SamplingProbability::ALWAYS;
        }
        let (least, _) = exponential_minus_one(&budget);
        let digits = least / &self.growth * RBig::from(UBig::ONE << 64);
        u64::try_from(digits.floor())
            .map_or(SamplingProbability::NEVER, |digits| SamplingProbability(u128::from(digits)))
    }
}

/// Rational bounds below and above e^x − 1, for 0 ≤ x ≤ 64, with a relative error below 2^-66.
pub(super) fn exponential_minus_one(x: &RBig) -> (RBig, RBig) {
    if x.is_zero() {
        return (RBig::ZERO, RBig::ZERO);
    }
    let (numerator, denominator) = (x.numerator().clone().into_parts().1, x.denominator());
    // Multiples of 2^-bits, rounded down for one bound and up for the other: fractions would have
    // to be reduced. What is lost in a term grows with the next ones by at most e^x, as the sum
    // does, which begins with x.
    let bits = 128 + (denominator.bit_len() + 1).saturating_sub(numerator.bit_len());
    let one = UBig::ONE << bits;
    let (mut low, mut high) = (UBig::ZERO, UBig::ZERO);
    let (mut low_term, mut high_term) = (one.clone(), one.clone());
    let mut k = 1u32;
    loop {
        let divisor = denominator * UBig::from(k);
        low_term = low_term * &numerator / &divisor;
        high_term = high_term * &numerator / &divisor + UBig::ONE;
        low += &low_term;
        high += &high_term;
        // Once k ≥ 2x the rest is below the last term; 2^-80 of the sum is small enough.
        if divisor >= &numerator * UBig::from(2u8) && (&high_term << 80) < low {
            let fraction = |sum: UBig| RBig::from_parts(sum.into(), one.clone());
            return (fraction(low), fraction(high + high_term));
        }
        k += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn bounds_enclose_the_exponential(
            x in prop_oneof![1e-6..64.0_f64, (-300.0..1.0_f64).prop_map(|e| 10f64.powf(e))],
        ) {
            let (low, high) = exponential_minus_one(&RBig::try_from(x).unwrap());
            prop_assert!(low < high);
            prop_assert!((high.to_f64().value() / x.exp_m1() - 1.0).abs() < 1e-14);
            prop_assert!((&high - &low) * RBig::from(UBig::ONE << 66) < high);
        }

        #[test]
        fn close_to_the_ideal_and_never_above(epsilon in 1e-3..5.0_f64, more in 1e-3..40.0_f64) {
            let threshold = epsilon + more;
            let probability = Subsampling::before(RBig::try_from(threshold).unwrap())
                .sampling_probability(Epsilon::new(epsilon).unwrap());
            let ideal = epsilon.exp_m1() / threshold.exp_m1();
            let realised = probability.0 as f64 / 2f64.powi(64);
            prop_assert!(
                realised <= ideal * (1.0 + 1e-14)
                    && realised >= ideal * (1.0 - 1e-13) - 2f64.powi(-63)
            );
        }
    }
}
