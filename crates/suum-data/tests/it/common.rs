//! Scans and small files for the tests.

use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use arrow_array::{ArrayRef, RecordBatch};
use parquet::arrow::ArrowWriter;
use parquet::file::properties::WriterProperties;
use suum_core::{Bounds, ExactSum, Grid, LevelTable, Result};
use suum_data::{
    CategoryColumn, CategoryRule, PrivacyColumn, Progress, Scan, Source, Value, ValueColumn, scan,
};

/// Text that stands in the data, and so in no message.
pub(crate) const SECRET: &str = "SECRET123";

pub(crate) fn budgets(column: &str) -> PrivacyColumn {
    PrivacyColumn::Budgets { column: column.into() }
}

pub(crate) fn tiers(column: &str, tiers: &str) -> PrivacyColumn {
    PrivacyColumn::Tiers { column: column.into(), tiers: tiers.parse().unwrap() }
}

fn number(column: &str, missing: Option<f64>) -> Option<Value> {
    let grid = Grid::new(Bounds::new(0.0, 8.0).unwrap());
    Some(Value::Number(ValueColumn { column: column.into(), numbers: grid.into(), missing }))
}

/// A value column with bounds 0,8.
pub(crate) fn value(column: &str) -> Option<Value> {
    number(column, None)
}

pub(crate) fn value_or(column: &str, missing: f64) -> Option<Value> {
    number(column, Some(missing))
}

/// Copy of the scan, of all records.
pub(crate) fn like(scan: &Scan) -> Scan {
    Scan {
        person: scan.person.clone(),
        person_value: scan.person_value,
        person_time: scan.person_time.clone(),
        group: scan.group.clone(),
        missing_choice: scan.missing_choice.clone(),
        csv: scan.csv,
        nulls: scan.nulls.clone(),
        leaves_out_missing: scan.leaves_out_missing,
        public: scan.public.clone(),
        add_remove: scan.add_remove.clone(),
        ..Scan::new(scan.privacy.clone(), scan.value.clone())
    }
}

fn category(column: &str, classes: CategoryRule, missing: Option<&str>) -> Option<Value> {
    let missing = missing.map(str::to_owned);
    Some(Value::Category(CategoryColumn { column: column.into(), classes, missing, across: None }))
}

/// A column of labels, whose names are separated by commas.
pub(crate) fn labels(
    column: &str,
    names: &str,
    other: Option<&str>,
    missing: Option<&str>,
) -> Option<Value> {
    let names = names.split(',').map(str::to_owned).collect();
    category(column, CategoryRule::labels(names, other).unwrap(), missing)
}

pub(crate) fn bins(
    column: &str,
    edges: &str,
    other: Option<&str>,
    missing: Option<&str>,
) -> Option<Value> {
    category(column, CategoryRule::bins(edges.parse().unwrap(), other).unwrap(), missing)
}

/// The raw sums of each row.
pub(crate) fn sums(table: &LevelTable) -> Vec<Vec<i128>> {
    let rows = table.by_level().iter();
    rows.map(|level_sums| level_sums.sums.iter().map(ExactSum::expose_raw).collect()).collect()
}

pub(crate) fn scan_path(path: &Path, what: &Scan) -> Result<LevelTable> {
    scan(&Source::parse(path.to_str().unwrap())?, what, &Progress::default())
}

pub(crate) fn write_parquet(path: &Path, columns: &[(&str, ArrayRef)], rows_per_group: usize) {
    let columns = columns.iter().map(|(name, array)| (*name, Arc::clone(array), true));
    write_batch(path, &RecordBatch::try_from_iter_with_nullable(columns).unwrap(), rows_per_group);
}

pub(crate) fn write_batch(path: &Path, batch: &RecordBatch, rows_per_group: usize) {
    let properties = WriterProperties::builder().set_max_row_group_row_count(Some(rows_per_group));
    write_with(path, batch, properties.build());
}

pub(crate) fn write_with(path: &Path, batch: &RecordBatch, properties: WriterProperties) {
    let mut writer =
        ArrowWriter::try_new(File::create(path).unwrap(), batch.schema(), Some(properties))
            .unwrap();
    writer.write(batch).unwrap();
    writer.close().unwrap();
}
