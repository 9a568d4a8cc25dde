//! Where the chunks are kept, and what the workers share.

use std::sync::Mutex;

use suum_core::Result;

use super::chunk::{CHUNK, Chunk, Place, Rows, bytes};
use super::slots::{Met, Slots};
use crate::choice::Choice;
use crate::room::{self, Room, lock};
use crate::scan::Scan;
use crate::temporary::Temporary;

/// Room for chunks in memory, a file for those beyond it, and the slots of choices.
pub(crate) struct ChunkStore {
    room: Room,
    file: Mutex<Temporary>,
    pub(super) slots: Mutex<Slots>,
    /// For how many rows each person stands in quantiles; 0 where values are those of the rows.
    pub(super) ranked: usize,
    // How many groups there are, and how many records of one make a chunk.
    groups: usize,
    chunk: usize,
}

impl ChunkStore {
    /// Keeps the records of a scan in memory up to `bytes` bytes.
    pub(crate) fn new(scan: &Scan, bytes: usize) -> Self {
        let tiers = scan.kept_tiers().map(|(_, epsilon)| epsilon).collect();
        let groups = scan.groups().max(1);
        Self {
            room: Room::new(bytes),
            file: Mutex::default(),
            slots: Mutex::new(Slots::new(tiers)),
            ranked: scan.ranked_rows(),
            groups,
            // Each worker has a chunk open for each group.
            chunk: (CHUNK / groups).clamp(CHUNK >> 8, CHUNK),
        }
    }

    /// Puts records in memory or into the file; `None` if the file fails.
    fn keep(&self, mut rows: Rows) -> Option<Place> {
        if self.room.failure().is_some() {
            return None;
        }
        rows.sort();
        let bytes = rows.bytes();
        if self.room.take(bytes) {
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
                let mut bytes = vec![0; bytes(self.ranked) * chunk.records];
                let read = lock(&self.file).read(*place, &mut bytes);
                read.map_err(|error| room::failed("values", error.kind()))?;
                Ok(look(&Rows::from_bytes(&bytes, self.ranked)))
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

/// The records of one worker, by group.
pub(crate) struct Chunks<'a> {
    store: &'a ChunkStore,
    met: Met,
    groups: Vec<GroupChunks>,
}

/// The records of one group that a worker has met.
#[derive(Default)]
pub(super) struct GroupChunks {
    rows: Rows,
    pub(super) chunks: Vec<Chunk>,
    /// The number of records by slot.
    pub(super) counts: Vec<u64>,
}

impl<'a> Chunks<'a> {
    pub(crate) fn new(store: &'a ChunkStore) -> Self {
        let groups = (0..store.groups).map(|_| GroupChunks::default()).collect();
        Self { store, met: Met::default(), groups }
    }

    /// Adds a record by its choice, the bits of its value and its group.
    #[inline]
    pub(crate) fn add(&mut self, choice: Choice, bits: u64, group: u32) {
        self.push(choice, f64::from_bits(bits), &[], group);
    }

    /// Adds a person, by the bits of the value that they count with and of the rows that they stand
    /// for.
    pub(crate) fn add_person(&mut self, choice: Choice, bits: u64, rows: &[u64], group: u32) {
        let rows: Vec<f64> = rows.iter().map(|bits| f64::from_bits(*bits)).collect();
        self.push(choice, f64::from_bits(bits), &rows, group);
    }

    #[inline]
    fn push(&mut self, choice: Choice, value: f64, ranked: &[f64], group: u32) {
        let slot = match choice {
            Choice::Tier(slot) => slot,
            Choice::Budget(epsilon) => {
                self.met.slot(epsilon, || lock(&self.store.slots).of(epsilon))
            }
        };
        // There is one of all records where there are no groups.
        let Some(group) = self.groups.get_mut(group as usize) else { return };
        let level = slot as usize;
        if level >= group.counts.len() {
            group.counts.resize(level + 1, 0);
        }
        group.counts[level] += 1;
        group.rows.push(slot, value, ranked);
        if group.rows.len() == self.store.chunk {
            group.close(self.store);
        }
    }

    /// Adds what another worker has read in the same scan.
    pub(crate) fn merge(&mut self, other: Self) {
        for (ours, mut theirs) in self.groups.iter_mut().zip(other.groups) {
            theirs.close(self.store);
            ours.chunks.append(&mut theirs.chunks);
            ours.counts.resize(ours.counts.len().max(theirs.counts.len()), 0);
            ours.counts.iter_mut().zip(theirs.counts).for_each(|(ours, theirs)| *ours += theirs);
        }
    }

    /// What was met of each group.
    pub(super) fn into_groups(mut self) -> Vec<GroupChunks> {
        self.groups.iter_mut().for_each(|group| group.close(self.store));
        self.groups
    }
}

impl GroupChunks {
    /// Ends a chunk.
    fn close(&mut self, store: &ChunkStore) {
        let records = self.rows.len();
        if records > 0 {
            let place = store.keep(std::mem::take(&mut self.rows));
            self.chunks.extend(place.map(|place| Chunk { records, place }));
        }
    }
}
