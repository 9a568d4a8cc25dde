//! Running scan: the state that all its workers share.

use std::sync::Arc;

use crate::count::counters::MOST;
use crate::scan::Scan;
use crate::scan::consent::Consent;
use crate::scan::value::Value;
use crate::sink::buffer::ChunkStore;
use crate::sink::persons::Store;
use crate::sink::register::Register;

/// Limits of a scan's memory.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Limits {
    /// Largest number of counters of categories or candidates on a thread, over all groups.
    pub(crate) counters: usize,
    /// Most bytes of rows of persons in memory, over all threads; others wait in temporary files.
    pub(crate) row_bytes: usize,
    /// Most bytes of records of a buffer in memory, over all threads; others wait in a temporary
    /// file.
    pub(crate) buffer_bytes: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { counters: MOST, row_bytes: 384 << 20, buffer_bytes: 256 << 20 }
    }
}

/// Scan with its limits, the rows that wait for the others of their person, and the records of a
/// buffer.
pub(crate) struct Job<'a> {
    scan: &'a Scan,
    limits: Limits,
    store: Option<Store>,
    chunk_store: Option<Arc<ChunkStore>>,
    register: Option<Register>,
}

impl<'a> Job<'a> {
    pub(crate) fn new(scan: &'a Scan) -> Self {
        Self::with_limits(scan, Limits::default())
    }

    /// Jobs of scans that are made in one pass: they share the memory in which rows wait.
    pub(crate) fn for_scans(scans: &'a [Scan]) -> Vec<Self> {
        let (all, many) = (Limits::default(), scans.len().max(1));
        let (row_bytes, buffer_bytes) = (all.row_bytes / many, all.buffer_bytes / many);
        let limits = Limits { row_bytes, buffer_bytes, ..all };
        scans.iter().map(|scan| Self::with_limits(scan, limits)).collect()
    }

    pub(crate) fn with_limits(scan: &'a Scan, limits: Limits) -> Self {
        if let Some(consent) = &scan.consent {
            consent.forget();
        }
        let store = scan.person.as_ref().map(|_| Store::new(scan, limits.row_bytes));
        let kept = matches!(scan.value, Some(Value::Unbounded(_)));
        let chunk_store = kept.then(|| Arc::new(ChunkStore::new(scan, limits.buffer_bytes)));
        Self { scan, limits, store, chunk_store, register: None }
    }

    /// Job for a scan of decisions, each with its key.
    pub(crate) fn for_choices(scan: &'a Scan) -> Self {
        Self { register: Some(Register::new(scan)), ..Self::new(scan) }
    }

    /// Job for a scan of the labels of a column.
    pub(crate) fn for_labels(scan: &'a Scan) -> Self {
        Self { register: Some(Register::for_labels(scan)), ..Self::new(scan) }
    }

    /// Labels that were read, or what is wrong with them.
    pub(crate) fn into_labels(self) -> Result<Vec<String>, String> {
        self.register.map_or_else(|| Ok(Vec::new()), |register| register.into_labels(self.scan))
    }

    /// Register that collects choices by key or labels, if these are read.
    pub(crate) fn register(&self) -> Option<&Register> {
        self.register.as_ref()
    }

    /// Decisions in force by their keys, which the data have in the column `key`.
    pub(crate) fn into_consent(self, key: &str) -> Consent {
        self.register.unwrap_or_else(|| Register::new(self.scan)).into_consent(self.scan, key)
    }

    pub(crate) fn scan(&self) -> &'a Scan {
        self.scan
    }

    /// Largest number of pairs of a level and a category or candidate in each group.
    ///
    /// Groups have equal parts, so that no order of the records decides which group is refused.
    pub(crate) fn pairs(&self) -> usize {
        self.limits.counters / self.scan.parts_of_counters()
    }

    /// Store in which rows of persons wait, if a column identifies persons.
    pub(crate) fn store(&self) -> Option<&Store> {
        self.store.as_ref()
    }

    /// Store that keeps records, if values have no bounds.
    pub(crate) fn chunk_store(&self) -> Option<&Arc<ChunkStore>> {
        self.chunk_store.as_ref()
    }
}
