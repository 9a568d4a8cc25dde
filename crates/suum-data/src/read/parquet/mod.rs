//! Parquet in one pass on all cores, one row group at a time on each, or some rows of a large one.

mod footer;
mod kind;
mod pages;
mod quiet;
mod runs;
mod stretch;
mod text;
mod unpack;

pub(crate) use footer::schema;
pub use text::{TextCells, read_text_parquet};

use std::path::Path;

use rayon::iter::{IntoParallelRefIterator, ParallelBridge, ParallelIterator};

use crate::cells::fault::Fault;
use crate::read::columnar::Rows;
use crate::read::first_failure::FirstFailures;
use crate::read::lanes::{Lanes, Refusal, in_turn};
use crate::read::progress::Progress;
use crate::sink::job::Job;
use crate::sink::row_sink::RowSink;
use footer::{Footer, Stretch};

/// Number of files that are open at a time: footers of wide tables are large.
const FILES: usize = 64;

/// Reads all records of the files, for each scan.
///
/// Each row group, or stretch of a large one, is a piece of work.
pub(crate) fn scan<'a>(
    paths: &[&Path],
    jobs: &'a [Job<'a>],
    progress: &Progress,
) -> Result<Vec<RowSink<'a>>, Refusal> {
    in_turn(jobs, paths.chunks(FILES), |paths, jobs| scan_some(paths, jobs, progress))
}

/// Fault with its file, and its row if it is of a row.
struct Failure {
    file: usize,
    row: Option<u64>,
    fault: Fault,
}

/// Task with a file.
enum Work<'f> {
    /// Refuse it: it cannot be read.
    Refuse(Fault),
    /// Check that it has the columns of each scan.
    Check(&'f Footer),
    /// Read some of its rows.
    Read(&'f Footer, Stretch),
}

fn scan_some<'a>(
    paths: &[&Path],
    jobs: &'a [Job<'a>],
    progress: &Progress,
) -> Result<Vec<RowSink<'a>>, Refusal> {
    let footers = paths.par_iter().map(|path| Footer::open(path, jobs, progress));
    let footers: Vec<_> = footers.collect();

    let mut works = Vec::new();
    for (file, footer) in footers.iter().enumerate() {
        match footer {
            Ok(footer) => {
                works.push((file, Work::Check(footer)));
                works.extend(footer.stretches().map(|some| (file, Work::Read(footer, some))));
            }
            // A fault in the rows of the files before it comes before it.
            Err(fault) => works.push((file, Work::Refuse(fault.clone()))),
        }
    }

    let failed = FirstFailures::new(jobs.len());
    let start = || Lanes::new(jobs, |job| Rows::new(job.scan()));
    // In turns: each thread has lanes of its own, and no more than these are joined.
    let lanes = works
        .into_iter()
        .enumerate()
        .par_bridge()
        .fold(start, |mut lanes, (order, (file, work))| {
            let order = order as u64;
            let fail = |row, fault| Failure { file, row, fault };
            for (at, lane) in lanes.concerned(order, &failed) {
                let fault = match &work {
                    Work::Refuse(fault) => Some(fault),
                    Work::Check(footer) => footer.at.each[at].as_ref().err(),
                    Work::Read(..) => None,
                };
                if let Some(fault) = fault {
                    lane.fail(order, fail(None, fault.clone()));
                    failed.report(at, order);
                }
            }
            if let Work::Read(footer, stretch) = work {
                let mut concerned: Vec<_> = lanes.concerned(order, &failed).collect();
                let refuse = |at, (row, fault)| {
                    failed.report(at, order);
                    (order, fail(row, fault))
                };
                stretch::read(footer, &stretch, &mut concerned, progress, refuse);
            }
            lanes
        })
        .reduce(start, Lanes::merge);
    lanes.finish().map_err(|(at, Failure { file, row, fault })| {
        let name = paths[file].display().to_string();
        Refusal { scan: at, error: fault.refuse(jobs[at].scan(), Some(&name), row) }
    })
}
