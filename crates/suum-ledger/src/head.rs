//! Number and hash of the newest entry, kept outside the database: `FILE.head`.
//!
//! `seq hash mac` in one line. It is replaced after every commit and before the caller goes on, so
//! it is never ahead of a database that has all its entries: if it is, entries were lost, because
//! an old copy was put back or the file lost its tail. It may be behind, after a crash between the
//! two; the next entry repairs that.

use std::fs;
use std::io;
use std::path::Path;

use suum_core::{Error, Result};

use crate::fault;
use crate::files::{beside, hex, replace, unhex};
use crate::key::{Key, Use};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Head {
    pub(crate) seq: u64,
    pub(crate) hash: [u8; 32],
}

/// Content found in the place of the head.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FoundHead {
    Good(Head),
    Missing,
    /// Not a head, or not of this ledger's key.
    Damaged,
}

impl Head {
    /// Reads the head beside the ledger.
    ///
    /// It must be read *before* the database: then it cannot be ahead because of somebody else's
    /// new entry.
    pub(crate) fn read(ledger: &Path, key: &Key) -> Result<FoundHead> {
        let path = beside(ledger, ".head");
        match fs::read(&path) {
            Ok(text) => Ok(Self::parse(&text, key).map_or(FoundHead::Damaged, FoundHead::Good)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(FoundHead::Missing),
            Err(error) => Err(fault::file(&path, "read", &error)),
        }
    }

    pub(crate) fn write(self, ledger: &Path, key: &Key) -> io::Result<()> {
        let line = format!("{} {} {}\n", self.seq, hex(&self.hash), hex(self.mac(key).as_bytes()));
        replace(&beside(ledger, ".head"), &line, &beside(ledger, ".key"))
    }

    fn parse(text: &[u8], key: &Key) -> Option<Self> {
        let mut words = std::str::from_utf8(text).ok()?.strip_suffix('\n')?.split(' ');
        let head = Self { seq: words.next()?.parse().ok()?, hash: unhex(words.next()?)? };
        let mac = blake3::Hash::from_bytes(unhex(words.next()?)?);
        // Compared in constant time.
        (words.next().is_none() && mac == head.mac(key)).then_some(head)
    }

    fn mac(self, key: &Key) -> blake3::Hash {
        let mut hasher = key.hasher(Use::Head);
        hasher.update(&self.seq.to_le_bytes());
        hasher.update(&self.hash);
        hasher.finalize()
    }
}

/// Agreement of the head with the database.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Agreement {
    Same,
    /// The head is behind, after a crash; harmless.
    Behind,
    Missing,
    Damaged,
    /// The head knows entries up to this number, which the database does not have.
    Ahead(u64),
    /// The database has another entry with this number than the head knows.
    Other(u64),
}

impl Agreement {
    /// Refuses to go on where entries may be missing.
    pub(crate) fn check(self, ledger: &Path, newest: u64) -> Result<()> {
        let path = ledger.display();
        let (what, hint) = match self {
            Agreement::Same | Agreement::Behind => return Ok(()),
            Agreement::Missing => (
                format!("ledger {path}: {path}.head is missing, so entries could be missing too"),
                "put it back, or the newest copies of both files",
            ),
            Agreement::Damaged => (
                format!(
                    "ledger {path}: {path}.head is damaged or of another ledger, so entries could \
                    be missing"
                ),
                "put back the newest copies of both files",
            ),
            Agreement::Ahead(seq) => (
                format!("it had {seq} entries and now has {newest}: what was spent since is lost"),
                "an old copy was put back, or the file was cut off: put back the newest copy",
            ),
            Agreement::Other(seq) => (
                format!("entry {seq} is not the one that was written: this is another history"),
                "two copies were used side by side: put back the one that belongs to the head file",
            ),
        };
        Err(Error::ledger(format!("ledger {path}"), what).with_fix(format!(
            "{hint}; if there is none, see docs/how-to/ledger.md on how to accept a loss"
        )))
    }
}
