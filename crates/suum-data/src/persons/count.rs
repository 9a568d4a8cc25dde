//! All partitions to levels.

use std::io;

use rayon::iter::{IntoParallelIterator, ParallelIterator};
use suum_core::{Error, Result};

use super::person::Persons;
use super::store::{PARTITIONS, Store};
use crate::job::Job;
use crate::levels::Levels;

/// Counts the persons whose rows are in the store, each once.
///
/// # Errors
///
/// If a temporary file failed, and refuses persons with rows in more than one group.
pub(crate) fn count<'a>(job: &'a Job<'a>) -> Result<Levels<'a>> {
    let Some(store) = job.store() else { return Ok(Levels::new(job)) };
    if let Some(kind) = store.failure() {
        return Err(failed(kind));
    }
    (0..PARTITIONS)
        .into_par_iter()
        .try_fold(
            || Levels::new(job),
            |mut levels, partition| {
                add_partition(job, store, partition, &mut levels)?;
                Ok(levels)
            },
        )
        .try_reduce(
            || Levels::new(job),
            |mut levels, other| {
                levels.merge(other);
                Ok(levels)
            },
        )
}

fn add_partition(job: &Job, store: &Store, partition: usize, levels: &mut Levels) -> Result<()> {
    let mut rows = store.take(partition).map_err(|error| failed(error.kind()))?;
    rows.sort_unstable();
    let mut persons = Persons::new(job);
    for rows in rows.chunk_by(|a, b| a.is_of_same_person(b)) {
        persons.add(rows, levels)?;
    }
    Ok(())
}

fn failed(kind: io::ErrorKind) -> Error {
    Error::io(format!("person: a temporary file failed ({kind})"))
        .with_hint("make space in the folder for temporary files, or name another one in TMPDIR")
}
