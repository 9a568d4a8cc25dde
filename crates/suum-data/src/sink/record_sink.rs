//! Sink of records: they are counted at once, or kept to be counted later.

use suum_core::{Error, LevelTable, Result};

use crate::cells::level_key::{LevelKey, LevelKeys};
use crate::count::counters::Contribution;
use crate::sink::buffer::{Chunks, RecordBuffer};
use crate::sink::job::Job;
use crate::sink::levels::Levels;

/// Levels that are counted, or chunks of records that are kept, as the scan declares.
pub(crate) enum RecordSink<'a> {
    Count(Levels<'a>),
    Keep(Chunks<'a>),
}

impl<'a> RecordSink<'a> {
    pub(crate) fn new(job: &'a Job<'a>) -> Self {
        match job.chunk_store() {
            Some(store) => Self::Keep(Chunks::new(store)),
            None => Self::Count(Levels::new(job)),
        }
    }

    /// Adds many records.
    pub(crate) fn add_all(&mut self, choices: &LevelKeys, indices: &[u64], groups: &[u32]) {
        match self {
            Self::Count(levels) => levels.add_all(choices, indices, groups),
            Self::Keep(chunks) => chunks.add_all(choices, indices, groups),
        }
    }

    /// Adds a person, by what all their rows contribute.
    pub(crate) fn add_person(
        &mut self,
        choice: LevelKey,
        contribution: Contribution<'_>,
        group: u32,
    ) {
        match (self, contribution) {
            (Self::Count(levels), _) => levels.add_person(choice, contribution, group),
            (Self::Keep(chunks), Contribution::One { index, rows }) => {
                chunks.add_person(choice, index, rows, group);
            }
            // Only numbers are kept.
            (Self::Keep(_), Contribution::Shares(_)) => {}
        }
    }

    /// Adds the records of another worker in the same scan.
    ///
    /// # Panics
    ///
    /// Never: both are of the same scan, which counts or keeps.
    pub(crate) fn merge(&mut self, other: Self) {
        match (self, other) {
            (Self::Count(ours), Self::Count(theirs)) => ours.merge(theirs),
            (Self::Keep(ours), Self::Keep(theirs)) => ours.merge(theirs),
            (Self::Count(_), Self::Keep(_)) | (Self::Keep(_), Self::Count(_)) => {
                unreachable!("one scan both counts and keeps")
            }
        }
    }

    /// Builds the table of all records.
    pub(crate) fn into_table(self, job: &Job) -> Result<LevelTable> {
        self.into_levels()?.into_table(job)
    }

    /// Builds the table of each group, in the order declared.
    pub(crate) fn into_tables(self, job: &Job) -> Result<Vec<Option<LevelTable>>> {
        self.into_levels()?.into_tables(job)
    }

    /// Buffers of each group, in the order declared; one buffer if there are no groups.
    pub(crate) fn into_buffers(self, job: &Job) -> Result<Vec<Option<RecordBuffer>>> {
        match self {
            Self::Keep(chunks) => {
                RecordBuffer::for_groups(job.scan(), (chunks, job.chunk_store()), job.pairs())
            }
            Self::Count(_) => Err(other("kept")),
        }
    }

    fn into_levels(self) -> Result<Levels<'a>> {
        match self {
            Self::Count(levels) => Ok(levels),
            Self::Keep(_) => Err(other("counted")),
        }
    }
}

fn other(wanted: &str) -> Error {
    Error::internal(format!("records were not {wanted}"))
        .with_fix("please report it, with the options")
}
