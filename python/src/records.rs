//! Tables and columns of Python libraries as batches of records.

use std::sync::{Mutex, PoisonError};

use arrow_array::RecordBatch;
use pyo3::prelude::*;
use pyo3_arrow::input::AnyRecordBatch;
use suum::{Batches, Error, Held, Result};

use crate::columns::Columns;

/// Records that are in the hands of a Python library.
#[derive(Debug)]
pub(crate) struct Records {
    origin: Origin,
    // The exception of the library, if reading failed.
    failure: Mutex<Option<PyErr>>,
}

#[derive(Debug)]
enum Origin {
    /// Anything that exports a stream or a batch of Arrow records.
    Table(Py<PyAny>),
    /// Named columns of equal length.
    Columns(Columns),
}

impl Records {
    /// A table that exports Arrow records, or a list of pairs of a name and a column.
    pub(crate) fn new(data: &Bound<'_, PyAny>) -> PyResult<Self> {
        let origin = match data.extract::<Vec<(String, Bound<'_, PyAny>)>>() {
            Ok(columns) => Origin::Columns(Columns::new(columns)?),
            Err(_) => Origin::Table(data.clone().unbind()),
        };
        Ok(Self { origin, failure: Mutex::new(None) })
    }

    /// What the library raised when it was asked for records.
    pub(crate) fn failure(&self) -> Option<PyErr> {
        self.failure.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

impl Held for Records {
    fn batches(&self) -> Result<Batches> {
        let table = match &self.origin {
            Origin::Columns(columns) => return Ok(columns.batches()),
            Origin::Table(table) => table,
        };
        let reader = Python::attach(|py| table.bind(py).extract::<AnyRecordBatch>()?.into_reader());
        let reader = reader.map_err(|raised| {
            *self.failure.lock().unwrap_or_else(PoisonError::into_inner) = Some(raised);
            unreadable()
        })?;
        Ok(Box::new(
            reader
                .map(|batch: std::result::Result<RecordBatch, _>| batch.map_err(|_| unreadable())),
        ))
    }
}

/// The message of a library may repeat a value, so it is not part of ours.
fn unreadable() -> Error {
    Error::io("data: they could not be read")
        .with_hint("read them without suum to see why, for example with pyarrow.table(data)")
}
