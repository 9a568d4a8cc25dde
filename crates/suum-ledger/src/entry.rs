//! Rows of the log, and the hash that chains each to the one before.

use rusqlite::{Connection, Row, params};

use crate::key::{Key, Use};

/// Row of the table `entry`, as it is stored.
#[derive(Debug, Clone)]
pub(crate) struct Entry {
    pub(crate) seq: u64,
    pub(crate) at: String,
    pub(crate) kind: String,
    pub(crate) body: String,
    pub(crate) document: Option<String>,
    pub(crate) previous: Vec<u8>,
    pub(crate) hash: Vec<u8>,
}

/// Previous hash of the first entry.
pub(crate) const NOTHING: [u8; 32] = [0; 32];

impl Entry {
    /// Returns the hash that the entry must have: keyed, over all other columns, each preceded by
    /// its length.
    pub(crate) fn expected_hash(&self, key: &Key) -> [u8; 32] {
        let mut hasher = key.hasher(Use::Chain);
        let mut field = |bytes: &[u8]| {
            hasher.update(&(bytes.len() as u64).to_le_bytes());
            hasher.update(bytes);
        };
        field(&self.previous);
        field(&self.seq.to_le_bytes());
        field(self.at.as_bytes());
        field(self.kind.as_bytes());
        field(self.body.as_bytes());
        // No document is something else than an empty one.
        field(&[u8::from(self.document.is_some())]);
        field(self.document.as_deref().unwrap_or_default().as_bytes());
        *hasher.finalize().as_bytes()
    }

    fn from_row(row: &Row<'_>) -> rusqlite::Result<Self> {
        Ok(Self {
            seq: row.get(0)?,
            at: row.get(1)?,
            kind: row.get(2)?,
            body: row.get(3)?,
            document: row.get(4)?,
            previous: row.get(5)?,
            hash: row.get(6)?,
        })
    }

    pub(crate) fn insert(&self, connection: &Connection) -> rusqlite::Result<()> {
        connection.execute(
            "INSERT INTO entry (seq, at, kind, body, document, previous, hash) VALUES (?, ?, ?, ?, \
            ?, ?, ?)",
            params![
                self.seq,
                self.at,
                self.kind,
                self.body,
                self.document,
                self.previous,
                self.hash
            ],
        )?;
        Ok(())
    }
}

/// Calls `then` with every entry in order, until it fails.
pub(crate) fn each<E: From<rusqlite::Error>>(
    connection: &Connection,
    mut then: impl FnMut(Entry) -> Result<(), E>,
) -> Result<(), E> {
    let mut statement = connection.prepare(
        "SELECT seq, at, kind, body, document, previous, hash FROM entry NOT INDEXED ORDER BY seq",
    )?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        then(Entry::from_row(row)?)?;
    }
    Ok(())
}

/// Returns the number and hash of the newest entry.
pub(crate) fn newest(connection: &Connection) -> rusqlite::Result<(u64, Vec<u8>)> {
    connection.query_row("SELECT seq, hash FROM entry ORDER BY seq DESC LIMIT 1", [], |row| {
        Ok((row.get(0)?, row.get(1)?))
    })
}
