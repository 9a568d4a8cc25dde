//! Data in memory: record batches that threads take in turns, and slices.

mod pieces;
mod slices;

use rayon::iter::{ParallelBridge, ParallelIterator};
use suum_core::Error;

use crate::cells::fault::Fault;
use crate::read::columnar::Rows;
use crate::read::first_failure::FirstFailures;
use crate::read::lanes::{Lane, Lanes, Refusal};
use crate::sink::job::Job;
use crate::sink::row_sink::RowSink;
use pieces::{Content, Piece};

pub(crate) use pieces::{split_batches, split_slices};
pub use slices::{Slice, Slices};

/// Largest number of rows in a piece of work.
pub(crate) const PIECE_ROWS: usize = 1 << 16;

/// Reads all records of the pieces, for each scan.
///
/// An idle thread takes the next piece, and only then is the next batch requested; so batches are
/// requested one after the other, when they are needed.
pub(crate) fn scan<'a, 'd>(
    pieces: impl Iterator<Item = Piece<'d>> + Send,
    jobs: &'a [Job<'a>],
    failed: &FirstFailures,
) -> Result<Vec<RowSink<'a>>, Refusal> {
    let start = || Lanes::new(jobs, |job| Rows::new(job.scan()));
    let lanes = pieces
        .par_bridge()
        .fold(start, |mut lanes, Piece { order, content }| {
            for (at, lane) in lanes.concerned(order, failed) {
                let added = match &content {
                    Ok(content) => add(content, at, lane, &jobs[at]),
                    Err(refused) => Err(refused.clone()),
                };
                if let Err(refused) = added {
                    lane.fail(order, refused);
                    failed.report(at, order);
                }
            }
            lanes
        })
        .reduce(start, Lanes::merge);
    lanes.finish().map_err(|(at, error)| Refusal { scan: at, error })
}

fn add(content: &Content, at: usize, lane: &mut Lane<Rows, Error>, job: &Job) -> Result<(), Error> {
    let refuse = |fault: Fault, row| fault.refuse(job.scan(), None, row);
    let columns = content.columns[at].as_ref().map_err(|fault| refuse(fault.clone(), None))?;
    lane.reader
        .add(columns, content.rows, &mut lane.collected)
        .map_err(|(row, fault)| refuse(fault, Some(content.first_row + row as u64 + 1)))
}
