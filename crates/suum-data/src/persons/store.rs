//! Where rows wait for the others of their person.

use std::io;
use std::sync::Mutex;

use super::precedence::Precedence;
use super::row::{self, PARTITIONS, Row};
use super::sums::Sums;
use crate::choice::Choice;
use crate::room::{Room, lock};
use crate::scan::Scan;
use crate::temporary::Temporary;

/// Rows that a worker collects for a partition before it takes the lock.
const CHUNK: usize = 1024;

/// The rows of all workers, in partitions.
pub(crate) struct Store {
    room: Room,
    // There is one if rows of a person are added up as they come.
    precedence: Option<Precedence>,
    partitions: Vec<Mutex<Partition>>,
}

/// The rows of some persons.
#[derive(Default)]
struct Partition {
    chunks: Vec<Vec<Row>>,
    // Bytes of the chunks.
    listed: usize,
    sums: Sums,
    file: Temporary,
    spilled: usize,
}

impl Store {
    /// Keeps rows in memory up to `bytes` bytes.
    pub(crate) fn new(scan: &Scan, bytes: usize) -> Self {
        Self {
            room: Room::new(bytes),
            precedence: scan.needs_only_sums().then(|| Precedence::new(scan)),
            partitions: (0..PARTITIONS).map(|_| Mutex::default()).collect(),
        }
    }

    /// Takes all rows of a chunk.
    fn push(&self, partition: usize, chunk: &mut Vec<Row>) {
        if chunk.is_empty() || self.room.failure().is_some() {
            return chunk.clear();
        }
        let mut partition = lock(&self.partitions[partition]);
        let held = partition.bytes();
        match &self.precedence {
            Some(precedence) => {
                chunk.drain(..).for_each(|row| partition.sums.add(&row, precedence));
            }
            None => {
                partition.listed += size_of_val(chunk.as_slice());
                partition.chunks.push(std::mem::take(chunk));
            }
        }
        let bytes = partition.bytes();
        if !self.room.take(bytes - held) {
            if let Err(error) = partition.spill() {
                self.room.fail(error.kind());
            }
            self.room.give_back(bytes);
        }
    }

    /// Why rows could not be kept, if they could not.
    pub(super) fn failure(&self) -> Option<io::ErrorKind> {
        self.room.failure()
    }

    /// Takes out all rows of a partition, in any order.
    pub(super) fn take(&self, partition: usize) -> io::Result<Vec<Row>> {
        let partition = std::mem::take(&mut *lock(&self.partitions[partition]));
        partition.into_rows(self.precedence.as_ref())
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
    /// How much memory its rows take, all of which it has of the room.
    fn bytes(&self) -> usize {
        self.listed + self.sums.bytes()
    }

    /// Moves the rows from memory to the file.
    fn spill(&mut self) -> io::Result<()> {
        let mut bytes = Vec::new();
        let sums = std::mem::take(&mut self.sums).into_rows();
        for chunk in std::mem::take(&mut self.chunks).iter().chain([&sums]) {
            bytes.clear();
            chunk.iter().for_each(|row| row.write(&mut bytes));
            self.file.append(&bytes)?;
            self.spilled += chunk.len();
        }
        self.listed = 0;
        Ok(())
    }

    /// All rows in any order, added up again if they were.
    fn into_rows(mut self, precedence: Option<&Precedence>) -> io::Result<Vec<Row>> {
        let waiting: usize = self.chunks.iter().map(Vec::len).sum();
        let mut rows =
            Vec::with_capacity(if precedence.is_none() { self.spilled + waiting } else { 0 });
        for chunk in self.chunks {
            rows.extend(chunk);
        }
        let mut bytes = Vec::new();
        for first in (0..self.spilled).step_by(CHUNK) {
            bytes.resize(CHUNK.min(self.spilled - first) * row::BYTES, 0);
            self.file.read((first * row::BYTES) as u64, &mut bytes)?;
            let read = bytes.chunks_exact(row::BYTES).map(Row::read);
            match precedence {
                Some(precedence) => read.for_each(|row| self.sums.add(&row, precedence)),
                None => rows.extend(read),
            }
        }
        rows.extend(self.sums.into_rows());
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
            self.store.push(row.partition(), chunk);
        }
    }

    /// Gives all rows to the store.
    pub(crate) fn flush(self) {
        for (partition, mut chunk) in self.chunks.into_iter().enumerate() {
            self.store.push(partition, &mut chunk);
        }
    }
}
