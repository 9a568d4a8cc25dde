//! Batches and slices, cut into pieces of work.

use arrow_array::RecordBatch;
use suum_core::Result;

use super::PIECE_ROWS;
use super::slices::Slices;
use crate::cells::columns::{Columns, Union};
use crate::cells::fault::Fault;
use crate::read::columnar::{Column, position, select_columns};
use crate::read::first_failure::FirstFailures;
use crate::read::progress::Progress;
use crate::sink::job::Job;

/// Block of rows, or the fault in place of it.
pub(crate) struct Piece<'a> {
    /// Position among all pieces.
    pub(super) order: u64,
    pub(super) content: Result<Content<'a>>,
}

/// Columns of each scan; a fault for a scan that lacks some.
type Each<'a> = Vec<std::result::Result<Columns<Column<'a>>, Fault>>;

pub(super) struct Content<'a> {
    pub(super) columns: Each<'a>,
    pub(super) rows: usize,
    /// The number of rows before.
    pub(super) first_row: u64,
}

/// Pieces of batches, which are requested one by one, up to the first that is refused.
pub(crate) fn split_batches<'a>(
    batches: impl Iterator<Item = Result<RecordBatch>> + Send + 'a,
    jobs: &'a [Job<'a>],
    progress: &'a Progress,
    failed: &'a FirstFailures,
) -> impl Iterator<Item = Piece<'static>> + Send + 'a {
    let columns = move |batch: Result<RecordBatch>| {
        let batch = batch?;
        let schema = batch.schema();
        let scans = jobs.iter().map(Job::scan);
        let at = Union::find(scans, |scan, role| position(&schema, scan, role));
        let read = at.positions.iter().map(|column| batch.column(*column).get_buffer_memory_size());
        progress.add(read.sum::<usize>() as u64);
        let each = at.each.into_iter().map(|at| Ok(select_columns(&batch, at?)));
        Ok((each.collect(), batch.num_rows()))
    };
    pieces(batches.map(columns), jobs, progress, failed)
}

/// The pieces of slices.
pub(crate) fn split_slices<'a>(
    slices: &'a Slices<'a>,
    jobs: &'a [Job<'a>],
    progress: &'a Progress,
    failed: &'a FirstFailures,
) -> impl Iterator<Item = Piece<'a>> + Send + 'a {
    let each = jobs.iter().map(|job| slices.columns(job.scan())).collect();
    progress.add(slices.bytes());
    pieces(std::iter::once(Ok((each, slices.rows()))), jobs, progress, failed)
}

fn pieces<'a>(
    mut tables: impl Iterator<Item = Result<(Each<'a>, usize)>> + Send,
    jobs: &[Job],
    progress: &Progress,
    failed: &FirstFailures,
) -> impl Iterator<Item = Piece<'a>> + Send {
    // The table that is being cut, and how many of its rows have been.
    let mut current: Option<(Each<'a>, usize, usize)> = None;
    let mut first_row = 0;
    let mut next = move || -> Option<Result<Content<'a>>> {
        loop {
            if let Some((columns, rows, cut)) = &mut current
                && *cut < *rows
            {
                let some = *cut..(*rows).min(*cut + PIECE_ROWS);
                *cut = some.end;
                let of_some =
                    |columns: &Columns<Column<'a>>| columns.map(|c| c.slice(some.clone()));
                let each =
                    columns.iter().map(|one| one.as_ref().map(of_some).map_err(Fault::clone));
                let content = Content { columns: each.collect(), rows: some.len(), first_row };
                first_row += some.len() as u64;
                return Some(Ok(content));
            }
            match tables.next()? {
                // Its columns are looked at all the same.
                Ok((columns, rows @ 0)) => return Some(Ok(Content { columns, rows, first_row })),
                Ok((columns, rows)) => current = Some((columns, rows, 0)),
                Err(error) => return Some(Err(error)),
            }
        }
    };
    let mut order = 0;
    let mut ended = false;
    std::iter::from_fn(move || {
        if ended || failed.is_over(order) {
            return None;
        }
        let content = match (progress.is_cancelled(), jobs.first()) {
            (true, Some(job)) => Err(Fault::Cancelled.refuse(job.scan(), None, None)),
            _ => next()?,
        };
        match &content {
            Ok(content) => {
                let lacking = content.columns.iter().enumerate().filter(|(_, one)| one.is_err());
                lacking.for_each(|(at, _)| failed.report(at, order));
            }
            Err(_) => {
                ended = true;
                failed.report_all(order);
            }
        }
        order += 1;
        Some(Piece { order: order - 1, content })
    })
}
