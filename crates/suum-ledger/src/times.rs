//! Times of decisions, as an amendment stores them beside its persons.
//!
//! ```text
//! times     unit │ difference │ difference │ …
//! ```
//!
//! The unit is the largest of a day, a second and a microsecond in which all times are whole.
//! Differences are from the time before, the first from 1970, as variable-length integers of seven
//! bits a byte, least first, with the sign in the lowest bit. A day of a person takes one or two
//! bytes, a second of a year at most four.

use crate::varint;

/// Microseconds of the units, the largest first.
const UNITS: [i64; 3] = [86_400_000_000, 1_000_000, 1];

/// Encodes times, in microseconds since 1970.
pub(crate) fn encode(times: &[i64]) -> Vec<u8> {
    let is_whole = |unit: &i64| times.iter().all(|time| time % unit == 0);
    // All are whole microseconds.
    let code = UNITS.iter().position(is_whole).unwrap_or(UNITS.len() - 1);
    let unit = UNITS[code];
    let mut bytes = vec![code as u8];
    let mut last = 0_i64;
    for time in times {
        let whole = time / unit;
        let difference = whole.wrapping_sub(last);
        varint::write(&mut bytes, ((difference << 1) ^ (difference >> 63)) as u64);
        last = whole;
    }
    bytes
}

/// Decodes exactly `count` times; `None` if the bytes do not have this form.
pub(crate) fn decode(bytes: &[u8], count: usize) -> Option<Vec<i64>> {
    let (code, rest) = bytes.split_first()?;
    let unit = *UNITS.get(usize::from(*code))?;
    // Each time takes at least a byte.
    if rest.len() < count {
        return None;
    }
    let mut rest = rest.iter();
    let mut times = Vec::with_capacity(count);
    let mut last = 0_i64;
    for _ in 0..count {
        let number = varint::read(&mut rest, 10)?;
        let difference = (number >> 1) as i64 ^ -((number & 1) as i64);
        last = last.wrapping_add(difference);
        times.push(last.checked_mul(unit)?);
    }
    rest.next().is_none().then_some(times)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn reads_what_was_written(
            times in prop::collection::vec(-(1_i64 << 52)..1 << 52, 0..60),
            unit in prop::sample::select(UNITS.to_vec()),
        ) {
            let times: Vec<i64> = times.iter().map(|time| time / unit * unit).collect();
            prop_assert_eq!(decode(&encode(&times), times.len()), Some(times.clone()));
            prop_assert_eq!(decode(&encode(&times), times.len() + 1), None);
        }

        #[test]
        fn reads_or_refuses_any_bytes(bytes in prop::collection::vec(any::<u8>(), 0..60)) {
            for count in 0..10 {
                let _ = decode(&bytes, count);
            }
        }
    }

    #[test]
    fn seconds_of_a_year_take_four_bytes() {
        let times: Vec<i64> = (0..1_000_i64)
            .map(|at| 1_767_225_600_000_000 + at * 7_919_993 % 31_536_000 * 1_000_000)
            .collect();
        assert!(encode(&times).len() <= 1 + 5 + 4 * times.len());
        let days = vec![1_767_225_600_000_000; 1_000];
        assert!(encode(&days).len() <= 1_010);
    }
}
