//! One row of a person.

use crate::cells::cell;
use crate::cells::fault::Fault;
use crate::scan::accounts::Accounts;
use crate::scan::identifier;
use crate::scan::role::Role;

/// Row, ordered by person, then group and index, and in the end by time.
///
/// Where the rows of persons are reduced as they are, the index is the bits of the value itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Row {
    // In two halves: 128-bit integers would be aligned to 16 bytes.
    pub(super) person: [u64; 2],
    pub(super) group: u32,
    pub(super) index: u64,
    /// The bits of the choice.
    pub(super) choice: u64,
    /// Time, as an integer in the order of times; 0 if it is missing, and where none is read.
    pub(super) time: u64,
}

/// The identifier in a cell, which has no spaces around it.
#[inline]
pub(crate) fn identifier(cell: &[u8]) -> Result<&[u8], Fault> {
    if cell.is_empty() {
        return Err(Fault::Missing(Role::Person));
    }
    match cell.is_ascii() {
        true => Ok(cell),
        false => cell::text(cell, Role::Person).map(str::as_bytes),
    }
}

/// [Hash](identifier::hash) of the identifier in a cell. Accounts have a hash of their own.
#[inline]
pub(crate) fn hash_cell(cell: &[u8], accounts: Option<&dyn Accounts>) -> Result<u128, Fault> {
    let identifier = identifier(cell)?;
    Ok(accounts
        .map_or_else(|| identifier::hash(identifier), |accounts| accounts.person(identifier)))
}

impl Row {
    pub(super) fn new(person: u128, group: u32, index: u64, choice: u64) -> Self {
        Self { person: identifier::halves(person), group, index, choice, time: 0 }
    }

    /// Returns the row at this time; NaN if it is missing.
    pub(super) fn at(self, time: f64) -> Self {
        // Doubles in their order, with one zero, and all above the missing one.
        let bits = (time + 0.0).to_bits();
        let ordered = if bits >> 63 == 0 { bits | 1 << 63 } else { !bits };
        Self { time: if time.is_nan() { 0 } else { ordered }, ..self }
    }

    /// The hash that stands for the person.
    pub(super) fn person(&self) -> u128 {
        u128::from(self.person[0]) << 64 | u128::from(self.person[1])
    }

    /// Row without its time as five words, which have the order of rows.
    pub(super) fn words(self) -> [u64; 5] {
        let [high, low] = self.person;
        [high, low, u64::from(self.group), self.index, self.choice]
    }

    /// Row as six words, which have the order of rows.
    pub(super) fn words_with_time(self) -> [u64; 6] {
        let [high, low, group, index, choice] = self.words();
        [high, low, group, index, choice, self.time]
    }

    /// Row from its five words.
    pub(super) fn from_words([high, low, group, index, choice]: [u64; 5]) -> Self {
        // It was written from 32 bits.
        Self { person: [high, low], group: group as u32, index, choice, time: 0 }
    }

    /// Row from its six words.
    pub(super) fn from_words_with_time([high, low, group, index, choice, time]: [u64; 6]) -> Self {
        Self { time, ..Self::from_words([high, low, group, index, choice]) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn words_are_the_row_and_ordered_alike(
            one: (u128, u32, u64, u64),
            next: (u128, u32, u64, u64),
        ) {
            let [one, next] = [one, next]
                .map(|(person, group, index, choice)| Row::new(person, group, index, choice));
            prop_assert_eq!(Row::from_words(one.words()), one);
            prop_assert_eq!(one.words().cmp(&next.words()), one.cmp(&next));
        }

        #[test]
        fn times_are_in_their_order_and_missing_ones_first(one: f64, next: f64) {
            let [first, second] = [one, next].map(|time| Row::new(1, 2, 3, 4).at(time));
            prop_assert_eq!(Row::from_words_with_time(first.words_with_time()), first);
            let of_missing = (!one.is_nan()).cmp(&!next.is_nan());
            let expected = one.partial_cmp(&next).unwrap_or(of_missing);
            prop_assert_eq!(first.time.cmp(&second.time), expected);
        }
    }
}
