//! Persons, known only by a keyed hash of their identifier.

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use suum_core::Rho;

use crate::decisions_by_number::DecisionsByNumber;
use crate::hashes;
use crate::roll::Roll;
use crate::runs::Run;
use crate::{Allowance, Amount, Cost, Holder, MicroEpsilon, PersonNumber, Persons};

/// Key that turns identifiers into [`PersonHash`]es; made by
/// [`Ledger::person_key`](crate::Ledger::person_key).
///
/// Without the key, which is not in the database, nobody can tell whether a given person is in the
/// ledger.
#[derive(Clone)]
pub struct PersonKey(pub(crate) [u8; 32]);

impl PersonKey {
    /// Returns the person with this identifier. Equal bytes are the same person, in whatever
    /// dataset.
    pub fn hash(&self, identifier: &[u8]) -> PersonHash {
        let mut half = [0; 16];
        half.copy_from_slice(&blake3::keyed_hash(&self.0, identifier).as_bytes()[..16]);
        PersonHash(half)
    }

    /// Appends the persons with these identifiers, in their order: equal to [`hash`](Self::hash) of
    /// each, in a fraction of the time.
    ///
    /// # Example
    ///
    /// ```
    /// # use suum_ledger::Ledger;
    /// # let folder = tempfile::tempdir().unwrap();
    /// # let ledger = Ledger::create(folder.path().join("visits.ledger"))?;
    /// let key = ledger.person_key();
    /// let mut persons = Vec::new();
    /// key.hash_all([&b"ann"[..], b"bob"].into_iter(), &mut persons);
    /// assert_eq!(persons, [key.hash(b"ann"), key.hash(b"bob")]);
    /// # Ok::<(), suum_core::Error>(())
    /// ```
    pub fn hash_all<'a>(
        &self,
        identifiers: impl Iterator<Item = &'a [u8]>,
        persons: &mut Vec<PersonHash>,
    ) {
        hashes::hash_all(self, identifiers, persons);
    }
}

/// Redacted: shows no key.
impl fmt::Debug for PersonKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PersonKey(..)")
    }
}

/// Person, as 16 bytes that say nothing without the ledger's key.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct PersonHash(pub(crate) [u8; 16]);

impl PersonHash {
    /// Returns the bytes, which must be kept as secret as the data.
    pub fn to_bytes(self) -> [u8; 16] {
        self.0
    }

    /// Creates the person with these bytes, from [`to_bytes`](Self::to_bytes).
    pub fn from_bytes(bytes: [u8; 16]) -> Self {
        Self(bytes)
    }

    /// Returns the bytes as a number of the same order, which must be kept as secret as the data.
    pub fn to_number(self) -> u128 {
        u128::from_be_bytes(self.0)
    }

    /// Creates the person with this number, from [`to_number`](Self::to_number).
    pub fn from_number(number: u128) -> Self {
        Self(number.to_be_bytes())
    }
}

impl PartialOrd for PersonHash {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Ordered like the bytes.
impl Ord for PersonHash {
    fn cmp(&self, other: &Self) -> Ordering {
        self.to_number().cmp(&other.to_number())
    }
}

/// Hashed as its first eight bytes, which are as good as random already.
impl Hash for PersonHash {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let mut half = [0; 8];
        half.copy_from_slice(&self.0[..8]);
        state.write_u64(u64::from_le_bytes(half));
    }
}

/// Redacted: shows no hash.
impl fmt::Debug for PersonHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PersonHash(..)")
    }
}

/// Spent amounts of all persons of a dataset, reserved amounts included: 36 to 44 bytes per person.
#[derive(Clone, Default)]
pub struct PersonsSpent {
    pub(crate) roll: Arc<Roll>,
    sums: Arc<ByNumber>,
    decisions: Arc<DecisionsByNumber>,
}

/// Spent amounts of persons, by number.
#[derive(Default)]
struct ByNumber {
    /// Spent micro-ε, or [`UNLIMITED`].
    micros: Vec<u64>,
    /// Spent units of ρ.
    rho: Vec<u64>,
}

/// Micro-ε that stand for an unlimited amount.
const UNLIMITED: u64 = u64::MAX;

impl PersonsSpent {
    /// Returns the ε that the person has spent; zero for whoever was never charged.
    pub fn get(&self, person: PersonHash) -> Amount {
        self.cost(person).epsilon
    }

    /// Returns the cost to the person so far, as ε and ρ.
    pub fn cost(&self, person: PersonHash) -> Cost {
        self.number(person).map_or(Cost::ZERO, |number| self.cost_of(number))
    }

    /// Returns the number of a person, if entries of the dataset name them.
    pub fn number(&self, person: PersonHash) -> Option<PersonNumber> {
        self.roll.number(person).map(PersonNumber)
    }

    /// Returns the cost to the person with this number so far, as ε and ρ.
    pub fn cost_of(&self, number: PersonNumber) -> Cost {
        self.cost_by_number(number.0)
    }

    /// Returns the position of a person's decision among the [kinds of decisions](Self::decisions);
    /// `None` if no decision of theirs is on record.
    pub fn decision_of(&self, number: PersonNumber) -> Option<u32> {
        self.decisions.kind_of(number.0)
    }

    /// Returns the kinds of decisions on record, each with the ε that it allows, without the
    /// persons.
    pub fn decisions(&self) -> impl ExactSizeIterator<Item = (&Holder, Amount)> {
        self.decisions.kinds().iter().map(|(holder, allowance)| (holder, allowance.epsilon))
    }

    /// Returns the decision of the person with this number: holder, allowance, and start in
    /// microseconds.
    pub(crate) fn decided(&self, number: u32) -> Option<(&Holder, Allowance, i64)> {
        self.decisions.get(number)
    }

    /// Returns the set of the persons with these numbers, and of the `others`.
    pub fn persons(&self, numbers: Vec<PersonNumber>, others: Vec<PersonHash>) -> Persons {
        Persons::from_roll(&self.roll, numbers, others)
    }

    /// Returns the number of persons that entries name, whether or not their charges count.
    pub fn known_persons(&self) -> usize {
        self.roll.len()
    }

    /// Returns the number of persons who have spent anything.
    pub fn len(&self) -> usize {
        self.sums.micros.iter().filter(|micros| **micros > 0).count()
    }

    /// Returns true if nobody has spent anything.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the spent ε of every person who has spent anything, in no particular order.
    pub fn amounts(&self) -> impl Iterator<Item = Amount> {
        self.costs().map(|(_, cost)| cost.epsilon)
    }

    /// Returns the number and cost of every person who has spent anything.
    pub(crate) fn costs(&self) -> impl Iterator<Item = (u32, Cost)> {
        let all =
            (0..self.sums.micros.len() as u32).map(|number| (number, self.cost_by_number(number)));
        all.filter(|(_, cost)| !cost.epsilon.is_zero())
    }

    pub(crate) fn cost_by_number(&self, number: u32) -> Cost {
        let at = number as usize;
        match (self.sums.micros.get(at), self.sums.rho.get(at)) {
            (None, _) | (_, None) => Cost::ZERO,
            (Some(&UNLIMITED), _) => Cost { epsilon: Amount::Unlimited, rho: Rho::Unlimited },
            (Some(micros), Some(rho)) => {
                let epsilon = match *micros <= MicroEpsilon::MAX.get() {
                    true => Amount::micros(*micros),
                    false => Amount::Unlimited,
                };
                Cost { epsilon, rho: Rho::units((*rho).into()) }
            }
        }
    }
}

/// Sums of the costs of persons, by number.
///
/// A run of persons is charged by two changes, where it begins and where it ends, and one pass at
/// the end makes all sums: the work for a release does not depend on its number of persons.
pub(crate) struct Sums {
    micros: Vec<u64>,
    rho: Vec<u64>,
    unlimited: Vec<u32>,
    /// Largest charge for which the sum of all charges cannot overflow; a larger one counts as
    /// unlimited.
    most: u64,
}

impl Sums {
    /// Creates sums for that many persons, with at most `charges` charges each.
    pub(crate) fn new(persons: usize, charges: usize) -> Self {
        Self {
            micros: vec![0; persons + 1],
            rho: vec![0; persons + 1],
            unlimited: Vec::new(),
            most: (UNLIMITED - 1) / (charges as u64).max(1),
        }
    }

    pub(crate) fn add(&mut self, run: Run, cost: Cost) {
        let (from, to) = (run.from as usize, run.to as usize);
        let change = |of: &mut Vec<u64>, amount: u64| {
            of[from] = of[from].wrapping_add(amount);
            of[to] = of[to].wrapping_sub(amount);
        };
        match (cost.epsilon, cost.rho) {
            (Amount::Micro(micros), Rho::Finite(rho))
                if micros.get() <= self.most && rho <= self.most =>
            {
                change(&mut self.micros, micros.get());
                change(&mut self.rho, rho);
            }
            _ => {
                self.unlimited.resize(self.micros.len(), 0);
                self.unlimited[from] = self.unlimited[from].wrapping_add(1);
                self.unlimited[to] = self.unlimited[to].wrapping_sub(1);
            }
        }
    }

    pub(crate) fn finish(mut self, roll: Arc<Roll>, decisions: DecisionsByNumber) -> PersonsSpent {
        for of in [&mut self.micros, &mut self.rho] {
            let mut sum = 0_u64;
            for change in of.iter_mut() {
                sum = sum.wrapping_add(*change);
                *change = sum;
            }
            of.pop();
        }
        let mut times = 0_u32;
        for (micros, change) in self.micros.iter_mut().zip(&self.unlimited) {
            times = times.wrapping_add(*change);
            if times > 0 {
                *micros = UNLIMITED;
            }
        }
        let sums = ByNumber { micros: self.micros, rho: self.rho };
        PersonsSpent { roll, sums: Arc::new(sums), decisions: Arc::new(decisions) }
    }
}

/// Redacted: shows only the number of persons.
impl fmt::Debug for PersonsSpent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PersonsSpent({} persons)", self.len())
    }
}
