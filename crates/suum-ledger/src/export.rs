//! Export of the whole log as text.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::Path;

use rusqlite::Connection;
use serde_json::{Value, json};
use suum_core::Error;

use crate::entry::{self, Entry};
use crate::failure::Failure;
use crate::files::hex;
use crate::key::Key;
use crate::members::{Rolls, everybody};
use crate::runs::Run;
use crate::state::State;

/// Detail in which an export names the persons who were charged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Members {
    /// Numbers of persons only, as in the entries.
    #[default]
    Counted,
    /// Hashes of the persons too, which must be kept as secret as the data.
    Hashed,
}

/// Writes one JSON object per entry, each on a line of its own.
pub(crate) fn export(
    connection: &Connection,
    key: &Key,
    rolls: &Rolls,
    state: &State,
    members: Members,
    to: &mut dyn Write,
) -> Result<(), Failure> {
    let mut persons = match members {
        Members::Hashed => hashes(connection, key, rolls, state)?,
        Members::Counted => BTreeMap::new(),
    };
    let failed = |error: io::Error| {
        Error::io("export", format!("it could not be written ({})", error.kind()))
            .with_fix("make room where it is written to, or write it elsewhere")
    };
    entry::each(connection, |entry| {
        let mut object = object(&entry);
        if let Some(persons) = persons.remove(&entry.seq) {
            object["persons"] = persons;
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

/// Returns the persons that each entry names, by entry: `[[part, hash], …]`.
fn hashes(
    connection: &Connection,
    key: &Key,
    rolls: &Rolls,
    state: &State,
) -> rusqlite::Result<BTreeMap<u64, Value>> {
    let mut all = BTreeMap::new();
    for index in 0..state.accounts.len() {
        let Ok(everybody) = everybody(connection, key, rolls, state, index)? else { continue };
        for (seq, named) in everybody.charged.iter().chain(&everybody.amended) {
            let of_part = |(part, runs): (usize, &Vec<Run>)| {
                let numbers = runs.iter().flat_map(|run| run.from..run.to);
                let hashes = numbers.filter_map(|number| everybody.roll.hash(number));
                hashes.map(|hash| json!([part, hex(&hash.to_bytes())])).collect::<Vec<_>>()
            };
            all.insert(*seq, named.parts.iter().enumerate().flat_map(of_part).collect());
        }
    }
    Ok(all)
}

/// Returns the document of an entry; null if it has none.
pub(crate) fn document(connection: &Connection, path: &Path, seq: u64) -> Result<Value, Failure> {
    let text: Option<String> = connection
        .prepare("SELECT document FROM entry WHERE seq = ?")?
        .query_row([seq], |row| row.get(0))?;
    let Some(text) = text else { return Ok(Value::Null) };
    serde_json::from_str(&text).map_err(|_| {
        Error::ledger(
            format!("ledger {}", path.display()),
            format!("entry {seq}: its document is not JSON"),
        )
        .with_fix("put back its newest copy and verify it")
        .into()
    })
}
