//! Sets of persons of a dataset, by number or by hash.

use std::fmt;
use std::sync::Arc;

use crate::PersonHash;
use crate::roll::Roll;

/// Number of a person whom entries of a dataset name, in the order in which they first do; from
/// [`PersonsSpent::number`](crate::PersonsSpent::number).
///
/// It never changes, but is valid only for the ledger and dataset that it is from.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PersonNumber(pub(crate) u32);

impl PersonNumber {
    /// Returns the position, counted from 0.
    pub fn position(self) -> usize {
        self.0 as usize
    }
}

/// Set of persons, in any order: by hash, or by number, which is not looked up again.
///
/// # Example
///
/// ```
/// use suum_ledger::{PersonHash, Persons};
///
/// let persons = Persons::from(vec![PersonHash::from_bytes([7; 16])]);
/// assert_eq!(persons.len(), 1);
/// ```
#[derive(Clone, Default)]
pub struct Persons {
    hashes: Vec<PersonHash>,
    numbers: Vec<PersonNumber>,
    /// Roll that the numbers belong to.
    roll: Arc<Roll>,
}

impl From<Vec<PersonHash>> for Persons {
    fn from(hashes: Vec<PersonHash>) -> Self {
        Self { hashes, ..Self::default() }
    }
}

impl FromIterator<PersonHash> for Persons {
    fn from_iter<I: IntoIterator<Item = PersonHash>>(hashes: I) -> Self {
        hashes.into_iter().collect::<Vec<_>>().into()
    }
}

impl Persons {
    /// Creates the set of the persons with these numbers in a roll, and those with these hashes.
    pub(crate) fn from_roll(
        roll: &Arc<Roll>,
        numbers: Vec<PersonNumber>,
        hashes: Vec<PersonHash>,
    ) -> Self {
        Self { hashes, numbers, roll: Arc::clone(roll) }
    }

    /// Returns the number of persons.
    pub fn len(&self) -> usize {
        self.hashes.len() + self.numbers.len()
    }

    /// Returns true if there are no persons.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the position of every person in a roll.
    pub(crate) fn positions_in<'a>(
        &'a self,
        roll: &'a Roll,
    ) -> impl Iterator<Item = RollPosition> + 'a {
        let by_hash = |hash: PersonHash| {
            roll.number(hash).map_or(RollPosition::New(hash), RollPosition::Number)
        };
        let same = roll.continues(&self.roll);
        let numbers =
            self.numbers.iter().map(move |number| match (same, self.roll.hash(number.0)) {
                (true, Some(_)) => RollPosition::Number(number.0),
                // The ledger was replaced since.
                (false, Some(hash)) => by_hash(hash),
                (_, None) => RollPosition::Nobody,
            });
        numbers.chain(self.hashes.iter().map(move |hash| by_hash(*hash)))
    }
}

/// Redacted: shows no number.
impl fmt::Debug for PersonNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PersonNumber(..)")
    }
}

/// Redacted: shows only the number of persons.
impl fmt::Debug for Persons {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Persons({})", self.len())
    }
}

/// Position of a person in a roll.
pub(crate) enum RollPosition {
    Number(u32),
    New(PersonHash),
    /// The number does not belong to the roll that it was given for.
    Nobody,
}
