//! Conversion of all partitions to records.

use rayon::iter::{IntoParallelIterator, ParallelIterator};
use suum_core::Result;

use super::order::sort;
use super::person::Persons;
use super::row::Row;
use super::store::{PARTITIONS, PartitionRows};
use crate::sink::job::Job;
use crate::sink::record_sink::RecordSink;
use crate::sink::room;

/// Counts the persons whose rows are in the store, each once.
///
/// # Errors
///
/// Fails if a temporary file failed, and refuses persons with rows in more than one group.
pub(crate) fn count<'a>(job: &'a Job<'a>) -> Result<RecordSink<'a>> {
    let Some(store) = job.store() else { return Ok(RecordSink::new(job)) };
    if let Some(kind) = store.failure() {
        return Err(room::failed("person", kind));
    }
    let counted = (0..PARTITIONS)
        .into_par_iter()
        .try_fold(
            || Counting::new(job),
            |mut counting, partition| {
                let taken = store.take(partition);
                counting.add(taken.map_err(|error| room::failed("person", error.kind()))?)?;
                Ok(counting)
            },
        )
        .map(|counting| counting.map(|counting| counting.sink));
    counted.try_reduce(
        || RecordSink::new(job),
        |mut sink, other| {
            sink.merge(other);
            Ok(sink)
        },
    )
}

/// Counts of one worker, with room for the sorted rows of a partition.
struct Counting<'a> {
    job: &'a Job<'a>,
    sink: RecordSink<'a>,
    packed: Vec<[u64; 3]>,
}

impl<'a> Counting<'a> {
    fn new(job: &'a Job<'a>) -> Self {
        Self { job, sink: RecordSink::new(job), packed: Vec::new() }
    }

    fn add(&mut self, taken: PartitionRows) -> Result<()> {
        match taken {
            PartitionRows::Packed(packing, chunks, choices) => {
                sort(&chunks, &mut self.packed);
                drop(chunks);
                let row = |words: &[u64; 3]| packing.unpack(*words, &choices);
                add(self.job, &self.packed, row, &mut self.sink)
            }
            PartitionRows::Wide(chunks) => {
                let mut rows = Vec::new();
                sort(&chunks, &mut rows);
                drop(chunks);
                add(self.job, &rows, |words| Row::from_words(*words), &mut self.sink)
            }
            PartitionRows::Timed(chunks) => {
                let mut rows = Vec::new();
                sort(&chunks, &mut rows);
                drop(chunks);
                add(self.job, &rows, |words| Row::from_words_with_time(*words), &mut self.sink)
            }
        }
    }
}

/// Adds the persons with these rows, which are sorted.
fn add<const W: usize>(
    job: &Job,
    all: &[[u64; W]],
    row: impl Fn(&[u64; W]) -> Row,
    sink: &mut RecordSink,
) -> Result<()> {
    let mut persons = Persons::new(job);
    let of_persons = || all.chunk_by(|one, next| one[0] == next[0] && one[1] == next[1]);
    let mut rows = Vec::new();
    let read = |words: &[[u64; W]], rows: &mut Vec<Row>| {
        rows.clear();
        rows.extend(words.iter().map(&row));
    };
    if let Some(accounts) = job.scan().accounts.as_deref() {
        let mut asked = Vec::new();
        for words in of_persons() {
            read(words, &mut rows);
            asked.extend(persons.account_key(&rows));
        }
        persons.ask(accounts, &asked);
    }
    for words in of_persons() {
        read(words, &mut rows);
        persons.add(&rows, sink)?;
    }
    Ok(())
}
