//! The probability with which a record stays in a random sample.

use dashu_int::UBig;
use dashu_ratio::RBig;

use crate::{Epsilon, Randomness};

/// A probability with 64 binary digits, never above the one it stands for.
///
/// # Example
///
/// ```
/// use suum_core::{Keep, Randomness};
///
/// assert!(Keep::ALWAYS.decide(&mut Randomness::insecure(1)));
/// assert!(!Keep::NEVER.decide(&mut Randomness::insecure(1)));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Keep(u128);

impl Keep {
    /// Probability 1.
    pub const ALWAYS: Keep = Keep(1 << 64);
    /// Probability 0.
    pub const NEVER: Keep = Keep(0);

    /// The largest probability p of 64 digits for which we can prove p·(e^t − 1) ≤ e^ε − 1, so that dropping a record
    /// with probability 1 − p before a t-private mechanism costs it at most ε (DG26 Theorem 10).
    ///
    /// Decided in rational arithmetic: e^ε − 1 is bounded from below and e^t − 1 from above by their Taylor sums, so
    /// nothing depends on a floating-point exponential.
    pub(crate) fn within(epsilon: Epsilon, threshold: &RBig) -> Self {
        let Some(budget) = epsilon.exact() else { return Self::ALWAYS };
        if budget >= *threshold {
            return Self::ALWAYS;
        }
        let (least, _) = exponential_minus_one(&budget);
        let (_, most) = exponential_minus_one(threshold);
        let digits = least / most * RBig::from(UBig::ONE << 64);
        u64::try_from(digits.floor()).map_or(Self::NEVER, |digits| Self(u128::from(digits)))
    }

    /// The largest probability of 64 digits that is at most `numerator`/`denominator`; 1 if that is 1 or more, or undefined.
    ///
    /// # Example
    ///
    /// ```
    /// use suum_core::Keep;
    ///
    /// assert_eq!(Keep::ratio(1, 4).numerator(), 1 << 62);
    /// assert!(Keep::ratio(4, 4).is_always());
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

    /// Whether every record is kept.
    pub fn is_always(self) -> bool {
        self == Self::ALWAYS
    }

    /// One random decision: true with exactly this probability.
    pub fn decide(self, randomness: &mut Randomness) -> bool {
        u128::from(randomness.word()) < self.0
    }
}

/// Rational bounds below and above e^x − 1, for 0 < x ≤ 64, with a relative error below 2^-66.
pub(crate) fn exponential_minus_one(x: &RBig) -> (RBig, RBig) {
    // Terms are kept to 128 binary digits below the leading one of x, rounded down for one bound, up for the other.
    let (mut low, mut high) = (RBig::ZERO, RBig::ZERO);
    let (mut low_term, mut high_term) = (RBig::ONE, RBig::ONE);
    let mut k = 1u32;
    loop {
        low_term = rounded(&low_term * x / RBig::from(k), false);
        high_term = rounded(&high_term * x / RBig::from(k), true);
        low += &low_term;
        high += &high_term;
        // Once k ≥ 2x the rest is below the last term; 2^-80 of the sum is small enough.
        if RBig::from(k) >= x * RBig::from(2u8) && &high_term * RBig::from(UBig::ONE << 80) < low {
            return (low, high + high_term);
        }
        k += 1;
    }
}

/// The fraction with at most 160 significant binary digits, down or up.
fn rounded(value: RBig, up: bool) -> RBig {
    use dashu_int::ops::BitTest;
    let (numerator, denominator) = value.into_parts();
    let (_, numerator) = numerator.into_parts();
    let shift = (denominator.bit_len() + 160).saturating_sub(numerator.bit_len());
    let scaled = (numerator << shift) / &denominator;
    let scaled = if up { scaled + UBig::ONE } else { scaled };
    RBig::from_parts(scaled.into(), UBig::ONE << shift)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn bounds_enclose_the_exponential(x in 1e-6..50.0_f64) {
            let (low, high) = exponential_minus_one(&RBig::try_from(x).unwrap());
            prop_assert!(low < high);
            prop_assert!((high.to_f64().value() / x.exp_m1() - 1.0).abs() < 1e-14);
            prop_assert!((&high - &low) * RBig::from(UBig::ONE << 66) < high);
        }

        #[test]
        fn close_to_the_ideal_and_never_above(epsilon in 1e-3..5.0_f64, more in 1e-3..40.0_f64) {
            let threshold = epsilon + more;
            let keep = Keep::within(Epsilon::new(epsilon).unwrap(), &RBig::try_from(threshold).unwrap());
            let ideal = epsilon.exp_m1() / threshold.exp_m1();
            let realised = keep.0 as f64 / 2f64.powi(64);
            prop_assert!(realised <= ideal * (1.0 + 1e-14) && realised >= ideal * (1.0 - 1e-13) - 2f64.powi(-63));
        }
    }
}
