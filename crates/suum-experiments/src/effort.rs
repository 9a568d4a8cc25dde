//! How much is simulated, on which data, and how far it is.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::files::Files;

/// How many trials there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Trials {
    /// As many as the paper has, where it says; else as many as its conclusions need.
    #[default]
    Full,
    /// Fewer: enough to see the conclusions, in seconds.
    Quick,
    /// This many, at least two.
    Exactly(usize),
}

/// What an experiment is run with.
#[derive(Debug, Clone, Default)]
pub struct Effort {
    /// How many trials there are.
    pub trials: Trials,
    /// Data of people that suum does not ship; stand-ins take their place.
    pub files: Files,
}

/// How far an experiment is, for whoever watches from another thread.
#[derive(Debug, Default)]
pub struct Progress {
    done: AtomicU64,
    total: AtomicU64,
}

impl Progress {
    /// What is done and what there is to do, in a unit of the experiment's own; it has not begun if
    /// the total is 0.
    pub fn get(&self) -> (u64, u64) {
        (self.done.load(Ordering::Relaxed), self.total.load(Ordering::Relaxed))
    }

    /// There is this much to do, and nothing of it is done.
    pub(crate) fn begin(&self, total: u64) {
        self.done.store(0, Ordering::Relaxed);
        self.total.store(total, Ordering::Relaxed);
    }

    pub(crate) fn advance(&self, by: u64) {
        self.done.fetch_add(by, Ordering::Relaxed);
    }
}
