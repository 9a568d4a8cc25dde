//! Errors of a ledger's files, each with a way out.

use std::io;
use std::path::Path;

use rusqlite::ErrorCode;
use suum_core::{Error, ErrorKind, Phrase, Place, say};

/// Activity of a caller, which decides what a failure means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Doing {
    /// Creating a ledger.
    Creating,
    /// Reading one.
    Reading,
    /// Adding an entry before anything was drawn.
    Reserving,
    /// Recording what a release cost, after it was drawn.
    Settling,
}

impl Doing {
    /// Returns the state after the failure, and the way out once its cause is gone.
    fn then(self) -> &'static str {
        match self {
            Doing::Creating => "no ledger was created; run again",
            Doing::Reading => "nothing was changed; run again",
            Doing::Reserving => {
                "nothing was released; run again. What was reserved counts as spent"
            }
            Doing::Settling => {
                "the release was drawn, and what was reserved for it counts as spent in full; do \
                not draw it again"
            }
        }
    }
}

/// Returns the error for a failure of SQLite. Its own message is left out: it could quote what is
/// in the file.
pub(crate) fn sqlite(path: &Path, doing: Doing, error: &rusqlite::Error) -> Error {
    let path = path.display();
    let (code, extended) = match error {
        rusqlite::Error::SqliteFailure(failure, _) => (failure.code, failure.extended_code),
        // A column that holds something else than it should.
        _ => (ErrorCode::DatabaseCorrupt, 0),
    };
    let then = doing.then();
    let io = |what: Phrase, hint: String| {
        Error::new(ErrorKind::Io, format!("ledger {path}"), what).with_fix(hint)
    };
    match code {
        ErrorCode::DiskFull => io(say("there is no room to write"), format!("make room; {then}")),
        ErrorCode::ReadOnly | ErrorCode::PermissionDenied => io(
            say("it cannot be written"),
            format!(
                "allow writing to the file and to its folder, where SQLite keeps its journal; \
                {then}"
            ),
        ),
        ErrorCode::DatabaseBusy
        | ErrorCode::DatabaseLocked
        | ErrorCode::FileLockingProtocolFailed => io(
            say("another process has kept it locked for a minute"),
            format!("look for a process that hangs; {then}"),
        ),
        ErrorCode::CannotOpen => io(
            say("it cannot be opened"),
            format!("check that the file and its folder may be read and written; {then}"),
        ),
        ErrorCode::SystemIoFailure => io(
            say(format!("reading or writing failed (SQLite {extended})")),
            format!("check the disk; {then}"),
        ),
        ErrorCode::OutOfMemory => {
            io(say("there is not enough memory"), format!("free some; {then}"))
        }
        ErrorCode::NotADatabase => not_a_ledger(&path.to_string()),
        ErrorCode::DatabaseCorrupt | ErrorCode::TypeMismatch => damaged(&path.to_string()),
        _ => Error::ledger(format!("ledger {path}"), format!("SQLite refused (code {extended})"))
            .with_fix(format!("verify the ledger; {then}")),
    }
}

/// Returns the error for a file that is no ledger.
pub(crate) fn not_a_ledger(path: &str) -> Error {
    Error::ledger(
        format!("ledger {path}"),
        "this file is not a ledger, or its beginning is damaged",
    )
    .with_fix("check the path; if it was a ledger, put back its newest copy and verify it")
}

/// Returns the error for a damaged ledger.
pub(crate) fn damaged(path: &str) -> Error {
    Error::ledger(format!("ledger {path}"), "the file is damaged").with_fix(
        "put back its newest copy and verify it; what is missing in the copy must count as spent",
    )
}

/// Returns the error for a failure of another file than the database.
pub(crate) fn file(path: &Path, verb: &str, error: &io::Error) -> Error {
    let kind = error.kind();
    Error::io(Place::file(path.display()), format!("could not be {verb} ({kind})"))
        .with_fix(format!("check its folder and the disk, and that the file may be {verb}"))
}
