//! CSV in one pass on all cores: one thread at a time reads and cuts, all threads parse.

mod blocks;
mod boundary;
mod header;
mod latin;
mod pending_records;
mod pieces;
mod plain;
mod records;
mod worker;

pub(crate) use header::column_names;
pub(crate) use pieces::Input;

use rayon::iter::{ParallelBridge, ParallelIterator};

use crate::read::first_failure::FirstFailures;
use crate::read::lanes::Refusal;
use crate::read::progress::Progress;
use crate::sink::job::Job;
use crate::sink::row_sink::RowSink;
use pieces::Pieces;
use worker::Worker;

/// Number of bytes of a file that are read at a time: 4 MiB.
pub(crate) const BLOCK_BYTES: usize = 4 << 20;

/// The longest record: 64 MiB. Beyond that somebody forgot to close a quote.
pub(crate) const RECORD_BYTES: usize = 64 << 20;

/// Reads all records of the inputs, which need not share an order of columns.
///
/// The threads take turns at reading: whoever is idle locks the input, reads one block up to the
/// end of a record, and parses it after unlocking. So no more blocks are in memory than there are
/// threads, and the one remainder that waits for the next reader: at most (threads + 1) × (block +
/// longest record).
///
/// `block_bytes` changes nothing but speed and memory.
///
/// All scans are of the same files, so their files are written alike.
pub(crate) fn scan<'a>(
    inputs: Vec<Input<'_>>,
    jobs: &'a [Job<'a>],
    progress: &Progress,
    block_bytes: usize,
) -> Result<Vec<RowSink<'a>>, Refusal> {
    let failed = FirstFailures::new(jobs.len());
    let form = jobs.first().map(|job| job.scan().csv).unwrap_or_default();
    let pieces = Pieces::new(inputs, jobs, form, progress, &failed, block_bytes);
    let names = pieces.names();
    let worker = pieces
        .par_bridge()
        .fold(
            || Worker::new(jobs, form),
            |mut worker, piece| {
                worker.take(piece, &failed);
                worker
            },
        )
        .reduce(|| Worker::new(jobs, form), Worker::merge);
    worker.finish().map_err(|(at, failure)| {
        let name = names[failure.file].as_deref();
        Refusal { scan: at, error: failure.fault.refuse(jobs[at].scan(), name, failure.row) }
    })
}

/// Makes one scan.
#[cfg(test)]
pub(crate) fn scan_one<'a>(
    inputs: Vec<Input<'_>>,
    job: &'a Job<'a>,
    progress: &Progress,
    block_bytes: usize,
) -> suum_core::Result<RowSink<'a>> {
    crate::read::lanes::only(scan(inputs, std::slice::from_ref(job), progress, block_bytes))
}

#[cfg(test)]
mod tests;
