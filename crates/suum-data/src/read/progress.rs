//! Progress of a scan, and the way to end it early.

use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};

/// Phase of a run.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Phase {
    /// Data are read.
    #[default]
    Reading,
    /// A plan is made.
    Planning,
    /// Releases are simulated, each of which is a step.
    Simulating,
    /// The range of kept records is searched for; each question is a step.
    Searching,
    /// Releases are made: planned as far as they are not yet, and noise drawn.
    Drawing,
}

impl Phase {
    const ALL: [Self; 5] =
        [Self::Reading, Self::Planning, Self::Simulating, Self::Searching, Self::Drawing];
}

/// The number of bytes a scan has consumed so far, and what is done after it; another thread may
/// look at it to draw a bar, or cancel the scan.
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
    phase: AtomicU8,
    steps: AtomicU64,
    // 0 where it is not known.
    all_steps: AtomicU64,
}

impl Progress {
    /// Bytes consumed, over all files; comparable with
    /// [`Source::total_bytes`](crate::Source::total_bytes).
    pub fn bytes(&self) -> u64 {
        self.bytes.load(Ordering::Relaxed)
    }

    /// Total number of bytes, if [`expect`](Self::expect) was told.
    pub fn total(&self) -> Option<u64> {
        Some(self.total.load(Ordering::Relaxed)).filter(|total| *total > 0)
    }

    /// Sets the total number of bytes.
    pub fn expect(&self, total: Option<u64>) {
        self.total.store(total.unwrap_or(0), Ordering::Relaxed);
    }

    /// Current phase.
    pub fn phase(&self) -> Phase {
        let phase = usize::from(self.phase.load(Ordering::Relaxed));
        Phase::ALL.get(phase).copied().unwrap_or_default()
    }

    /// Starts a phase, with its number of steps, if that is known.
    ///
    /// # Example
    ///
    /// ```
    /// use suum_data::{Phase, Progress};
    ///
    /// let progress = Progress::default();
    /// assert_eq!(progress.phase(), Phase::Reading);
    /// progress.enter(Phase::Simulating, Some(200));
    /// progress.step();
    /// assert_eq!((progress.phase(), progress.steps()), (Phase::Simulating, (1, Some(200))));
    /// ```
    pub fn enter(&self, phase: Phase, steps: Option<u64>) {
        self.steps.store(0, Ordering::Relaxed);
        self.all_steps.store(steps.unwrap_or(0), Ordering::Relaxed);
        self.phase.store(phase as u8, Ordering::Relaxed);
    }

    /// Counts a finished step.
    pub fn step(&self) {
        self.steps.fetch_add(1, Ordering::Relaxed);
    }

    /// Finished steps of the phase, and their total, if that is known.
    pub fn steps(&self) -> (u64, Option<u64>) {
        let all = self.all_steps.load(Ordering::Relaxed);
        (self.steps.load(Ordering::Relaxed), Some(all).filter(|all| *all > 0))
    }

    /// Ends scans that report here: running ones refuse to go on soon, and later ones at once.
    pub fn cancel(&self) {
        self.cancelled.store(true, Ordering::Relaxed);
    }

    /// Returns true if scans are to end.
    pub fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed)
    }

    pub(crate) fn add(&self, bytes: u64) {
        self.bytes.fetch_add(bytes, Ordering::Relaxed);
    }
}
