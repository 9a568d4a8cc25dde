//! Some of the persons of a dataset, by number or by hash.

use std::fmt;
use std::sync::Arc;

use crate::PersonHash;
use crate::roll::Roll;

/// The number of a person whom reservations of a dataset have charged, in the order of their first
/// charges: from [`PersonsSpent::number`](crate::PersonsSpent::number).
///
/// It is theirs for good, but only in the ledger and dataset that it is from.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PersonNumber(pub(crate) u32);

impl PersonNumber {
    /// The position, counted from 0.
    pub fn position(self) -> usize {
        self.0 as usize
    }
}

/// Some persons, in any order: by their hashes, or by their numbers, which are not looked up again.
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
    /// Whose numbers they are.
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
    /// Persons who have these numbers in a roll, and some more.
    pub(crate) fn of_roll(
        roll: &Arc<Roll>,
        numbers: Vec<PersonNumber>,
        hashes: Vec<PersonHash>,
    ) -> Self {
        Self { hashes, numbers, roll: Arc::clone(roll) }
    }

    /// How many they are.
    pub fn len(&self) -> usize {
        self.hashes.len() + self.numbers.len()
    }

    /// Whether it is nobody.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Where everybody is in a roll.
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

/// The number is not shown.
impl fmt::Debug for PersonNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PersonNumber(..)")
    }
}

/// Only how many they are is shown.
impl fmt::Debug for Persons {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Persons({})", self.len())
    }
}

/// Where a person is in a roll.
pub(crate) enum RollPosition {
    Number(u32),
    New(PersonHash),
    /// The number is not of the roll that it was said to be of.
    Nobody,
}
