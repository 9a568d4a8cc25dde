//! The first records of many budgets.

use rustc_hash::FxHashSet;
use suum_core::Epsilon;

use crate::cells::level_key::EXACT;
use crate::count::coded::ROWS;

/// Records that wait until there are enough of them to tell whether exact budgets are too many, so
/// that no level is made for an exact budget in vain.
#[derive(Default)]
pub(crate) struct FirstRecords {
    epsilons: Vec<Epsilon>,
    indices: Vec<u64>,
}

impl FirstRecords {
    /// Number of records that are enough: more than [`EXACT`], since some share a budget.
    const ENOUGH: usize = 2 * EXACT;

    /// Keeps records.
    pub(crate) fn add_all(&mut self, epsilons: &[Epsilon], indices: &[u64]) {
        self.epsilons.extend_from_slice(epsilons);
        self.indices.extend_from_slice(indices);
    }

    /// Returns true if there are enough records.
    pub(crate) fn is_enough(&self) -> bool {
        self.epsilons.len() >= Self::ENOUGH
    }

    /// Returns true if they have more than [`EXACT`] distinct budgets.
    pub(crate) fn is_coarse(&self) -> bool {
        if self.epsilons.len() <= EXACT {
            return false;
        }
        let mut distinct = FxHashSet::default();
        distinct.reserve(EXACT + 1);
        self.epsilons.iter().any(|epsilon| {
            distinct.insert(epsilon.get().to_bits());
            distinct.len() > EXACT
        })
    }

    /// Budgets and indices in blocks.
    pub(crate) fn parts(&self) -> impl Iterator<Item = (&[Epsilon], &[u64])> {
        self.epsilons.chunks(ROWS).zip(self.indices.chunks(ROWS))
    }
}
