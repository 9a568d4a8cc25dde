//! SQLite files.

use std::path::Path;
use std::time::Duration;

use rusqlite::config::DbConfig;
use rusqlite::types::ValueRef;
use rusqlite::{Connection, ErrorCode, OpenFlags};
use suum_core::{Command, Error, Place, Result, option, say};

use crate::dialect::Dialect;
use crate::engine::{Column, ColumnKind, Engine, Relation};
use crate::relation::without_end;

/// First bytes of every SQLite file.
const MARK: &[u8; 16] = b"SQLite format 3\0";

/// Time to wait for other processes that write.
const PATIENCE: Duration = Duration::from_secs(60);

/// SQLite file, opened for reading, in one transaction from its first query on.
#[derive(Debug)]
pub struct Sqlite {
    connection: Connection,
}

impl Sqlite {
    /// Returns true if a file begins like a SQLite file.
    pub fn is_at(path: &Path) -> bool {
        use std::io::Read;
        let mut start = [0; 16];
        // Looking into a pipe would take bytes out of it.
        path.is_file()
            && std::fs::File::open(path).and_then(|mut file| file.read_exact(&mut start)).is_ok()
            && start == *MARK
    }

    /// Opens the file.
    ///
    /// # Errors
    ///
    /// Fails if there is no such file, it cannot be read, or it is not a SQLite file.
    pub fn open(path: impl AsRef<Path>) -> Result<Self> {
        let path = path.as_ref();
        let shown = path.display();
        if !path.exists() {
            return Err(
                Error::io(Place::file(shown), "there is no such file").with_fix("check the path")
            );
        }
        let connection = connect(path).map_err(|error| match error.sqlite_error_code() {
            Some(ErrorCode::NotADatabase) => {
                Error::io(Place::file(shown), "this is no SQLite file").with_fix("check the path")
            }
            _ => failed(&error),
        })?;
        Ok(Self { connection })
    }
}

impl Sqlite {
    /// Returns true if there is a view of this name, even a broken one.
    fn has_view(&self, name: &str) -> bool {
        let query = "SELECT 1 FROM sqlite_schema WHERE type = 'view' AND lower(name) = lower(?1)";
        self.connection.query_row(query, [name], |_| Ok(())).is_ok()
    }
}

fn connect(path: &Path) -> rusqlite::Result<Connection> {
    let connection = Connection::open_with_flags(
        path,
        OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX,
    )?;
    connection.busy_timeout(PATIENCE)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true)?;
    // A name in double quotes is a name, and not a text if there is no such column.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DQS_DML, false)?;
    connection.execute_batch(
        "PRAGMA trusted_schema = OFF;
         PRAGMA cell_size_check = ON;
         PRAGMA query_only = ON;
         BEGIN;",
    )?;
    // All later reads see one state.
    connection.query_row("SELECT COUNT(*) FROM sqlite_schema", [], |_| Ok(()))?;
    Ok(connection)
}

/// Kind of a column that is declared with this type: integers, or unknown. Whatever the
/// declaration, its cells can be of any type.
fn declared(kind: &str) -> ColumnKind {
    const INTEGERS: [&str; 9] =
        ["INT", "INTEGER", "TINYINT", "SMALLINT", "MEDIUMINT", "BIGINT", "INT2", "INT4", "INT8"];
    // A width may follow, as in INT(11).
    let name = kind.split('(').next().unwrap_or_default().trim();
    match INTEGERS.iter().any(|integer| name.eq_ignore_ascii_case(integer)) {
        true => ColumnKind::Integer,
        false => ColumnKind::Other,
    }
}

impl Engine for Sqlite {
    fn dialect(&self) -> Dialect {
        Dialect::Sqlite
    }

    fn columns(&mut self, relation: &Relation) -> Result<Vec<Column>> {
        let (query, missing) = match relation {
            Relation::Table(names) => {
                let missing = match names.last().is_some_and(|name| self.has_view(name)) {
                    true => Error::data(
                        option::TABLE,
                        "it is a view, of which SQLite does not understand the query, or names in \
                         it do not exist",
                    )
                    .with_fix("try the view in the sqlite3 shell, and make it again"),
                    false => {
                        Error::data(option::TABLE, "there is none of this name in the database")
                            .with_fix(say("check").option(option::TABLE).say(
                                ", or FROM of the query; names of schemas are separated from it by \
                                 a point",
                            ))
                    }
                };
                (format!("SELECT * FROM {}", Dialect::Sqlite.table(names)?), missing)
            }
            Relation::Query { sql, .. } => (
                without_end(sql).to_owned(),
                Error::data(
                    option::QUERY,
                    "SQLite does not understand it, or names in it do not exist",
                )
                .with_fix("try it in the sqlite3 shell; it must be one SELECT"),
            ),
        };
        let prepare = |query: &str| {
            self.connection
                .prepare(query)
                .map_err(|error| file_failure(&error).unwrap_or_else(|| missing.clone()))
        };
        // Inside another query, only one that is a table can stand; by itself it has the names that
        // were given.
        prepare(&format!("SELECT * FROM (\n{query}\n)"))?;
        let statement = prepare(&query)?;
        let columns = statement.columns();
        let column = |column: rusqlite::Column<'_>| Column {
            name: column.name().to_owned(),
            kind: column.decl_type().map_or(ColumnKind::Other, declared),
        };
        Ok(columns.map(column).collect())
    }

    fn rows(
        &mut self,
        query: &str,
        each: &mut dyn FnMut(&[Option<&str>]) -> Result<()>,
    ) -> Result<()> {
        let mut statement = self.connection.prepare(query).map_err(|error| failed(&error))?;
        let columns = statement.column_count();
        let mut rows = statement.query([]).map_err(|error| failed(&error))?;
        let mut cells: Vec<Option<String>> = Vec::with_capacity(columns);
        while let Some(row) = rows.next().map_err(|error| failed(&error))? {
            cells.clear();
            for column in 0..columns {
                let cell = row.get_ref(column).map_err(|error| failed(&error))?;
                cells.push(text(cell)?);
            }
            let cells: Vec<Option<&str>> = cells.iter().map(Option::as_deref).collect();
            each(&cells)?;
        }
        Ok(())
    }
}

fn text(cell: ValueRef) -> Result<Option<String>> {
    Ok(match cell {
        ValueRef::Null => None,
        ValueRef::Integer(number) => Some(number.to_string()),
        ValueRef::Real(number) => Some(format!("{number:?}")),
        ValueRef::Text(bytes) => Some(String::from_utf8(bytes.to_vec()).map_err(|_| no_text())?),
        ValueRef::Blob(_) => return Err(no_text()),
    })
}

fn no_text() -> Error {
    Error::data("SQLite", "a cell of the result is no text")
        .with_fix("select text and numbers only")
}

/// Failure of a query, without the message of SQLite, which could repeat data.
fn failed(error: &rusqlite::Error) -> Error {
    file_failure(error).unwrap_or_else(|| {
        Error::io("SQLite", "it cannot run the query")
            .with_fix(say("look at").command(Command::LevelQuery("sqlite")))
    })
}

/// Failure of the file or the machine rather than of the query.
fn file_failure(error: &rusqlite::Error) -> Option<Error> {
    let (what, hint) = match error.sqlite_error_code()? {
        ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked => {
            ("another program is writing to the file", "try again when it has finished")
        }
        ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase => {
            ("the file is damaged", "restore it from a copy; PRAGMA integrity_check says more")
        }
        ErrorCode::ReadOnly | ErrorCode::CannotOpen => (
            "the file cannot be read as it is",
            "open and close it once with a program that may write to it: what a crash left half \
            done, or a write-ahead log, needs that",
        ),
        ErrorCode::DiskFull => (
            "there is no room for its temporary files",
            "set SQLITE_TMPDIR to a folder with more room",
        ),
        ErrorCode::OutOfMemory => {
            ("it ran out of memory", "declare fewer categories or candidates")
        }
        _ => return None,
    };
    Some(Error::io("SQLite", what).with_fix(hint))
}
