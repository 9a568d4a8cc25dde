//! Lists of Python as columns.

use std::sync::Arc;

use arrow_array::{ArrayRef, BooleanArray, Float64Array, Int64Array};
use pyo3::exceptions::PyException;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple};
use suum::{Error, Place};

use crate::errors::raised;
use crate::items::watched;
use crate::text::{is_missing, text};

/// Returns true if a column is a list or a tuple.
pub(crate) fn is_list(column: &Bound<'_, PyAny>) -> bool {
    column.is_instance_of::<PyList>() || column.is_instance_of::<PyTuple>()
}

/// Converts a list or tuple to an array, if it is one: of truth values, integers, numbers or text,
/// with nulls for missing cells.
pub(crate) fn from_list(name: &str, column: &Bound<'_, PyAny>) -> PyResult<Option<ArrayRef>> {
    if !is_list(column) {
        return Ok(None);
    }
    if let Some(truths) = all::<bool>(column)? {
        return Ok(Some(Arc::new(BooleanArray::from(truths))));
    }
    if let Some(integers) = all::<i64>(column)? {
        return Ok(Some(Arc::new(Int64Array::from(integers))));
    }
    if let Some(numbers) = all::<f64>(column)? {
        return Ok(Some(Arc::new(Float64Array::from(numbers))));
    }
    if let Some(texts) = text(column)? {
        return Ok(Some(texts));
    }
    let refused = Error::data(Place::column(name), "a list must have numbers only, or text only")
        .with_fix("None stands for a missing cell");
    Err(raised(column.py(), &refused))
}

/// Items, if each has this type or is missing.
fn all<T: for<'a, 'py> FromPyObject<'a, 'py>>(
    items: &Bound<'_, PyAny>,
) -> PyResult<Option<Vec<Option<T>>>> {
    let mut found = Vec::new();
    for item in watched(items)? {
        let item = item?;
        match item.extract::<Option<T>>() {
            Ok(cell) => found.push(cell),
            Err(_) if is_missing(&item) => found.push(None),
            Err(other) => {
                let other: PyErr = other.into();
                let is_interrupt = !other.is_instance_of::<PyException>(items.py());
                return if is_interrupt { Err(other) } else { Ok(None) };
            }
        }
    }
    Ok(Some(found))
}
