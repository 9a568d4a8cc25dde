//! Extent of a simulation, its data, and its progress.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::files::Files;

/// Number of trials.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Trials {
    /// Number in the paper, if it says; otherwise enough for its conclusions.
    #[default]
    Full,
    /// Fewer: enough to see the conclusions, in seconds.
    Quick,
    /// This number, at least two.
    Exactly(usize),
}

/// Settings of a run of an experiment.
#[derive(Debug, Clone, Default)]
pub struct Effort {
    /// Number of trials.
    pub trials: Trials,
    /// Files of people that suum does not ship; stand-ins replace missing ones.
    pub files: Files,
}

/// Progress of an experiment, for an observer in another thread.
#[derive(Debug, Default)]
pub struct Progress {
    done: AtomicU64,
    total: AtomicU64,
}

impl Progress {
    /// Finished and total work, in a unit of the experiment's own; it has not begun if the total is
    /// 0.
    pub fn get(&self) -> (u64, u64) {
        (self.done.load(Ordering::Relaxed), self.total.load(Ordering::Relaxed))
    }

    /// Sets the total, with no finished work.
    pub(crate) fn begin(&self, total: u64) {
        self.done.store(0, Ordering::Relaxed);
        self.total.store(total, Ordering::Relaxed);
    }

    pub(crate) fn advance(&self, by: u64) {
        self.done.fetch_add(by, Ordering::Relaxed);
    }
}
