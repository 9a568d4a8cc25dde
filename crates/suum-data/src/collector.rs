//! What a worker does with the records it has read.

use suum_core::Result;

use crate::choice::Choices;
use crate::job::Job;
use crate::levels::Levels;
use crate::persons::{self, Rows};
use crate::spool::Chunks;

/// Counts records at once, keeps rows until all of their person are known, or keeps records to be
/// looked at again.
pub(crate) enum Collector<'a> {
    Records(Levels<'a>),
    Persons(Rows<'a>),
    Spool(Chunks<'a>),
}

/// Columns of records that a scan may leave out, as slices; those of a column that is not read are
/// empty.
pub(crate) struct Batch<'a> {
    pub(crate) choices: &'a Choices,
    pub(crate) indices: &'a [u64],
    pub(crate) groups: &'a [u32],
    pub(crate) persons: &'a [u128],
}

impl<'a> Collector<'a> {
    pub(crate) fn new(job: &'a Job<'a>) -> Self {
        match (job.shelf(), job.store()) {
            (Some(shelf), _) => Self::Spool(Chunks::new(shelf)),
            (None, Some(store)) => Self::Persons(Rows::new(store)),
            (None, None) => Self::Records(Levels::new(job)),
        }
    }

    /// Adds many rows.
    pub(crate) fn add_all(&mut self, batch: &Batch) {
        match self {
            Self::Records(levels) => levels.add_all(batch.choices, batch.indices, batch.groups),
            Self::Persons(rows) => {
                let mut groups = batch.groups.iter().copied().chain(std::iter::repeat(0));
                let records = batch.choices.iter().zip(batch.indices).zip(batch.persons);
                for ((choice, index), person) in records {
                    rows.add(choice, *index, groups.next().unwrap_or_default(), *person);
                }
            }
            Self::Spool(chunks) => {
                let records = batch.choices.iter().zip(batch.indices);
                records.for_each(|(choice, index)| chunks.add(choice, *index));
            }
        }
    }

    /// Adds what another worker collected in the same scan.
    pub(crate) fn merge(&mut self, other: Self) {
        match (self, other) {
            (Self::Records(ours), Self::Records(theirs)) => ours.merge(theirs),
            (Self::Persons(_), Self::Persons(theirs)) => theirs.flush(),
            (Self::Spool(ours), Self::Spool(theirs)) => ours.merge(theirs),
            // Both come from the same scan.
            _ => {}
        }
    }

    /// The levels of all records, or of all persons.
    ///
    /// # Errors
    ///
    /// If rows could not wait in a temporary file, and refuses persons with rows in more than one
    /// group.
    pub(crate) fn finish(self, job: &'a Job<'a>) -> Result<Levels<'a>> {
        match self {
            Self::Records(levels) => Ok(levels),
            Self::Persons(rows) => {
                rows.flush();
                persons::count(job)
            }
            // Only into_chunks is asked of a spool.
            Self::Spool(_) => Ok(Levels::new(job)),
        }
    }

    /// The records that were kept, if values have no bounds.
    pub(crate) fn into_chunks(self) -> Option<Chunks<'a>> {
        match self {
            Self::Spool(chunks) => Some(chunks),
            Self::Records(_) | Self::Persons(_) => None,
        }
    }
}
