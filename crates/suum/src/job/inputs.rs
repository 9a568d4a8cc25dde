//! What is handed over beside a job.

use std::fmt;
use std::sync::Arc;

use suum_core::Result;
use suum_data::Progress;
use suum_data::arrow_array::RecordBatch;
use suum_data::arrow_schema::SchemaRef;

/// What is handed over beside a job, in place of what it names.
#[derive(Debug, Clone, Default)]
pub struct JobInputs {
    /// Records in memory, in place of the data that the job names.
    pub records: Option<Arc<dyn HeldRecords>>,
    /// What the file given as `from_levels` would hold.
    pub levels: Option<Vec<u8>>,
    /// How far the scan has come, for whoever asks.
    pub progress: Option<Arc<Progress>>,
}

/// Records in memory, or in somebody else's hands.
pub trait HeldRecords: fmt::Debug + Send + Sync {
    /// All records, from the first one on.
    ///
    /// # Errors
    ///
    /// Refuses where they cannot be read, or only once and have been.
    fn batches(&self) -> Result<Batches>;

    /// The columns and their types; `None` where types are not known, or follow from values.
    fn schema(&self) -> Option<SchemaRef> {
        None
    }
}

/// Records, one batch after the other.
pub type Batches = Box<dyn Iterator<Item = Result<RecordBatch>> + Send>;
