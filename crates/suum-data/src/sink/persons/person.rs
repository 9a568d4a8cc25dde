//! Reduction of all rows of a person to one record.

use std::num::NonZero;

use suum_core::{Epsilon, Error, PersonValue, Place, Result, option, say};

use super::row::Row;
use super::{plain, shares};
use crate::cells::indexed::ABSENT;
use crate::cells::level_key::LevelKey;
use crate::count::counters::Contribution;
use crate::scan::accounts::{AccountKey, Accounts};
use crate::scan::person_groups::{CountedGroups, GroupOrder, PersonGroups};
use crate::scan::value::{Value, ValueColumn};
use crate::scan::{PrivacyColumn, Scan};
use crate::sink::job::Job;
use crate::sink::record_sink::RecordSink;

/// Converter of persons to records, with buffers that it reuses.
pub(super) struct Persons<'a> {
    scan: &'a Scan,
    // The declared tiers and their budgets.
    tiers: Vec<(&'a str, Epsilon)>,
    /// Remaining budgets of the next persons, if there are accounts.
    left: std::vec::IntoIter<Epsilon>,
    indices: Vec<u64>,
    ranked: Vec<u64>,
    shares: Vec<(u64, u64)>,
    /// Order of the groups of a person, of which the first ones count.
    order: GroupOrder,
}

impl<'a> Persons<'a> {
    pub(super) fn new(job: &Job<'a>) -> Self {
        let tiers = job.scan().tiers().collect();
        Self {
            scan: job.scan(),
            tiers,
            left: Vec::new().into_iter(),
            indices: Vec::new(),
            ranked: Vec::new(),
            shares: Vec::new(),
            order: GroupOrder::new(job.scan()),
        }
    }

    /// Query to the accounts about the person with all these rows.
    pub(super) fn account_key(&self, rows: &[Row]) -> Option<AccountKey> {
        let person = rows.first()?.person();
        let (tier, budget) = match self.choice(rows) {
            LevelKey::Tier(position) => (Some(position), self.tiers[position as usize].1),
            LevelKey::Budget(budget) => (None, budget),
        };
        Some(AccountKey { person, tier, budget })
    }

    /// Asks the accounts about persons who are then [added](Self::add), in the same order.
    pub(super) fn ask(&mut self, accounts: &dyn Accounts, asked: &[AccountKey]) {
        let labels: Vec<&str> = self.tiers.iter().map(|(label, _)| *label).collect();
        let mut left = Vec::with_capacity(asked.len());
        accounts.left(asked, &labels, &mut left);
        debug_assert_eq!(left.len(), asked.len(), "what is left to each");
        // Nobody counts at more than they allow.
        left.iter_mut().zip(asked).for_each(|(left, one)| *left = one.budget.min(*left));
        self.left = left.into_iter();
    }

    /// Adds a person with all their rows, in ascending order of group and index.
    ///
    /// # Errors
    ///
    /// Refuses a person with rows in more than one group, if participation is public and
    /// memberships are not. A person without a row that has a value does not count, but the
    /// accounts are asked about them: that they have no value is protected at the expense of their
    /// budget.
    pub(super) fn add(&mut self, rows: &[Row], sink: &mut RecordSink) -> Result<()> {
        let (Some(first), Some(last)) = (rows.first(), rows.last()) else { return Ok(()) };
        let in_two_groups = first.group != last.group;
        if in_two_groups && self.scan.add_remove.is_none() && self.scan.person_groups.is_none() {
            return Err(self.in_two_groups());
        }
        let choice = match self.scan.counts_by_accounts() {
            false => self.choice(rows),
            // Persons whom the accounts were not asked about do not count.
            true => {
                let left = self.left.next().unwrap_or(Epsilon::UNUSED);
                LevelKey::Budget(self.scan.budget(left))
            }
        };
        // Rows of each group, of which those without a value come last.
        let has_value = |rows: &&[Row]| rows[0].index != ABSENT;
        let by_group = rows.chunk_by(|one, next| one.group == next.group);
        let scan = self.scan;
        match &scan.person_groups {
            None => {
                // Hidden participation also hides whether a person is in two groups.
                let first = by_group.into_iter().find(has_value);
                first.into_iter().for_each(|rows| self.add_in(choice, rows, rows[0].group, sink));
            }
            Some(counted_in @ PersonGroups { counted: CountedGroups::AtMost(most), .. }) => {
                let is_released = |rows: &&[Row]| counted_in.is_released(rows[0].group);
                let by_group = by_group.filter(|rows| has_value(rows) && is_released(rows));
                let mut groups: Vec<&[Row]> = by_group.collect();
                let most = most.get() as usize;
                if groups.len() > most {
                    let place = |rows: &&[Row]| self.order.place(rows[0].person(), rows[0].group);
                    groups.sort_by_cached_key(place);
                }
                for rows in groups.into_iter().take(most) {
                    self.add_in(choice, rows, rows[0].group, sink);
                }
            }
            Some(counted_in @ PersonGroups { counted: CountedGroups::All, .. }) => {
                let is_released = |rows: &&[Row]| counted_in.is_released(rows[0].group);
                let groups: Vec<&[Row]> = by_group.filter(is_released).collect();
                let Some(number) = NonZero::new(groups.len() as u32) else { return Ok(()) };
                for rows in groups {
                    let table = scan.member_table(rows[0].group, number);
                    self.add_in(choice, rows, table, sink);
                }
            }
        }
        Ok(())
    }

    /// Adds a person to one table, with all their rows of one group.
    fn add_in(&mut self, choice: LevelKey, rows: &[Row], table: u32, sink: &mut RecordSink) {
        let end = rows.partition_point(|row| row.index != ABSENT);
        let rows = &rows[..end];
        if rows.is_empty() {
            return;
        }
        self.indices.clear();
        match self.scan.person_value {
            PersonValue::Last => {
                let last = rows.iter().map(|row| row.time).max();
                let of_last = rows.iter().filter(|row| Some(row.time) == last);
                self.indices.extend(of_last.map(|row| row.index));
            }
            _ => self.indices.extend(rows.iter().map(|row| row.index)),
        }
        let index = match &self.scan.value {
            Some(Value::Category(_)) if self.scan.divides_persons() => {
                shares::divide(&self.indices, &mut self.shares);
                sink.add_person(choice, Contribution::Shares(&self.shares), table);
                return;
            }
            Some(Value::Category(_)) => most_frequent(&self.indices),
            Some(Value::Number(column)) => on_grid(&mut self.indices, self.scan, column),
            Some(Value::Unbounded(_)) => plain::reduce(&mut self.indices, self.scan.person_value),
            None => 0,
        };
        self.ranked.clear();
        // Sums in cells are of persons, not of their rows.
        if let Some(cells) = self.scan.cells().filter(|cells| !cells.has_sums()) {
            if self.scan.person_value.is_one_number() {
                self.ranked.push(index);
                let rows = &self.ranked;
                sink.add_person(choice, Contribution::One { index, rows }, table);
                return;
            }
            let middle = |one, next| (one + next) / 2; // An index is at most 2^50.
            self.ranked.extend(order_statistics(&self.indices, cells.rows(), middle));
        }
        if let Some(rows) = NonZero::new(self.scan.ranked_rows() as u32) {
            let middle = plain::middle;
            self.ranked.extend(order_statistics(&self.indices, rows.get(), middle));
        }
        sink.add_person(choice, Contribution::One { index, rows: &self.ranked }, table);
    }

    /// Choice that counts among all rows of a person: that of the least budget, of tiers of equal
    /// budgets the one declared first.
    fn choice(&self, rows: &[Row]) -> LevelKey {
        let choices = rows.iter().map(|row| row.choice);
        let least = match &self.scan.privacy {
            // Budgets are not negative, so their bits are in their order.
            PrivacyColumn::Budgets { .. } => choices.min(),
            PrivacyColumn::Tiers { .. } => {
                choices.min_by_key(|position| (self.tiers[*position as usize].1, *position))
            }
        };
        LevelKey::from_bits(least.unwrap_or_default(), &self.scan.privacy)
    }

    fn in_two_groups(&self) -> Error {
        let column = self.scan.person.as_deref().unwrap_or_default();
        Error::data(Place::column(column), "a person has rows in more than one group").with_fix(
            say("if everybody may know who is in which groups, add")
                .set(option::PERSON_GROUPS, "public")
                .say(
                    ", and everybody counts in each of their groups with a part of their budget; \
                     or group by a column that is the same in all rows of a person",
                ),
        )
    }
}

/// The grid index that a person counts with who has these rows: grid indices in ascending order, or
/// where [rows are reduced as they are](Scan::keeps_plain_rows) the bits of values.
fn on_grid(rows: &mut [u64], scan: &Scan, column: &ValueColumn) -> u64 {
    let index = match scan.person_value {
        // Shares and modes are of categories.
        PersonValue::Rows | PersonValue::Mean | PersonValue::Share | PersonValue::Mode => {
            Some(mean(rows))
        }
        // Of the last rows the least.
        PersonValue::Min | PersonValue::Last => rows.first().copied(),
        PersonValue::Max => rows.last().copied(),
        value @ (PersonValue::Total | PersonValue::Median) => {
            // It is not NaN, so it has a place.
            column.numbers.grid.index(f64::from_bits(plain::reduce(rows, value)))
        }
    };
    // A person who counts has a row.
    index.unwrap_or_default()
}

/// Mean of grid indices, rounded to the nearest, halves up: ⌊Σg/m + ½⌋.
fn mean(indices: &[u64]) -> u64 {
    let rows = indices.len().max(1) as u128;
    let sum: u128 = indices.iter().map(|index| u128::from(*index)).sum();
    // At most the largest index.
    ((2 * sum + rows) / (2 * rows)) as u64
}

/// Most frequent of these categories, which ascend; of several the first declared.
fn most_frequent(categories: &[u64]) -> u64 {
    let mut best = (0, 0);
    for same in categories.chunk_by(|a, b| a == b) {
        if same.len() > best.0 {
            best = (same.len(), same[0]);
        }
    }
    best.1
}

/// Selects R of m values in ascending order: those of rank ⌈(2k − 1)·m/(2R)⌉ for k = 1..R, and the
/// middle between two neighbours where (2k − 1)·m/(2R) is a whole number. With R = 1 it is the
/// median.
fn order_statistics(
    values: &[u64],
    rows: u32,
    middle: impl Fn(u64, u64) -> u64,
) -> impl Iterator<Item = u64> {
    let (count, parts) = (values.len() as u64, u64::from(rows));
    (1..=parts).filter_map(move |part| {
        let place = (2 * part - 1) * count;
        let value = *values.get(place.div_ceil(2 * parts) as usize - 1)?;
        match values.get((place / (2 * parts)) as usize) {
            Some(next) if place % (2 * parts) == 0 => Some(middle(value, *next)),
            _ => Some(value),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn ranks(rows: u64, parts: u32) -> Vec<u64> {
        let indices: Vec<u64> = (1..=rows).map(|row| 10 * row).collect();
        order_statistics(&indices, parts, |one, next| (one + next) / 2).collect()
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
    fn the_first_of_equally_frequent_categories_counts() {
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
