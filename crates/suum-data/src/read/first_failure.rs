//! First refusal in the order of the data, whatever the timing of the threads.

use std::sync::atomic::{AtomicU64, Ordering};

/// Least position at which a piece of work has failed so far.
///
/// Pieces after a failed one need not be worked on; all pieces before it still are. So in the end
/// the failure at the least position is known, and it is the same in every run.
pub(crate) struct FirstFailure(AtomicU64);

impl FirstFailure {
    pub(crate) fn new() -> Self {
        Self(AtomicU64::new(u64::MAX))
    }

    pub(crate) fn report(&self, position: u64) {
        self.0.fetch_min(position, Ordering::Relaxed);
    }

    fn is_any(&self) -> bool {
        self.is_before(u64::MAX)
    }

    /// Returns true if a piece before this one has failed.
    pub(crate) fn is_before(&self, position: u64) -> bool {
        self.0.load(Ordering::Relaxed) < position
    }
}

/// First failure of each of several scans that are made in one pass.
pub(crate) struct FirstFailures(Vec<FirstFailure>);

impl FirstFailures {
    pub(crate) fn new(scans: usize) -> Self {
        Self((0..scans).map(|_| FirstFailure::new()).collect())
    }

    /// Records a failure of one scan.
    pub(crate) fn report(&self, scan: usize, position: u64) {
        if let Some(of_scan) = self.0.get(scan) {
            of_scan.report(position);
        }
    }

    /// Records a failure of all scans.
    pub(crate) fn report_all(&self, position: u64) {
        self.0.iter().for_each(|of_scan| of_scan.report(position));
    }

    /// Returns true if the scan's findings at this position no longer matter: it has failed before,
    /// or an earlier scan has failed, which is the one that is refused.
    pub(crate) fn is_moot(&self, scan: usize, position: u64) -> bool {
        self.0.get(scan).is_none_or(|of_scan| of_scan.is_before(position))
            || self.0[..scan].iter().any(FirstFailure::is_any)
    }

    /// Returns true if all scans are moot at this position.
    pub(crate) fn is_over(&self, position: u64) -> bool {
        (0..self.0.len()).all(|scan| self.is_moot(scan, position))
    }
}
