//! How much may wait in memory, and what happens when files fail.

use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use suum_core::Error;

/// Memory that all workers of a scan share; what has no room waits in temporary files.
pub(crate) struct Room {
    limit: usize,
    held: AtomicUsize,
    // The first failure of a temporary file; then nothing more is kept.
    failure: Mutex<Option<io::ErrorKind>>,
}

impl Room {
    /// Room for this many bytes.
    pub(crate) fn new(limit: usize) -> Self {
        Self { limit, held: AtomicUsize::new(0), failure: Mutex::default() }
    }

    /// Takes that many bytes. False if that is more than there are: whoever hears it gives some
    /// back.
    pub(crate) fn take(&self, bytes: usize) -> bool {
        self.held.fetch_add(bytes, Ordering::Relaxed) + bytes <= self.limit
    }

    pub(crate) fn give_back(&self, bytes: usize) {
        self.held.fetch_sub(bytes, Ordering::Relaxed);
    }

    /// Takes note of a failed file.
    pub(crate) fn fail(&self, kind: io::ErrorKind) {
        lock(&self.failure).get_or_insert(kind);
    }

    /// Why something could not be kept, if it could not.
    pub(crate) fn failure(&self) -> Option<io::ErrorKind> {
        *lock(&self.failure)
    }
}

/// Whoever panicked held no half-done change that matters: the scan is refused then.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The refusal where a temporary file failed, by what was to be kept in it.
pub(crate) fn failed(what: &'static str, kind: io::ErrorKind) -> Error {
    Error::io(what, format!("a temporary file failed ({kind})"))
        .with_fix("make space in the folder for temporary files, or name another one in TMPDIR")
}
