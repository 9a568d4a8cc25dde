//! Tables of a ledger, and the migration of older files.
//!
//! ```text
//! entry    seq │ at │ kind │ body │ document │ previous │ hash   what happened, in order;
//!                                                                nothing is ever changed
//! person   entry │ piece │ hashes      whom a reservation was the first of the dataset to charge
//! charged  entry │ runs                whom each of its parts charges, by their numbers
//! ```
//!
//! `user_version` counts the migrations that the file has had. All tables can only be appended to:
//! triggers refuse everything else. They guard against accidents; against intent there are the
//! hashes.

use rusqlite::{Connection, TransactionBehavior};

/// Application id of SQLite, "suum" in ASCII, by which other programs can tell what the file is.
pub(crate) const APPLICATION: i32 = 0x7375_756d;

/// SQL that brings a file from the version of its index to the next.
pub(crate) const MIGRATIONS: &[&str] = &[
    "
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
",
    "
CREATE TABLE person (
    entry INTEGER NOT NULL,
    piece INTEGER NOT NULL,
    hashes BLOB NOT NULL,
    PRIMARY KEY (entry, piece)
) STRICT;
CREATE TABLE charged (
    entry INTEGER PRIMARY KEY,
    runs BLOB NOT NULL
) STRICT;
",
];

/// SQL that ends the migration to the second version, once the persons of older reservations are in
/// the new tables.
pub(crate) const MOVED: &str = "
DROP TABLE member;
CREATE TRIGGER person_append BEFORE INSERT ON person
WHEN EXISTS (SELECT 1 FROM entry WHERE seq = NEW.entry)
BEGIN SELECT RAISE(ABORT, 'persons are written before their entry'); END;
CREATE TRIGGER person_update BEFORE UPDATE ON person
BEGIN SELECT RAISE(ABORT, 'persons are never changed'); END;
CREATE TRIGGER person_delete BEFORE DELETE ON person
BEGIN SELECT RAISE(ABORT, 'persons are never deleted'); END;
CREATE TRIGGER charged_append BEFORE INSERT ON charged
WHEN EXISTS (SELECT 1 FROM entry WHERE seq = NEW.entry)
BEGIN SELECT RAISE(ABORT, 'persons are written before their entry'); END;
CREATE TRIGGER charged_update BEFORE UPDATE ON charged
BEGIN SELECT RAISE(ABORT, 'persons are never changed'); END;
CREATE TRIGGER charged_delete BEFORE DELETE ON charged
BEGIN SELECT RAISE(ABORT, 'persons are never deleted'); END;
";

/// Version that this program writes.
pub(crate) const VERSION: usize = MIGRATIONS.len();

/// Returns the number of migrations that a file has had.
pub(crate) fn version(connection: &Connection) -> rusqlite::Result<usize> {
    let version: i64 =
        connection
            .query_row("SELECT user_version FROM pragma_user_version", [], |row| row.get(0))?;
    Ok(usize::try_from(version).unwrap_or(usize::MAX))
}

/// Creates the tables of this version in a new file.
pub(crate) fn create(connection: &mut Connection) -> rusqlite::Result<()> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    for migration in MIGRATIONS {
        transaction.execute_batch(migration)?;
    }
    transaction.execute_batch(MOVED)?;
    set_version(&transaction, VERSION)?;
    transaction.commit()
}

/// Stores the version of the tables, and the application id.
pub(crate) fn set_version(connection: &Connection, version: usize) -> rusqlite::Result<()> {
    connection.pragma_update(None, "application_id", APPLICATION)?;
    connection.pragma_update(None, "user_version", version as i64)
}

/// Returns all definitions of a database: tables, triggers and indices, with their SQL.
fn definitions(connection: &Connection) -> rusqlite::Result<Vec<[Option<String>; 3]>> {
    let mut statement =
        connection.prepare("SELECT type, name, sql FROM sqlite_schema ORDER BY type, name")?;
    let rows = statement.query_map([], |row| Ok([row.get(0)?, row.get(1)?, row.get(2)?]))?;
    rows.collect()
}

/// Returns true if the tables and triggers are exactly those of a version.
pub(crate) fn is_as_made(connection: &Connection, version: usize) -> rusqlite::Result<bool> {
    let mut made = Connection::open_in_memory()?;
    match version {
        1 => made.execute_batch(MIGRATIONS[0])?,
        _ => create(&mut made)?,
    }
    Ok(definitions(connection)? == definitions(&made)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_file_has_the_tables_of_this_version() {
        let mut file = Connection::open_in_memory().unwrap();
        create(&mut file).unwrap();
        assert_eq!(version(&file).unwrap(), VERSION);
        assert!(is_as_made(&file, VERSION).unwrap() && !is_as_made(&file, 1).unwrap());
        file.execute_batch("CREATE TABLE more (a INTEGER) STRICT;").unwrap();
        assert!(!is_as_made(&file, VERSION).unwrap());
    }
}
