//! Sink of the rows that a worker has read.

use suum_core::Result;

use crate::cells::level_key::LevelKeys;
use crate::sink::budgets::Budgets;
use crate::sink::job::Job;
use crate::sink::levels::Levels;
use crate::sink::persons::{self, Rows};
use crate::sink::record_sink::RecordSink;
use crate::sink::register::Register;

/// Passes records on at once, or keeps rows until all of their person are known.
pub(crate) enum RowSink<'a> {
    Records(RecordSink<'a>),
    Persons(Rows<'a>),
    /// Decisions, each with its key.
    Decisions(&'a Register),
}

/// Columns of records that a scan may leave out, as slices; that of a column that is not read is
/// empty.
pub(crate) struct Batch<'a> {
    pub(crate) choices: &'a LevelKeys,
    pub(crate) indices: &'a [u64],
    pub(crate) groups: &'a [u32],
    pub(crate) persons: &'a [u128],
    /// Times of the rows; NaN if one is missing.
    pub(crate) times: &'a [f64],
}

impl<'a> RowSink<'a> {
    pub(crate) fn new(job: &'a Job<'a>) -> Self {
        match (job.register(), job.store()) {
            (Some(register), _) => Self::Decisions(register),
            (None, Some(store)) => Self::Persons(Rows::new(store)),
            (None, None) => Self::Records(RecordSink::new(job)),
        }
    }

    /// Register that collects decisions, if rows are decisions.
    pub(crate) fn register(&self) -> Option<&'a Register> {
        match self {
            Self::Decisions(register) => Some(register),
            Self::Records(_) | Self::Persons(_) => None,
        }
    }

    /// Returns true if each row is a record, not one of several rows of a person.
    pub(crate) fn takes_records(&self) -> bool {
        matches!(self, Self::Records(_))
    }

    /// Levels by budget, if records are counted by their budgets alone.
    pub(crate) fn budgets(&mut self) -> Option<&mut Budgets> {
        match self {
            Self::Records(RecordSink::Count(Levels::All(levels))) => levels.budgets(),
            Self::Records(_) | Self::Persons(_) | Self::Decisions(_) => None,
        }
    }

    /// Adds many rows; decisions are added one by one.
    pub(crate) fn add_all(&mut self, batch: &Batch) {
        match self {
            Self::Decisions(_) => {}
            Self::Records(sink) => sink.add_all(batch.choices, batch.indices, batch.groups),
            Self::Persons(rows) => {
                let Batch { choices, indices, groups, persons, times } = *batch;
                rows.add_all(persons, choices, indices, groups, times);
            }
        }
    }

    /// Adds the rows of another worker in the same scan.
    ///
    /// # Panics
    ///
    /// Never: both are of the same scan, which has persons or none.
    pub(crate) fn merge(&mut self, other: Self) {
        match (self, other) {
            (Self::Records(ours), Self::Records(theirs)) => ours.merge(theirs),
            (Self::Persons(_), Self::Persons(theirs)) => theirs.flush(),
            // Both have the same one.
            (Self::Decisions(_), Self::Decisions(_)) => {}
            (Self::Records(_) | Self::Persons(_) | Self::Decisions(_), _) => {
                unreachable!("one scan both of records and of persons")
            }
        }
    }

    /// Returns all records, or all persons.
    ///
    /// # Errors
    ///
    /// Fails if rows could not wait in a temporary file, and refuses persons with rows in more than
    /// one group.
    pub(crate) fn finish(self, job: &'a Job<'a>) -> Result<RecordSink<'a>> {
        match self {
            Self::Records(sink) => Ok(sink),
            Self::Decisions(_) => Ok(RecordSink::new(job)),
            Self::Persons(rows) => {
                rows.flush();
                persons::count(job)
            }
        }
    }
}
