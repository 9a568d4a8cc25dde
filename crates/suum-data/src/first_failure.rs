//! The first refusal in the order of the data, whatever the timing of the threads.

use std::sync::atomic::{AtomicU64, Ordering};

/// The least position at which a piece of work has failed so far.
///
/// Pieces behind a failed one need not be worked on; all pieces before it still are. So in the end
/// the failure at the least position is known, and it is the same in every run.
pub(crate) struct FirstFailure(AtomicU64);

impl FirstFailure {
    pub(crate) fn new() -> Self {
        Self(AtomicU64::new(u64::MAX))
    }

    pub(crate) fn report(&self, position: u64) {
        self.0.fetch_min(position, Ordering::Relaxed);
    }

    /// Whether a piece before this one has failed.
    pub(crate) fn is_before(&self, position: u64) -> bool {
        self.0.load(Ordering::Relaxed) < position
    }
}
