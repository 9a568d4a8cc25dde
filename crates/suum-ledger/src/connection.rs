//! Opening of a ledger's database, and its SQLite settings.

use std::fs;
use std::io;
use std::path::Path;
use std::time::Duration;

use rusqlite::config::DbConfig;
use rusqlite::{Connection, MAIN_DB, OpenFlags};
use suum_core::{Error, Result};

use crate::failure::Failure;
use crate::fault::{self, Doing};
use crate::schema;

/// Longest wait for other processes that write.
const PATIENCE: Duration = Duration::from_secs(60);

/// Purpose for which a ledger is opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Access {
    Read,
    Write,
}

/// Opens an existing database, with every write durable.
pub(crate) fn connect(path: &Path) -> rusqlite::Result<Connection> {
    // Reading needs the right to write too, to undo what a crash left half done.
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)?;
    connection.busy_timeout(PATIENCE)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true)?;
    // The header is sure to be read before anything is set that a damaged file could spoil.
    connection.execute_batch(
        "PRAGMA trusted_schema = OFF;
         PRAGMA cell_size_check = ON;
         PRAGMA mmap_size = 0;
         PRAGMA temp_store = MEMORY;
         PRAGMA locking_mode = NORMAL;
         PRAGMA synchronous = EXTRA;
         PRAGMA fullfsync = ON;
         PRAGMA checkpoint_fullfsync = ON;",
    )?;
    Ok(connection)
}

/// Opens a ledger's database. Refuses other files, a newer version and, to read, an older version.
pub(crate) fn open(path: &Path, access: Access) -> Result<Connection> {
    let shown = path.display();
    match fs::metadata(path) {
        Ok(metadata) if metadata.is_file() && metadata.len() > 0 => {}
        Ok(metadata) if metadata.is_file() => {
            return Err(Error::ledger(format!("ledger {shown}"), "the file is empty")
                .with_fix("put back its newest copy; an empty file never was a ledger"));
        }
        Ok(_) => {
            return Err(Error::ledger(format!("ledger {shown}"), "this is not a file")
                .with_fix("check the path: it must name the file of a ledger, not a folder"));
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            return Err(Error::io(format!("ledger {shown}"), "there is no such file")
                .with_fix("check the path, or create a ledger"));
        }
        Err(error) => return Err(fault::file(path, "read", &error)),
    }
    prepare(path, access).map_err(|failure| failure.into_error(path, Doing::Reading))
}

fn prepare(path: &Path, access: Access) -> std::result::Result<Connection, Failure> {
    let connection = connect(path)?;
    let shown = path.display();
    let application: i64 =
        connection
            .query_row("SELECT application_id FROM pragma_application_id", [], |row| row.get(0))?;
    if application != i64::from(schema::APPLICATION) {
        return Err(fault::not_a_ledger(&shown.to_string()).into());
    }
    let version = schema::version(&connection)?;
    if version == 0 {
        // No ledger is without tables; what has lost their number is not filled anew.
        return Err(fault::damaged(&shown.to_string()).into());
    }
    if version > schema::VERSION {
        return Err(Error::ledger(format!("ledger {shown}"), "it was written by a newer suum")
            .with_fix("update suum")
            .into());
    }
    if access == Access::Read {
        if version < schema::VERSION {
            return Err(Error::ledger(
                format!("ledger {shown}"),
                "it was written by an older suum",
            )
            .with_fix("open it for writing once, which brings it up to date")
            .into());
        }
        connection.pragma_update(None, "query_only", true)?;
        return Ok(connection);
    }
    if connection.is_readonly(MAIN_DB)? {
        return Err(Error::io(format!("ledger {shown}"), "it cannot be written")
            .with_fix("allow writing to the file and to its folder, where SQLite keeps its journal")
            .into());
    }
    let journal: String =
        connection.query_row("PRAGMA journal_mode = DELETE", [], |row| row.get(0))?;
    if journal != "delete" {
        return Err(Error::ledger(
            format!("ledger {shown}"),
            "its journal mode cannot be set back",
        )
        .with_fix("close other programs that have it open")
        .into());
    }
    Ok(connection)
}
