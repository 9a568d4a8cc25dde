//! Rows as they are, by the bits of doubles that are no NaN.
//!
//! Rows of a person come in any order. They are sorted before they are reduced, so that the same
//! rows become the same number, to the last bit, wherever they come from.

use suum_core::PersonValue;

use super::total::total;

/// Sorts the rows of a person; the bits of the number that they become. An infinite value counts
/// as the largest finite one.
pub(super) fn reduce(rows: &mut [u64], value: PersonValue) -> u64 {
    if value == PersonValue::Total {
        return total(rows);
    }
    rows.sort_unstable_by(|one, other| number(*one).total_cmp(&number(*other)));
    let half = rows.len() / 2;
    let of_sorted = match value {
        // Of the last rows the least.
        PersonValue::Min | PersonValue::Last => rows.first().map(|bits| number(*bits)),
        PersonValue::Max => rows.last().map(|bits| number(*bits)),
        PersonValue::Median if rows.len() % 2 == 1 => rows.get(half).map(|bits| number(*bits)),
        PersonValue::Median => match rows.get(half.wrapping_sub(1)..=half) {
            Some([one, next]) => return middle(*one, *next),
            _ => None,
        },
        // Totals were returned; shares and modes are of categories.
        PersonValue::Rows
        | PersonValue::Mean
        | PersonValue::Total
        | PersonValue::Share
        | PersonValue::Mode => mean(rows),
    };
    // A person who counts has a row.
    of_sorted.unwrap_or_default().to_bits()
}

/// The mean of sorted rows, which lies between the least and the largest of them.
fn mean(rows: &[u64]) -> Option<f64> {
    let (least, most) = (rows.first()?, rows.last()?);
    let count = rows.len() as f64;
    // Each part is small enough for the sum not to overflow by more than rounding.
    let sum: f64 = rows.iter().map(|bits| number(*bits) / count).sum();
    Some(sum.clamp(number(*least), number(*most)))
}

/// The middle between two values.
pub(super) fn middle(one: u64, next: u64) -> u64 {
    (number(one) / 2.0 + number(next) / 2.0).to_bits()
}

fn number(bits: u64) -> f64 {
    f64::from_bits(bits).clamp(-f64::MAX, f64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn mean(values: &[f64]) -> f64 {
        let mut bits: Vec<u64> = values.iter().map(|value| value.to_bits()).collect();
        f64::from_bits(reduce(&mut bits, PersonValue::Mean))
    }

    #[test]
    fn means_and_middles_of_any_size() {
        assert_eq!(mean(&[1.0, 2.0, 6.0]), 3.0);
        assert_eq!(mean(&[0.1; 7]), 0.1);
        assert_eq!(mean(&[f64::MAX; 3]), f64::MAX);
        assert_eq!(mean(&[f64::INFINITY, f64::NEG_INFINITY]), 0.0);
        let half = |one: f64, next: f64| f64::from_bits(middle(one.to_bits(), next.to_bits()));
        assert_eq!(half(1.0, 4.0), 2.5);
        assert_eq!(half(f64::NEG_INFINITY, f64::INFINITY), 0.0);
        assert_eq!(half(f64::MAX, f64::MAX), f64::MAX);
    }

    proptest! {
        #[test]
        fn order_does_not_matter(
            values in prop::collection::vec(-1e300..1e300_f64, 1..40),
            turn in 0usize..40,
        ) {
            let mut turned = values.clone();
            turned.rotate_left(turn % values.len());
            prop_assert_eq!(mean(&values).to_bits(), mean(&turned).to_bits());
            let least = values.iter().copied().fold(f64::INFINITY, f64::min);
            let most = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            prop_assert!((least..=most).contains(&mean(&values)));
        }
    }
}
