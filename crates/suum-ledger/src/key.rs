//! Secret key beside the database: `FILE.key`.
//!
//! 32 random bytes as one line of hexadecimal digits. Everything keyed uses its own subkey, so that
//! no use can be played off against another. The key itself is never in the database; its
//! fingerprint is, to notice another ledger's key.

use std::fmt;
use std::fs;
use std::io;
use std::path::Path;

use suum_core::{Error, Place, Result};

use crate::PersonKey;
use crate::entropy;
use crate::fault;
use crate::files::{beside, hex, unhex, write_new};

#[derive(Clone)]
pub(crate) struct Key([u8; 32]);

/// Purpose of a subkey.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Use {
    /// Hashes of the entries.
    Chain,
    /// Digests of the persons of a release, in ledgers of the first version.
    Members,
    /// Hashes of persons who are charged first.
    NewPersons,
    /// Digests of the persons of a release.
    Charged,
    /// Authentication of the head, which names the newest entry.
    Head,
    /// Hashes of identifiers.
    Persons,
    /// Fingerprint of the key, which tells keys apart.
    Fingerprint,
    /// Hashes of the place of the ledger's file.
    Place,
    /// Names of the files at which processes wait for each other.
    Turn,
    /// Digests of registers of decisions.
    Register,
}

impl Use {
    fn context(self) -> &'static str {
        match self {
            Use::Chain => "suum ledger 2026 chain of entries",
            Use::Members => "suum ledger 2026 digest of members",
            Use::NewPersons => "suum ledger 2026 new persons",
            Use::Charged => "suum ledger 2026 charged persons",
            Use::Head => "suum ledger 2026 head",
            Use::Persons => "suum ledger 2026 persons",
            Use::Fingerprint => "suum ledger 2026 fingerprint of the key",
            Use::Place => "suum ledger 2026 place",
            Use::Turn => "suum ledger 2026 turn",
            Use::Register => "suum ledger 2026 register of decisions",
        }
    }
}

impl Key {
    /// Creates a new key beside the ledger; refused if there is one.
    pub(crate) fn create(ledger: &Path) -> Result<Self> {
        let secret = entropy::secret("its key")?;
        let path = beside(ledger, ".key");
        write_new(&path, &format!("{}\n", hex(&secret))).map_err(|error| {
            if error.kind() == io::ErrorKind::AlreadyExists {
                Error::ledger(Place::file(path.display()), "this key exists already").with_fix(
                    "remove it only if no ledger belongs to it, not even a backup: without its key \
                    a ledger is of no use",
                )
            } else {
                fault::file(&path, "written", &error)
            }
        })?;
        Ok(Self(secret))
    }

    pub(crate) fn read(ledger: &Path) -> Result<Self> {
        let path = beside(ledger, ".key");
        let text = fs::read(&path).map_err(|error| {
            if error.kind() == io::ErrorKind::NotFound {
                Error::ledger(Place::file(path.display()), "the ledger's key is missing").with_fix(
                    "put it back from where it is kept; without it nobody can be \
                        recognised, nor the ledger checked",
                )
            } else {
                fault::file(&path, "read", &error)
            }
        })?;
        std::str::from_utf8(&text).ok().and_then(|text| unhex(text.trim())).map(Self).ok_or_else(
            || {
                Error::ledger(Place::file(path.display()), "this is not the key of a ledger")
                    .with_fix(
                        "put the key back from where it is kept: one line of 64 hexadecimal digits",
                    )
            },
        )
    }

    fn subkey(&self, purpose: Use) -> [u8; 32] {
        blake3::derive_key(purpose.context(), &self.0)
    }

    /// Returns a hasher with the subkey of this purpose.
    pub(crate) fn hasher(&self, purpose: Use) -> blake3::Hasher {
        blake3::Hasher::new_keyed(&self.subkey(purpose))
    }

    pub(crate) fn fingerprint(&self) -> String {
        hex(&self.subkey(Use::Fingerprint)[..16])
    }

    pub(crate) fn persons(&self) -> PersonKey {
        PersonKey(self.subkey(Use::Persons))
    }
}

/// Redacted: shows no key.
impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Key(..)")
    }
}
