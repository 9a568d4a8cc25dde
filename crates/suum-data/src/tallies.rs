//! Levels that are counted, all records or a random sample of them.

use suum_core::{Cohort, Epsilon, ExactSum};

use crate::counters::Counters;
use crate::sample::Decisions;
use crate::scan::Scan;
use crate::value::Value;

/// Counters and, for a sample, the decisions which records enter the sums.
pub(crate) struct Tallies {
    counters: Counters,
    decisions: Option<Decisions>,
}

impl Tallies {
    /// No levels yet.
    pub(crate) fn new(scan: &Scan) -> Self {
        let width = scan.value.as_ref().map_or(0, Value::width);
        Self { counters: Counters::new(width), decisions: scan.sample.as_ref().map(Decisions::new) }
    }

    /// Begins a piece of work, by its number in the scan.
    pub(crate) fn begin(&mut self, piece: u64) {
        if let Some(decisions) = &mut self.decisions {
            decisions.begin(piece);
        }
    }

    /// Adds a level for each budget, behind the others.
    pub(crate) fn extend(&mut self, budgets: impl ExactSizeIterator<Item = Epsilon>) {
        self.counters.grow(budgets.len());
        if let Some(decisions) = &mut self.decisions {
            budgets.for_each(|epsilon| decisions.push(epsilon));
        }
    }

    /// Adds a record.
    #[inline]
    pub(crate) fn add(&mut self, level: usize, index: u64) {
        let used = self.decisions.as_mut().is_none_or(|decisions| decisions.decide(level));
        if used { self.counters.add(level, index) } else { self.counters.drop(level) }
    }

    /// Adds many records; every level must be a position here.
    pub(crate) fn add_all(&mut self, levels: &[u32], indices: &[u64]) {
        if self.decisions.is_none() {
            return self.counters.add_all(levels, indices);
        }
        for (level, index) in levels.iter().zip(indices) {
            self.add(*level as usize, *index);
        }
    }

    /// Adds all of a level of other counters of the same scan.
    pub(crate) fn merge(&mut self, level: usize, other: &Counters, from: usize) {
        self.counters.merge(level, other, from);
    }

    pub(crate) fn counters(&self) -> &Counters {
        &self.counters
    }

    /// Whether there are more counters than a scan may hold.
    pub(crate) fn too_many(&self) -> bool {
        Counters::too_many(self.counters.levels(), self.counters.width())
    }

    /// Takes all levels out; the piece of work goes on.
    pub(crate) fn take(&mut self) -> Counters {
        if let Some(decisions) = &mut self.decisions {
            decisions.clear();
        }
        let empty = Counters::new(self.counters.width());
        std::mem::replace(&mut self.counters, empty)
    }

    /// The level as a row of the table.
    pub(crate) fn cohort(&self, level: usize, label: Option<&str>, epsilon: Epsilon) -> Cohort {
        let kept = self.decisions.is_some().then(|| self.counters.kept(level));
        Cohort {
            label: label.map(str::to_owned),
            epsilon,
            count: self.counters.count(level),
            sums: self.counters.sums(level),
            kept: kept.map(|kept| ExactSum::from_raw(i128::from(kept))),
        }
    }
}
