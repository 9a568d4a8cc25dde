//! Total of a person's rows, by the bits of doubles that are no NaN.
//!
//! Every double is an integer times 2^-1074. So values are added up as integers, exactly and in any
//! order, and the sum is rounded once, to the nearest double.

/// Number of bits of one part of the sum; each part is worth 2^32 times the part before.
const BITS: usize = 32;

/// Number of parts: those in which a double can begin, and those that a sum of 2^40 doubles reaches
/// beyond them.
const PARTS: usize = 64 + 4;

/// Bits of the double nearest to the exact sum; of two the even one. An infinite value counts as
/// the largest finite one, and so does a sum beyond it.
pub(super) fn total(values: &[u64]) -> u64 {
    // Represents Σ parts[i]·2^(32·i), in units of 2^-1074. A value is below 2^85 in the part that
    // it begins in, so 2^40 of them fit.
    let mut parts = [0i128; PARTS];
    for bits in values {
        let (begin, value) = placed(*bits);
        parts[begin] += value;
    }
    let is_negative = carried(&mut parts) < 0;
    if is_negative {
        parts.iter_mut().for_each(|part| *part = -*part);
        carried(&mut parts);
    }
    let size = rounded(&parts).min(f64::MAX);
    if is_negative { -size } else { size }.to_bits()
}

/// Value as an integer in units of 2^-1074: the index of its first part, and its number there.
fn placed(bits: u64) -> (usize, i128) {
    const FRACTION: u32 = f64::MANTISSA_DIGITS - 1;
    let bits = if f64::from_bits(bits).is_infinite() {
        f64::MAX.copysign(f64::from_bits(bits)).to_bits()
    } else {
        bits
    };
    let (exponent, fraction) = (bits >> FRACTION & 0x7FF, bits & ((1 << FRACTION) - 1));
    let (digits, place) = match exponent {
        0 => (fraction, 0),
        _ => (fraction | 1 << FRACTION, exponent as usize - 1),
    };
    let value = i128::from(digits) << (place % BITS);
    (place / BITS, if bits >> 63 == 0 { value } else { -value })
}

/// Carries, so that every part but the last is in 0..2^32; returns the last, which has the sign of
/// the sum.
fn carried(parts: &mut [i128; PARTS]) -> i128 {
    let mut carry = 0;
    for part in &mut parts[..PARTS - 1] {
        let whole = *part + carry;
        carry = whole >> BITS;
        *part = whole & ((1 << BITS) - 1);
    }
    parts[PARTS - 1] += carry;
    parts[PARTS - 1]
}

/// Double nearest to a sum that is not negative and fully carried; infinite if it is too large.
fn rounded(parts: &[i128; PARTS]) -> f64 {
    let top = parts.iter().rposition(|part| *part != 0).unwrap_or_default();
    // Three parts have 65 digits or more, unless they have all there are. Of what lies below them
    // it matters only whether there is anything.
    let low = top.saturating_sub(2);
    let head = parts[low..=top].iter().rev().fold(0u128, |head, part| head << BITS | *part as u128);
    let below = parts[..low].iter().any(|part| *part != 0);
    // To the nearest, of two the even one. Then times 2^-1074, the least double, and 2^32 for each
    // part below: both are exact, for the head has 65 digits or nothing lies below it.
    let nearest = (head | u128::from(below)) as f64;
    (0..low).fold(nearest * f64::from_bits(1), |size, _| size * (1u64 << BITS) as f64)
}

#[cfg(test)]
mod tests {
    use dashu_int::IBig;
    use dashu_ratio::RBig;
    use proptest::prelude::*;

    use super::*;

    fn total_of(values: &[f64]) -> f64 {
        let bits: Vec<u64> = values.iter().map(|value| value.to_bits()).collect();
        f64::from_bits(total(&bits))
    }

    #[test]
    fn nothing_is_lost_and_what_has_no_end_is_large() {
        assert_eq!(total_of(&[0.1; 10]), 1.0);
        assert_eq!(total_of(&[1e300, 1.0, -1e300]), 1.0);
        assert_eq!(total_of(&[5e-324, 5e-324, -1e308, 1e308]), 1e-323);
        assert_eq!(total_of(&[-3.0]), -3.0);
        assert_eq!(total_of(&[]).to_bits(), 0);
        assert_eq!(total_of(&[-0.0]).to_bits(), 0);
        assert_eq!(total_of(&[f64::MAX; 3]), f64::MAX);
        assert_eq!(total_of(&[f64::NEG_INFINITY, -1.0]), -f64::MAX);
        assert_eq!(total_of(&[f64::INFINITY, f64::NEG_INFINITY, 7.0]), 7.0);
        // Ties go to the even one, and what lies far below decides them.
        let one = 1.0 + f64::EPSILON;
        assert_eq!(total_of(&[1.0, f64::EPSILON / 2.0]), 1.0);
        assert_eq!(total_of(&[one, f64::EPSILON / 2.0]), one + f64::EPSILON);
        assert_eq!(total_of(&[1.0, f64::EPSILON / 2.0, 5e-324]), one);
        assert_eq!(total_of(&[one, f64::EPSILON / 2.0, -5e-324]), one);
    }

    /// Returns true if no double is nearer to the exact sum.
    fn is_nearest(values: &[f64], found: f64) -> bool {
        let exact = |value: f64| RBig::try_from(value).unwrap();
        let sum = values.iter().fold(RBig::from(IBig::ZERO), |sum, value| sum + exact(*value));
        let away = |value: f64| {
            let (value, zero) = (exact(value) - &sum, RBig::from(IBig::ZERO));
            if value < zero { -value } else { value }
        };
        let beside = [found.next_up(), found.next_down()];
        let is_even = found.to_bits() & 1 == 0;
        beside
            .into_iter()
            .filter(|beside| beside.is_finite())
            .all(|beside| away(found) < away(beside) || is_even && away(found) == away(beside))
    }

    proptest! {
        #[test]
        fn the_sum_is_rounded_once_whatever_the_order(
            (values, shuffled) in prop::collection::vec(
                prop_oneof![
                    4 => -1e6..1e6_f64,
                    2 => any::<f64>().prop_filter("finite", |value| value.is_finite()),
                    1 => prop::sample::select(vec![1e16, -1e16, 5e-324, 1.0, 0.5, -2e-308]),
                ],
                0..12,
            ).prop_flat_map(|values| (Just(values.clone()), Just(values).prop_shuffle())),
        ) {
            let found = total_of(&values);
            prop_assert_eq!(found.to_bits(), total_of(&shuffled).to_bits());
            prop_assert!(found.abs() == f64::MAX || is_nearest(&values, found));
        }
    }
}
