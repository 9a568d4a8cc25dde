//! One row of a person.

use crate::cells::cell;
use crate::cells::fault::Fault;
use crate::scan::accounts::Accounts;
use crate::scan::identifier;
use crate::scan::role::Role;

/// Row, ordered by person, then group and index.
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
pub(crate) fn of_cell(cell: &[u8], accounts: Option<&dyn Accounts>) -> Result<u128, Fault> {
    let identifier = identifier(cell)?;
    Ok(accounts
        .map_or_else(|| identifier::hash(identifier), |accounts| accounts.person(identifier)))
}

impl Row {
    pub(super) fn new(person: u128, group: u32, index: u64, choice: u64) -> Self {
        Self { person: identifier::halves(person), group, index, choice }
    }

    /// The hash that stands for the person.
    pub(super) fn person(&self) -> u128 {
        u128::from(self.person[0]) << 64 | u128::from(self.person[1])
    }

    /// Row as five words, which have the order of rows.
    pub(super) fn words(self) -> [u64; 5] {
        let [high, low] = self.person;
        [high, low, u64::from(self.group), self.index, self.choice]
    }

    /// Row from its five words.
    pub(super) fn of_words([high, low, group, index, choice]: [u64; 5]) -> Self {
        // It was written from 32 bits.
        Self { person: [high, low], group: group as u32, index, choice }
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
            prop_assert_eq!(Row::of_words(one.words()), one);
            prop_assert_eq!(one.words().cmp(&next.words()), one.cmp(&next));
        }
    }
}
