//! Where rows wait for the others of their person.

use std::io;
use std::sync::Mutex;

use super::row::{self, PARTITIONS, Row};
use crate::choice::Choice;
use crate::room::{Room, lock};
use crate::temporary::Temporary;

/// Rows that a worker collects for a partition before it takes the lock.
const CHUNK: usize = 1024;

/// The rows of all workers, in partitions.
pub(crate) struct Store {
    room: Room,
    partitions: Vec<Mutex<Partition>>,
}

/// The rows of some persons.
#[derive(Default)]
struct Partition {
    chunks: Vec<Vec<Row>>,
    file: Temporary,
    spilled: usize,
}

impl Store {
    /// Keeps rows in memory up to `bytes` bytes.
    pub(crate) fn new(bytes: usize) -> Self {
        Self {
            room: Room::new(bytes),
            partitions: (0..PARTITIONS).map(|_| Mutex::default()).collect(),
        }
    }

    fn push(&self, partition: usize, chunk: Vec<Row>) {
        if chunk.is_empty() || self.room.failure().is_some() {
            return;
        }
        let fits = self.room.take(size_of_val(chunk.as_slice()));
        let mut partition = lock(&self.partitions[partition]);
        partition.chunks.push(chunk);
        if !fits {
            let freed = partition.chunks.iter().map(|chunk| size_of_val(chunk.as_slice())).sum();
            if let Err(error) = partition.spill() {
                self.room.fail(error.kind());
            }
            self.room.give_back(freed);
        }
    }

    /// Why rows could not be kept, if they could not.
    pub(super) fn failure(&self) -> Option<io::ErrorKind> {
        self.room.failure()
    }

    /// Takes out all rows of a partition, in any order.
    pub(super) fn take(&self, partition: usize) -> io::Result<Vec<Row>> {
        std::mem::take(&mut *lock(&self.partitions[partition])).into_rows()
    }

    /// Fails as a temporary file would.
    #[cfg(test)]
    pub(crate) fn fail(&self, kind: io::ErrorKind) {
        self.room.fail(kind);
    }

    /// How many rows are in files.
    #[cfg(test)]
    pub(crate) fn spilled(&self) -> usize {
        self.partitions.iter().map(|partition| lock(partition).spilled).sum()
    }
}

impl Partition {
    /// Moves the rows from memory to the file.
    fn spill(&mut self) -> io::Result<()> {
        let mut bytes = Vec::new();
        for chunk in std::mem::take(&mut self.chunks) {
            bytes.clear();
            chunk.iter().for_each(|row| row.write(&mut bytes));
            self.file.append(&bytes)?;
            self.spilled += chunk.len();
        }
        Ok(())
    }

    fn into_rows(mut self) -> io::Result<Vec<Row>> {
        let waiting: usize = self.chunks.iter().map(Vec::len).sum();
        let mut rows = Vec::with_capacity(self.spilled + waiting);
        for chunk in self.chunks {
            rows.extend(chunk);
        }
        let mut bytes = Vec::new();
        for first in (0..self.spilled).step_by(CHUNK) {
            bytes.resize(CHUNK.min(self.spilled - first) * row::BYTES, 0);
            self.file.read((first * row::BYTES) as u64, &mut bytes)?;
            rows.extend(bytes.chunks_exact(row::BYTES).map(Row::read));
        }
        Ok(rows)
    }
}

/// The rows one worker has not yet given to the store.
pub(crate) struct Rows<'a> {
    store: &'a Store,
    chunks: Vec<Vec<Row>>,
}

impl<'a> Rows<'a> {
    pub(crate) fn new(store: &'a Store) -> Self {
        Self { store, chunks: vec![Vec::new(); PARTITIONS] }
    }

    /// Adds a row.
    #[inline]
    pub(crate) fn add(&mut self, choice: Choice, index: u64, group: u32, person: u128) {
        let row = Row::new(person, group, index, choice.to_bits());
        let chunk = &mut self.chunks[row.partition()];
        chunk.push(row);
        if chunk.len() == CHUNK {
            let full = std::mem::replace(chunk, Vec::with_capacity(CHUNK));
            self.store.push(row.partition(), full);
        }
    }

    /// Gives all rows to the store.
    pub(crate) fn flush(self) {
        for (partition, chunk) in self.chunks.into_iter().enumerate() {
            self.store.push(partition, chunk);
        }
    }
}
