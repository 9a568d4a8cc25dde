//! Persons of a dataset, by number.

use std::sync::Arc;

use crate::PersonHash;

/// Persons whom entries of a dataset name, in the order of their numbers, with a table that finds
/// the number of each: 16 bytes per person, and 4 bytes for each of 4/3 to 8/3 places per person.
#[derive(Debug, Clone, Default)]
pub(crate) struct Roll {
    /// Shared by all rolls that this one grew from, or grows into, by [`extend`](Self::extend).
    origin: Arc<()>,
    hashes: Vec<PersonHash>,
    /// Numbers plus one, each in the first free place from that of its hash on; zero is free.
    /// Places ascend with the hashes, as numbers do within a part: a caller that looks persons up
    /// in this order goes through memory from its beginning to its end.
    places: Vec<u32>,
}

impl Roll {
    /// Returns the number of persons.
    pub(crate) fn len(&self) -> usize {
        self.hashes.len()
    }

    /// Returns true if `other` is an earlier state of this roll, or the same, so that its numbers
    /// mean the same persons here.
    pub(crate) fn continues(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.origin, &other.origin) && self.len() >= other.len()
    }

    /// Returns the person with this number.
    pub(crate) fn hash(&self, number: u32) -> Option<PersonHash> {
        self.hashes.get(number as usize).copied()
    }

    /// Returns the number of a person.
    pub(crate) fn number(&self, person: PersonHash) -> Option<u32> {
        if self.places.is_empty() {
            return None;
        }
        let mut place = self.first_place(person);
        loop {
            let number = self.places[place].checked_sub(1)?;
            if self.hashes[number as usize] == person {
                return Some(number);
            }
            place = (place + 1) & (self.places.len() - 1);
        }
    }

    /// Adds persons; returns false if one of them is there already, or there are too many.
    pub(crate) fn extend(&mut self, persons: Vec<PersonHash>) -> bool {
        let (first, total) = (self.hashes.len(), self.hashes.len() + persons.len());
        if total >= 1 << 31 {
            return false;
        }
        if self.places.len() < total + total / 3 + 1 {
            self.places = vec![0; (total + total / 3 + 1).next_power_of_two()];
            for number in 0..first {
                self.put(number);
            }
        }
        // As a rule most persons come with the first reservation.
        match first {
            0 => self.hashes = persons,
            _ => self.hashes.extend(persons),
        }
        (first..total).all(|number| self.put(number))
    }

    fn first_place(&self, person: PersonHash) -> usize {
        let mut half = [0; 8];
        half.copy_from_slice(&person.0[..8]);
        // Its bits are as good as random already.
        ((u128::from(u64::from_be_bytes(half)) * self.places.len() as u128) >> 64) as usize
    }

    /// Finds a place for a number; returns false if its person has one.
    fn put(&mut self, number: usize) -> bool {
        let mut place = self.first_place(self.hashes[number]);
        while let Some(taken) = self.places[place].checked_sub(1) {
            if self.hashes[taken as usize] == self.hashes[number] {
                return false;
            }
            place = (place + 1) & (self.places.len() - 1);
        }
        self.places[place] = number as u32 + 1;
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn person(number: u64) -> PersonHash {
        // Many share the place where they are looked for first.
        let mut hash = [0; 16];
        hash[..8].copy_from_slice(&(number % 7).to_be_bytes());
        hash[8..].copy_from_slice(&number.to_le_bytes());
        PersonHash(hash)
    }

    #[test]
    fn numbers_are_found_again() {
        let mut roll = Roll::default();
        assert_eq!(roll.number(person(0)), None);
        for piece in [0..10_u64, 10..11, 11..400] {
            let persons: Vec<_> = piece.map(person).collect();
            assert!(roll.extend(persons));
        }
        for number in 0..400 {
            assert_eq!(roll.number(person(number)), Some(number as u32));
            assert_eq!(roll.hash(number as u32), Some(person(number)));
        }
        assert_eq!((roll.number(person(400)), roll.len()), (None, 400));
        assert!(!roll.extend(vec![person(3)]));
    }
}
