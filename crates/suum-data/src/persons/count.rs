//! All partitions to records.

use rayon::iter::{IntoParallelIterator, ParallelIterator};
use suum_core::Result;

use super::person::Persons;
use super::row::{self, PARTITIONS};
use super::store::Store;
use crate::job::Job;
use crate::room;
use crate::sink::Sink;

/// Counts the persons whose rows are in the store, each once.
///
/// # Errors
///
/// If a temporary file failed, and refuses persons with rows in more than one group.
pub(crate) fn count<'a>(job: &'a Job<'a>) -> Result<Sink<'a>> {
    let Some(store) = job.store() else { return Ok(Sink::new(job)) };
    if let Some(kind) = store.failure() {
        return Err(room::failed("person", kind));
    }
    (0..PARTITIONS)
        .into_par_iter()
        .try_fold(
            || Sink::new(job),
            |mut sink, partition| {
                add_partition(job, store, partition, &mut sink)?;
                Ok(sink)
            },
        )
        .try_reduce(
            || Sink::new(job),
            |mut sink, other| {
                sink.merge(other);
                Ok(sink)
            },
        )
}

fn add_partition(job: &Job, store: &Store, partition: usize, sink: &mut Sink) -> Result<()> {
    let mut rows = store.take(partition).map_err(|error| room::failed("person", error.kind()))?;
    row::sort(&mut rows);
    let mut persons = Persons::new(job);
    let of_persons = || rows.chunk_by(|a, b| a.is_of_same_person(b));
    if let Some(accounts) = job.scan().accounts.as_deref() {
        persons.ask(accounts, of_persons());
    }
    of_persons().try_for_each(|rows| persons.add(rows, sink))
}
