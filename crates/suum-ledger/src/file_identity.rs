//! Where a ledger is, to notice a copy that goes on beside the original.

use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::files::hex;
use crate::key::{Key, Use};

/// The path of the ledger's file and its number in the file system, as keyed hashes: the log is for
/// other eyes, too.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct FileIdentity {
    path: String,
    /// Null where the system does not number its files.
    file: Option<String>,
}

impl FileIdentity {
    /// Where the file is.
    pub(crate) fn of(key: &Key, file: &Path) -> Self {
        Self::new(key, &real(file), file)
    }

    /// Where a file will be that is to be renamed within its folder.
    pub(crate) fn of_new(key: &Key, file: &Path, renamed: &Path) -> Self {
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

    /// Whether a file there is the one that was here: it has the same path, or it is the same file.
    ///
    /// A copy has neither. A file that is moved within its file system keeps its number, and one
    /// that is restored where it was keeps its path.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        self.path == other.path || (self.file.is_some() && self.file == other.file)
    }
}

/// Without links and relative parts, so that one file has one path.
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
