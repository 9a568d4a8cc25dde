//! Sums and products to about 32 digits, for differences of large sums in planning.
//!
//! The water level of the L1 weights is a difference of two sums over all records; with 10^9
//! records a plain double would keep only seven digits of it. Error-free transformations: Dekker
//! 1971, Knuth TAOCP 4.2.2. Not the crate `twofloat`: a sum that overflows is infinite here, which
//! plans compare with, but NaN in its version 0.8.4, and its quotients of two such numbers can have
//! no more digits than a plain double.

use std::ops::{Add, Div, Mul, Sub};

/// Unevaluated sum of two doubles, the second at most half an ulp of the first.
#[derive(Debug, Clone, Copy, Default, PartialEq, PartialOrd)]
pub(crate) struct DoubleDouble {
    high: f64,
    low: f64,
}

impl DoubleDouble {
    pub(crate) const ZERO: Self = Self { high: 0.0, low: 0.0 };

    /// Returns the nearest double.
    pub(crate) fn get(self) -> f64 {
        self.high
    }

    /// Returns the largest double that is not above the number.
    pub(crate) fn rounded_down(self) -> f64 {
        // The first part is the nearest double.
        if self.low < 0.0 { self.high.next_down() } else { self.high }
    }

    /// Returns the exact product of two doubles.
    pub(crate) fn product(a: f64, b: f64) -> Self {
        let high = a * b;
        if !high.is_finite() || high == 0.0 {
            return Self { high, low: 0.0 };
        }
        let ((a1, a2), (b1, b2)) = (split(a), split(b));
        Self { high, low: ((a1 * b1 - high) + a1 * b2 + a2 * b1) + a2 * b2 }
    }

    /// Returns the sum of `count` products of two doubles. Four partial sums run side by side,
    /// because each addition waits for the previous one.
    pub(crate) fn sum_of_products(count: usize, factors: impl Fn(usize) -> (f64, f64)) -> Self {
        let mut sums = [Self::ZERO; SIDE_BY_SIDE];
        let whole = count / SIDE_BY_SIDE * SIDE_BY_SIDE;
        for first in (0..whole).step_by(SIDE_BY_SIDE) {
            for (lane, sum) in sums.iter_mut().enumerate() {
                let (a, b) = factors(first + lane);
                *sum = *sum + Self::product(a, b);
            }
        }
        let rest = (whole..count).map(factors).map(|(a, b)| Self::product(a, b));
        rest.chain(sums).fold(Self::ZERO, Add::add)
    }

    fn renormalised(high: f64, low: f64) -> Self {
        if !high.is_finite() {
            return Self { high, low: 0.0 };
        }
        let sum = high + low;
        Self { high: sum, low: low - (sum - high) }
    }
}

const SIDE_BY_SIDE: usize = 4;

/// Splits a double into two halves of 26 bits each.
fn split(a: f64) -> (f64, f64) {
    let scaled = a * 134_217_729.0; // 2^27 + 1
    let high = scaled - (scaled - a);
    (high, a - high)
}

impl From<f64> for DoubleDouble {
    fn from(value: f64) -> Self {
        Self { high: value, low: 0.0 }
    }
}

impl Add for DoubleDouble {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        let sum = self.high + other.high;
        let part = sum - self.high;
        let error = (self.high - (sum - part)) + (other.high - part);
        Self::renormalised(sum, error + self.low + other.low)
    }
}

impl Sub for DoubleDouble {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        self + Self { high: -other.high, low: -other.low }
    }
}

impl Mul for DoubleDouble {
    type Output = Self;

    fn mul(self, other: Self) -> Self {
        let product = Self::product(self.high, other.high);
        Self::renormalised(
            product.high,
            product.low + (self.high * other.low + self.low * other.high),
        )
    }
}

impl Div for DoubleDouble {
    type Output = Self;

    fn div(self, other: Self) -> Self {
        let first = self.high / other.high;
        if !first.is_finite() {
            return Self::from(first);
        }
        let second = (self - other * Self::from(first)).high / other.high;
        Self::renormalised(first, second)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::people::share::rounded_down;
    use dashu_ratio::RBig;
    use proptest::prelude::*;

    fn exact(value: DoubleDouble) -> RBig {
        RBig::try_from(value.high).unwrap() + RBig::try_from(value.low).unwrap()
    }

    fn close(value: DoubleDouble, truth: &RBig, scale: &RBig) -> bool {
        let error = exact(value) - truth;
        let error = if error < RBig::ZERO { -error } else { error };
        error * RBig::from(1u128 << 98) <= *scale
    }

    proptest! {
        /// Products and differences of budgets are rounded down exactly, however far apart the
        /// budgets are.
        #[test]
        fn rounds_down_as_exact_rationals_do(
            a in (-100.0..100.0f64, 1.0..10.0f64),
            b in (-100.0..100.0f64, 1.0..10.0f64),
            ulps in 0u64..4,
        ) {
            let number = |(exponent, digits): (f64, f64)| 10f64.powf(exponent) * digits;
            let (a, b) = (number(a), number(b));
            let rational = |x: f64| RBig::try_from(x).unwrap();
            let share = b / 10f64.powf(b.log10().ceil());
            let product = DoubleDouble::product(a, share).rounded_down();
            prop_assert_eq!(product, rounded_down(&(rational(a) * rational(share))));
            for b in [b, a * share, f64::from_bits(a.to_bits() - ulps)] {
                let (less, more) = (a.min(b), a.max(b));
                let rest = DoubleDouble::from(more) - DoubleDouble::from(less);
                let exact = rational(more) - rational(less);
                prop_assert_eq!(rest.rounded_down(), rounded_down(&exact));
            }
        }

        #[test]
        fn agrees_with_exact_rationals(
            a in 1e-20..1e20_f64,
            b in 1e-20..1e20_f64,
            c in 1e-20..1e20_f64,
        ) {
            let rational = |x: f64| RBig::try_from(x).unwrap();
            let sum = DoubleDouble::from(a) + DoubleDouble::from(b);
            let truth = rational(a) + rational(b);
            prop_assert!(close(sum, &truth, &truth));
            prop_assert!(close(sum - DoubleDouble::from(a), &rational(b), &truth));
            let product = sum * DoubleDouble::from(c);
            let truth = truth * rational(c);
            prop_assert!(close(product, &truth, &truth));
            let quotient = product / DoubleDouble::from(b);
            let truth = truth / rational(b);
            prop_assert!(close(quotient, &truth, &truth));
        }
    }
}
