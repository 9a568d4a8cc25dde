//! Persons, known by a keyed hash of their identifier only.

use std::fmt;
use std::hash::{Hash, Hasher};

use rustc_hash::FxHashMap;

use crate::Amount;

/// Turns identifiers into [`PersonHash`]es; made by
/// [`Ledger::person_key`](crate::Ledger::person_key).
///
/// Without the key, which is not in the database, nobody can tell whether a given person is in the
/// ledger.
#[derive(Clone)]
pub struct PersonKey(pub(crate) [u8; 32]);

impl PersonKey {
    /// The person with this identifier. The same bytes are the same person, in whatever dataset.
    pub fn hash(&self, identifier: &[u8]) -> PersonHash {
        let mut half = [0; 16];
        half.copy_from_slice(&blake3::keyed_hash(&self.0, identifier).as_bytes()[..16]);
        PersonHash(half)
    }
}

/// The key is not shown.
impl fmt::Debug for PersonKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PersonKey(..)")
    }
}

/// A person: 16 bytes that say nothing without the ledger's key.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct PersonHash(pub(crate) [u8; 16]);

impl PersonHash {
    /// The bytes; to be kept as secret as the data.
    pub fn to_bytes(self) -> [u8; 16] {
        self.0
    }

    /// The person with these bytes, from [`to_bytes`](Self::to_bytes).
    pub fn from_bytes(bytes: [u8; 16]) -> Self {
        Self(bytes)
    }
}

/// Its bits are as good as random already.
impl Hash for PersonHash {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let mut half = [0; 8];
        half.copy_from_slice(&self.0[..8]);
        state.write_u64(u64::from_le_bytes(half));
    }
}

/// The hash is not shown.
impl fmt::Debug for PersonHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PersonHash(..)")
    }
}

/// What every person of a dataset has spent, reserved amounts included: 30 to 60 bytes a person.
#[derive(Clone, Default)]
pub struct PersonsSpent(FxHashMap<PersonHash, u64>);

/// Stands for unlimited.
const UNLIMITED: u64 = u64::MAX;

fn amount(stored: u64) -> Amount {
    if stored == UNLIMITED { Amount::Unlimited } else { Amount::micros(stored) }
}

impl PersonsSpent {
    /// What the person has spent; zero for whoever was never charged.
    pub fn get(&self, person: PersonHash) -> Amount {
        self.0.get(&person).map_or(Amount::ZERO, |&stored| amount(stored))
    }

    /// How many persons were ever charged anything.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether nobody was ever charged.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The amounts, in no order.
    pub fn amounts(&self) -> impl Iterator<Item = Amount> {
        self.0.values().copied().map(amount)
    }

    pub(crate) fn reserve(&mut self, persons: usize) {
        self.0.reserve(persons);
    }

    pub(crate) fn add(&mut self, person: PersonHash, charge: Amount) {
        let spent = self.0.entry(person).or_default();
        *spent = match amount(*spent).plus(charge) {
            Amount::Micro(micros) => micros.get(),
            Amount::Unlimited => UNLIMITED,
        };
    }
}

/// Only their number is shown.
impl fmt::Debug for PersonsSpent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PersonsSpent({} persons)", self.len())
    }
}
