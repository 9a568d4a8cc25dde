//! One row of a person.

use crate::accounts::Accounts;
use crate::cell;
use crate::fault::Fault;
use crate::identifier;
use crate::role::Role;

/// Into how many parts persons are divided; one part per thread must fit into memory in the end.
pub(super) const PARTITIONS: usize = 64;

/// Bytes of a row in a file.
pub(super) const BYTES: usize = 36;

/// A row, ordered by person, then group and index.
///
/// Where the rows of persons are added up, the index is the bits of the value itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Row {
    // In two halves: 128-bit integers would be aligned to 16 bytes.
    person: [u64; 2],
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

/// Puts rows in their order: first by half an identifier, which most rows of different persons
/// differ in, and then those that do not.
pub(super) fn sort(rows: &mut [Row]) {
    rows.sort_unstable_by_key(|row| row.person[0]);
    rows.chunk_by_mut(|one, next| one.person[0] == next.person[0]).for_each(<[Row]>::sort_unstable);
}

impl Row {
    pub(super) fn new(person: u128, group: u32, index: u64, choice: u64) -> Self {
        Self { person: identifier::halves(person), group, index, choice }
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
    }

    /// The row that was written as these [`BYTES`] bytes.
    pub(super) fn read(bytes: &[u8]) -> Self {
        let mut words = bytes.chunks(8).map(|word| {
            let mut bytes = [0; 8];
            bytes[..word.len()].copy_from_slice(word);
            u64::from_le_bytes(bytes)
        });
        let mut next = || words.next().unwrap_or_default();
        let (person, index, choice) = ([next(), next()], next(), next());
        // The last four bytes.
        Self { person, index, choice, group: next() as u32 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn rows_read_back(person: u128, group: u32, index: u64, choice: u64) {
            let row = Row::new(person, group, index, choice);
            let mut bytes = Vec::new();
            row.write(&mut bytes);
            prop_assert_eq!(bytes.len(), BYTES);
            prop_assert_eq!(Row::read(&bytes), row);
        }

        #[test]
        fn rows_are_in_order(
            rows in prop::collection::vec(
                (0u64..3, 0u64..3, 0u32..3, any::<u64>(), any::<u64>()),
                0..50,
            ),
        ) {
            let row = |(one, other, group, index, choice): (u64, u64, u32, u64, u64)| {
                Row::new(u128::from(one) << 64 | u128::from(other), group, index, choice)
            };
            let mut rows: Vec<Row> = rows.into_iter().map(row).collect();
            sort(&mut rows);
            prop_assert!(rows.is_sorted());
        }
    }
}
