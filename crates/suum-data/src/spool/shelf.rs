//! Where the chunks are kept, and what the workers share.

use std::sync::Mutex;

use suum_core::{Epsilon, Result};

use super::chunk::{BYTES, CHUNK, Chunk, Place, Rows};
use super::slots::{Met, Slots};
use crate::choice::Choice;
use crate::room::{self, Room, lock};
use crate::temporary::Temporary;

/// Room for chunks in memory, a file for those beyond it, and the slots of choices.
pub(crate) struct Shelf {
    room: Room,
    file: Mutex<Temporary>,
    pub(super) slots: Mutex<Slots>,
}

impl Shelf {
    /// Keeps records in memory up to `bytes` bytes; `tiers` are the budgets of tiers, if choices
    /// are tiers.
    pub(crate) fn new(bytes: usize, tiers: Vec<Epsilon>) -> Self {
        Self {
            room: Room::new(bytes),
            file: Mutex::default(),
            slots: Mutex::new(Slots::new(tiers)),
        }
    }

    /// Puts records in memory or into the file; `None` if the file fails.
    fn keep(&self, mut rows: Rows) -> Option<Place> {
        if self.room.failure().is_some() {
            return None;
        }
        let bytes = BYTES * rows.len();
        if self.room.take(bytes) {
            rows.shrink();
            return Some(Place::Memory(rows));
        }
        self.room.give_back(bytes);
        let bytes = rows.to_bytes();
        let place = lock(&self.file).append(&bytes);
        place.map(Place::File).map_err(|error| self.room.fail(error.kind())).ok()
    }

    /// Looks at the records of a chunk.
    ///
    /// Threads take turns at reading the file, which is far faster than what they do with the
    /// records.
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    pub(super) fn with_rows<T>(&self, chunk: &Chunk, look: impl FnOnce(&Rows) -> T) -> Result<T> {
        match &chunk.place {
            Place::Memory(rows) => Ok(look(rows)),
            Place::File(place) => {
                let mut bytes = vec![0; BYTES * chunk.records];
                let read = lock(&self.file).read(*place, &mut bytes);
                read.map_err(|error| room::failed("values", error.kind()))?;
                Ok(look(&Rows::from_bytes(&bytes)))
            }
        }
    }

    /// Refuses, if something could not be kept.
    pub(super) fn check(&self) -> Result<()> {
        self.room.failure().map_or(Ok(()), |kind| Err(room::failed("values", kind)))
    }

    /// Fails as a temporary file would.
    #[cfg(test)]
    pub(crate) fn fail(&self, kind: std::io::ErrorKind) {
        self.room.fail(kind);
    }
}

/// The records of one worker.
pub(crate) struct Chunks<'a> {
    pub(super) shelf: &'a Shelf,
    rows: Rows,
    met: Met,
    pub(super) chunks: Vec<Chunk>,
    /// The number of records by slot.
    pub(super) counts: Vec<u64>,
}

impl<'a> Chunks<'a> {
    pub(crate) fn new(shelf: &'a Shelf) -> Self {
        let (rows, met) = (Rows::default(), Met::default());
        Self { shelf, rows, met, chunks: Vec::new(), counts: Vec::new() }
    }

    /// Adds a record by its choice and the bits of its value.
    #[inline]
    pub(crate) fn add(&mut self, choice: Choice, bits: u64) {
        let slot = match choice {
            Choice::Tier(slot) => slot,
            Choice::Budget(epsilon) => {
                self.met.slot(epsilon, || lock(&self.shelf.slots).of(epsilon))
            }
        };
        let level = slot as usize;
        if level >= self.counts.len() {
            self.counts.resize(level + 1, 0);
        }
        self.counts[level] += 1;
        self.rows.push(slot, f64::from_bits(bits));
        if self.rows.len() == CHUNK {
            self.close();
        }
    }

    /// Ends a chunk.
    pub(super) fn close(&mut self) {
        let records = self.rows.len();
        if records > 0 {
            let place = self.shelf.keep(std::mem::take(&mut self.rows));
            self.chunks.extend(place.map(|place| Chunk { records, place }));
        }
    }

    /// Adds what another worker has read in the same scan.
    pub(crate) fn merge(&mut self, mut other: Self) {
        other.close();
        self.chunks.append(&mut other.chunks);
        self.counts.resize(self.counts.len().max(other.counts.len()), 0);
        self.counts.iter_mut().zip(other.counts).for_each(|(ours, theirs)| *ours += theirs);
    }
}
