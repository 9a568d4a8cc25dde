//! Where rows wait for the others of their person.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Seek, Write};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::row::Row;
use crate::choice::Choice;

/// Into how many parts persons are divided; one part per thread must fit into memory in the end.
pub(super) const PARTITIONS: usize = 64;

/// Rows that a worker collects for a partition before it takes the lock.
const CHUNK: usize = 1024;

/// The rows of all workers, in partitions.
pub(crate) struct Store {
    // The most rows in memory, and how many there are.
    limit: usize,
    held: AtomicUsize,
    partitions: Vec<Mutex<Partition>>,
    // The first failure of a temporary file; then rows are no longer kept.
    failure: Mutex<Option<io::ErrorKind>>,
}

/// The rows of some persons.
#[derive(Default)]
struct Partition {
    chunks: Vec<Vec<Row>>,
    file: Option<File>,
    spilled: usize,
}

impl Store {
    /// Keeps rows in memory up to `bytes` bytes.
    pub(crate) fn new(bytes: usize) -> Self {
        Self {
            limit: bytes / size_of::<Row>(),
            held: AtomicUsize::new(0),
            partitions: (0..PARTITIONS).map(|_| Mutex::default()).collect(),
            failure: Mutex::default(),
        }
    }

    fn push(&self, partition: usize, chunk: Vec<Row>) {
        if chunk.is_empty() || self.failure().is_some() {
            return;
        }
        let held = self.held.fetch_add(chunk.len(), Ordering::Relaxed) + chunk.len();
        let mut partition = lock(&self.partitions[partition]);
        partition.chunks.push(chunk);
        if held > self.limit {
            let freed = partition.chunks.iter().map(Vec::len).sum();
            if let Err(error) = partition.spill() {
                lock(&self.failure).get_or_insert(error.kind());
            }
            self.held.fetch_sub(freed, Ordering::Relaxed);
        }
    }

    /// Why rows could not be kept, if they could not.
    pub(super) fn failure(&self) -> Option<io::ErrorKind> {
        *lock(&self.failure)
    }

    /// Takes out all rows of a partition, in any order.
    pub(super) fn take(&self, partition: usize) -> io::Result<Vec<Row>> {
        std::mem::take(&mut *lock(&self.partitions[partition])).into_rows()
    }

    /// Fails as a temporary file would.
    #[cfg(test)]
    pub(crate) fn fail(&self, kind: io::ErrorKind) {
        lock(&self.failure).get_or_insert(kind);
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
        let chunks = std::mem::take(&mut self.chunks);
        let file = match &mut self.file {
            Some(file) => file,
            // It has no name, and is gone with the process.
            None => self.file.insert(tempfile::tempfile()?),
        };
        let mut out = BufWriter::with_capacity(1 << 16, file);
        for row in chunks.iter().flatten() {
            row.write(&mut out)?;
        }
        self.spilled += chunks.iter().map(Vec::len).sum::<usize>();
        out.flush()
    }

    fn into_rows(self) -> io::Result<Vec<Row>> {
        let waiting: usize = self.chunks.iter().map(Vec::len).sum();
        let mut rows = Vec::with_capacity(self.spilled + waiting);
        for chunk in self.chunks {
            rows.extend(chunk);
        }
        if let Some(mut file) = self.file {
            file.rewind()?;
            let mut file = BufReader::with_capacity(1 << 16, file);
            for _ in 0..self.spilled {
                rows.push(Row::read(&mut file)?);
            }
        }
        Ok(rows)
    }
}

/// Whoever panicked held no half-done change that matters: the scan is refused then.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
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
            let chunk = std::mem::take(chunk);
            self.store.push(row.partition(), chunk);
        }
    }

    /// Gives all rows to the store.
    pub(crate) fn flush(self) {
        for (partition, chunk) in self.chunks.into_iter().enumerate() {
            self.store.push(partition, chunk);
        }
    }
}
