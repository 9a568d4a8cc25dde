//! Numeric budgets to tallies: exact while there are few of them, coarse beyond that.

use rustc_hash::FxHashMap;
use suum_core::Epsilon;

use crate::tally::Tally;

/// The most distinct budgets that are kept apart exactly.
pub(crate) const EXACT: usize = 65_536;

/// A tally for each distinct budget.
///
/// If the whole input has more than [`EXACT`] distinct budgets, every budget is rounded down with
/// [`Epsilon::coarse`]. Maps of parts of the input are exact until they exceed the limit, merging exact maps can
/// exceed it, and a coarse map makes coarse whatever it meets: a part with too many budgets proves that the whole
/// has too many. So the result depends only on the records, not on their order or sharding.
pub(crate) struct Budgets {
    coarse: bool,
    slots: FxHashMap<u64, u32>,
    levels: Vec<(Epsilon, Tally)>,
    // Neighbouring records often share a budget: remember the last one's bits and slot.
    last: Option<(u64, usize)>,
}

impl Budgets {
    pub(crate) fn new() -> Self {
        Self { coarse: false, slots: FxHashMap::default(), levels: Vec::new(), last: None }
    }

    /// Adds one record.
    #[inline]
    pub(crate) fn add(&mut self, epsilon: Epsilon, index: u64) {
        let bits = epsilon.get().to_bits();
        let slot = match self.last {
            Some((last, slot)) if last == bits => slot,
            _ => self.find(epsilon),
        };
        self.levels[slot].1.add(index);
    }

    pub(crate) fn merge(&mut self, other: Budgets) {
        if other.coarse {
            self.make_coarse();
        }
        for (epsilon, tally) in other.levels {
            let slot = self.find(epsilon);
            self.levels[slot].1.merge(tally);
        }
    }

    pub(crate) fn into_levels(self) -> Vec<(Epsilon, Tally)> {
        self.levels
    }

    /// The position of the level of this budget, which is added if it is new.
    fn find(&mut self, epsilon: Epsilon) -> usize {
        let bits = epsilon.get().to_bits();
        let mut slot = self.insert(epsilon);
        if !self.coarse && self.levels.len() > EXACT {
            self.make_coarse();
            slot = self.insert(epsilon);
        }
        self.last = Some((bits, slot));
        slot
    }

    fn insert(&mut self, epsilon: Epsilon) -> usize {
        let epsilon = if self.coarse { epsilon.coarse() } else { epsilon };
        // At most 65 537 exact or some 700 000 coarse levels: 32 bits are plenty.
        let next = self.levels.len() as u32;
        let slot = *self.slots.entry(epsilon.get().to_bits()).or_insert(next);
        if slot == next {
            self.levels.push((epsilon, Tally::default()));
        }
        slot as usize
    }

    fn make_coarse(&mut self) {
        if self.coarse {
            return;
        }
        self.coarse = true;
        self.last = None;
        self.slots.clear();
        for (epsilon, tally) in std::mem::take(&mut self.levels) {
            let slot = self.insert(epsilon);
            self.levels[slot].1.merge(tally);
        }
    }
}
