//! The persons of the data, in classes of those who may spend the same.

use std::sync::{Mutex, MutexGuard, PoisonError};

use rustc_hash::FxHashMap;
use suum_core::Epsilon;
use suum_ledger::{Amount, Cost, PersonHash};

/// Locks among which the threads of a scan are spread, as a power of two. Shards ascend with the
/// persons, who come in ascending order from each part of a scan: so all are charged in the order
/// in which the ledger finds them soonest.
const SHARD_BITS: u32 = 6;

/// How many shards there are.
pub(super) const SHARDS: usize = 1 << SHARD_BITS;

/// All persons that were seen, divided among locks.
pub(super) struct SeenPersons([Mutex<Shard>; SHARDS]);

/// A person of the data, ordered as their hash is, and the place of their class.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Seen {
    // In two halves: 128-bit integers would be aligned to 16 bytes.
    person: [u64; 2],
    class: u32,
}

/// Persons of the data, in classes.
#[derive(Default)]
pub(super) struct Shard {
    persons: Vec<Seen>,
    classes: Vec<Class>,
    /// Places of classes.
    known: FxHashMap<Standing, u32>,
    /// The first classes, among which most persons are found.
    first: Vec<Standing>,
}

/// How many classes are looked through one by one.
const FIRST: usize = 6;

impl Seen {
    fn new(person: u128, class: u32) -> Self {
        Self { person: [(person >> 64) as u64, person as u64], class }
    }

    fn hash(&self) -> PersonHash {
        let [high, low] = self.person;
        let person = u128::from(high) << 64 | u128::from(low);
        PersonHash::from_bytes(person.to_be_bytes())
    }
}

/// What decides how much a person may spend: the same for many, and worked out once in each shard.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Standing {
    /// The position of the tier among those that people chose among.
    pub(super) tier: u32,
    /// What the data say, as the bits of a double.
    pub(super) budget: u64,
    pub(super) spent: Cost,
}

/// Persons of the same standing.
#[derive(Debug, Clone, Copy)]
pub(super) struct Class {
    pub(super) tier: u32,
    pub(super) allowed: Amount,
    pub(super) left: Amount,
    pub(super) instalment: Amount,
    pub(super) may: Amount,
    /// The same as a budget.
    pub(super) epsilon: Epsilon,
    pub(super) persons: u64,
}

impl SeenPersons {
    pub(super) fn new() -> Self {
        Self(std::array::from_fn(|_| Mutex::default()))
    }

    /// All shards, in the order of the persons.
    pub(super) fn shards(&self) -> impl Iterator<Item = MutexGuard<'_, Shard>> {
        self.0.iter().map(lock)
    }

    /// The shard of a person.
    pub(super) fn shard(&self, person: u128) -> MutexGuard<'_, Shard> {
        lock(&self.0[(person >> (u128::BITS - SHARD_BITS)) as usize])
    }

    /// All classes that were seen.
    pub(super) fn classes(&self) -> Vec<Class> {
        self.shards().flat_map(|shard| shard.classes.clone()).collect()
    }
}

impl Shard {
    /// Makes room for so many persons, if there is nobody yet.
    pub(super) fn expect(&mut self, persons: usize) {
        if self.persons.is_empty() {
            self.persons.reserve(persons);
        }
    }

    /// Adds a person of this standing, of the class that `class` makes if it is a new one.
    pub(super) fn add(
        &mut self,
        person: u128,
        standing: Standing,
        class: impl FnOnce() -> Class,
    ) -> Class {
        let first = self.first.iter().position(|one| *one == standing).map(|at| at as u32);
        let place = match first.or_else(|| self.known.get(&standing).copied()) {
            Some(place) => place,
            None => {
                let place = self.classes.len() as u32;
                self.classes.push(class());
                match self.first.len() < FIRST {
                    true => self.first.push(standing),
                    false => _ = self.known.insert(standing, place),
                }
                place
            }
        };
        self.persons.push(Seen::new(person, place));
        let class = &mut self.classes[place as usize];
        class.persons += 1;
        *class
    }

    /// Counts persons once who were seen several times; false if one of them is of two classes.
    pub(super) fn count_once(&mut self) -> bool {
        // Each reading has added them in ascending order, so that few runs are merged.
        self.persons.sort();
        self.persons.dedup();
        self.classes.iter_mut().for_each(|class| class.persons = 0);
        for seen in &self.persons {
            self.classes[seen.class as usize].persons += 1;
        }
        self.persons.windows(2).all(|pair| pair[0].person != pair[1].person)
    }

    /// The classes.
    pub(super) fn classes(&self) -> &[Class] {
        &self.classes
    }

    /// The persons in ascending order, each with the place of their class.
    pub(super) fn persons(&self) -> impl Iterator<Item = (PersonHash, usize)> {
        self.persons.iter().map(|seen| (seen.hash(), seen.class as usize))
    }
}

/// What a thread that panicked has left is at worst a class without its last person.
fn lock(shard: &Mutex<Shard>) -> MutexGuard<'_, Shard> {
    shard.lock().unwrap_or_else(PoisonError::into_inner)
}
