//! Storage of the chunks, and the state that workers share.

use std::sync::Mutex;

use suum_core::Result;

use super::chunk::{CHUNK, Chunk, Location, Rows, SortedRecords};
use super::positions::{Positions, WorkerPositions};
use crate::cells::level_key::{FEW, LevelKey, LevelKeys};
use crate::scan::Scan;
use crate::sink::room::{self, Room, lock};
use crate::sink::temporary::Temporary;

/// Room for chunks in memory, a file for those beyond it, and the positions of choices.
pub(crate) struct ChunkStore {
    room: Room,
    file: Mutex<Temporary>,
    pub(super) positions: Mutex<Positions>,
    /// Number of rows that each person contributes to quantiles; 0 if rows are persons.
    pub(super) ranked: usize,
    // Number of groups, and number of records of one that make a chunk.
    groups: usize,
    chunk: usize,
}

impl ChunkStore {
    /// Creates a store that keeps up to `bytes` bytes of records in memory.
    pub(crate) fn new(scan: &Scan, bytes: usize) -> Self {
        let tiers = scan.kept_tiers().map(|(_, epsilon)| epsilon).collect();
        let groups = scan.tables_of_groups().max(1);
        Self {
            room: Room::new(bytes),
            file: Mutex::default(),
            positions: Mutex::new(Positions::new(tiers)),
            ranked: scan.ranked_rows(),
            groups,
            // Each worker has a chunk open for each group.
            chunk: (CHUNK / groups).clamp(CHUNK >> 8, CHUNK),
        }
    }

    /// Puts records in memory or into the file; `None` if the file fails.
    fn keep(&self, records: SortedRecords) -> Option<Location> {
        if self.room.failure().is_some() {
            return None;
        }
        let bytes = records.bytes();
        if self.room.take(bytes) {
            return Some(Location::Memory(records));
        }
        self.room.give_back(bytes);
        let bytes = records.to_bytes();
        let location = lock(&self.file).append(&bytes);
        let location = location.map_err(|error| self.room.fail(error.kind())).ok()?;
        Some(Location::File(location, bytes.len()))
    }

    /// Applies `look` to the records of a chunk.
    ///
    /// # Errors
    ///
    /// Fails if they wait in a file that cannot be read.
    pub(super) fn with_records<T>(
        &self,
        chunk: &Chunk,
        look: impl FnOnce(&SortedRecords) -> T,
    ) -> Result<T> {
        match &chunk.location {
            Location::Memory(records) => Ok(look(records)),
            Location::File(location, bytes) => {
                let mut bytes = vec![0; *bytes];
                let read = lock(&self.file).read(*location, &mut bytes);
                read.map_err(|error| room::failed("values", error.kind()))?;
                Ok(look(&SortedRecords::from_bytes(&bytes, chunk.records, self.ranked)))
            }
        }
    }

    /// Refuses the scan if something could not be kept.
    pub(super) fn check(&self) -> Result<()> {
        self.room.failure().map_or(Ok(()), |kind| Err(room::failed("values", kind)))
    }

    /// Simulates the failure of a temporary file.
    #[cfg(test)]
    pub(crate) fn fail(&self, kind: std::io::ErrorKind) {
        self.room.fail(kind);
    }
}

/// Records of one worker, by group.
pub(crate) struct Chunks<'a> {
    store: &'a ChunkStore,
    met: WorkerPositions,
    groups: Vec<GroupChunks>,
}

/// Records of one group that a worker has read.
#[derive(Default)]
pub(super) struct GroupChunks {
    rows: Rows,
    pub(super) chunks: Vec<Chunk>,
    /// The number of records by position.
    pub(super) counts: Vec<u64>,
}

impl<'a> Chunks<'a> {
    pub(crate) fn new(store: &'a ChunkStore) -> Self {
        let groups = (0..store.groups).map(|_| GroupChunks::default()).collect();
        Self { store, met: WorkerPositions::default(), groups }
    }

    /// Adds many records.
    pub(crate) fn add_all(&mut self, choices: &LevelKeys, indices: &[u64], groups: &[u32]) {
        let mut groups = groups.iter().copied().chain(std::iter::repeat(0));
        let mut push = |chunks: &mut Self, position, bits| {
            let group = groups.next().unwrap_or_default();
            chunks.push(position, f64::from_bits(bits), &[], group);
        };
        match choices {
            LevelKeys::Coded(coded) => {
                let mut positions = [0; FEW];
                for code in coded.met.iter().map(|code| usize::from(*code)) {
                    positions[code] = self.position(coded.of[code]);
                }
                for (code, bits) in coded.codes.iter().zip(indices) {
                    push(self, positions[usize::from(*code)], *bits);
                }
            }
            choices => {
                for (choice, bits) in choices.iter().zip(indices) {
                    let position = self.position(choice);
                    push(self, position, *bits);
                }
            }
        }
    }

    /// Adds a person, with the values of the rows they stand for.
    pub(crate) fn add_person(&mut self, choice: LevelKey, bits: u64, rows: &[u64], group: u32) {
        let rows: Vec<f64> = rows.iter().map(|bits| f64::from_bits(*bits)).collect();
        let position = self.position(choice);
        self.push(position, f64::from_bits(bits), &rows, group);
    }

    /// Position of a choice.
    #[inline]
    fn position(&mut self, choice: LevelKey) -> u32 {
        match choice {
            LevelKey::Tier(position) => position,
            LevelKey::Budget(epsilon) => {
                self.met.position(epsilon, || lock(&self.store.positions).find_or_insert(epsilon))
            }
        }
    }

    #[inline]
    fn push(&mut self, position: u32, value: f64, ranked: &[f64], group: u32) {
        // There is one of all records where there are no groups.
        let Some(group) = self.groups.get_mut(group as usize) else { return };
        group.rows.push(position, value, ranked);
        if group.rows.len() == self.store.chunk {
            group.close(self.store);
        }
    }

    /// Adds the records of another worker in the same scan.
    pub(crate) fn merge(&mut self, other: Self) {
        for (ours, mut theirs) in self.groups.iter_mut().zip(other.groups) {
            theirs.close(self.store);
            ours.chunks.append(&mut theirs.chunks);
            ours.counts.resize(ours.counts.len().max(theirs.counts.len()), 0);
            ours.counts.iter_mut().zip(theirs.counts).for_each(|(ours, theirs)| *ours += theirs);
        }
    }

    /// Closes all chunks and returns the records of each group.
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
            let sorted = std::mem::take(&mut self.rows).sorted();
            for (position, values, _) in sorted.runs() {
                self.counts.resize(self.counts.len().max(position + 1), 0);
                self.counts[position] += values.len() as u64;
            }
            let location = store.keep(sorted);
            self.chunks.extend(location.map(|location| Chunk { records, location }));
        }
    }
}
