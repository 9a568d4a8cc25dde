//! Batches and slices, cut into pieces of work.

use arrow_array::RecordBatch;
use suum_core::Result;

use super::PIECE_ROWS;
use super::slices::Slices;
use crate::columnar::{Column, of_batch, position};
use crate::columns::Columns;
use crate::fault::Fault;
use crate::first_failure::FirstFailure;
use crate::progress::Progress;
use crate::scan::Scan;

/// Some rows, or why there are none.
pub(crate) struct Piece<'a> {
    /// The position among all pieces.
    pub(super) order: u64,
    pub(super) content: Result<Content<'a>>,
}

pub(super) struct Content<'a> {
    pub(super) columns: Columns<Column<'a>>,
    pub(super) rows: usize,
    /// The number of rows before.
    pub(super) first_row: u64,
}

/// The pieces of batches, which are asked for one by one, up to the first that is refused.
pub(crate) fn of_batches<'a>(
    batches: impl Iterator<Item = Result<RecordBatch>> + Send + 'a,
    scan: &'a Scan,
    progress: &'a Progress,
    failed: &'a FirstFailure,
) -> impl Iterator<Item = Piece<'static>> + Send + 'a {
    let columns = move |batch: Result<RecordBatch>| {
        let batch = batch?;
        let at = Columns::find(scan, |role| position(&batch.schema(), scan, role));
        let at = at.map_err(|fault| fault.refuse(scan, None, None))?;
        let columns =
            at.positions().into_iter().map(|column| batch.column(column).get_buffer_memory_size());
        progress.add(columns.sum::<usize>() as u64);
        Ok((of_batch(&batch, at), batch.num_rows()))
    };
    pieces(batches.map(columns), scan, progress, failed)
}

/// The pieces of slices.
pub(crate) fn of_slices<'a>(
    slices: &'a Slices<'a>,
    scan: &'a Scan,
    progress: &'a Progress,
    failed: &'a FirstFailure,
) -> Result<impl Iterator<Item = Piece<'a>> + Send + 'a> {
    let columns = slices.columns(scan).map_err(|fault| fault.refuse(scan, None, None))?;
    progress.add(slices.bytes());
    Ok(pieces(std::iter::once(Ok((columns, slices.rows()))), scan, progress, failed))
}

fn pieces<'a>(
    mut tables: impl Iterator<Item = Result<(Columns<Column<'a>>, usize)>> + Send,
    scan: &Scan,
    progress: &Progress,
    failed: &FirstFailure,
) -> impl Iterator<Item = Piece<'a>> + Send {
    // The table that is being cut, and how many of its rows have been.
    let mut current: Option<(Columns<Column<'a>>, usize, usize)> = None;
    let mut first_row = 0;
    let mut next = move || -> Option<Result<Content<'a>>> {
        loop {
            if let Some((columns, rows, cut)) = &mut current
                && *cut < *rows
            {
                let some = *cut..(*rows).min(*cut + PIECE_ROWS);
                *cut = some.end;
                let content = Content {
                    columns: columns.map(|c| c.slice(some.clone())),
                    rows: some.len(),
                    first_row,
                };
                first_row += some.len() as u64;
                return Some(Ok(content));
            }
            match tables.next()? {
                Ok((columns, rows)) => current = Some((columns, rows, 0)),
                Err(error) => return Some(Err(error)),
            }
        }
    };
    let mut order = 0;
    let mut ended = false;
    std::iter::from_fn(move || {
        if ended || failed.is_before(order) {
            return None;
        }
        let content = match progress.is_cancelled() {
            true => Err(Fault::Cancelled.refuse(scan, None, None)),
            false => next()?,
        };
        if content.is_err() {
            ended = true;
            failed.report(order);
        }
        order += 1;
        Some(Piece { order: order - 1, content })
    })
}
