//! Scans and small files for the tests.

use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use arrow_array::{ArrayRef, RecordBatch};
use parquet::arrow::ArrowWriter;
use parquet::file::properties::WriterProperties;
use suum_core::{Bounds, Grid, LevelTable, Result};
use suum_data::{PrivacyColumn, Progress, Scan, Source, ValueColumn, scan};

/// Text that stands in the data, and so in no message.
pub(crate) const SECRET: &str = "SECRET123";

pub(crate) fn budgets(column: &str) -> PrivacyColumn {
    PrivacyColumn::Budgets { column: column.into() }
}

pub(crate) fn tiers(column: &str, tiers: &str) -> PrivacyColumn {
    PrivacyColumn::Tiers { column: column.into(), tiers: tiers.parse().unwrap() }
}

/// A value column with bounds 0,8.
pub(crate) fn value(column: &str) -> Option<ValueColumn> {
    Some(ValueColumn {
        column: column.into(),
        grid: Grid::new(Bounds::new(0.0, 8.0).unwrap()),
        missing: None,
    })
}

pub(crate) fn value_or(column: &str, missing: f64) -> Option<ValueColumn> {
    value(column).map(|value| ValueColumn { missing: Some(missing), ..value })
}

pub(crate) fn scan_path(path: &Path, what: &Scan) -> Result<LevelTable> {
    scan(&Source::parse(path.to_str().unwrap())?, what, &Progress::default())
}

pub(crate) fn write_parquet(path: &Path, columns: &[(&str, ArrayRef)], rows_per_group: usize) {
    let columns = columns.iter().map(|(name, array)| (*name, Arc::clone(array), true));
    write_batch(path, &RecordBatch::try_from_iter_with_nullable(columns).unwrap(), rows_per_group);
}

pub(crate) fn write_batch(path: &Path, batch: &RecordBatch, rows_per_group: usize) {
    let properties = WriterProperties::builder().set_max_row_group_row_count(Some(rows_per_group)).build();
    let mut writer =
        ArrowWriter::try_new(File::create(path).unwrap(), batch.schema(), Some(properties)).unwrap();
    writer.write(batch).unwrap();
    writer.close().unwrap();
}
