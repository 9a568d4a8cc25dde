//! Consecutive rows of a row group, read batch by batch.

use std::fs::File;
use std::sync::Arc;

use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;

use super::footer::{Footer, Stretch};
use super::pages::Pages;
use super::quiet::quietly;
use crate::cells::columns::Columns;
use crate::cells::fault::Fault;
use crate::count::coded::ROWS;
use crate::read::columnar::{Column, Rows, select_columns};
use crate::read::lanes::Lane;
use crate::read::progress::Progress;

/// Number of rows that are decoded at a time.
const BATCH_ROWS: usize = 8192;

/// A fault, and the row of the file it is in if it is of a row.
pub(super) type FileFault = (Option<u64>, Fault);

/// Scan with its index among those of the pass.
type ActiveScan<'l, 'a, F> = (usize, &'l mut Lane<'a, Rows<'a>, F>);

/// Adds all records of a stretch to each scan, up to its first fault, which `refuse` converts into
/// a failure.
pub(super) fn read<F>(
    footer: &Footer,
    stretch: &Stretch,
    concerned: &mut Vec<ActiveScan<F>>,
    progress: &Progress,
    refuse: impl Fn(usize, FileFault) -> (u64, F),
) {
    // A panic leaves what was collected unusable, and the refusal discards it.
    let read = quietly(|| read_batches(footer, stretch, concerned, progress, &refuse));
    if let Err(fault) = read.unwrap_or(Err((None, Fault::Corrupt))) {
        for (at, lane) in concerned {
            let (order, failure) = refuse(*at, fault.clone());
            lane.fail(order, failure);
        }
    }
}

fn read_batches<F>(
    footer: &Footer,
    stretch: &Stretch,
    concerned: &mut Vec<ActiveScan<F>>,
    progress: &Progress,
    refuse: impl Fn(usize, FileFault) -> (u64, F),
) -> Result<(), FileFault> {
    let mut adding = Adding { footer, stretch, concerned, progress, refuse, seen: 0, consumed: 0 };
    if adding.is_over() {
        return Ok(());
    }
    // Each stretch has its own handle: handles share their position with their clones.
    let file = Arc::new(File::open(&footer.path).map_err(|error| file_fault(error.into()))?);
    if adding.numbers(&file)? {
        return Ok(());
    }
    let file = File::try_clone(&file).map_err(|error| file_fault(error.into()))?;
    adding.arrays(file)
}

/// Rows of a stretch that are added to scans, batch by batch.
struct Adding<'r, 'l, 'a, F, R> {
    footer: &'r Footer,
    stretch: &'r Stretch,
    concerned: &'r mut Vec<ActiveScan<'l, 'a, F>>,
    progress: &'r Progress,
    refuse: R,
    /// Number of rows added, and the bytes of the file that they account for.
    seen: u64,
    consumed: u64,
}

impl<'a, F, R: Fn(usize, FileFault) -> (u64, F)> Adding<'_, '_, 'a, F, R> {
    /// Adds the first rows, as long as all columns that are read hold numbers of which none is
    /// missing; returns true if nothing is left to read.
    fn numbers(&mut self, file: &Arc<File>) -> Result<bool, FileFault> {
        if !self.concerned.iter().all(|(_, lane)| lane.reader.takes_numbers()) {
            return Ok(false);
        }
        let group = self.footer.metadata.metadata().row_group(self.stretch.group);
        let schema = self.footer.metadata.schema();
        let open = |column: &usize| Pages::open(file, group, schema, *column);
        let Some(mut columns) =
            self.footer.at.positions.iter().map(open).collect::<Option<Vec<_>>>()
        else {
            return Ok(false);
        };
        if columns.iter_mut().any(|column| column.skip(self.stretch.skipped).is_none()) {
            return Ok(false);
        }
        while self.seen < self.stretch.rows {
            let rows = (self.stretch.rows - self.seen).min(ROWS as u64) as usize;
            let read: Option<Vec<_>> = columns.iter_mut().map(|column| column.next(rows)).collect();
            let Some(read) = read else { return Ok(false) };
            self.add(rows, |at| at.map(|position| Column::Numbers(read[*position])))?;
            if self.is_over() {
                return Ok(true);
            }
        }
        // There may be more rows than the footer declares.
        Ok(!self.stretch.is_last || columns.iter_mut().all(Pages::is_at_end))
    }

    /// Adds all remaining rows, whatever their types.
    fn arrays(&mut self, file: File) -> Result<(), FileFault> {
        let count = |rows: u64| usize::try_from(rows).map_err(|_| file_fault(Fault::Corrupt));
        let (footer, stretch) = (self.footer, self.stretch);
        let mut reader =
            ParquetRecordBatchReaderBuilder::new_with_metadata(file, footer.metadata.clone())
                .with_row_groups(vec![stretch.group])
                .with_projection(footer.projection.clone())
                .with_batch_size(BATCH_ROWS);
        if stretch.skipped + self.seen > 0 {
            reader = reader.with_offset(count(stretch.skipped + self.seen)?);
        }
        // The last one has no limit: there may be more rows than the footer declares.
        if !stretch.is_last {
            reader = reader.with_limit(count(stretch.rows - self.seen)?);
        }
        let batches = reader.build().map_err(|_| file_fault(Fault::Corrupt))?;
        for batch in batches {
            let batch = batch.map_err(|_| file_fault(Fault::Corrupt))?;
            self.add(batch.num_rows(), |at| select_columns(&batch, *at))?;
            if self.is_over() {
                return Ok(());
            }
        }
        match self.seen == stretch.rows {
            true => Ok(()),
            false => Err(file_fault(Fault::RowCount)),
        }
    }

    /// Returns true if no scan needs more rows.
    fn is_over(&self) -> bool {
        self.concerned.is_empty()
    }

    /// Adds rows to each scan; `of` returns the cells of a column.
    fn add<'c>(
        &mut self,
        rows: usize,
        of: impl Fn(&Columns) -> Columns<Column<'c>>,
    ) -> Result<(), FileFault> {
        if self.progress.is_cancelled() {
            return Err(file_fault(Fault::Cancelled));
        }
        let first = self.stretch.first_row + self.seen + 1;
        self.concerned.retain_mut(|(at, lane)| {
            let Ok(columns) = &self.footer.at.packed[*at] else { return false };
            let added = lane.reader.add(&of(columns), rows, &mut lane.collected);
            if let Err((row, fault)) = added {
                let (order, failure) = (self.refuse)(*at, (Some(first + row as u64), fault));
                lane.fail(order, failure);
                return false;
            }
            true
        });
        self.seen += rows as u64;
        // The file is consumed in proportion to the rows.
        let (bytes, all) = (self.stretch.bytes, self.stretch.rows.max(1));
        let part = u128::from(bytes) * u128::from(self.seen) / u128::from(all);
        let now = part.min(u128::from(bytes)) as u64;
        self.progress.add(now - self.consumed);
        self.consumed = now;
        Ok(())
    }
}

fn file_fault(fault: Fault) -> FileFault {
    (None, fault)
}
