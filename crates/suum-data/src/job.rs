//! A scan at work: what all its workers share.

use std::sync::Arc;

use crate::counters::MOST;
use crate::persons::Store;
use crate::scan::Scan;
use crate::spool::Shelf;
use crate::value::Value;

/// How much a scan may hold in memory.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Limits {
    /// The most counters of categories or candidates on a thread, over all groups.
    pub(crate) counters: usize,
    /// The most bytes of rows of persons, over all threads; others wait in temporary files.
    pub(crate) row_bytes: usize,
    /// The most bytes of records of a spool, over all threads; others wait in a temporary file.
    pub(crate) spool_bytes: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { counters: MOST, row_bytes: 256 << 20, spool_bytes: 256 << 20 }
    }
}

/// A scan with its limits, the rows that wait for the others of their person, and the records of a
/// spool.
pub(crate) struct Job<'a> {
    scan: &'a Scan,
    limits: Limits,
    store: Option<Store>,
    shelf: Option<Arc<Shelf>>,
}

impl<'a> Job<'a> {
    pub(crate) fn new(scan: &'a Scan) -> Self {
        Self::with_limits(scan, Limits::default())
    }

    pub(crate) fn with_limits(scan: &'a Scan, limits: Limits) -> Self {
        let store = scan.person.as_ref().map(|_| Store::new(limits.row_bytes));
        let tiers = || scan.tiers().map(|(_, epsilon)| epsilon).collect();
        let kept = matches!(scan.value, Some(Value::Unbounded(_)));
        let shelf = kept.then(|| Arc::new(Shelf::new(limits.spool_bytes, tiers())));
        Self { scan, limits, store, shelf }
    }

    pub(crate) fn scan(&self) -> &'a Scan {
        self.scan
    }

    /// The most pairs of a level and a category or candidate in each group.
    ///
    /// Groups have equal parts, so that no order of the records decides which group is refused.
    pub(crate) fn pairs(&self) -> usize {
        self.limits.counters / self.scan.groups().max(1)
    }

    /// Where the rows of persons wait, if a column names them.
    pub(crate) fn store(&self) -> Option<&Store> {
        self.store.as_ref()
    }

    /// Where records are kept, if values have no bounds.
    pub(crate) fn shelf(&self) -> Option<&Arc<Shelf>> {
        self.shelf.as_ref()
    }
}
