//! Parquet in one pass on all cores, one row group at a time on each, or some rows of a large one.

mod footer;
mod quiet;
mod stretch;
mod text;

pub(crate) use footer::schema;
pub use text::{TextCells, read_text_parquet};

use std::path::Path;

use rayon::iter::{
    IndexedParallelIterator, IntoParallelIterator, IntoParallelRefIterator, ParallelIterator,
};
use suum_core::Result;

use crate::collector::Collector;
use crate::columnar::Rows;
use crate::fault::Fault;
use crate::first_failure::FirstFailure;
use crate::job::Job;
use crate::progress::Progress;
use footer::Footer;

/// How many files are open at a time: footers of wide tables are large.
const FILES: usize = 64;

/// Reads all records of the files.
///
/// Each row group, or stretch of a large one, is a piece of work.
pub(crate) fn scan<'a>(
    paths: &[&Path],
    job: &'a Job<'a>,
    progress: &Progress,
) -> Result<Collector<'a>> {
    let mut collected = Collector::new(job);
    for paths in paths.chunks(FILES) {
        collected.merge(scan_some(paths, job, progress)?);
    }
    Ok(collected)
}

/// Where a fault is: the file, and the row if it is of a row.
struct Failure {
    order: u64,
    file: usize,
    row: Option<u64>,
    fault: Fault,
}

fn scan_some<'a>(paths: &[&Path], job: &'a Job<'a>, progress: &Progress) -> Result<Collector<'a>> {
    let scan = job.scan();
    let footers: Vec<_> = paths.par_iter().map(|path| Footer::open(path, scan, progress)).collect();
    let refuse = |file: usize, row, fault: Fault| {
        fault.refuse(scan, Some(&paths[file].display().to_string()), row)
    };

    // Row groups of the files before the first that has no good footer: a fault in their rows comes
    // before it.
    let mut stretches = Vec::new();
    let mut unreadable = None;
    for (file, footer) in footers.iter().enumerate() {
        match footer {
            Ok(footer) => {
                stretches.extend(footer.stretches().map(|stretch| (file, footer, stretch)))
            }
            Err(fault) => {
                unreadable = Some(refuse(file, None, fault.clone()));
                break;
            }
        }
    }

    let failed = FirstFailure::new();
    let start = || (Collector::new(job), Rows::new(scan), None);
    let (collected, failure) = stretches
        .into_par_iter()
        .enumerate()
        .fold(start, |(mut collected, mut rows, failure), (order, (file, footer, stretch))| {
            let order = order as u64;
            if failed.is_before(order) {
                return (collected, rows, failure);
            }
            let found = stretch::read(footer, &stretch, &mut rows, &mut collected, progress).err();
            if found.is_some() {
                failed.report(order);
            }
            let found = found.map(|(row, fault)| Failure { order, file, row, fault });
            (collected, rows, first(failure, found))
        })
        .map(|(collected, _, failure)| (collected, failure))
        .reduce(
            || (Collector::new(job), None),
            |(mut collected, failure), (other, other_failure)| {
                collected.merge(other);
                (collected, first(failure, other_failure))
            },
        );
    match (failure, unreadable) {
        (Some(failure), _) => Err(refuse(failure.file, failure.row, failure.fault)),
        (None, Some(error)) => Err(error),
        (None, None) => Ok(collected),
    }
}

fn first(one: Option<Failure>, other: Option<Failure>) -> Option<Failure> {
    one.into_iter().chain(other).min_by_key(|failure| failure.order)
}
