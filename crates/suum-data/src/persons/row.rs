//! One row of a person.

use crate::accounts::Accounts;
use crate::cell;
use crate::fault::Fault;
use crate::identifier;
use crate::indexed::ABSENT;
use crate::role::Role;

use super::precedence::Precedence;

/// Into how many parts persons are divided; one part per thread must fit into memory in the end.
pub(super) const PARTITIONS: usize = 64;

/// Bytes of a row in a file.
pub(super) const BYTES: usize = 40;

/// A row, or the sum of several of one person in one group; ordered by person, then group and
/// index.
///
/// Where values of persons are added up as they are, the index is the bits of the value itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Row {
    // In two halves: 128-bit integers would be aligned to 16 bytes.
    person: [u64; 2],
    pub(super) group: u32,
    /// The index, or the sum of those of rows with a value; [`ABSENT`] if none has one.
    pub(super) index: u64,
    /// The bits of the choice.
    pub(super) choice: u64,
    /// How many rows with a value it stands for.
    pub(super) rows: u32,
}

/// The identifier in a cell, which has no spaces around it.
#[inline]
pub(crate) fn identifier(cell: &[u8]) -> Result<&[u8], Fault> {
    if cell.is_empty() {
        return Err(Fault::Missing(Role::Person));
    }
    cell::text(cell, Role::Person).map(str::as_bytes)
}

/// The [hash](identifier::hash) that stands for the identifier in a cell. Accounts have a hash of
/// their own.
#[inline]
pub(crate) fn of_cell(cell: &[u8], accounts: Option<&dyn Accounts>) -> Result<u128, Fault> {
    let identifier = identifier(cell)?;
    Ok(accounts
        .map_or_else(|| identifier::hash(identifier), |accounts| accounts.person(identifier)))
}

impl Row {
    pub(super) fn new(person: u128, group: u32, index: u64, choice: u64) -> Self {
        let rows = u32::from(index != ABSENT);
        Self { person: identifier::halves(person), group, index, choice, rows }
    }

    /// Adds another row of the same person in the same group. False if the sum would be too large;
    /// then nothing is added.
    #[inline]
    pub(super) fn add(&mut self, other: &Self, precedence: &Precedence) -> bool {
        if other.rows > 0 {
            let index = if self.rows == 0 { 0 } else { self.index };
            let Some(rows) = self.rows.checked_add(other.rows) else { return false };
            match index.checked_add(other.index) {
                Some(sum) if sum != ABSENT => (self.index, self.rows) = (sum, rows),
                _ => return false,
            }
        }
        self.choice = precedence.first(self.choice, other.choice);
        true
    }

    /// Whether both are of one person in one group.
    #[inline]
    pub(super) fn adds_to(&self, other: &Self) -> bool {
        self.person == other.person && self.group == other.group
    }

    /// What a table finds it by. Persons are hashes; of their other half the first bits say in
    /// which partition they are.
    #[inline]
    pub(super) fn hash(&self) -> u64 {
        self.person[1] ^ u64::from(self.group)
    }

    pub(super) fn is_of_same_person(&self, other: &Self) -> bool {
        self.person == other.person
    }

    /// The hash that stands for the person.
    pub(super) fn person(&self) -> u128 {
        u128::from(self.person[0]) << 64 | u128::from(self.person[1])
    }

    /// The partition that has all rows of the person. Persons ascend from one to the next, so that
    /// their accounts are found one after the other.
    pub(super) fn partition(&self) -> usize {
        (self.person[0] >> (u64::BITS - PARTITIONS.ilog2())) as usize
    }

    pub(super) fn write(&self, out: &mut Vec<u8>) {
        for word in [self.person[0], self.person[1], self.index, self.choice] {
            out.extend(word.to_le_bytes());
        }
        out.extend(self.group.to_le_bytes());
        out.extend(self.rows.to_le_bytes());
    }

    /// The row that was written as these [`BYTES`] bytes.
    pub(super) fn read(bytes: &[u8]) -> Self {
        let (words, _) = bytes.as_chunks();
        let mut words = words.iter().map(|word| u64::from_le_bytes(*word));
        let mut next = || words.next().unwrap_or_default();
        let (person, index, choice) = ([next(), next()], next(), next());
        let last = next();
        Self { person, index, choice, group: last as u32, rows: (last >> 32) as u32 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn rows_read_back(person: u128, group: u32, index: u64, choice: u64, rows: u32) {
            let row = Row { rows, ..Row::new(person, group, index, choice) };
            let mut bytes = Vec::new();
            row.write(&mut bytes);
            prop_assert_eq!(bytes.len(), BYTES);
            prop_assert_eq!(Row::read(&bytes), row);
        }
    }
}
