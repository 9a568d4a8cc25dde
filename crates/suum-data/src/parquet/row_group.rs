//! One row group to tallies, batch by batch.

use std::fs::File;
use std::panic::{AssertUnwindSafe, catch_unwind};

use arrow_array::RecordBatch;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;

use super::cells::{Choices, labels, numbers, until_fault};
use super::footer::Footer;
use crate::accumulator::Accumulator;
use crate::fault::{Fault, Role};
use crate::progress::Progress;
use crate::scan::Scan;

/// Rows that are decoded at a time.
const BATCH_ROWS: usize = 8192;

/// A fault, and the row of the file it is in if it is of a row.
type RowFault = (Option<u64>, Fault);

/// Adds all records of a row group.
pub(super) fn read(
    footer: &Footer,
    group: usize,
    scan: &Scan,
    levels: &mut Accumulator,
    progress: &Progress,
) -> Result<(), RowFault> {
    // As for the footer; a panic leaves the levels unusable, and the refusal discards them.
    let reading = AssertUnwindSafe(|| read_batches(footer, group, scan, levels, progress));
    catch_unwind(reading).unwrap_or(Err((None, Fault::Corrupt)))
}

fn read_batches(
    footer: &Footer,
    group: usize,
    scan: &Scan,
    levels: &mut Accumulator,
    progress: &Progress,
) -> Result<(), RowFault> {
    let of_file = |fault| (None, fault);
    let declared = footer.metadata.metadata().row_group(group).num_rows().unsigned_abs();
    let bytes = footer.metadata.metadata().row_group(group).compressed_size().unsigned_abs();
    // Each row group has its own handle: handles share their position with their clones.
    let file = File::open(&footer.path).map_err(|error| of_file(error.into()))?;
    let batches = ParquetRecordBatchReaderBuilder::new_with_metadata(file, footer.metadata.clone())
        .with_row_groups(vec![group])
        .with_projection(footer.projection.clone())
        .with_batch_size(BATCH_ROWS)
        .build()
        .map_err(|_| of_file(Fault::Corrupt))?;

    let mut rows = Rows::default();
    let mut seen = 0;
    let mut consumed = 0;
    for batch in batches {
        let batch = batch.map_err(|_| of_file(Fault::Corrupt))?;
        let first = footer.first_rows[group] + seen + 1;
        rows.add(&batch, footer, scan, levels).map_err(|(row, fault)| (Some(first + row as u64), fault))?;
        seen += batch.num_rows() as u64;
        // The file is consumed in proportion to the rows.
        let now = (u128::from(bytes) * u128::from(seen) / u128::from(declared.max(1))) as u64;
        progress.add(now - consumed);
        consumed = now;
    }
    if seen == declared { Ok(()) } else { Err(of_file(Fault::RowCount)) }
}

/// Room for the columns of one batch, used again for the next.
#[derive(Default)]
struct Rows {
    values: Vec<f64>,
    indices: Vec<u64>,
    slots: Vec<u32>,
}

impl Rows {
    /// Adds a batch; or its first fault, with the row counted from 0.
    fn add(
        &mut self,
        batch: &RecordBatch,
        footer: &Footer,
        scan: &Scan,
        levels: &mut Accumulator,
    ) -> Result<(), (usize, Fault)> {
        let value_fault = self.read_indices(batch, footer, scan);
        let choices = Choices::new(batch.column(footer.privacy), &scan.privacy);
        let privacy_fault = choices.add_all(&self.indices, &mut self.slots, levels);
        // The privacy column is read only up to the first fault of the other, so its fault comes first.
        match privacy_fault.or(value_fault) {
            None => Ok(()),
            Some(fault) => Err(fault),
        }
    }

    /// Puts the values on the grid or into categories, up to the first that has no place.
    fn read_indices(&mut self, batch: &RecordBatch, footer: &Footer, scan: &Scan) -> Option<(usize, Fault)> {
        self.indices.clear();
        let (Some(position), Some(value)) = (footer.value, &scan.value) else {
            self.indices.resize(batch.num_rows(), 0);
            return None;
        };
        if value.is_label() {
            return labels(batch.column(position), value, &mut self.indices);
        }
        self.values.clear();
        if !numbers(batch.column(position), &mut self.values) {
            return Some((0, Fault::Type(Role::Value)));
        }
        until_fault(self.values.iter().map(|number| value.of_number(*number)), &mut self.indices)
    }
}
