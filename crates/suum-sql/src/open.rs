//! Recognition of databases by the text that names them.

use std::path::Path;

use suum_core::Result;
use suum_postgres::is_postgres_url;

use crate::dialect::Dialect;
use crate::engine::Engine;
use crate::postgres::Postgres;
use crate::sqlite::Sqlite;

const SQLITE: &str = "sqlite:";

/// Returns true if `data` names a database, without opening it.
///
/// # Example
///
/// ```
/// assert!(suum_sql::is_database("postgresql://db.example.org/survey"));
/// assert!(!suum_sql::is_database("people.csv"));
/// ```
pub fn is_database(data: &str) -> bool {
    data.starts_with(SQLITE) || is_postgres_url(data) || Sqlite::is_at(Path::new(data))
}

/// Dialect of the database that `data` names, without opening it; `None` if it names none.
///
/// # Example
///
/// ```
/// use suum_sql::{Dialect, dialect_of};
///
/// assert_eq!(dialect_of("postgresql://db.example.org/survey"), Some(Dialect::Postgres));
/// assert_eq!(dialect_of("people.csv"), None);
/// ```
pub fn dialect_of(data: &str) -> Option<Dialect> {
    if is_postgres_url(data) {
        return Some(Dialect::Postgres);
    }
    is_database(data).then_some(Dialect::Sqlite)
}

/// Opens the database that `data` names; `None` if it names none, but possibly a file of records.
///
/// `sqlite:PATH` is a SQLite file, and so is a path to a file that begins like one.
/// `postgresql://…` and `postgres://…` name a PostgreSQL server.
///
/// # Errors
///
/// Fails if the database is not there or cannot be read.
///
/// # Example
///
/// ```
/// assert!(suum_sql::open("people.csv")?.is_none());
/// assert!(suum_sql::open("sqlite:no/such/file").is_err());
/// # Ok::<(), suum_core::Error>(())
/// ```
pub fn open(data: &str) -> Result<Option<Box<dyn Engine>>> {
    if let Some(path) = data.strip_prefix(SQLITE) {
        return Ok(Some(Box::new(Sqlite::open(path)?)));
    }
    if is_postgres_url(data) {
        return Ok(Some(Box::new(Postgres::connect(data)?)));
    }
    if Sqlite::is_at(Path::new(data)) {
        return Ok(Some(Box::new(Sqlite::open(data)?)));
    }
    Ok(None)
}
