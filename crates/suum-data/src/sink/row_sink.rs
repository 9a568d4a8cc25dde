//! What a worker does with the rows it has read.

use suum_core::Result;

use crate::cells::fault::RowFault;
use crate::cells::level_key::LevelKeys;
use crate::sink::budgets::Budgets;
use crate::sink::job::Job;
use crate::sink::levels::Levels;
use crate::sink::persons::{self, Rows};
use crate::sink::record_sink::RecordSink;
use crate::sink::register::Register;

/// Hands records on at once, or keeps rows until all of their person are known.
pub(crate) enum RowSink<'a> {
    Records(RecordSink<'a>),
    Persons(Rows<'a>),
    /// Choices, each of a key.
    LevelKeys(&'a Register),
}

/// Columns of records that a scan may leave out, as slices; those of a column that is not read are
/// empty.
pub(crate) struct Batch<'a> {
    pub(crate) choices: &'a LevelKeys,
    pub(crate) indices: &'a [u64],
    pub(crate) groups: &'a [u32],
    pub(crate) persons: &'a [u128],
}

impl<'a> RowSink<'a> {
    pub(crate) fn new(job: &'a Job<'a>) -> Self {
        match (job.register(), job.store()) {
            (Some(register), _) => Self::LevelKeys(register),
            (None, Some(store)) => Self::Persons(Rows::new(store)),
            (None, None) => Self::Records(RecordSink::new(job)),
        }
    }

    /// Whether each row is a record, and not one row of a person.
    pub(crate) fn takes_records(&self) -> bool {
        matches!(self, Self::Records(_))
    }

    /// The budgets of all records, if records are counted by their budgets alone.
    pub(crate) fn budgets(&mut self) -> Option<&mut Budgets> {
        match self {
            Self::Records(RecordSink::Count(Levels::All(levels))) => levels.budgets(),
            Self::Records(_) | Self::Persons(_) | Self::LevelKeys(_) => None,
        }
    }

    /// Adds many rows, up to one that must not be there, which is returned.
    pub(crate) fn add_all(&mut self, batch: &Batch) -> RowFault {
        match self {
            Self::LevelKeys(register) => return register.add(batch.choices, batch.persons),
            Self::Records(sink) => sink.add_all(batch.choices, batch.indices, batch.groups),
            Self::Persons(rows) => {
                rows.add_all(batch.choices, batch.indices, batch.groups, batch.persons);
            }
        }
        None
    }

    /// Adds what another worker collected in the same scan.
    ///
    /// # Panics
    ///
    /// Never: both are of the same scan, which has persons or none.
    pub(crate) fn merge(&mut self, other: Self) {
        match (self, other) {
            (Self::Records(ours), Self::Records(theirs)) => ours.merge(theirs),
            (Self::Persons(_), Self::Persons(theirs)) => theirs.flush(),
            // Both have the same one.
            (Self::LevelKeys(_), Self::LevelKeys(_)) => {}
            (Self::Records(_) | Self::Persons(_) | Self::LevelKeys(_), _) => {
                unreachable!("one scan both of records and of persons")
            }
        }
    }

    /// All records, or all persons.
    ///
    /// # Errors
    ///
    /// If rows could not wait in a temporary file, and refuses persons with rows in more than one
    /// group.
    pub(crate) fn finish(self, job: &'a Job<'a>) -> Result<RecordSink<'a>> {
        match self {
            Self::Records(sink) => Ok(sink),
            Self::LevelKeys(_) => Ok(RecordSink::new(job)),
            Self::Persons(rows) => {
                rows.flush();
                persons::count(job)
            }
        }
    }
}
