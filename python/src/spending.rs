//! Spending of each tier, as an Arrow table for any library of data frames.

use std::sync::Arc;

use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{
    ArrayRef, Float64Array, RecordBatch, RecordBatchIterator, StringArray, UInt64Array,
};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

/// Row of a tier: level, epsilon, count, spent, weight.
type Row = (String, f64, Option<u64>, f64, Option<f64>);

/// Rows as an Arrow C stream.
#[pyfunction]
pub(crate) fn spending_stream(py: Python<'_>, rows: Vec<Row>) -> PyResult<Bound<'_, PyCapsule>> {
    let columns: [(&str, ArrayRef); 5] = [
        ("level", Arc::new(StringArray::from_iter_values(rows.iter().map(|row| &row.0)))),
        ("epsilon", Arc::new(Float64Array::from_iter_values(rows.iter().map(|row| row.1)))),
        ("count", Arc::new(UInt64Array::from_iter(rows.iter().map(|row| row.2)))),
        ("spent", Arc::new(Float64Array::from_iter_values(rows.iter().map(|row| row.3)))),
        ("weight", Arc::new(Float64Array::from_iter(rows.iter().map(|row| row.4)))),
    ];
    let columns = columns.into_iter().map(|(name, column)| (name, column, true));
    let table = RecordBatch::try_from_iter_with_nullable(columns)
        .map_err(|error| PyValueError::new_err(error.to_string()))?;
    let schema = table.schema();
    let stream = FFI_ArrowArrayStream::new(Box::new(RecordBatchIterator::new([Ok(table)], schema)));
    PyCapsule::new_with_value(py, stream, c"arrow_array_stream")
}
