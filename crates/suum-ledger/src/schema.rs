//! The tables of a ledger, and how an older file becomes a newer one.
//!
//! ```text
//! entry   seq │ at │ kind │ body │ document │ previous │ hash   what happened, in order;
//!                                                                nothing is ever changed
//! member  entry │ part │ person                                 who was in which part of a
//!                                                                reservation
//! ```
//!
//! `user_version` counts the migrations that the file has had. Both tables can only be appended to:
//! triggers refuse everything else. They guard against accidents; against intent there are the
//! hashes.

use rusqlite::{Connection, TransactionBehavior};

/// "suum", so that `file` and other programs can tell what the file is.
pub(crate) const APPLICATION: i32 = 0x7375_756d;

/// Each brings a file from the version of its index to the next.
pub(crate) const MIGRATIONS: &[&str] = &["
CREATE TABLE entry (
    seq INTEGER PRIMARY KEY,
    at TEXT NOT NULL,
    kind TEXT NOT NULL,
    body TEXT NOT NULL,
    document TEXT,
    previous BLOB NOT NULL,
    hash BLOB NOT NULL
) STRICT;
CREATE TABLE member (
    entry INTEGER NOT NULL,
    part INTEGER NOT NULL,
    person BLOB NOT NULL,
    PRIMARY KEY (entry, part, person)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER entry_append BEFORE INSERT ON entry
WHEN NEW.seq IS NOT (SELECT coalesce(max(seq), 0) + 1 FROM entry)
BEGIN SELECT RAISE(ABORT, 'entries are appended'); END;
CREATE TRIGGER entry_update BEFORE UPDATE ON entry
BEGIN SELECT RAISE(ABORT, 'entries are never changed'); END;
CREATE TRIGGER entry_delete BEFORE DELETE ON entry
BEGIN SELECT RAISE(ABORT, 'entries are never deleted'); END;
CREATE TRIGGER member_append BEFORE INSERT ON member
WHEN EXISTS (SELECT 1 FROM entry WHERE seq = NEW.entry)
BEGIN SELECT RAISE(ABORT, 'members are written before their entry'); END;
CREATE TRIGGER member_update BEFORE UPDATE ON member
BEGIN SELECT RAISE(ABORT, 'members are never changed'); END;
CREATE TRIGGER member_delete BEFORE DELETE ON member
BEGIN SELECT RAISE(ABORT, 'members are never deleted'); END;
"];

/// The version that this program writes.
pub(crate) const VERSION: usize = MIGRATIONS.len();

/// How many migrations a file has had.
pub(crate) fn version(connection: &Connection) -> rusqlite::Result<usize> {
    let version: i64 =
        connection
            .query_row("SELECT user_version FROM pragma_user_version", [], |row| row.get(0))?;
    Ok(usize::try_from(version).unwrap_or(usize::MAX))
}

/// Brings a file up to the last of the migrations, as a whole or not at all.
pub(crate) fn migrate(connection: &mut Connection, migrations: &[&str]) -> rusqlite::Result<()> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    // Another process may have been faster.
    let from = version(&transaction)?;
    for migration in migrations.iter().skip(from) {
        transaction.execute_batch(migration)?;
    }
    if from < migrations.len() {
        transaction.pragma_update(None, "application_id", APPLICATION)?;
        transaction.pragma_update(None, "user_version", migrations.len() as i64)?;
    }
    transaction.commit()
}

/// Everything that is defined in a database: tables, triggers and indices, with their SQL.
fn definitions(connection: &Connection) -> rusqlite::Result<Vec<[Option<String>; 3]>> {
    let mut statement =
        connection.prepare("SELECT type, name, sql FROM sqlite_schema ORDER BY type, name")?;
    let rows = statement.query_map([], |row| Ok([row.get(0)?, row.get(1)?, row.get(2)?]))?;
    rows.collect()
}

/// Whether the tables and triggers are those that the migrations make, and there is nothing else.
pub(crate) fn is_as_made(connection: &Connection) -> rusqlite::Result<bool> {
    let mut made = Connection::open_in_memory()?;
    migrate(&mut made, MIGRATIONS)?;
    Ok(definitions(connection)? == definitions(&made)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn migrations_run_once_and_in_order() {
        let mut file = Connection::open_in_memory().unwrap();
        migrate(&mut file, MIGRATIONS).unwrap();
        assert!(is_as_made(&file).unwrap() && version(&file).unwrap() == VERSION);
        let next = [
            MIGRATIONS[0],
            "CREATE TABLE more (a INTEGER) STRICT;",
            "INSERT INTO more VALUES (1);",
        ];
        for _ in 0..2 {
            migrate(&mut file, &next).unwrap();
            assert_eq!(version(&file).unwrap(), 3);
            let rows: i64 =
                file.query_row("SELECT count(*) FROM more", [], |row| row.get(0)).unwrap();
            assert_eq!(rows, 1);
        }
        assert!(!is_as_made(&file).unwrap());
    }

    #[test]
    fn a_migration_that_fails_changes_nothing() {
        let mut file = Connection::open_in_memory().unwrap();
        migrate(&mut file, MIGRATIONS).unwrap();
        let broken = [
            MIGRATIONS[0],
            "CREATE TABLE more (a INTEGER) STRICT;",
            "INSERT INTO nowhere VALUES (1);",
        ];
        assert!(migrate(&mut file, &broken).is_err());
        assert!(is_as_made(&file).unwrap() && version(&file).unwrap() == VERSION);
    }
}
