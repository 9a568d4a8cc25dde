//! Levels that are counted, all records or a random sample of them.

use suum_core::{Cohort, Epsilon};

use crate::choice::Coded;
use crate::counters::{Counters, Slots};
use crate::job::Job;
use crate::sample::Decisions;

/// Counters and, for a sample, the decisions which records enter the sums.
pub(crate) struct Tallies {
    counters: Counters,
    // The most counters of categories.
    limit: usize,
    decisions: Option<Decisions>,
}

impl Tallies {
    /// No levels yet.
    pub(crate) fn new(job: &Job) -> Self {
        let counters = Counters::new(&job.scan().measure(), job.pairs());
        let decisions = job.scan().sample.as_ref().map(Decisions::new);
        Self { counters, limit: job.pairs(), decisions }
    }

    /// Begins a piece of work, by its number in the scan.
    pub(crate) fn begin(&mut self, piece: u64) {
        if let Some(decisions) = &mut self.decisions {
            decisions.begin(piece);
        }
    }

    /// Adds a level for each budget, behind the others.
    pub(crate) fn extend(&mut self, budgets: impl Iterator<Item = Epsilon>) {
        let mut levels = 0;
        for epsilon in budgets {
            levels += 1;
            if let Some(decisions) = &mut self.decisions {
                decisions.push(epsilon);
            }
        }
        self.counters.grow(levels);
    }

    /// Adds a record.
    #[inline]
    pub(crate) fn add(&mut self, level: usize, index: u64) {
        let used = self.decisions.as_mut().is_none_or(|decisions| decisions.decide(level));
        if used { self.counters.add(level, index) } else { self.counters.drop(level) }
    }

    /// Adds a person, by the grid index or category of all their rows, and the rows they stand for
    /// at candidates.
    pub(crate) fn add_person(&mut self, level: usize, index: u64, rows: &[u64]) {
        self.counters.add_person(level, index, rows);
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

    /// Adds many records, at most [`ROWS`](crate::counters::ROWS); `slots` has the position of the
    /// level of each code.
    pub(crate) fn add_coded(&mut self, coded: &Coded, slots: &Slots, indices: &[u64]) {
        if self.decisions.is_none() {
            return self.counters.add_coded(&coded.codes, &coded.met, slots, indices);
        }
        for (code, index) in coded.codes.iter().zip(indices) {
            self.add(slots.of(*code), *index);
        }
    }

    /// Adds all of other counters of the same scan, whose level number i is `slots[i]` here.
    pub(crate) fn merge(&mut self, other: Counters, slots: &[usize]) {
        self.counters.merge(other, slots);
    }

    /// Whether there are more counters of categories than a scan may hold.
    pub(crate) fn too_many_classes(&self) -> bool {
        self.counters.classes() > self.limit
    }

    /// Whether there could be more pairs of a level and a candidate than a scan may hold.
    #[inline]
    pub(crate) fn is_crowded(&self) -> bool {
        self.counters.is_crowded()
    }

    /// Counts no rows at candidates any more.
    pub(crate) fn give_up(&mut self) {
        self.counters.give_up();
    }

    pub(crate) fn has_given_up(&self) -> bool {
        self.counters.has_given_up()
    }

    /// Takes all levels out; the piece of work goes on.
    pub(crate) fn take(&mut self) -> Counters {
        if let Some(decisions) = &mut self.decisions {
            decisions.clear();
        }
        let empty = self.counters.emptied();
        std::mem::replace(&mut self.counters, empty)
    }

    /// The counters alone.
    pub(crate) fn into_counters(self) -> Counters {
        self.counters
    }

    /// The levels with records as rows of the table; `names` has the label and budget of each
    /// level.
    pub(crate) fn into_cohorts<'a>(
        self,
        names: impl Iterator<Item = (Option<&'a str>, Epsilon)>,
    ) -> Vec<Cohort> {
        self.counters.into_cohorts(names, self.decisions.is_some())
    }
}
