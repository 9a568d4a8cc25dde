//! Rows of persons, added up as they come.

use hashbrown::HashTable;

use super::precedence::Precedence;
use super::row::Row;

/// A row for each person in each group, which stands for all that were added.
#[derive(Default)]
pub(super) struct Sums {
    table: HashTable<Row>,
    // Sums that nothing more can be added to: of persons with thousands of rows.
    full: Vec<Row>,
}

impl Sums {
    pub(super) fn add(&mut self, row: &Row, precedence: &Precedence) {
        let hash = row.hash();
        match self.table.find_mut(hash, |ours| ours.adds_to(row)) {
            Some(ours) => {
                if !ours.add(row, precedence) {
                    self.full.push(std::mem::replace(ours, *row));
                }
            }
            None => {
                self.table.insert_unique(hash, *row, Row::hash);
            }
        }
    }

    /// How much memory they take.
    pub(super) fn bytes(&self) -> usize {
        self.table.allocation_size() + size_of_val(self.full.as_slice())
    }

    /// All of them, in any order.
    pub(super) fn into_rows(self) -> Vec<Row> {
        let mut rows = self.full;
        rows.extend(self.table);
        rows
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::indexed::ABSENT;

    /// The index, the choice and the number of rows of each, in ascending order.
    fn sums(rows: &[Row]) -> Vec<(u64, u64, u32)> {
        let mut sums = Sums::default();
        rows.iter().for_each(|row| sums.add(row, &Precedence::Budgets));
        let rows = sums.into_rows().into_iter();
        let mut all: Vec<_> = rows.map(|row| (row.index, row.choice, row.rows)).collect();
        all.sort_unstable();
        all
    }

    #[test]
    fn a_person_has_a_row_in_each_group() {
        let row = |person, group, index, choice| Row::new(person, group, index, choice);
        let rows = [row(1, 0, 5, 9), row(2, 0, 1, 3), row(1, 0, 7, 4), row(1, 1, 8, 9)];
        assert_eq!(sums(&rows), [(1, 3, 1), (8, 9, 1), (12, 4, 2)]);
    }

    #[test]
    fn rows_without_a_value_add_nothing_but_their_choice() {
        let row = |index, choice| Row::new(1, 0, index, choice);
        assert_eq!(sums(&[row(ABSENT, 2), row(ABSENT, 3)]), [(ABSENT, 2, 0)]);
        for rows in [[row(ABSENT, 2), row(6, 3)], [row(6, 3), row(ABSENT, 2)]] {
            assert_eq!(sums(&rows), [(6, 2, 1)]);
        }
    }

    #[test]
    fn sums_that_are_too_large_stay_apart() {
        let of = |index, rows| {
            let mut row = Row::new(1, 0, index, 2);
            row.rows = rows;
            row
        };
        let large = of(u64::MAX - 5, 1);
        let row = |index| Row::new(1, 0, index, 2);
        // The largest sum would stand for no value.
        assert_eq!(sums(&[large, row(5)]), [(5, 2, 1), (u64::MAX - 5, 2, 1)]);
        assert_eq!(sums(&[large, row(4)]), [(u64::MAX - 1, 2, 2)]);
        let many = of(3, u32::MAX);
        assert_eq!(sums(&[many, row(1), row(1)]), [(2, 2, 2), (3, 2, u32::MAX)]);
    }
}
