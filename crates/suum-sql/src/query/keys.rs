//! Grouping keys of records in cells: one number for the group, level and cell, or for a defect.
//! Spark finds the sums of a short key much faster than those of a long one.
//!
//! A budget does not fit such a number, but a hash of it does. The budget itself is the least of
//! those that are grouped together.
//!
//! **Proof** that nobody's budget is rounded up: if different budgets ever have the same hash, all
//! records with that key count at the least of their budgets. ∎
//!
//! A task of Spark looks a key up in two buckets of a first map, and, if others are there, in a
//! second map, which is many times slower. The last bits of the key determine the buckets. So the
//! numbers of cells are doubled, and some of their bits are flipped, differently for each budget.

use suum_data::PrivacyColumn;

use super::offsets::Offsets;
use super::steps::case;
use super::{Defect, Source};

/// Key of records: [`columns`](Self::columns).
pub(super) struct Key<'a> {
    source: &'a Source<'a>,
    offsets: Offsets<'a>,
    /// Number of tiers; `None` if a hash of the budget is a part of the key.
    tiers: Option<usize>,
}

impl<'a> Key<'a> {
    /// Key of a source, if [offsets](Offsets) are added up in cells.
    pub(super) fn for_source(source: &'a Source<'a>) -> Option<Self> {
        let offsets = Offsets::for_source(source)?;
        let tiers = match &source.scan.privacy {
            PrivacyColumn::Tiers { tiers, .. } => Some(tiers.len()),
            PrivacyColumn::Budgets { .. } => None,
        };
        Some(Self { source, offsets, tiers })
    }

    /// Columns of a step from which [`columns`](Self::columns) are computed.
    pub(super) fn parts(&self, index: &str) -> Vec<(String, &'static str)> {
        let fault = match self.tiers {
            // No level is left to be grouped by where there is none.
            None => {
                let branches = [
                    ("fault > 0".to_owned(), "fault".to_owned()),
                    ("level IS NULL".to_owned(), Defect::NoChoice.number().to_string()),
                ];
                case(&branches, Some("0"))
            }
            Some(_) => "fault".to_owned(),
        };
        let mut columns = vec![(fault, "fault"), ("level".to_owned(), "level")];
        if self.source.scan.group.is_some() {
            columns.push(("group_number".to_owned(), "group_number"));
        }
        columns.extend(self.offsets.columns(index));
        if self.tiers.is_none() {
            columns.push((self.source.dialect.spread("level", self.places()), "hash"));
        }
        columns
    }

    /// Columns of the key of a record.
    pub(super) fn columns(&self) -> Vec<(String, &'static str)> {
        let first = match (&self.source.scan.group, self.tiers) {
            (Some(_), Some(tiers)) => Some(format!("(group_number * {tiers} + level)")),
            (Some(_), None) => Some("group_number".to_owned()),
            (None, Some(_)) => Some("level".to_owned()),
            (None, None) => None,
        };
        let number = self.offsets.number();
        let whole = match first {
            Some(first) => format!("{first} * {} + {number}", self.offsets.numbers()),
            None => number,
        };
        let whole = match self.tiers {
            None => {
                format!("hash | (shiftleft({whole}, 1) ^ {})", self.turn("hash"))
            }
            Some(_) => whole,
        };
        let place = case(&[("fault > 0".to_owned(), "-fault".to_owned())], Some(&whole));
        let budget = self.tiers.is_none().then(|| ("level".to_owned(), "level"));
        budget.into_iter().chain([(place, "place")]).collect()
    }

    /// Columns of a step of sums by key from which [others](Self::level) are computed.
    pub(super) fn kept_columns(&self) -> Vec<(String, &'static str)> {
        let place = [("place".to_owned(), "place")];
        // Negative zero is the one zero.
        let level = format!("MIN(level) + {}", self.source.dialect.double(0.0));
        let level = self.tiers.is_none().then_some((level, "level"));
        place.into_iter().chain(level).collect()
    }

    /// Defect of the records of a key, as a condition and its number.
    pub(super) fn fault(&self) -> (String, String) {
        ("place < 0".to_owned(), "-place".to_owned())
    }

    /// Least power of two above twice the numbers of cells of all groups of a budget.
    fn places(&self) -> u64 {
        let groups = self.source.scan.groups().max(1) as u64;
        (2 * groups * self.offsets.numbers()).next_power_of_two()
    }

    /// Expression for the bits of a hash that flip the bits of a key: as many as the numbers of
    /// cells have.
    fn turn(&self, hash: &str) -> String {
        format!("shiftright({hash}, {})", 63 - self.places().ilog2())
    }

    /// Number of a key without the hash of its budget.
    fn place(&self) -> String {
        if self.tiers.is_some() {
            return "place".to_owned();
        }
        format!("shiftright(((place ^ {}) & {}), 1)", self.turn("place"), self.places() - 1)
    }

    /// Cell of a key.
    pub(super) fn item(&self) -> String {
        let place = self.place();
        self.offsets.cell(&match (self.tiers, &self.source.scan.group) {
            (None, None) => place,
            _ => format!("({place} % {})", self.offsets.numbers()),
        })
    }

    /// Level of a key.
    pub(super) fn level(&self) -> String {
        let Some(tiers) = self.tiers else { return "level".to_owned() };
        let numbers = self.offsets.numbers().to_string();
        format!("{} % {tiers}", self.source.dialect.quotient("place", &numbers))
    }

    /// Group of a key.
    pub(super) fn group_number(&self) -> String {
        if self.source.scan.group.is_none() {
            return self.source.dialect.no_integer();
        }
        let tiers = self.tiers.unwrap_or(1) as u64;
        let numbers = (self.offsets.numbers() * tiers).to_string();
        self.source.dialect.quotient(&self.place(), &numbers)
    }
}
