//! Sets of persons by number, stored as runs.
//!
//! ```text
//! part      how many runs │ gap │ length − 1 │ gap │ length − 1 │ …
//! ```
//!
//! Numbers ascend; a gap is counted from the end of the run before. All are variable-length
//! integers of seven bits a byte, least first. Persons who are charged together once are numbered
//! together, so that most parts are one run.

use crate::varint;

/// Persons with numbers `from..to`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Run {
    pub(crate) from: u32,
    pub(crate) to: u32,
}

/// Returns the runs of ascending numbers; `None` if a number is there twice.
pub(crate) fn group_numbers(numbers: &[u32]) -> Option<Vec<Run>> {
    let mut runs: Vec<Run> = Vec::new();
    for number in numbers {
        match runs.last_mut() {
            Some(run) if run.to == *number => run.to += 1,
            Some(run) if run.to > *number => return None,
            _ => runs.push(Run { from: *number, to: number.checked_add(1)? }),
        }
    }
    Some(runs)
}

/// Encodes the parts.
pub(crate) fn encode<'a>(parts: impl IntoIterator<Item = &'a [Run]>) -> Vec<u8> {
    let mut out = Vec::new();
    let mut write = |number: u32| varint::write(&mut out, number.into());
    for part in parts {
        write(part.len() as u32);
        let mut end = 0;
        for run in part {
            write(run.from - end);
            write(run.to - run.from - 1);
            end = run.to;
        }
    }
    out
}

/// Decodes `parts` parts of numbers below `limit`, and returns them with the bytes behind them;
/// `None` if the bytes do not have this form.
pub(crate) fn decode(bytes: &[u8], parts: usize, limit: u32) -> Option<(Vec<Vec<Run>>, &[u8])> {
    let mut rest = bytes.iter();
    let mut read = || u32::try_from(varint::read(&mut rest, 5)?).ok();
    let mut all = Vec::new();
    for _ in 0..parts {
        let count = read()?;
        // Each run takes two bytes.
        let mut part = Vec::with_capacity((count as usize).min(bytes.len() / 2));
        let mut end = 0_u32;
        for at in 0..count {
            let gap = read()?;
            // Runs that touch would be one.
            if at > 0 && gap == 0 {
                return None;
            }
            let from = end.checked_add(gap)?;
            end = from.checked_add(read()?)?.checked_add(1).filter(|end| *end <= limit)?;
            part.push(Run { from, to: end });
        }
        all.push(part);
    }
    Some((all, rest.as_slice()))
}

/// Returns the number of persons in runs.
pub(crate) fn count(runs: &[Run]) -> u64 {
    runs.iter().map(|run| u64::from(run.to - run.from)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Decodes parts; `None` if bytes are left behind them.
    fn decode_all(bytes: &[u8], parts: usize, limit: u32) -> Option<Vec<Vec<Run>>> {
        decode(bytes, parts, limit).filter(|(_, rest)| rest.is_empty()).map(|(parts, _)| parts)
    }

    proptest! {
        #[test]
        fn what_was_written_is_read(
            parts in prop::collection::vec(prop::collection::btree_set(0_u32..5_000, 0..300), 0..4),
        ) {
            let numbers: Vec<Vec<u32>> =
                parts.iter().map(|part| part.iter().copied().collect()).collect();
            let runs: Vec<Vec<Run>> =
                numbers.iter().map(|part| group_numbers(part).unwrap()).collect();
            let bytes = encode(runs.iter().map(Vec::as_slice));
            prop_assert_eq!(decode_all(&bytes, runs.len(), 5_000), Some(runs.clone()));
            prop_assert!(decode_all(&bytes, runs.len() + 1, 5_000).is_none());
            for (part, runs) in numbers.iter().zip(&runs) {
                prop_assert_eq!(count(runs), part.len() as u64);
            }
        }

        /// Arbitrary bytes cause no panic and take little memory.
        #[test]
        fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..60)) {
            if let Some(parts) = decode_all(&bytes, 2, 1_000) {
                prop_assert_eq!(encode(parts.iter().map(Vec::as_slice)).len() <= bytes.len(), true);
            }
        }
    }

    #[test]
    fn everybody_is_one_run() {
        let all: Vec<u32> = (0..5_000_000).collect();
        let runs = group_numbers(&all).unwrap();
        assert_eq!(runs, [Run { from: 0, to: 5_000_000 }]);
        assert!(encode([runs.as_slice()]).len() <= 6);
        assert!(group_numbers(&[1, 1]).is_none() && group_numbers(&[2, 1]).is_none());
        let over = [&[1, 0][..], &[0x80; 6]].concat();
        assert!(decode_all(&over, 1, u32::MAX).is_none());
        assert!(
            decode_all(&[1, 0, 9], 1, 10).is_some() && decode_all(&[1, 0, 10], 1, 10).is_none()
        );
    }
}
