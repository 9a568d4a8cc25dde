//! Doubles as integers in their order.

use std::ops::Range;

/// Order of doubles as integers, and the candidates of a search among them.
///
/// All finite doubles form a lattice that is fine near zero and coarse far from it: between 2^e and
/// 2^(e+1) there are 2^52 of them, whatever e is. A search among them finds both place and scale of
/// the data at once, without knowing either: beforehand every power of two is equally likely.
///
/// # Example
///
/// ```
/// use suum_core::FloatOrder;
///
/// assert!(FloatOrder::key(-1.0) < FloatOrder::key(0.0));
/// assert!(FloatOrder::key(0.0) < FloatOrder::key(1e-300));
/// assert_eq!(FloatOrder::key(-0.0), FloatOrder::key(0.0));
/// assert_eq!(FloatOrder::value(FloatOrder::key(2.5)), 2.5);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FloatOrder;

/// Key of zero; keys of negative numbers lie below it.
const ZERO: u64 = 1 << 63;

impl FloatOrder {
    /// Returns the keys that a search chooses from: numbers between 2^-64 and 2^64, and for values
    /// also their negatives.
    ///
    /// The range is the same for all data. Numbers outside count as below or above it.
    pub fn candidates(key: Key) -> Vec<Range<u64>> {
        let (least, most) = (Self::key(2f64.powi(-64)), Self::key(2f64.powi(64)));
        let positive = least..most;
        match key {
            Key::Value => vec![ZERO - (most - ZERO)..ZERO - (least - ZERO), positive],
            Key::Distance(_) => vec![positive],
        }
    }

    /// Returns the key of zero.
    pub(crate) fn key_of_zero() -> u64 {
        ZERO
    }

    /// Returns the position of a number among all doubles; NaN is above all others.
    #[inline]
    pub fn key(number: f64) -> u64 {
        let bits = number.to_bits();
        let magnitude = bits & !ZERO;
        if number.is_nan() {
            u64::MAX
        } else if bits >> 63 == 0 {
            ZERO + magnitude
        } else {
            ZERO - magnitude
        }
    }

    /// Returns the number with this key; NaN for keys beyond the infinities.
    pub fn value(key: u64) -> f64 {
        if key >= ZERO { f64::from_bits(key - ZERO) } else { -f64::from_bits(ZERO - key) }
    }
}

/// Number of a record that a search compares.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Key {
    /// Value x of the record.
    Value,
    /// Distance |x − c| of the value from this centre c, by one IEEE subtraction.
    Distance(f64),
}

impl Key {
    /// Returns the key of this number for a record with the given value.
    #[inline]
    pub fn evaluate(self, value: f64) -> u64 {
        match self {
            Self::Value => FloatOrder::key(value),
            Self::Distance(centre) => FloatOrder::key((value - centre).abs()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn keys_keep_the_order(a in any::<f64>(), b in any::<f64>()) {
            prop_assume!(!a.is_nan() && !b.is_nan());
            prop_assert_eq!(a.partial_cmp(&b), Some(FloatOrder::key(a).cmp(&FloatOrder::key(b))));
            prop_assert_eq!(FloatOrder::value(FloatOrder::key(a)), a);
        }
    }
}
