//! Data in memory: record batches that threads take in turns, and slices.

mod pieces;
mod slices;

use rayon::iter::{ParallelBridge, ParallelIterator};
use suum_core::{Error, Result};

use crate::collector::Collector;
use crate::columnar::Rows;
use crate::first_failure::FirstFailure;
use crate::job::Job;
use pieces::Piece;

pub(crate) use pieces::{of_batches, of_slices};
pub use slices::{Slice, Slices};

/// How many rows a piece of work has at most.
pub(crate) const PIECE_ROWS: usize = 1 << 16;

/// Reads all records of the pieces.
///
/// Whoever is idle takes the next piece, which makes a batch of one; so batches are asked for one
/// after the other, and only when they are needed.
pub(crate) fn scan<'a, 'd>(
    pieces: impl Iterator<Item = Piece<'d>> + Send,
    job: &'a Job<'a>,
    failed: &FirstFailure,
) -> Result<Collector<'a>> {
    let scan = job.scan();
    let start = || (Collector::new(job), None);
    let (collected, failure) = pieces
        .par_bridge()
        .fold(
            || (start(), Rows::new(scan)),
            |((mut collected, failure), mut rows), piece| {
                let order = piece.order;
                if failed.is_before(order) {
                    return ((collected, failure), rows);
                }
                let found = add(piece, &mut rows, &mut collected, job).err();
                if found.is_some() {
                    failed.report(order);
                }
                let found = found.map(|error| (order, error));
                ((collected, first(failure, found)), rows)
            },
        )
        .map(|(collected, _)| collected)
        .reduce(start, |(mut collected, failure), (other, other_failure)| {
            collected.merge(other);
            (collected, first(failure, other_failure))
        });
    match failure {
        Some((_, error)) => Err(error),
        None => Ok(collected),
    }
}

fn add(piece: Piece, rows: &mut Rows, collected: &mut Collector, job: &Job) -> Result<()> {
    let content = piece.content?;
    rows.add(&content.columns, content.rows, collected).map_err(|(row, fault)| {
        fault.refuse(job.scan(), None, Some(content.first_row + row as u64 + 1))
    })
}

/// An error and the piece it is of.
type Failure = Option<(u64, Error)>;

fn first(one: Failure, other: Failure) -> Failure {
    one.into_iter().chain(other).min_by_key(|(order, _)| *order)
}
