//! Files of a new ledger, and the making of entries and heads.

use std::fs;
use std::path::Path;

use suum_core::{Error, Result};

use crate::body::{Body, LedgerBody};
use crate::clock::Clock;
use crate::entry::{Entry, NOTHING};
use crate::failure::Failure;
use crate::fault::{self, Doing};
use crate::file_identity::FileIdentity;
use crate::files::{beside, create_private, hex, sync_folder};
use crate::head::Head;
use crate::key::Key;
use crate::{connection, entropy, schema};

/// Makes the files of a new ledger under other names, and gives the database its name last.
pub(crate) fn create(path: &Path, key: &Key) -> Result<()> {
    let new = beside(path, ".new");
    let file = |error: &std::io::Error| fault::file(path, "written", error);
    // One that a crash left behind; whoever holds the key may remove it.
    if fs::symlink_metadata(&new).is_ok() {
        fs::remove_file(&new).map_err(|error| file(&error))?;
    }
    create_private(&new).map_err(|error| file(&error))?;
    let id: [u8; 16] = entropy::secret("its id")?;
    let fill = || {
        let mut connection = connection::connect(&new)?;
        schema::create(&mut connection)?;
        let body = LedgerBody {
            id: hex(&id),
            key: key.fingerprint(),
            suum: env!("CARGO_PKG_VERSION").to_owned(),
            place: FileIdentity::for_renamed(key, &new, path),
        };
        let entry =
            new_entry(key, 1, Clock::default().now(), &Body::Ledger(body), None, NOTHING.to_vec())?;
        entry.insert(&connection)?;
        Ok(entry)
    };
    let entry = fill().map_err(|failure: Failure| failure.into_error(path, Doing::Creating))?;
    write_head(path, key, 1, &entry.hash)?;
    fs::rename(&new, path).and_then(|()| sync_folder(path)).map_err(|error| file(&error))
}

pub(crate) fn write_head(path: &Path, key: &Key, seq: u64, hash: &[u8]) -> Result<()> {
    let hash = hash.try_into().map_err(|_| fault::damaged(&path.display().to_string()))?;
    Head { seq, hash }.write(path, key).map_err(|error| {
        fault::file(&beside(path, ".head"), "written", &error).with_fix(
            "make room and allow writing to the folder; nothing was released since, and what was \
            reserved counts as spent",
        )
    })
}

pub(crate) fn new_entry(
    key: &Key,
    seq: u64,
    at: String,
    body: &Body,
    document: Option<String>,
    previous: Vec<u8>,
) -> Result<Entry> {
    let text = body.to_json().map_err(|_| Error::internal("an entry does not become JSON"))?;
    let mut entry = Entry {
        seq,
        at,
        kind: body.kind().to_owned(),
        body: text,
        document,
        previous,
        hash: Vec::new(),
    };
    entry.hash = entry.expected_hash(key).to_vec();
    Ok(entry)
}
