//! Place of a ledger's file, to notice a copy that is used beside the original.

use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::files::hex;
use crate::key::{Key, Use};

/// Path of the ledger's file and its number in the file system, as keyed hashes, because the log
/// may be shown to others.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct FileIdentity {
    path: String,
    /// Device and number of the file; `None` where the system does not number its files.
    file: Option<String>,
}

impl FileIdentity {
    /// Returns the identity of an existing file.
    pub(crate) fn for_file(key: &Key, file: &Path) -> Self {
        Self::new(key, &real(file), file)
    }

    /// Returns the identity that a file will have once it is renamed within its folder.
    pub(crate) fn for_renamed(key: &Key, file: &Path, renamed: &Path) -> Self {
        let real = real(file);
        let path =
            renamed.file_name().map_or_else(|| real.clone(), |name| real.with_file_name(name));
        Self::new(key, &path, file)
    }

    fn new(key: &Key, path: &Path, file: &Path) -> Self {
        Self {
            path: hash(key, path.as_os_str().as_encoded_bytes()),
            file: file_number(file).map(|(device, number)| {
                hash(key, &[device, number].map(u64::to_le_bytes).concat())
            }),
        }
    }

    /// Returns true if both count as one file: they have the same path, or the same number.
    ///
    /// A copy has neither. A file that is moved within its file system keeps its number, and one
    /// that is restored where it was keeps its path.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        self.path == other.path || (self.file.is_some() && self.file == other.file)
    }
}

/// Returns the path without links and relative parts, so that one file has one path.
fn real(file: &Path) -> PathBuf {
    fs::canonicalize(file).unwrap_or_else(|_| file.to_owned())
}

fn hash(key: &Key, bytes: &[u8]) -> String {
    let mut hasher = key.hasher(Use::Place);
    hasher.update(bytes);
    hex(&hasher.finalize().as_bytes()[..16])
}

#[cfg(unix)]
fn file_number(path: &Path) -> Option<(u64, u64)> {
    use std::os::unix::fs::MetadataExt;
    fs::metadata(path).ok().map(|metadata| (metadata.dev(), metadata.ino()))
}

#[cfg(not(unix))]
fn file_number(_: &Path) -> Option<(u64, u64)> {
    None
}
