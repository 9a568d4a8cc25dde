//! The one record that stands for all rows of a person.

use suum_core::{Cells, Epsilon, Error, Result};

use super::row::Row;
use crate::choice::Choice;
use crate::job::Job;
use crate::levels::Levels;
use crate::scan::Scan;
use crate::value::Value;

/// How persons are counted; with room for the rows one stands for.
pub(super) struct Persons<'a> {
    scan: &'a Scan,
    // The declared tiers and their budgets.
    tiers: Vec<(&'a str, Epsilon)>,
    indices: Vec<u64>,
    ranked: Vec<u64>,
}

impl<'a> Persons<'a> {
    pub(super) fn new(job: &Job<'a>) -> Self {
        let tiers = job.scan().tiers().collect();
        Self { scan: job.scan(), tiers, indices: Vec::new(), ranked: Vec::new() }
    }

    /// Adds a person, who has all these rows in ascending order of group and index.
    ///
    /// # Errors
    ///
    /// Refuses a person with rows in more than one group.
    pub(super) fn add(&mut self, rows: &[Row], levels: &mut Levels) -> Result<()> {
        let (Some(first), Some(last)) = (rows.first(), rows.last()) else { return Ok(()) };
        if first.group != last.group {
            return Err(self.in_two_groups());
        }
        let least = rows.iter().map(|row| row.choice).min_by_key(|bits| self.rank(*bits));
        let choice = Choice::from_bits(least.unwrap_or_default(), &self.scan.privacy);
        let choice = self.scan.accounts.as_deref().map_or(choice, |accounts| {
            let (tier, asked) = match choice {
                Choice::Tier(slot) => {
                    (Some(self.tiers[slot as usize].0), self.tiers[slot as usize].1)
                }
                Choice::Budget(epsilon) => (None, epsilon),
            };
            Choice::Budget(self.scan.budget(accounts.left(first.person(), tier, asked).min(asked)))
        });
        self.indices.clear();
        self.indices.extend(rows.iter().map(|row| row.index));
        let index = match &self.scan.value {
            Some(Value::Category(_)) => most_frequent(&self.indices),
            Some(Value::Number(_)) => mean(&self.indices),
            // Values without bounds are not those of persons.
            Some(Value::Unbounded(_)) | None => 0,
        };
        self.ranked.clear();
        if let Some(cells) = self.scan.cells() {
            self.ranked.extend(order_statistics(&self.indices, cells));
        }
        levels.add_person(choice, index, &self.ranked, first.group);
        Ok(())
    }

    /// Choices in the order in which they win: by budget, tiers of equal budgets as declared.
    fn rank(&self, bits: u64) -> (Epsilon, u64) {
        match Choice::from_bits(bits, &self.scan.privacy) {
            Choice::Tier(slot) => (self.tiers[slot as usize].1, bits),
            Choice::Budget(epsilon) => (epsilon, 0),
        }
    }

    fn in_two_groups(&self) -> Error {
        let column = self.scan.person.as_deref().unwrap_or_default();
        Error::data(format!("column {column}: a person has rows in more than one group")).with_hint(
            "group by a column that is the same in all rows of a person; whoever is in two groups \
            would spend their budget twice",
        )
    }
}

/// The mean of grid indices, rounded to the nearest, halves up: ⌊Σg/m + ½⌋.
fn mean(indices: &[u64]) -> u64 {
    let rows = indices.len().max(1) as u128;
    let sum: u128 = indices.iter().map(|index| u128::from(*index)).sum();
    // At most the largest index.
    ((2 * sum + rows) / (2 * rows)) as u64
}

/// The category that comes most often among these in ascending order, the first declared of
/// several.
fn most_frequent(categories: &[u64]) -> u64 {
    let mut best = (0, 0);
    for same in categories.chunk_by(|a, b| a == b) {
        if same.len() > best.0 {
            best = (same.len(), same[0]);
        }
    }
    best.1
}

/// R of m indices in ascending order: those of rank ⌈(2k − 1)·m/(2R)⌉ for k = 1..R, and the middle
/// between two neighbours where (2k − 1)·m/(2R) is a whole number. With R = 1 that is the median.
fn order_statistics(indices: &[u64], cells: Cells) -> impl Iterator<Item = u64> {
    let (rows, parts) = (indices.len() as u64, u64::from(cells.rows()));
    (1..=parts).filter_map(move |part| {
        let place = (2 * part - 1) * rows;
        let index = *indices.get(place.div_ceil(2 * parts) as usize - 1)?;
        match indices.get((place / (2 * parts)) as usize) {
            // An index is at most 2^50.
            Some(next) if place % (2 * parts) == 0 => Some((index + next) / 2),
            _ => Some(index),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn ranks(rows: u64, parts: u32) -> Vec<u64> {
        let indices: Vec<u64> = (1..=rows).map(|row| 10 * row).collect();
        order_statistics(&indices, Cells::new(8).unwrap().with_rows(parts).unwrap()).collect()
    }

    #[test]
    fn one_row_is_the_median() {
        assert_eq!([1, 2, 3, 4, 5].map(|rows| ranks(rows, 1)), [[10], [15], [20], [25], [30]]);
        assert_eq!(ranks(1, 3), [10, 10, 10]);
        assert_eq!(ranks(4, 4), [10, 20, 30, 40]);
        assert_eq!(ranks(2, 3), [10, 15, 20]);
        assert_eq!(ranks(4, 2), [15, 35]);
    }

    #[test]
    fn means_are_rounded_halves_up() {
        assert_eq!([mean(&[3]), mean(&[1, 2]), mean(&[1, 1, 2]), mean(&[1, 2, 2])], [3, 2, 1, 2]);
        assert_eq!(mean(&[1 << 50; 1000]), 1 << 50);
    }

    #[test]
    fn of_equally_frequent_categories_the_first_counts() {
        assert_eq!(
            [most_frequent(&[4]), most_frequent(&[1, 2]), most_frequent(&[1, 2, 2])],
            [4, 1, 2]
        );
    }

    proptest! {
        #[test]
        fn each_person_stands_for_the_same_number_of_rows(
            rows in 1u64..3000,
            parts in 1u32..=1000,
        ) {
            let ranks = ranks(rows, parts);
            prop_assert_eq!(ranks.len(), parts as usize);
            prop_assert!(ranks.is_sorted());
        }
    }
}
