//! Exact privacy loss of one record.

use std::fmt;

use dashu_int::ops::BitTest;
use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;
use serde::{Serialize, Serializer};

use crate::Epsilon;
use crate::number::Number;

/// Exact privacy loss of one record: a rational number, or unlimited.
///
/// # Example
///
/// ```
/// use suum_core::{Epsilon, Loss};
///
/// let tenth = Epsilon::new(0.1)?;
/// assert!(Loss::ZERO.within(tenth));
/// assert!(Loss::Unlimited.within(Epsilon::PUBLIC) && !Loss::Unlimited.within(tenth));
/// # Ok::<(), suum_core::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Loss {
    /// Loss of a protected record: the probability of any output changes by at most a factor of
    /// exp(±loss) when the record changes.
    Finite(RBig),
    /// Loss of a record that is published without noise.
    Unlimited,
}

impl Loss {
    /// Loss of a record that is not used.
    pub const ZERO: Loss = Loss::Finite(RBig::ZERO);

    /// Returns the loss `numerator`/`denominator`; unlimited if the denominator is zero.
    pub fn ratio(numerator: u64, denominator: u64) -> Self {
        if denominator == 0 {
            return Loss::Unlimited;
        }
        Loss::Finite(RBig::from_parts(IBig::from(numerator), UBig::from(denominator)))
    }

    /// Returns the total loss of two releases.
    #[must_use]
    pub fn plus(&self, other: &Loss) -> Self {
        match (self, other) {
            (Loss::Finite(one), Loss::Finite(other)) => Loss::Finite(one + other),
            _ => Loss::Unlimited,
        }
    }

    /// Returns the loss less another one that is part of it.
    #[must_use]
    pub(crate) fn without(&self, other: &Loss) -> Self {
        match (self, other) {
            (Loss::Finite(one), Loss::Finite(other)) => Loss::Finite(one - other),
            (Loss::Finite(_), Loss::Unlimited) => Loss::ZERO,
            (Loss::Unlimited, _) => Loss::Unlimited,
        }
    }

    /// Returns true if the loss is at most the budget, decided in exact arithmetic.
    pub fn within(&self, budget: Epsilon) -> bool {
        let Loss::Finite(loss) = self else { return budget.is_public() };
        let exactly = || budget.exact().is_none_or(|budget| *loss <= budget);
        short_within(loss, budget).unwrap_or_else(exactly)
    }

    /// Returns the least double that is not below the loss; ∞ if unlimited.
    pub fn rounded_up(&self) -> f64 {
        let Loss::Finite(loss) = self else { return f64::INFINITY };
        if let Some(up) = short_rounded_up(loss) {
            return up;
        }
        let nearest = loss.to_f64().value();
        match RBig::try_from(nearest) {
            Ok(exact) if exact < *loss => nearest.next_up(),
            _ => nearest,
        }
    }
}

/// Returns true if a loss is at most a budget; `None` if 128-bit products cannot decide.
fn short_within(loss: &RBig, budget: Epsilon) -> Option<bool> {
    // The loss is within the budget if its numerator is at most the denominator times the budget.
    let numerator = u128::try_from(loss.numerator()).ok()?;
    let denominator = u128::try_from(loss.denominator()).ok()?;
    Some(numerator <= budget.times(denominator)?)
}

/// Returns the least double that is not below a positive fraction, computed from its leading
/// digits; `None` if these do not decide.
fn short_rounded_up(fraction: &RBig) -> Option<f64> {
    let (above, lost) = leading(&UBig::try_from(fraction.numerator().clone()).ok()?)?;
    let (below, lost_below) = leading(fraction.denominator())?;
    let places = i32::try_from(lost).ok()? - i32::try_from(lost_below).ok()?;
    // The digits cut off are less than one unit of either.
    let least = quotient_up(above, below + u128::from(lost_below > 0), places)?;
    let most = quotient_up(above + u128::from(lost > 0), below, places)?;
    (least == most).then_some(least)
}

/// Number of leading binary digits that are used of numerator and denominator. The numerator, with
/// as many zeros as the quotient needs digits, has 128.
const LEADING: usize = 74;

/// Returns the leading digits of a number, and the number of digits that it has besides.
fn leading(number: &UBig) -> Option<(u128, usize)> {
    let lost = number.bit_len().saturating_sub(LEADING);
    let digits = if lost == 0 { u128::try_from(number) } else { u128::try_from(number >> lost) };
    Some((digits.ok()?, lost))
}

/// Returns the least double that is not below `above`/`below`·2^`places`, unless it is extremely
/// large or small.
fn quotient_up(above: u128, below: u128, places: i32) -> Option<f64> {
    let room = above.leading_zeros();
    // The quotient has all digits of a double, and at least one more.
    let shift = (f64::MANTISSA_DIGITS + 1 + room).saturating_sub(below.leading_zeros());
    let shifted = (above > 0 && shift <= room).then(|| above << shift)?;
    let (quotient, rest) = (shifted / below, shifted % below);
    let extra = u128::BITS - quotient.leading_zeros() - f64::MANTISSA_DIGITS;
    let digits = quotient >> extra;
    let is_more = rest > 0 || digits << extra < quotient;
    let exponent = places + extra as i32 - shift as i32;
    // Both factors are doubles, and the power of two makes the product exact.
    let product = (digits + u128::from(is_more)) as f64 * f64::from(exponent).exp2();
    (-900..900).contains(&exponent).then_some(product)
}

impl fmt::Display for Loss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Loss::Finite(loss) => write!(f, "{loss}"),
            Loss::Unlimited => f.write_str("inf"),
        }
    }
}

/// A number, rounded up, or `"inf"`.
impl Serialize for Loss {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Number(self.rounded_up()).serialize(serializer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn rounding_never_goes_below(
            parts in prop::array::uniform2((1u128.., 0u32..128)),
        ) {
            let [above, below] = parts.map(|(digits, lost)| (digits >> lost).max(1));
            let loss = RBig::from_parts(IBig::from(above), UBig::from(below));
            let up = Loss::Finite(loss.clone()).rounded_up();
            prop_assert!(RBig::try_from(up).unwrap() >= loss);
            prop_assert!(RBig::try_from(up.next_down()).unwrap() < loss);
        }

        #[test]
        fn within_is_decided_exactly(
            parts in prop::array::uniform2((any::<u128>(), any::<u64>(), 0u32..128, 0usize..90)),
            exponent in -60.0..60.0_f64,
            is_near: bool,
            more in -1i8..=1,
        ) {
            // Of few digits and of many.
            let [above, below] = parts.map(|(digits, low, lost, more)| {
                (UBig::from(digits >> lost) << more) + UBig::from(low >> (lost / 2))
            });
            let below = below + UBig::ONE;
            let epsilon = Epsilon::new(exponent.exp2()).unwrap();
            let budget = epsilon.exact().unwrap();
            let loss = match is_near {
                false => RBig::from_parts(above.into(), below),
                // As near to the budget as this denominator allows.
                true => {
                    let (digits, power) = budget.clone().into_parts();
                    let times = below << 20;
                    let above = digits * IBig::from(times.clone()) + IBig::from(more);
                    RBig::from_parts(above.max(IBig::ZERO), times * power)
                }
            };
            prop_assert_eq!(Loss::Finite(loss.clone()).within(epsilon), loss <= budget);
            prop_assert!(Loss::Finite(loss.clone()).within(Epsilon::PUBLIC));
            prop_assert_eq!(Loss::Finite(loss.clone()).within(Epsilon::UNUSED), loss == RBig::ZERO);
        }

        #[test]
        fn rounding_decides_next_to_a_double(
            double in (-99.0..99.0_f64).prop_map(f64::exp2),
            times in 1u128..,
        ) {
            let (above, below) = RBig::try_from(double).unwrap().into_parts();
            let times = UBig::from(times) << 100;
            let (above, below) = (above * IBig::from(times.clone()), below * times);
            for (more, expected) in [(-1, double), (0, double), (1, double.next_up())] {
                let loss = RBig::from_parts(&above + IBig::from(more), below.clone());
                prop_assert_eq!(Loss::Finite(loss).rounded_up(), expected);
            }
        }
    }
}
