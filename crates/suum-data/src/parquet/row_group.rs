//! One row group, batch by batch.

use std::fs::File;

use arrow_array::RecordBatch;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;

use super::cells::{RowFault, choices, labels, numbers, until_fault};
use super::footer::Footer;
use super::quiet::quietly;
use crate::choice::Choices;
use crate::collector::{Batch, Collector};
use crate::columns::Columns;
use crate::fault::{Fault, Role};
use crate::persons;
use crate::progress::Progress;
use crate::scan::Scan;

/// Rows that are decoded at a time.
const BATCH_ROWS: usize = 8192;

/// A fault, and the row of the file it is in if it is of a row.
type FileFault = (Option<u64>, Fault);

/// Adds all records of a row group.
pub(super) fn read(
    footer: &Footer,
    group: usize,
    scan: &Scan,
    collected: &mut Collector,
    progress: &Progress,
) -> Result<(), FileFault> {
    // A panic leaves what was collected unusable, and the refusal discards it.
    quietly(|| read_batches(footer, group, scan, collected, progress)).unwrap_or(Err((None, Fault::Corrupt)))
}

fn read_batches(
    footer: &Footer,
    group: usize,
    scan: &Scan,
    collected: &mut Collector,
    progress: &Progress,
) -> Result<(), FileFault> {
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

    let mut rows = Rows::new(scan);
    let mut seen = 0;
    let mut consumed = 0;
    for batch in batches {
        let batch = batch.map_err(|_| of_file(Fault::Corrupt))?;
        let first = footer.first_rows[group] + seen + 1;
        rows.add(&batch, footer.at, scan, collected)
            .map_err(|(row, fault)| (Some(first + row as u64), fault))?;
        seen += batch.num_rows() as u64;
        // The file is consumed in proportion to the rows.
        let now = (u128::from(bytes) * u128::from(seen) / u128::from(declared.max(1))) as u64;
        progress.add(now - consumed);
        consumed = now;
    }
    if seen == declared { Ok(()) } else { Err(of_file(Fault::RowCount)) }
}

/// Room for the columns of one batch, used again for the next.
struct Rows {
    choices: Choices,
    values: Vec<f64>,
    indices: Vec<u64>,
    groups: Vec<u32>,
    persons: Vec<u128>,
}

impl Rows {
    fn new(scan: &Scan) -> Self {
        Self {
            choices: Choices::new(&scan.privacy),
            values: Vec::new(),
            indices: Vec::new(),
            groups: Vec::new(),
            persons: Vec::new(),
        }
    }

    /// Adds a batch; or its first fault, with the row counted from 0.
    fn add(
        &mut self,
        batch: &RecordBatch,
        at: Columns,
        scan: &Scan,
        collected: &mut Collector,
    ) -> Result<(), (usize, Fault)> {
        self.choices.clear();
        let faults = [
            choices(batch.column(at.privacy), scan, &mut self.choices),
            self.read_indices(batch, at, scan),
            self.read_groups(batch, at, scan),
            self.read_persons(batch, at, scan),
        ];
        // Of several in one row, the first counts.
        if let Some(fault) = faults.into_iter().flatten().min_by_key(|(row, _)| *row) {
            return Err(fault);
        }
        collected.add_all(&Batch {
            choices: &self.choices,
            indices: &self.indices,
            groups: &self.groups,
            persons: &self.persons,
        });
        Ok(())
    }

    /// Puts the values on the grid or into categories, up to the first that has no place.
    fn read_indices(&mut self, batch: &RecordBatch, at: Columns, scan: &Scan) -> RowFault {
        self.indices.clear();
        let (Some(position), Some(value)) = (at.value, &scan.value) else {
            self.indices.resize(batch.num_rows(), 0);
            return None;
        };
        let column = batch.column(position);
        if value.is_label() {
            return labels(column, Role::Value, |cell| value.of_cell(cell), &mut self.indices);
        }
        self.values.clear();
        if !numbers(column, &mut self.values) {
            return Some((0, Fault::Type(Role::Value)));
        }
        until_fault(self.values.iter().map(|number| value.of_number(*number)), &mut self.indices)
    }

    fn read_groups(&mut self, batch: &RecordBatch, at: Columns, scan: &Scan) -> RowFault {
        self.groups.clear();
        let (Some(position), Some(group)) = (at.group, &scan.group) else { return None };
        labels(batch.column(position), Role::Group, |cell| group.of_cell(cell), &mut self.groups)
    }

    fn read_persons(&mut self, batch: &RecordBatch, at: Columns, scan: &Scan) -> RowFault {
        self.persons.clear();
        let accounts = scan.accounts.as_deref();
        let person = |cell: &[u8]| persons::of_cell(cell, accounts);
        labels(batch.column(at.person?), Role::Person, person, &mut self.persons)
    }
}
