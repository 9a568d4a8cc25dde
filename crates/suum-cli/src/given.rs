//! What is handed over beside the words of a command.

use std::fmt;
use std::sync::Arc;

use suum::arrow_array::RecordBatch;
use suum::{Progress, Result};

/// What is handed over beside the words of a command, in place of what they would name.
#[derive(Debug, Default)]
pub struct Given {
    /// The words of the command, which a ledger writes down.
    pub words: Vec<String>,
    /// Records in memory, in place of the file that the command names.
    pub records: Option<Arc<dyn Held>>,
    /// What the file given as `--from-levels` would hold.
    pub levels: Option<Vec<u8>>,
    /// How far the scan has come, for whoever asks; without it a bar on standard error shows that.
    pub progress: Option<Arc<Progress>>,
}

/// Records in memory, or in somebody else's hands.
pub trait Held: fmt::Debug + Send + Sync {
    /// All records, from the first one on.
    ///
    /// # Errors
    ///
    /// Refuses where they cannot be read, or only once and have been.
    fn batches(&self) -> Result<Batches>;
}

/// Records, one batch after the other.
pub type Batches = Box<dyn Iterator<Item = Result<RecordBatch>> + Send>;
