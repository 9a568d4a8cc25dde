//! Tables and columns of Python libraries as batches of records.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use arrow_array::RecordBatch;
use pyo3::prelude::*;
use pyo3_arrow::input::AnyRecordBatch;
use suum::{Error, Result};
use suum_cli::{Batches, Held};

use crate::columns::Columns;

/// Records that are in the hands of a Python library.
#[derive(Debug)]
pub(crate) struct Records {
    origin: Origin,
    // Whether the origin was read, and gives nothing any more.
    spent: AtomicBool,
    // The exception of the library, if reading failed.
    failure: Mutex<Option<PyErr>>,
}

#[derive(Debug)]
enum Origin {
    /// Anything that exports a stream or a batch of Arrow records, each time it is asked.
    Table(Py<PyAny>),
    /// The same, which can be asked only once.
    Stream(Py<PyAny>),
    /// Named columns of equal length.
    Columns(Columns),
}

impl Records {
    /// A table that exports Arrow records, or a list of pairs of a name and a column.
    pub(crate) fn new(data: &Bound<'_, PyAny>) -> PyResult<Self> {
        let origin = match data.extract::<Vec<(String, Bound<'_, PyAny>)>>() {
            Ok(columns) => Origin::Columns(Columns::new(columns)?),
            Err(_) if data.hasattr("__next__")? || data.hasattr("read_next_batch")? => {
                Origin::Stream(data.clone().unbind())
            }
            Err(_) => Origin::Table(data.clone().unbind()),
        };
        Ok(Self { origin, spent: AtomicBool::new(false), failure: Mutex::new(None) })
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
            Origin::Stream(_) if self.spent.swap(true, Ordering::Relaxed) => {
                return Err(Error::io(
                    "data: a stream can be read only once, and the estimator reads the data twice",
                )
                .with_hint("give a table, or choose another estimator"));
            }
            Origin::Stream(table) | Origin::Table(table) => table,
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
