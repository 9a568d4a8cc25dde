//! Sums of records with coarse budgets, indexed by the number of the budget.

use std::ops::Range;

use fearless_simd::{Level, dispatch};
use suum_core::{Epsilon, ExactSum, LevelSums};

use crate::count::briefs::{Briefs, RecordTotals};

/// Sums of records by [`Epsilon::coarse_number`]. There are some 700 000 numbers, of which records
/// have few: pages of zeros cost nothing until they are written to.
pub(crate) struct CoarseSums {
    briefs: Briefs,
    /// Totals moved out of `briefs` to make room; empty until then.
    wholes: Vec<RecordTotals>,
    /// Least and largest bits of the budgets; bits and budgets have the same order.
    ends: [u64; 2],
}

impl CoarseSums {
    /// Creates sums of no records.
    pub(crate) fn new(briefs: &Briefs) -> Self {
        Self { briefs: briefs.emptied(), wholes: Vec::new(), ends: [u64::MAX, 0] }
    }

    /// Adds records.
    pub(crate) fn add_all(&mut self, epsilons: &[Epsilon], indices: &[u64]) {
        // Uses the widest vector instructions of this processor.
        let ends = dispatch!(Level::new(), _ => ends(epsilons));
        self.widen(ends);
        self.make_room(indices.len());
        let indices = indices.iter().copied();
        if ends[0] > 0 && ends[1] < f64::INFINITY.to_bits() {
            let numbers = epsilons.iter().map(|epsilon| epsilon.limited_coarse_number());
            self.briefs.add_all(Epsilon::COARSE, numbers.zip(indices));
        } else {
            let numbers = epsilons.iter().map(|epsilon| epsilon.coarse_number());
            self.briefs.add_all(Epsilon::COARSE, numbers.zip(indices));
        }
    }

    /// Adds the records of `other`.
    pub(crate) fn merge(&mut self, other: Self) {
        let numbers = other.numbers();
        self.widen(other.ends);
        self.make_room(other.briefs.records());
        self.briefs.merge(other.briefs, numbers);
        match self.wholes.is_empty() {
            true => self.wholes = other.wholes,
            false => self.wholes.iter_mut().zip(other.wholes).for_each(|(all, one)| add(all, one)),
        }
    }

    /// Coarse budgets of the records, in ascending order, with their totals.
    pub(crate) fn into_levels(mut self) -> impl Iterator<Item = (Epsilon, RecordTotals)> {
        let numbers = self.numbers();
        let briefs = self.briefs.take(numbers.clone());
        briefs.into_iter().zip(numbers).filter_map(move |(mut all, number)| {
            add(&mut all, self.wholes.get(number).copied().unwrap_or_default());
            let level = Epsilon::from_coarse_number(number)?;
            (all.0 > 0).then_some((level, all))
        })
    }

    /// Converts the sums to rows of a level table.
    pub(crate) fn into_level_sums(self) -> Vec<LevelSums> {
        let has_squares = self.briefs.has_squares();
        let row = |(epsilon, (count, sum, squares))| {
            let sums = if has_squares { vec![sum, squares] } else { vec![sum] };
            let sums = sums.into_iter().map(ExactSum::from_raw).collect();
            LevelSums { label: None, epsilon, count, sums, cells: Default::default() }
        };
        let mut rows = Vec::with_capacity(self.numbers().len());
        rows.extend(self.into_levels().map(row));
        rows
    }

    /// Moves totals out of `briefs` if it has no room for `more` records.
    fn make_room(&mut self, more: usize) {
        if self.briefs.has_room(more) {
            return;
        }
        self.wholes.resize(Epsilon::COARSE, (0, 0, 0));
        let numbers = self.numbers();
        for (all, one) in self.wholes[numbers.clone()].iter_mut().zip(self.briefs.take(numbers)) {
            add(all, one);
        }
    }

    /// Range of the numbers of all budgets that occur.
    fn numbers(&self) -> Range<usize> {
        let [least, most] = self
            .ends
            .map(|bits| Epsilon::new(f64::from_bits(bits)).map_or(0, Epsilon::coarse_number));
        least..most + 1
    }

    fn widen(&mut self, ends: [u64; 2]) {
        self.ends = [self.ends[0].min(ends[0]), self.ends[1].max(ends[1])];
    }
}

fn add(all: &mut RecordTotals, more: RecordTotals) {
    *all = (all.0 + more.0, all.1 + more.1, all.2 + more.2);
}

// Inlined for whoever compiles it for more instructions than every processor has.
#[inline(always)]
fn ends(epsilons: &[Epsilon]) -> [u64; 2] {
    let bits = || epsilons.iter().map(|epsilon| epsilon.get().to_bits());
    [bits().fold(u64::MAX, u64::min), bits().fold(0, u64::max)]
}
