//! Numeric budgets to levels: exact while there are few of them, coarse beyond that.

use std::iter;

use rustc_hash::FxHashMap;
use suum_core::{Cohort, Epsilon, Error, Result};

use crate::scan::Scan;
use crate::tallies::Tallies;

/// The most distinct budgets that are kept apart exactly.
pub(crate) const EXACT: usize = 65_536;

/// A level for each distinct budget.
///
/// If the whole input has more than [`EXACT`] distinct budgets, every budget is rounded down with
/// [`Epsilon::coarse`]. Maps of parts of the input are exact until they exceed the limit, merging exact maps can
/// exceed it, and a coarse map makes coarse whatever it meets: a part with too many budgets proves that the whole
/// has too many. So the result depends only on the records, not on their order or sharding.
///
/// The same holds for the refusal of too many counters of categories: levels are added one at a time, so some map
/// passes that limit on the way, whether the levels would become coarse later or not.
pub(crate) struct Budgets {
    coarse: bool,
    // Set for good once there were too many counters; then all records go to one level that nobody reads.
    overflowed: bool,
    slots: FxHashMap<u64, u32>,
    levels: Vec<Epsilon>,
    tallies: Tallies,
    // Neighbouring records often share a budget: remember the last one's bits and slot.
    last: Option<(u64, usize)>,
}

impl Budgets {
    pub(crate) fn new(scan: &Scan) -> Self {
        Self {
            coarse: false,
            overflowed: false,
            slots: FxHashMap::default(),
            levels: Vec::new(),
            tallies: Tallies::new(scan),
            last: None,
        }
    }

    /// Begins a piece of work, by its number in the scan.
    pub(crate) fn begin(&mut self, piece: u64) {
        self.tallies.begin(piece);
    }

    /// Adds one record.
    #[inline]
    pub(crate) fn add(&mut self, epsilon: Epsilon, index: u64) {
        let bits = epsilon.get().to_bits();
        let slot = match self.last {
            Some((last, slot)) if last == bits => slot,
            _ => self.find(epsilon),
        };
        self.tallies.add(slot, index);
    }

    pub(crate) fn merge(&mut self, other: Budgets) {
        if other.overflowed {
            self.overflow();
        }
        if other.coarse {
            self.make_coarse();
        }
        for (from, epsilon) in other.levels.into_iter().enumerate() {
            let slot = self.find(epsilon);
            self.tallies.merge(slot, other.tallies.counters(), from);
        }
    }

    /// The rows of the table.
    pub(crate) fn into_cohorts(self) -> Result<Vec<Cohort>> {
        if self.overflowed {
            return Err(Error::data("there are more than 67108864 pairs of a budget and a category")
                .with_hint(
                    "declare fewer categories, or name tiers with --privacy COL --levels LABEL=EPSILON,…",
                ));
        }
        let levels = self.levels.iter().enumerate();
        Ok(levels.map(|(slot, epsilon)| self.tallies.cohort(slot, None, *epsilon)).collect())
    }

    /// The position of the level of this budget, which is added if it is new.
    fn find(&mut self, epsilon: Epsilon) -> usize {
        if self.overflowed {
            return 0;
        }
        let bits = epsilon.get().to_bits();
        let mut slot = self.insert(epsilon);
        if !self.coarse && self.levels.len() > EXACT {
            self.make_coarse();
            slot = self.insert(epsilon);
        }
        if self.tallies.too_many() {
            self.overflow();
            slot = 0;
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
            self.push(epsilon);
        }
        slot as usize
    }

    fn push(&mut self, epsilon: Epsilon) {
        self.levels.push(epsilon);
        self.tallies.extend(iter::once(epsilon));
    }

    fn make_coarse(&mut self) {
        if self.coarse || self.overflowed {
            return;
        }
        self.coarse = true;
        self.last = None;
        self.slots.clear();
        let counters = self.tallies.take();
        for (from, epsilon) in std::mem::take(&mut self.levels).into_iter().enumerate() {
            let slot = self.insert(epsilon);
            self.tallies.merge(slot, &counters, from);
        }
    }

    /// Gives the memory back. The rows that follow are still read: they may have a fault, which comes first.
    fn overflow(&mut self) {
        self.overflowed = true;
        self.last = None;
        self.slots.clear();
        self.levels.clear();
        self.tallies.take();
        self.push(Epsilon::UNUSED);
    }
}
