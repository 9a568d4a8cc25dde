//! Records that are kept, because they must be read more than once.
//!
//! Values without declared bounds have no grid yet. One pass keeps each record as a position, which
//! stands for its choice, and its value: in memory and, beyond a limit, in a temporary file. Then
//! they can be counted repeatedly, and be put on a grid once there is one.
//!
//! ```text
//! worker ──► Chunks ──► ChunkStore ──► RecordBuffer ──► count: in the intervals between cuts
//!            positions      memory │ file  └──► table: on a grid
//! ```

mod chunk;
mod levels;
mod positions;
mod store;
mod table;
mod weigh;

use std::fmt;
use std::num::NonZero;
use std::sync::Arc;

use suum_core::{
    Epsilon, Error, Key, Level, LevelTable, Numbers, PersonValue, Profile, Records, Replacement,
    Result, option, say,
};

use crate::scan::Scan;
use crate::scan::value::Value;
use chunk::Chunk;
use levels::Levels;
use store::GroupChunks;
pub(crate) use store::{ChunkStore, Chunks};

/// Records with values that have no bounds.
///
/// What can be asked depends on nothing but the records: not on their order, on threads, on the
/// sizes of files, or on where records are kept.
///
/// # Example
///
/// ```
/// use suum_core::{Bounds, Grid, Key, FloatOrder, Records};
/// use suum_data::{PrivacyColumn, Progress, Scan, UnboundedColumn, Value, keep_csv};
///
/// let csv = "income,consent\n3e4,strict\n-200,public\n5e6,strict\n";
/// let value = UnboundedColumn { column: "income".into(), missing: None, cells: None };
/// let privacy =
///     PrivacyColumn::Tiers { column: "consent".into(), tiers: "strict=0.1,public=inf".parse()? };
/// let scan = Scan::new(privacy, Some(Value::Unbounded(value)));
/// let mut buffer = keep_csv(csv.as_bytes(), &scan, &Progress::default())?;
///
/// let cuts = [0.0, 1e6].map(FloatOrder::key);
/// assert_eq!(buffer.weigh(Key::Value, &cuts, &[1, 100])?, [100, 1, 1]);
/// let table = buffer.table(Grid::new(Bounds::new(0.0, 1e6)?).into())?;
/// assert_eq!(table.profile()?, buffer.profile()?);
/// # Ok::<(), suum_core::Error>(())
/// ```
pub struct RecordBuffer {
    column: String,
    person: Option<String>,
    person_value: PersonValue,
    missing: Option<Replacement>,
    levels: Levels,
    chunks: Vec<Chunk>,
    store: Arc<ChunkStore>,
    // The most pairs of a level and a candidate that may be counted.
    pairs: usize,
    // True if the number of records and their budgets are private.
    add_remove: bool,
    // Number of released groups in which each person is.
    groups: NonZero<u32>,
}

impl RecordBuffer {
    /// Buffers of all collected records, one for each group with records; or one. With public
    /// memberships there is one for each group and number of groups of a person. In each, at most
    /// `pairs` pairs of a level and a candidate may be counted.
    pub(crate) fn for_groups(
        scan: &Scan,
        (kept, store): (Chunks, Option<&Arc<ChunkStore>>),
        pairs: usize,
    ) -> Result<Vec<Option<Self>>> {
        let Some(store) = store else {
            // A scan that was checked keeps chunks.
            return Err(Error::internal("a buffer keeps no values"));
        };
        let groups = kept.into_groups();
        store.check()?;
        scan.check_records(groups.iter().any(|group| !group.chunks.is_empty()))?;
        let of_each = if scan.has_public_members() { scan.groups().max(1) } else { 1 };
        let buffer = |(at, group): (usize, GroupChunks)| {
            // Under add-remove an empty group must look like any other.
            let shown = !group.chunks.is_empty() || scan.add_remove.is_some();
            shown.then(|| Self {
                column: scan.value.as_ref().map_or("", Value::column).to_owned(),
                person: scan.person.clone(),
                person_value: scan.person_value,
                missing: scan.replacement(),
                levels: Levels::new(store, &group.counts, scan),
                chunks: group.chunks,
                store: Arc::clone(store),
                pairs,
                add_remove: scan.add_remove.is_some(),
                groups: NonZero::<u32>::MIN.saturating_add((at % of_each) as u32),
            })
        };
        Ok(groups.into_iter().enumerate().map(buffer).collect())
    }

    /// Refuses candidates that could not be counted, by public numbers only: those of levels,
    /// candidates and rows. Where these are private, this was decided from the declarations, before
    /// anything was read.
    ///
    /// # Errors
    ///
    /// Names the limit on pairs of a level and a candidate.
    pub fn check(&self, numbers: &Numbers) -> Result<()> {
        // Sums in cells are left out where there are too many.
        let Some(cells) = numbers.cells.filter(|cells| !cells.has_sums()) else { return Ok(()) };
        if cells.rows() as usize != self.store.ranked.max(1) {
            return Err(Error::request(
                option::ROWS,
                "the records were kept for another number of rows",
            )
            .with_fix("keep them for as many rows as quantiles count"));
        }
        let rows = self.records().saturating_mul(u64::from(cells.rows()));
        let levels = self.levels.rows().count();
        let pairs = levels.saturating_mul(cells.steps() as usize + 1);
        if self.add_remove || pairs <= self.pairs || rows <= self.pairs as u64 {
            return Ok(());
        }
        Err(Error::data(
            (),
            format!("there could be more than {} pairs of a level and a candidate", self.pairs),
        )
        .with_fix(say("lower").option(option::CELLS).say(", or declare fewer tiers or groups")))
    }

    /// The name of the value column.
    pub fn column(&self) -> &str {
        &self.column
    }

    /// The number of released groups in which each person is; 1 where no person is in several.
    pub fn groups_of_person(&self) -> NonZero<u32> {
        self.groups
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

impl Records for RecordBuffer {
    fn budgets(&self) -> &[Epsilon] {
        self.levels.budgets()
    }

    fn weigh(&mut self, key: Key, cuts: &[u64], weights: &[u64]) -> Result<Vec<u128>> {
        weigh::weigh(self, key, cuts, weights)
    }

    fn table(&mut self, numbers: Numbers) -> Result<LevelTable> {
        RecordBuffer::table(self, numbers)
    }
}

/// Shows nothing of the records.
impl fmt::Debug for RecordBuffer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RecordBuffer").field("column", &self.column).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
