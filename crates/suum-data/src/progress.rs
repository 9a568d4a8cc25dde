//! How far a scan has come.

use std::sync::atomic::{AtomicU64, Ordering};

/// The number of bytes a scan has consumed so far; another thread may look at it to draw a bar.
///
/// Sizes of files are no secret of the records in them, so this may be shown while a scan runs.
///
/// # Example
///
/// ```
/// let progress = suum_data::Progress::default();
/// assert_eq!(progress.bytes(), 0);
/// ```
#[derive(Debug, Default)]
pub struct Progress(AtomicU64);

impl Progress {
    /// Bytes consumed, over all files; comparable with [`Source::total_bytes`](crate::Source::total_bytes).
    pub fn bytes(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }

    pub(crate) fn add(&self, bytes: u64) {
        self.0.fetch_add(bytes, Ordering::Relaxed);
    }
}
