//! Columns of several libraries in parallel.

use std::sync::Arc;

use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use pyo3::exceptions::PyException;
use pyo3::prelude::*;
use pyo3::types::PyFloat;
use pyo3_arrow::input::AnyArray;
use suum::{Batches, Error, Place, option};

use crate::constant::Constant;
use crate::errors::raised;
use crate::lists::{from_list, is_list};
use crate::numpy::from_numpy;
use crate::watch::drop_aside;

/// Named columns of equal length, each in pieces of any length.
#[derive(Debug)]
pub(crate) struct Columns {
    /// Pieces of each column.
    lent: Vec<Vec<ArrayRef>>,
    /// Columns as batches.
    batches: Vec<RecordBatch>,
    typed: SchemaRef,
    constant: Option<Constant>,
}

impl Columns {
    /// Columns of these names: anything that exports an Arrow array or a stream of them, an array
    /// of NumPy, or a list; or a number that is the same in all rows of the others.
    pub(crate) fn new(columns: Vec<(String, Bound<'_, PyAny>)>) -> PyResult<Self> {
        let (lent, batches, typed) = (Vec::new(), Vec::new(), Arc::new(Schema::empty()));
        let mut gathered = Self { lent, batches, typed, constant: None };
        match gathered.gather(columns) {
            Ok(()) => Ok(gathered),
            Err(raised) => {
                // Dropping the arrays may run Python code of their owners, where the exception of a
                // signal would be lost.
                drop_aside(gathered);
                Err(raised)
            }
        }
    }

    fn gather(&mut self, columns: Vec<(String, Bound<'_, PyAny>)>) -> PyResult<()> {
        let (mut fields, mut typed) = (Vec::new(), Vec::new());
        let Some(py) = columns.first().map(|(_, column)| column.py()) else { return Ok(()) };
        for (name, column) in columns {
            if let Ok(number) = column.cast::<PyFloat>() {
                self.constant = Some(Constant { name, number: number.value() });
                continue;
            }
            let whole = |array: ArrayRef| {
                let data_type = array.data_type().clone();
                (vec![array], data_type)
            };
            let (chunks, data_type) = match from_list(&name, &column)? {
                Some(array) => whole(array),
                None => match from_numpy(&column) {
                    Ok(Some(array)) => Ok(whole(array)),
                    Ok(None) => exported(&column),
                    Err(cause) => Err(cause),
                }
                .map_err(|cause| unreadable(&name, py, cause))?,
            };
            let field = Field::new(name, data_type, true);
            if !is_list(&column) {
                typed.push(field.clone());
            }
            fields.push(field);
            self.lent.push(chunks);
        }
        let schema = Arc::new(Schema::new(fields));
        self.batches = aligned(&schema, &self.lent).ok_or_else(|| {
            let refused = Error::parameter(option::DATA, "the columns have different lengths")
                .with_fix("give as many budgets as values, in the same order");
            raised(py, &refused)
        })?;
        self.typed = Arc::new(Schema::new(typed));
        Ok(())
    }

    /// Records, in batches that share the memory of the columns.
    pub(crate) fn batches(&self) -> Batches {
        let batches = self.batches.clone().into_iter().map(Ok);
        match self.constant.clone() {
            Some(constant) => constant.beside(batches),
            None => Box::new(batches),
        }
    }

    /// Schema of the columns with a type of their own: the type of a list depends on its items.
    pub(crate) fn typed(&self) -> SchemaRef {
        Arc::clone(&self.typed)
    }
}

/// Pieces of a column that exports an Arrow array or a stream of them, and their type.
fn exported(column: &Bound<'_, PyAny>) -> PyResult<(Vec<ArrayRef>, DataType)> {
    let (pieces, field) = column.extract::<AnyArray>()?.into_chunked_array()?.into_inner();
    Ok((pieces, field.data_type().clone()))
}

/// Refusal of a column whose library raised an exception, which is its cause and not its message,
/// since it may repeat a value.
fn unreadable(name: &str, py: Python<'_>, cause: PyErr) -> PyErr {
    if !cause.is_instance_of::<PyException>(py) {
        return cause;
    }
    let refused = Error::io(Place::column(name), "it could not be read")
        .with_fix("convert it to an array of numbers or text");
    let refused = raised(py, &refused);
    refused.set_cause(py, Some(cause));
    refused
}

/// Batches between the ends of all pieces; `None` if the columns have different lengths.
fn aligned(schema: &SchemaRef, columns: &[Vec<ArrayRef>]) -> Option<Vec<RecordBatch>> {
    let ends = |pieces: &Vec<ArrayRef>| {
        let lengths = pieces.iter().map(|piece| piece.len());
        lengths
            .scan(0, |end, length| {
                *end += length;
                Some(*end)
            })
            .collect::<Vec<usize>>()
    };
    let all: Vec<Vec<usize>> = columns.iter().map(ends).collect();
    let rows = all.first()?.last().copied().unwrap_or(0);
    if all.iter().any(|ends| ends.last().copied().unwrap_or(0) != rows) {
        return None;
    }
    let mut cuts: Vec<usize> = all.iter().flatten().copied().collect();
    cuts.sort_unstable();
    cuts.dedup();
    let mut from = 0;
    let mut batches = Vec::new();
    for to in cuts.into_iter().filter(|cut| *cut > 0) {
        let part = |(pieces, ends): (&Vec<ArrayRef>, &Vec<usize>)| {
            let piece = ends.partition_point(|end| *end <= from);
            let start = ends[piece] - pieces[piece].len();
            pieces[piece].slice(from - start, to - from)
        };
        let arrays = columns.iter().zip(&all).map(part).collect();
        batches.push(RecordBatch::try_new(Arc::clone(schema), arrays).ok()?);
        from = to;
    }
    if batches.is_empty() {
        batches.push(RecordBatch::new_empty(Arc::clone(schema)));
    }
    Some(batches)
}
