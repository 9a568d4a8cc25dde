//! Inputs of a job that are passed in memory.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::Arc;

use suum_core::{Library, Result, Voice};
use suum_data::Progress;
use suum_data::arrow_array::RecordBatch;
use suum_data::arrow_schema::SchemaRef;

/// Inputs that are passed in memory, in place of what the job names.
#[derive(Debug, Clone, Default)]
pub struct JobInputs {
    /// Records in memory, in place of the data that the job names.
    pub records: Option<Arc<dyn HeldRecords>>,
    /// Register of choices in memory, in place of the `consent` that the job names.
    pub consent: Option<Arc<dyn HeldRecords>>,
    /// Contents of the file that `from_levels` names.
    pub levels: Option<Vec<u8>>,
    /// Progress of the scan, for an observer.
    pub progress: Option<Arc<Progress>>,
    /// Origins of columns of `records` that were computed before, by their names: the columns of
    /// the data that each was made of. A ledger records these in place of the computed one.
    pub origins: BTreeMap<String, BTreeSet<String>>,
    /// Recipient of the warnings of a release.
    pub warnings: Option<Arc<dyn WarningSink>>,
    /// Voice of the front end that asks, in which a ledger stores the answer; without one it is
    /// that of these libraries.
    pub voice: Option<&'static dyn Voice>,
}

impl JobInputs {
    /// Returns the voice of the front end that asks.
    pub(crate) fn voice(&self) -> &'static dyn Voice {
        self.voice.unwrap_or(&Library)
    }
}

impl JobInputs {
    /// Returns the columns of the data that a column was made of: itself, if it is one of them.
    pub(crate) fn origins_of(&self, column: &str) -> BTreeSet<String> {
        self.origins.get(column).cloned().unwrap_or_else(|| [column.to_owned()].into())
    }
}

/// Recipient of the warnings of a release.
pub trait WarningSink: fmt::Debug + Send + Sync {
    /// Takes the warnings of a release, if there are any: after its data are read, and before
    /// anything is charged to a ledger or drawn.
    ///
    /// # Errors
    ///
    /// Refuses the release, which then costs nothing.
    fn warn(&self, warnings: &[String]) -> Result<()>;
}

/// Records in memory, or supplied by the caller.
pub trait HeldRecords: fmt::Debug + Send + Sync {
    /// Returns all records, from the first one on.
    ///
    /// # Errors
    ///
    /// Fails if they cannot be read, or can be read only once and have been.
    fn batches(&self) -> Result<Batches>;

    /// Returns true if they can be read a second time.
    fn is_read_again(&self) -> bool {
        true
    }

    /// Columns and their types; `None` if types are not known, or depend on values.
    fn schema(&self) -> Option<SchemaRef> {
        None
    }
}

/// Record batches, one after the other.
pub type Batches = Box<dyn Iterator<Item = Result<RecordBatch>> + Send>;
