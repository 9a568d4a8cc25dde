//! What records in cells are grouped by: one number for the group, tier and cell, or for what is
//! wrong. Spark finds the sums of a short key much faster than those of a long one.
//!
//! A task of Spark looks a key up in two buckets of a first map, and in a second map, which is many
//! times slower, if others lie there. Which buckets these are is said by the last bits of the bits
//! of a budget plus the number beside it. Those of 0.5, 1, 2 and infinity are zero, so that their
//! cells would all lie in the same buckets. So the number of a cell is doubled, and a hash of the
//! budget is put in front of it.

use suum_data::PrivacyColumn;

use super::Source;
use super::offsets::Offsets;
use super::steps::case;

/// A key of records: [`columns`](Self::columns).
pub(super) struct Key<'a> {
    source: &'a Source<'a>,
    /// How many tiers there are; budgets are a part of the key as they are.
    tiers: Option<usize>,
    /// How many cells there are.
    cells: u64,
}

impl<'a> Key<'a> {
    /// That of a source, where [offsets](Offsets) are added up in cells.
    pub(super) fn of(source: &'a Source<'a>) -> Option<Self> {
        Offsets::of(source)?;
        let cells = u64::from(source.numbers()?.cells?.steps()) + 1;
        let tiers = match &source.scan.privacy {
            PrivacyColumn::Tiers { tiers, .. } => Some(tiers.len()),
            PrivacyColumn::Budgets { .. } => None,
        };
        Some(Self { source, tiers, cells })
    }

    /// The columns of the key of a record in this cell.
    pub(super) fn columns(&self, cell: &str) -> Vec<(String, &'static str)> {
        let has_groups = self.source.scan.group.is_some();
        let first = match (has_groups, self.tiers) {
            (true, Some(tiers)) => Some(format!("(group_number * {tiers} + level)")),
            (true, None) => Some("group_number".to_owned()),
            (false, Some(_)) => Some("level".to_owned()),
            (false, None) => None,
        };
        let whole = match first {
            Some(first) => format!("{first} * {} + {cell}", self.cells),
            None => cell.to_owned(),
        };
        let whole = match (self.tiers, self.source.dialect.spread("level")) {
            (None, Some(hash)) => format!("{hash} * {} + 2 * ({whole})", 2 * self.places()),
            _ => whole,
        };
        let place = case(&[("fault > 0".to_owned(), "-fault".to_owned())], Some(&whole));
        let budget = self.tiers.is_none().then(|| ("level".to_owned(), "level"));
        budget.into_iter().chain([(place, "place")]).collect()
    }

    /// The names of its columns.
    pub(super) fn names(&self) -> &'static str {
        if self.tiers.is_some() { "place" } else { "level, place" }
    }

    /// What is wrong with the records of a key.
    pub(super) fn fault(&self) -> (String, String) {
        ("place < 0".to_owned(), "-place".to_owned())
    }

    /// The least power of two that numbers of cells of all groups of a budget are below.
    fn places(&self) -> u64 {
        (self.source.scan.groups().max(1) as u64 * self.cells).next_power_of_two()
    }

    /// The number of a key without the hash of its budget.
    fn place(&self) -> String {
        let parted = self.source.dialect.split("place", 1).filter(|_| self.tiers.is_none());
        match parted {
            Some([halved, _]) => format!("({halved} & {})", self.places() - 1),
            None => "place".to_owned(),
        }
    }

    /// The cell of a key.
    pub(super) fn item(&self) -> String {
        let place = self.place();
        match (self.tiers, &self.source.scan.group) {
            (None, None) => place,
            _ => format!("{place} % {}", self.cells),
        }
    }

    /// The level of a key.
    pub(super) fn level(&self) -> String {
        let Some(tiers) = self.tiers else { return "level".to_owned() };
        let level = self.source.dialect.quotient("place", &self.cells.to_string());
        format!("{level} % {tiers}")
    }

    /// The group of a key.
    pub(super) fn group_number(&self) -> String {
        if self.source.scan.group.is_none() {
            return self.source.dialect.no_integer();
        }
        let tiers = self.tiers.unwrap_or(1) as u64;
        self.source.dialect.quotient(&self.place(), &(self.cells * tiers).to_string())
    }
}
