//! How far a scan has come, and the way to end it early.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// The number of bytes a scan has consumed so far; another thread may look at it to draw a bar, or
/// cancel the scan.
///
/// Sizes of files are no secret of the records in them, so this may be shown while a scan runs.
///
/// # Example
///
/// ```
/// use suum_data::{PrivacyColumn, Progress, Scan, scan_csv};
///
/// let progress = Progress::default();
/// let scan = Scan::new(PrivacyColumn::Budgets { column: "epsilon".into() }, None);
/// scan_csv("epsilon\n0.5\n".as_bytes(), &scan, &progress)?;
/// assert_eq!(progress.bytes(), 12);
///
/// progress.cancel();
/// assert!(scan_csv("epsilon\n0.5\n".as_bytes(), &scan, &progress).is_err());
/// # Ok::<(), suum_core::Error>(())
/// ```
#[derive(Debug, Default)]
pub struct Progress {
    bytes: AtomicU64,
    // 0 where it is not known.
    total: AtomicU64,
    cancelled: AtomicBool,
}

impl Progress {
    /// Bytes consumed, over all files; comparable with
    /// [`Source::total_bytes`](crate::Source::total_bytes).
    pub fn bytes(&self) -> u64 {
        self.bytes.load(Ordering::Relaxed)
    }

    /// How many bytes there are, if somebody has said so.
    pub fn total(&self) -> Option<u64> {
        Some(self.total.load(Ordering::Relaxed)).filter(|total| *total > 0)
    }

    /// Says how many bytes there are.
    pub fn expect(&self, total: Option<u64>) {
        self.total.store(total.unwrap_or(0), Ordering::Relaxed);
    }

    /// Ends scans that report here: they refuse to go on, soon, and all later ones at once.
    pub fn cancel(&self) {
        self.cancelled.store(true, Ordering::Relaxed);
    }

    /// Whether scans are to end.
    pub fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed)
    }

    pub(crate) fn add(&self, bytes: u64) {
        self.bytes.fetch_add(bytes, Ordering::Relaxed);
    }
}
