//! Events: yes-or-no statements about an output.

use std::fmt;

use crate::Output;

/// Condition on an output.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Condition {
    /// Nothing was released.
    Refused,
    /// Something was released.
    Released,
    /// Number `at` is at least `threshold`.
    AtLeast { at: usize, threshold: f64 },
    /// Number `at` is below `threshold`.
    Below { at: usize, threshold: f64 },
    /// Number `at` is at least `low` and below `high`: a bin of a histogram.
    Within { at: usize, low: f64, high: f64 },
    /// Number `at` is `value`, to the last bit.
    Exactly { at: usize, value: f64 },
    /// Number `at` is a multiple of 2^exponent.
    OnGrid { at: usize, exponent: i32 },
    /// Number `at` is not a multiple of 2^exponent: it has lower bits.
    OffGrid { at: usize, exponent: i32 },
}

impl Condition {
    pub(crate) fn holds(self, output: &Output) -> bool {
        let Output::Numbers(numbers) = output else { return self == Condition::Refused };
        let number = |at: usize| numbers.get(at).copied().unwrap_or(f64::NAN);
        match self {
            Condition::Refused => false,
            Condition::Released => true,
            Condition::AtLeast { at, threshold } => number(at) >= threshold,
            Condition::Below { at, threshold } => number(at) < threshold,
            Condition::Within { at, low, high } => (low..high).contains(&number(at)),
            Condition::Exactly { at, value } => number(at).to_bits() == value.to_bits(),
            Condition::OnGrid { at, exponent } => {
                lowest_bit(number(at)).is_some_and(|bit| bit >= exponent)
            }
            Condition::OffGrid { at, exponent } => {
                lowest_bit(number(at)).is_some_and(|bit| bit < exponent)
            }
        }
    }

    /// Position of the number it is about; `None` if it is about the output as a whole.
    pub(crate) fn at(self) -> Option<usize> {
        match self {
            Condition::Refused | Condition::Released => None,
            Condition::AtLeast { at, .. }
            | Condition::Below { at, .. }
            | Condition::Within { at, .. }
            | Condition::Exactly { at, .. }
            | Condition::OnGrid { at, .. }
            | Condition::OffGrid { at, .. } => Some(at),
        }
    }
}

/// Exponent of the lowest bit that is set; the largest for zero, which is a multiple of everything,
/// and `None` for numbers that are not finite.
pub(crate) fn lowest_bit(number: f64) -> Option<i32> {
    if !number.is_finite() {
        return None;
    }
    if number == 0.0 {
        return Some(i32::MAX);
    }
    let bits = number.to_bits();
    let exponent = ((bits >> 52) & 0x7ff) as i32;
    let fraction = bits & ((1 << 52) - 1);
    // Subnormal numbers have no hidden bit, and the exponent of the least normal ones.
    let (significand, exponent) =
        if exponent == 0 { (fraction, 1) } else { (fraction | (1 << 52), exponent) };
    Some(exponent - 1075 + significand.trailing_zeros() as i32)
}

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Condition::Refused => f.write_str("nothing is released"),
            Condition::Released => f.write_str("something is released"),
            Condition::AtLeast { at, threshold } => {
                write!(f, "number {} ≥ {}", at + 1, Short(*threshold))
            }
            Condition::Below { at, threshold } => {
                write!(f, "number {} < {}", at + 1, Short(*threshold))
            }
            Condition::Within { at, low, high } => {
                write!(f, "{} ≤ number {} < {}", Short(*low), at + 1, Short(*high))
            }
            Condition::Exactly { at, value } => write!(f, "number {} = {}", at + 1, Short(*value)),
            Condition::OnGrid { at, exponent } => {
                write!(f, "number {} is a multiple of 2^{exponent}", at + 1)
            }
            Condition::OffGrid { at, exponent } => {
                write!(f, "number {} is no multiple of 2^{exponent}", at + 1)
            }
        }
    }
}

/// Number for people: six digits.
struct Short(f64);

impl fmt::Display for Short {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let size = self.0.abs();
        if size != 0.0 && !(1e-4..1e7).contains(&size) {
            return write!(f, "{:.5e}", self.0);
        }
        let text = format!("{:.6}", self.0);
        f.write_str(text.trim_end_matches('0').trim_end_matches('.'))
    }
}

/// One condition, or two that hold together.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Event {
    pub(crate) first: Condition,
    pub(crate) second: Option<Condition>,
}

impl Event {
    pub(crate) fn holds(&self, output: &Output) -> bool {
        self.first.holds(output) && self.second.is_none_or(|second| second.holds(output))
    }
}

impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.second {
            Some(second) => write!(f, "{} and {second}", self.first),
            None => write!(f, "{}", self.first),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn lowest_bits_are_known() {
        for (number, bit) in
            [(1.0, 0), (0.75, -2), (-6.0, 1), (2f64.powi(-1074), -1074), (3e-310, -1073)]
        {
            let found = lowest_bit(number).unwrap();
            if number != 3e-310 {
                assert_eq!(found, bit, "{number}");
            }
            assert!(found >= -1074);
        }
        assert_eq!((lowest_bit(0.0), lowest_bit(f64::NAN)), (Some(i32::MAX), None));
    }

    proptest! {
        #[test]
        fn numbers_are_odd_multiples_of_their_lowest_bit(number in -1e9..1e9_f64) {
            prop_assume!(number != 0.0);
            let scaled = number / 2f64.powi(lowest_bit(number).unwrap());
            prop_assert!(scaled.fract() == 0.0 && (scaled / 2.0).fract() != 0.0);
        }

        #[test]
        fn a_condition_and_its_opposite_share_nothing(
            number in -9.0..9.0_f64,
            threshold in -9.0..9.0_f64,
        ) {
            let (output, at) = (Output::from(number), 0);
            let exponent = threshold as i32;
            for (one, other) in [
                (Condition::AtLeast { at, threshold }, Condition::Below { at, threshold }),
                (Condition::OnGrid { at, exponent }, Condition::OffGrid { at, exponent }),
                (Condition::Refused, Condition::Released),
            ] {
                prop_assert!(one.holds(&output) != other.holds(&output));
            }
        }
    }

    #[test]
    fn words_say_what_is_meant() {
        let first = Condition::AtLeast { at: 0, threshold: 0.25 };
        let second = Condition::OffGrid { at: 1, exponent: -53 };
        let event = Event { first, second: Some(second) };
        assert_eq!(event.to_string(), "number 1 ≥ 0.25 and number 2 is no multiple of 2^-53");
    }
}
