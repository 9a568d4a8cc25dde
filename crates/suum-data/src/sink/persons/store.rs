//! Storage of rows that wait for the others of their person.

use std::io;
use std::sync::Mutex;

use rustc_hash::FxHashMap;

use super::packing::Packing;
use super::row::Row;
use crate::cells::level_key::{FEW, LevelKeys};
use crate::scan::Scan;
use crate::sink::room::{Room, lock};
use crate::sink::temporary::Temporary;

/// Number of partitions of persons; in the end one partition per thread must fit into memory.
pub(super) const PARTITIONS: usize = 64;

/// Number of rows that a worker collects for a partition before it takes the lock.
const CHUNK: usize = 1024;

/// The rows of all workers, in partitions.
pub(crate) struct Store {
    room: Room,
    packing: Option<Packing>,
    has_times: bool,
    /// The bits of the choices that have codes.
    choices: Mutex<Vec<u64>>,
    partitions: Vec<Mutex<Partition>>,
}

/// The rows of some persons.
#[derive(Default)]
struct Partition {
    packed: Waiting<3>,
    wide: Waiting<5>,
    timed: Waiting<6>,
}

/// Rows of `W` words, in memory and in a file.
#[derive(Default)]
struct Waiting<const W: usize> {
    chunks: Vec<Vec<[u64; W]>>,
    file: Temporary,
    spilled: usize,
}

/// All rows of a partition, in any order.
pub(super) enum PartitionRows {
    /// Packed rows, with the bits of the choices that have codes.
    Packed(Packing, Vec<Vec<[u64; 3]>>, Vec<u64>),
    Wide(Vec<Vec<[u64; 5]>>),
    /// Rows with their times.
    Timed(Vec<Vec<[u64; 6]>>),
}

impl Store {
    /// Creates a store that keeps up to `bytes` bytes of rows in memory.
    pub(crate) fn new(scan: &Scan, bytes: usize) -> Self {
        Self {
            room: Room::new(bytes),
            packing: Packing::for_scan(scan),
            has_times: scan.person_time.is_some(),
            choices: Mutex::default(),
            partitions: (0..PARTITIONS).map(|_| Mutex::default()).collect(),
        }
    }

    fn push<const W: usize>(
        &self,
        partition: usize,
        chunk: Vec<[u64; W]>,
        of: impl Fn(&mut Partition) -> &mut Waiting<W>,
    ) {
        if chunk.is_empty() || self.room.failure().is_some() {
            return;
        }
        let fits = self.room.take(size_of_val(chunk.as_slice()));
        let mut partition = lock(&self.partitions[partition]);
        let waiting = of(&mut partition);
        waiting.chunks.push(chunk);
        if !fits {
            let freed = waiting.chunks.iter().map(|chunk| size_of_val(chunk.as_slice())).sum();
            if let Err(error) = waiting.spill() {
                self.room.fail(error.kind());
            }
            self.room.give_back(freed);
        }
    }

    /// Code of the choice with these bits; `None` if there are too many others.
    fn code(&self, bits: u64) -> Option<u8> {
        let mut choices = lock(&self.choices);
        let code = choices.iter().position(|known| *known == bits).unwrap_or(choices.len());
        if code == choices.len() && code < FEW {
            choices.push(bits);
        }
        u8::try_from(code).ok()
    }

    /// Kind of the failure that kept rows from being stored, if there was one.
    pub(super) fn failure(&self) -> Option<io::ErrorKind> {
        self.room.failure()
    }

    /// Takes out all rows of a partition.
    pub(super) fn take(&self, partition: usize) -> io::Result<PartitionRows> {
        let Partition { packed, wide, timed } =
            std::mem::take(&mut *lock(&self.partitions[partition]));
        if self.has_times {
            return timed.into_chunks().map(PartitionRows::Timed);
        }
        let (packed, mut wide) = (packed.into_chunks()?, wide.into_chunks()?);
        let Some(packing) = self.packing else { return Ok(PartitionRows::Wide(wide)) };
        let choices = lock(&self.choices).clone();
        if wide.is_empty() {
            return Ok(PartitionRows::Packed(packing, packed, choices));
        }
        let widened = |words: [u64; 3]| packing.unpack(words, &choices).words();
        let all = |chunk: Vec<[u64; 3]>| chunk.into_iter().map(widened).collect();
        wide.extend(packed.into_iter().map(all));
        Ok(PartitionRows::Wide(wide))
    }

    /// Simulates the failure of a temporary file.
    #[cfg(test)]
    pub(crate) fn fail(&self, kind: io::ErrorKind) {
        self.room.fail(kind);
    }

    /// Number of rows in files.
    #[cfg(test)]
    pub(crate) fn spilled(&self) -> usize {
        let spilled = |partition: &Partition| {
            partition.packed.spilled + partition.wide.spilled + partition.timed.spilled
        };
        self.partitions.iter().map(|partition| spilled(&lock(partition))).sum()
    }
}

impl<const W: usize> Waiting<W> {
    /// Moves the rows from memory to the file.
    fn spill(&mut self) -> io::Result<()> {
        let mut bytes = Vec::new();
        for chunk in std::mem::take(&mut self.chunks) {
            bytes.clear();
            bytes.extend(chunk.as_flattened().iter().flat_map(|word| word.to_le_bytes()));
            self.file.append(&bytes)?;
            self.spilled += chunk.len();
        }
        Ok(())
    }

    /// All rows, in chunks of which none is empty.
    fn into_chunks(mut self) -> io::Result<Vec<Vec<[u64; W]>>> {
        let row_bytes = W * size_of::<u64>();
        for first in (0..self.spilled).step_by(CHUNK) {
            let mut bytes = vec![0; CHUNK.min(self.spilled - first) * row_bytes];
            self.file.read((first * row_bytes) as u64, &mut bytes)?;
            let (words, _) = bytes.as_chunks();
            let words: Vec<u64> = words.iter().map(|word| u64::from_le_bytes(*word)).collect();
            self.chunks.push(words.as_chunks().0.to_vec());
        }
        Ok(self.chunks)
    }
}

/// Rows that one worker has not yet given to the store.
pub(crate) struct Rows<'a> {
    store: &'a Store,
    packed: Vec<Vec<[u64; 3]>>,
    wide: Vec<Vec<[u64; 5]>>,
    timed: Vec<Vec<[u64; 6]>>,
    /// Codes of choices by their bits, as far as this worker has looked them up.
    codes: FxHashMap<u64, u8>,
}

impl<'a> Rows<'a> {
    pub(crate) fn new(store: &'a Store) -> Self {
        let (packed, wide) = (vec![Vec::new(); PARTITIONS], vec![Vec::new(); PARTITIONS]);
        let timed = vec![Vec::new(); PARTITIONS];
        Self { store, packed, wide, timed, codes: FxHashMap::default() }
    }

    /// Adds rows of these persons, each with its choice, index, group and time, as far as there are
    /// groups and times.
    pub(crate) fn add_all(
        &mut self,
        persons: &[u128],
        choices: &LevelKeys,
        indices: &[u64],
        groups: &[u32],
        times: &[f64],
    ) {
        let rows = persons.iter().copied().zip(indices.iter().copied());
        if self.store.has_times {
            let groups = groups.iter().copied().chain(std::iter::repeat(0));
            for (((row, group), choice), time) in rows.zip(groups).zip(choices.iter()).zip(times) {
                let row = Row::new(row.0, group, row.1, choice.to_bits()).at(*time);
                put(row.words_with_time(), &mut self.timed, self.store, |partition| {
                    &mut partition.timed
                });
            }
            return;
        }
        match groups {
            [] => self.add(choices, rows.map(|row| (row, 0))),
            groups => self.add(choices, rows.zip(groups.iter().copied())),
        }
    }

    fn add(&mut self, choices: &LevelKeys, rows: impl Iterator<Item = ((u128, u64), u32)>) {
        let store = self.store;
        if let (Some(packing), LevelKeys::Coded(coded), Some(codes)) =
            (store.packing, choices, self.codes(choices))
        {
            for (((person, index), group), code) in rows.zip(&coded.codes) {
                let row = packing.pack(person, group, index, codes[usize::from(*code)]);
                put(row, &mut self.packed, store, |partition| &mut partition.packed);
            }
            return;
        }
        for (((person, index), group), choice) in rows.zip(choices.iter()) {
            let row = Row::new(person, group, index, choice.to_bits()).words();
            put(row, &mut self.wide, store, |partition| &mut partition.wide);
        }
    }

    /// Maps this worker's codes of choices to those of the store; `None` if choices have no codes,
    /// or there are too many.
    fn codes(&mut self, choices: &LevelKeys) -> Option<[u8; FEW]> {
        let LevelKeys::Coded(coded) = choices else { return None };
        let mut codes = [0; FEW];
        for own in coded.met.iter().map(|own| usize::from(*own)) {
            let bits = coded.of[own].to_bits();
            codes[own] = match self.codes.get(&bits) {
                Some(code) => *code,
                None => *self.codes.entry(bits).or_insert(self.store.code(bits)?),
            };
        }
        Some(codes)
    }

    /// Gives all rows to the store.
    pub(crate) fn flush(self) {
        for (partition, chunk) in self.packed.into_iter().enumerate() {
            self.store.push(partition, chunk, |partition| &mut partition.packed);
        }
        for (partition, chunk) in self.wide.into_iter().enumerate() {
            self.store.push(partition, chunk, |partition| &mut partition.wide);
        }
        for (partition, chunk) in self.timed.into_iter().enumerate() {
            self.store.push(partition, chunk, |partition| &mut partition.timed);
        }
    }
}

/// Adds a row to others of its partition, which go to the store when they are many.
///
/// Persons ascend from one partition to the next, so that their accounts are read in order.
#[inline]
fn put<const W: usize>(
    row: [u64; W],
    chunks: &mut [Vec<[u64; W]>],
    store: &Store,
    of: impl Fn(&mut Partition) -> &mut Waiting<W>,
) {
    let partition = (row[0] >> (u64::BITS - PARTITIONS.ilog2())) as usize;
    let chunk = &mut chunks[partition];
    chunk.push(row);
    if chunk.len() == CHUNK {
        let full = std::mem::replace(chunk, Vec::with_capacity(CHUNK));
        store.push(partition, full, of);
    }
}
