//! Persons in the data, in classes of those who may spend the same.

use std::sync::{Mutex, MutexGuard, PoisonError};

use rustc_hash::FxHashMap;
use suum_core::Epsilon;
use suum_ledger::{Amount, Cost, PersonHash, PersonNumber};

/// Persons that were seen, in the blocks in which a scan asks about them.
#[derive(Default)]
pub(super) struct SeenPersons(Mutex<Vec<Piece>>);

/// Block of persons in the data, in classes.
#[derive(Default)]
pub(super) struct Piece {
    first: u128,
    /// Persons that the ledger knows, each with the index of their class.
    known: Vec<(PersonNumber, u32)>,
    /// Other persons, in ascending order.
    new: Vec<(PersonHash, u32)>,
    classes: Vec<Class>,
    /// Standing of the persons of each class.
    standings: Vec<Standing>,
    /// Indices of all classes but the first few.
    places: FxHashMap<Standing, u32>,
}

/// Number of classes that are searched linearly.
const FIRST: usize = 6;

/// Facts that determine how much a person may spend: many persons share them, so the amount is
/// computed once in each block.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Standing {
    /// Position of the tier among the declared ones.
    pub(super) tier: u32,
    /// Budget in the data, as the bits of a double.
    pub(super) budget: u64,
    pub(super) spent: Cost,
    /// Position of the person's decision among the kinds of decisions that the ledger knows.
    pub(super) decided: Option<u32>,
}

/// Persons of the same standing.
#[derive(Debug, Clone, Copy)]
pub(super) struct Class {
    /// Tier that they are in, or a stricter one by the decision that the ledger knows.
    pub(super) tier: u32,
    /// Lifetime allowance by the data.
    pub(super) claimed: Amount,
    /// Lifetime allowance that counts: at most that of the decision that the ledger knows.
    pub(super) allowed: Amount,
    pub(super) left: Amount,
    pub(super) instalment: Amount,
    pub(super) may: Amount,
    /// The amount `may` as a budget.
    pub(super) epsilon: Epsilon,
    pub(super) persons: u64,
}

impl SeenPersons {
    /// Adds the persons of one block.
    pub(super) fn add(&self, piece: Piece) {
        self.lock().push(piece);
    }

    /// Returns the blocks, in ascending order of their first persons.
    pub(super) fn pieces(&self) -> MutexGuard<'_, Vec<Piece>> {
        let mut pieces = self.lock();
        pieces.sort_by_key(|piece| piece.first);
        pieces
    }

    /// Returns the classes of all blocks; equal classes of several blocks stay apart.
    pub(super) fn classes(&self) -> Vec<Class> {
        self.lock().iter().flat_map(|piece| piece.classes.clone()).collect()
    }

    /// Returns the classes of all blocks, each with the standing of its persons.
    pub(super) fn standings(&self) -> Vec<(Class, Standing)> {
        let of = |piece: &Piece| {
            let classes = piece.classes.iter().copied();
            classes.zip(piece.standings.iter().copied()).collect::<Vec<_>>()
        };
        self.lock().iter().flat_map(of).collect()
    }

    /// Counts persons once who were seen several times; `known` is the number of persons in the
    /// ledger. Returns false if one of them is in two classes.
    pub(super) fn count_once(&self, known: usize) -> bool {
        const NOBODY: u32 = u32::MAX;
        let mut pieces = self.lock();
        let (mut all, mut is_one_class_each) = (Piece::default(), true);
        let mut class_of = vec![NOBODY; known];
        for piece in pieces.drain(..) {
            let classes = piece.classes.iter().zip(&piece.standings);
            let place = |(class, standing): (&Class, &Standing)| {
                all.place(standing, || Class { persons: 0, ..*class })
            };
            let places: Vec<u32> = classes.map(place).collect();
            for (number, class) in piece.known {
                let (class, before) = (places[class as usize], &mut class_of[number.position()]);
                if *before == NOBODY {
                    all.known.push((number, class));
                    *before = class;
                }
                is_one_class_each &= *before == class;
            }
            let placed = |(hash, class): (PersonHash, u32)| (hash, places[class as usize]);
            all.new.extend(piece.new.into_iter().map(placed));
        }
        // Each reading has added them in ascending order, so that few runs are merged.
        all.new.sort();
        all.new.dedup();
        is_one_class_each &= all.new.windows(2).all(|pair| pair[0].0 != pair[1].0);
        let known = all.known.iter().map(|(_, class)| class);
        known.chain(all.new.iter().map(|(_, class)| class)).for_each(|class| {
            all.classes[*class as usize].persons += 1;
        });
        pieces.push(all);
        is_one_class_each
    }

    /// Locks the blocks. A panic of another thread can at worst have lost its own block, and fails
    /// the scan.
    fn lock(&self) -> MutexGuard<'_, Vec<Piece>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Piece {
    /// Creates an empty block with room for `persons` persons, of whom the first is `first`.
    pub(super) fn with_room(first: u128, persons: usize, are_known: bool) -> Self {
        let mut piece = Self { first, ..Self::default() };
        match are_known {
            true => piece.known.reserve(persons),
            false => piece.new.reserve(persons),
        }
        piece
    }

    /// Adds a person of this standing; `class` makes the class if it is new.
    pub(super) fn add(
        &mut self,
        person: Result<PersonNumber, PersonHash>,
        standing: &Standing,
        class: impl FnOnce() -> Class,
    ) -> &Class {
        let place = self.place(standing, class);
        match person {
            Ok(number) => self.known.push((number, place)),
            Err(hash) => self.new.push((hash, place)),
        }
        let class = &mut self.classes[place as usize];
        class.persons += 1;
        class
    }

    /// Index of the class of this standing.
    fn place(&mut self, standing: &Standing, class: impl FnOnce() -> Class) -> u32 {
        let first = self.standings.iter().take(FIRST).position(|one| one == standing);
        let place = first.map(|at| at as u32).or_else(|| self.places.get(standing).copied());
        place.unwrap_or_else(|| {
            let place = self.classes.len() as u32;
            self.classes.push(class());
            self.standings.push(*standing);
            if place as usize >= FIRST {
                self.places.insert(*standing, place);
            }
            place
        })
    }

    /// Classes of the block.
    pub(super) fn classes(&self) -> &[Class] {
        &self.classes
    }

    /// Persons that the ledger knows, each with the index of their class.
    pub(super) fn known_persons(&self) -> impl Iterator<Item = (PersonNumber, usize)> {
        self.known.iter().map(|(number, class)| (*number, *class as usize))
    }

    /// Other persons in ascending order, each with the index of their class.
    pub(super) fn others(&self) -> impl Iterator<Item = (PersonHash, usize)> {
        self.new.iter().map(|(hash, class)| (*hash, *class as usize))
    }
}
