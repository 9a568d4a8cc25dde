//! Turns at work that only one process may do at a time: others with the same question wait.

use std::fmt;
use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

use suum_core::{Error, ErrorKind, Result};

use crate::files::{beside, hex};
use crate::key::{Key, Use};

/// Turn of this process at a question; others with the same question wait until it is dropped.
///
/// The operating system ends the turn of a process that dies, so nobody waits for the dead.
pub struct Turn {
    path: PathBuf,
    // What is locked is the file, until it is closed.
    _file: File,
}

impl Turn {
    /// Waits for the turn at a question; other questions have turns of their own.
    pub(crate) fn wait(ledger: &Path, key: &Key, question: &[u8]) -> Result<Self> {
        let mut hasher = key.hasher(Use::Turn);
        hasher.update(question);
        let suffix = format!(".turn-{}", hex(&hasher.finalize().as_bytes()[..8]));
        let failed = |error: io::Error| {
            let said = format!("ledger {}: its file {suffix} cannot be locked", ledger.display());
            Error::new(ErrorKind::Io, (), format!("{said} ({})", error.kind()))
                .with_fix("allow writing to its folder, on a disk with file locks; nobody paid")
        };
        // One file for all names of the ledger.
        let path = beside(&fs::canonicalize(ledger).map_err(failed)?, &suffix);
        loop {
            let file = opened(&path).map_err(failed)?;
            file.lock().map_err(failed)?;
            // Whoever had the turn before has removed the file, and somebody may have a new one.
            if is_at(&file, &path).map_err(failed)? {
                return Ok(Self { path, _file: file });
            }
        }
    }
}

/// Removes the file while nobody else can have the turn.
impl Drop for Turn {
    fn drop(&mut self) {
        // A file that stays is one that is locked again.
        if cfg!(unix) {
            let _ = fs::remove_file(&self.path);
        }
    }
}

fn opened(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.append(true).create(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

/// Returns true if the path still names this file.
#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> io::Result<bool> {
    use std::os::unix::fs::MetadataExt;
    let number = |metadata: fs::Metadata| (metadata.dev(), metadata.ino());
    match fs::metadata(path) {
        Ok(there) => Ok(number(there) == number(file.metadata()?)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

/// Returns true: where there are no Unix files, the file is never removed.
#[cfg(not(unix))]
fn is_at(_: &File, _: &Path) -> io::Result<bool> {
    Ok(true)
}

/// Redacted: shows only the path of its file.
impl fmt::Debug for Turn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Turn").field("path", &self.path).finish_non_exhaustive()
    }
}
