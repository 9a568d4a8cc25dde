//! Failures inside a transaction: SQLite fails, or something is refused.

use std::path::Path;

use suum_core::Error;

use crate::fault::{self, Doing};

#[derive(Debug)]
pub(crate) enum Failure {
    Sqlite(rusqlite::Error),
    Refused(Error),
}

impl From<rusqlite::Error> for Failure {
    fn from(error: rusqlite::Error) -> Self {
        Failure::Sqlite(error)
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Failure::Refused(error)
    }
}

impl Failure {
    pub(crate) fn into_error(self, path: &Path, doing: Doing) -> Error {
        match self {
            Failure::Sqlite(error) => fault::sqlite(path, doing, &error),
            Failure::Refused(error) => error,
        }
    }
}
