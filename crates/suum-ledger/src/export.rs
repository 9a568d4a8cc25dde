//! The whole log as text.

use std::io::{self, Write};
use std::path::Path;

use rusqlite::Connection;
use serde_json::{Value, json};
use suum_core::Error;

use crate::entry::{self, Entry};
use crate::failure::Failure;
use crate::files::hex;

/// Whether an export tells who was charged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Members {
    /// Only how many: what the entries say.
    #[default]
    Counted,
    /// The hashes of the persons too, which are to be kept as secret as the data.
    Hashed,
}

/// Writes one JSON object an entry and line.
pub(crate) fn export(
    connection: &Connection,
    members: Members,
    to: &mut dyn Write,
) -> Result<(), Failure> {
    let failed = |error: io::Error| {
        Error::io(format!("export: it could not be written ({})", error.kind()))
            .with_hint("make room where it is written to, or write it elsewhere")
    };
    entry::each(connection, |entry| {
        let mut object = object(&entry);
        if members == Members::Hashed && entry.kind == "reserve" {
            object["persons"] = hashes(connection, entry.seq)?;
        }
        writeln!(to, "{object}").map_err(failed)?;
        Ok::<_, Failure>(())
    })?;
    to.flush().map_err(failed)?;
    Ok(())
}

fn object(entry: &Entry) -> Value {
    // The fold has read the body before; a document is what a caller gave as JSON.
    let parsed = |text: &str| serde_json::from_str(text).unwrap_or_else(|_| Value::from(text));
    json!({
        "seq": entry.seq,
        "at": entry.at,
        "kind": entry.kind,
        "body": parsed(&entry.body),
        "document": entry.document.as_deref().map(parsed),
        "previous": hex(&entry.previous),
        "hash": hex(&entry.hash),
    })
}

/// The persons of a reservation: `[[part, hash], …]`.
fn hashes(connection: &Connection, entry: u64) -> rusqlite::Result<Value> {
    let mut statement = connection
        .prepare("SELECT part, person FROM member WHERE entry = ? ORDER BY part, person")?;
    let rows = statement.query_map([entry], |row| {
        Ok(json!([row.get::<_, u32>(0)?, hex(&row.get::<_, Vec<u8>>(1)?)]))
    })?;
    rows.collect::<rusqlite::Result<Vec<_>>>().map(Value::from)
}

/// The document of an entry.
pub(crate) fn document(connection: &Connection, path: &Path, seq: u64) -> Result<Value, Failure> {
    let text: Option<String> = connection
        .prepare("SELECT document FROM entry WHERE seq = ?")?
        .query_row([seq], |row| row.get(0))?;
    let Some(text) = text else { return Ok(Value::Null) };
    serde_json::from_str(&text).map_err(|_| {
        Error::ledger(format!("ledger {}: entry {seq}: its document is not JSON", path.display()))
            .with_hint("put back its newest copy and verify it")
            .into()
    })
}
