//! Limit of the memory in which rows wait, and the failure of files beyond it.

use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use suum_core::Error;

/// Memory that all workers of a scan share; rows beyond it wait in temporary files.
pub(crate) struct Room {
    limit: usize,
    held: AtomicUsize,
    // The first failure of a temporary file; then nothing more is kept.
    failure: Mutex<Option<io::ErrorKind>>,
}

impl Room {
    /// Creates room for this many bytes.
    pub(crate) fn new(limit: usize) -> Self {
        Self { limit, held: AtomicUsize::new(0), failure: Mutex::default() }
    }

    /// Takes this many bytes. Returns false if that is more than there are: the caller then gives
    /// some back.
    pub(crate) fn take(&self, bytes: usize) -> bool {
        self.held.fetch_add(bytes, Ordering::Relaxed) + bytes <= self.limit
    }

    pub(crate) fn give_back(&self, bytes: usize) {
        self.held.fetch_sub(bytes, Ordering::Relaxed);
    }

    /// Remembers the failure of a file.
    pub(crate) fn fail(&self, kind: io::ErrorKind) {
        lock(&self.failure).get_or_insert(kind);
    }

    /// Kind of the failure that kept rows from being stored, if there was one.
    pub(crate) fn failure(&self) -> Option<io::ErrorKind> {
        *lock(&self.failure)
    }
}

/// Locks a mutex. A panic while it was locked has made the scan fail, so poisoning is ignored.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Refusal after a temporary file failed; `what` was to be kept in it.
pub(crate) fn failed(what: &'static str, kind: io::ErrorKind) -> Error {
    Error::io(what, format!("a temporary file failed ({kind})"))
        .with_fix("make space in the folder for temporary files, or name another one in TMPDIR")
}
