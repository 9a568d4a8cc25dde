//! Levels of the positions, once all records have been read.

use std::collections::BTreeSet;

use suum_core::Epsilon;

use super::store::ChunkStore;
use crate::scan::Scan;
use crate::sink::room::lock;

/// Levels of all records, and the tier or level of each position.
pub(super) struct Levels {
    // The distinct budgets of records in ascending order, and how many records each has.
    budgets: Vec<Epsilon>,
    counts: Vec<u64>,
    // The level of each position with records.
    levels: Vec<u32>,
    // The tiers as declared; none if budgets are numbers. Their positions are those declared.
    tiers: Vec<(String, Epsilon)>,
}

impl Levels {
    /// Creates the levels of positions with these numbers of records.
    pub(super) fn new(store: &ChunkStore, records: &[u64], scan: &Scan) -> Self {
        let positions = lock(&store.positions);
        let of_position: Vec<Epsilon> =
            positions.budgets().iter().map(|epsilon| positions.level(*epsilon)).collect();
        let with_records =
            || of_position.iter().zip(records).enumerate().filter(|(_, (_, count))| **count > 0);

        let budgets: BTreeSet<Epsilon> = with_records().map(|(_, (epsilon, _))| *epsilon).collect();
        let budgets: Vec<Epsilon> = budgets.into_iter().collect();
        let mut counts = vec![0; budgets.len()];
        let mut levels = vec![0; of_position.len()];
        for (position, (epsilon, count)) in with_records() {
            let level = budgets.partition_point(|other| other < epsilon);
            counts[level] += count;
            levels[position] = level as u32;
        }
        let tiers = scan.kept_tiers().map(|(label, epsilon)| (label.to_owned(), epsilon)).collect();
        Self { budgets, counts, levels, tiers }
    }

    /// The budgets of levels with records, in ascending order.
    pub(super) fn budgets(&self) -> &[Epsilon] {
        &self.budgets
    }

    /// The number of records of each level.
    pub(super) fn counts(&self) -> &[u64] {
        &self.counts
    }

    /// The number of positions.
    pub(super) fn positions(&self) -> usize {
        self.levels.len()
    }

    /// Value of `by_level` at the level of each position; the default where there is no record.
    pub(super) fn by_position<T: Copy + Default>(&self, by_level: &[T]) -> Vec<T> {
        let of_level = |level: &u32| by_level.get(*level as usize).copied().unwrap_or_default();
        self.levels.iter().map(of_level).collect()
    }

    /// Rows of a table by their label and budget: tiers, or levels if budgets are numbers.
    pub(super) fn rows(&self) -> impl Iterator<Item = (Option<&str>, Epsilon)> {
        let tiers = self.tiers.iter().map(|(label, epsilon)| (Some(label.as_str()), *epsilon));
        // Only one of them has any.
        let numbers = if self.tiers.is_empty() { self.budgets.as_slice() } else { &[] };
        tiers.chain(numbers.iter().map(|epsilon| (None, *epsilon)))
    }

    /// Row of a table in which each position counts.
    pub(super) fn row_of_positions(&self) -> Vec<usize> {
        let positions = self.levels.iter().enumerate();
        positions
            .map(|(position, level)| if self.tiers.is_empty() { *level as usize } else { position })
            .collect()
    }
}
