//! Arrays of NumPy as columns, read where they lie.

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{
    ArrowTimestampType, Int64Type, TimestampMicrosecondType, TimestampMillisecondType,
    TimestampNanosecondType, TimestampSecondType, UInt8Type,
};
use arrow_array::{ArrayRef, BooleanArray, Date32Array, PrimitiveArray};
use arrow_buffer::NullBuffer;
use pyo3::prelude::*;
use pyo3_arrow::PyArray;

/// Number of a date or time that is missing.
const NOT_A_TIME: i64 = i64::MIN;

/// Converts an array of NumPy to one of Arrow, if the column is one. Numbers and times share its
/// memory; days and truth values are copied, since Arrow has others.
///
/// The array has one dimension, the byte order of the machine, and items that lie side by side, of
/// a type that Arrow has, too (`_columns.py`).
pub(crate) fn from_numpy(column: &Bound<'_, PyAny>) -> PyResult<Option<ArrayRef>> {
    let class = column.get_type();
    if class.module()? != "numpy" || class.name()? != "ndarray" {
        return Ok(None);
    }
    let of_type: String = column.getattr("dtype")?.getattr("str")?.extract()?;
    let array = |viewed: &Bound<'_, PyAny>| -> PyResult<ArrayRef> {
        Ok(viewed.extract::<PyArray>()?.into_inner().0)
    };
    let counts = || array(&column.call_method1("view", ("i8",))?);
    // A sign for the byte order, a letter, a size, and a unit: `<M8[ns]`.
    Ok(Some(match of_type.get(1..).unwrap_or_default() {
        "b1" => {
            let truths = array(&column.call_method1("view", ("u1",))?)?;
            let truths = truths.as_primitive::<UInt8Type>();
            Arc::new(BooleanArray::from_unary(truths, |truth| truth != 0))
        }
        "M8[D]" => Arc::new(days(&counts()?)?),
        "M8[s]" => Arc::new(times::<TimestampSecondType>(&counts()?)),
        "M8[ms]" => Arc::new(times::<TimestampMillisecondType>(&counts()?)),
        "M8[us]" => Arc::new(times::<TimestampMicrosecondType>(&counts()?)),
        "M8[ns]" => Arc::new(times::<TimestampNanosecondType>(&counts()?)),
        _ => array(column)?,
    }))
}

/// Times that are counted in units since 1970.
fn times<T: ArrowTimestampType>(counts: &ArrayRef) -> PrimitiveArray<T> {
    let counts = counts.as_primitive::<Int64Type>();
    let is_there = BooleanArray::from_unary(counts, |count| count != NOT_A_TIME);
    let nulls = NullBuffer::new(is_there.values().clone());
    PrimitiveArray::new(counts.values().clone(), Some(nulls).filter(|all| all.null_count() > 0))
}

/// Days since 1970.
fn days(counts: &ArrayRef) -> PyResult<Date32Array> {
    let day = |count: &i64| match *count {
        NOT_A_TIME => Ok(None),
        count => i32::try_from(count).map(Some),
    };
    let days: Result<Vec<_>, _> =
        counts.as_primitive::<Int64Type>().values().iter().map(day).collect();
    Ok(Date32Array::from(days?))
}
