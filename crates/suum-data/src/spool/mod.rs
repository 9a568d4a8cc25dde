//! Records that are kept, because they must be looked at more than once.
//!
//! Values without declared bounds have no grid yet. One pass keeps each record as a slot, which
//! stands for its choice, and its value: in memory and, beyond a limit, in a temporary file. Then
//! they can be counted again and again, and be put on a grid once there is one.
//!
//! ```text
//! worker ──► Chunks ──► Shelf ──► Spool ──► count: in the intervals between cuts
//!            slots      memory │ file  └──► table: on a grid
//! ```

mod chunk;

mod cuts;
mod levels;
mod shelf;
mod slots;
mod table;
mod weigh;

use std::fmt;
use std::sync::Arc;

use suum_core::{
    Epsilon, Error, Grid, Key, Level, LevelTable, Places, Profile, Replacement, Result,
};

use crate::scan::Scan;
use crate::value::Value;
use chunk::Chunk;
use levels::Levels;
pub(crate) use shelf::{Chunks, Shelf};

/// Records with values that have no bounds.
///
/// What can be asked depends on nothing but the records: not on their order, on threads, on the
/// sizes of files, or on where records are kept.
///
/// # Example
///
/// ```
/// use suum_core::{Bounds, Grid, Key, Lattice, Places};
/// use suum_data::{PrivacyColumn, Progress, Scan, UnboundedColumn, Value, spool_csv};
///
/// let csv = "income,consent\n3e4,strict\n-200,public\n5e6,strict\n";
/// let value = UnboundedColumn { column: "income".into(), missing: None };
/// let privacy =
///     PrivacyColumn::Tiers { column: "consent".into(), tiers: "strict=0.1,public=inf".parse()? };
/// let scan = Scan::new(privacy, Some(Value::Unbounded(value)));
/// let mut spool = spool_csv(csv.as_bytes(), &scan, &Progress::default())?;
///
/// let cuts = [0.0, 1e6].map(Lattice::key);
/// assert_eq!(spool.weigh(Key::Value, &cuts, &[1, 100])?, [100, 1, 1]);
/// let table = spool.table(Grid::new(Bounds::new(0.0, 1e6)?))?;
/// assert_eq!(table.profile()?, spool.profile()?);
/// # Ok::<(), suum_core::Error>(())
/// ```
pub struct Spool {
    column: String,
    missing: Option<Replacement>,
    levels: Levels,
    chunks: Vec<Chunk>,
    shelf: Arc<Shelf>,
}

impl Spool {
    /// The spool of everything that was collected.
    pub(crate) fn new(
        scan: &Scan,
        shelf: Option<&Arc<Shelf>>,
        chunks: Option<Chunks>,
    ) -> Result<Self> {
        let (Some(shelf), Some(mut chunks)) = (shelf, chunks) else {
            // A scan that was checked keeps chunks.
            return Err(Error::internal("internal error: a spool keeps no values"));
        };
        chunks.close();
        shelf.check()?;
        let levels = Levels::new(shelf, &chunks.counts, scan);
        let chunks = chunks.chunks;
        scan.check_records(!chunks.is_empty())?;
        let column = scan.value.as_ref().map(|value| value.column().to_owned()).unwrap_or_default();
        let missing = scan.value.as_ref().and_then(Value::replacement);
        Ok(Self { column, missing, levels, chunks, shelf: Arc::clone(shelf) })
    }

    /// The name of the value column.
    pub fn column(&self) -> &str {
        &self.column
    }

    /// The number of records.
    pub fn records(&self) -> u64 {
        self.levels.counts().iter().sum()
    }

    /// The profile of the records, which is public unless their number is private.
    ///
    /// # Errors
    ///
    /// If there are no records.
    pub fn profile(&self) -> Result<Profile> {
        let levels = self.levels.budgets().iter().zip(self.levels.counts());
        Profile::new(levels.map(|(epsilon, count)| Level { epsilon: *epsilon, count: *count }))
    }
}

impl Places for Spool {
    fn budgets(&self) -> &[Epsilon] {
        self.levels.budgets()
    }

    fn weigh(&mut self, key: Key, cuts: &[u64], weights: &[u64]) -> Result<Vec<u128>> {
        weigh::weigh(self, key, cuts, weights)
    }

    fn table(&mut self, grid: Grid) -> Result<LevelTable> {
        Spool::table(self, grid)
    }
}

/// Shows nothing of the records.
impl fmt::Debug for Spool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Spool").field("column", &self.column).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
