//! Tables and columns of Python libraries as batches of records.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use arrow_array::{RecordBatch, RecordBatchReader};
use arrow_schema::SchemaRef;
use pyo3::prelude::*;
use pyo3_arrow::input::AnyRecordBatch;
use suum::{Batches, Error, HeldRecords, Result, option};

use crate::columns::Columns;
use crate::constant::Constant;

/// Records that are in the hands of a Python library.
pub(crate) struct Records {
    origin: Origin,
    // A reader that was opened for its types, and of which nothing is read yet.
    reader: Mutex<Option<Reader>>,
    failure: Failure,
}

/// Exception that a library raised when it was asked for records.
#[derive(Clone, Default)]
pub(crate) struct Failure(Arc<Mutex<Option<PyErr>>>);

impl Failure {
    pub(crate) fn take(&self) -> Option<PyErr> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    fn put(&self, raised: PyErr) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(raised);
    }
}

type Reader = Box<dyn RecordBatchReader + Send>;

#[derive(Debug)]
enum Origin {
    /// Anything that exports a stream or a batch of Arrow records, and a column beside it that is
    /// the same number in every row.
    Table(Py<PyAny>, Option<Constant>),
    /// Named columns of equal length.
    Columns(Columns),
}

impl Records {
    /// Reads a table that exports Arrow records, such a table with a name and a number for a column
    /// beside it, or a list of pairs of a name and a column.
    pub(crate) fn new(data: &Bound<'_, PyAny>, failure: Failure) -> PyResult<Self> {
        let origin = if let Ok(columns) = data.extract::<Vec<(String, Bound<'_, PyAny>)>>() {
            Origin::Columns(Columns::new(columns)?)
        } else if let Ok((table, name, number)) = data.extract::<(Py<PyAny>, String, f64)>() {
            Origin::Table(table, Some(Constant { name, number }))
        } else {
            Origin::Table(data.clone().unbind(), None)
        };
        Ok(Self { origin, reader: Mutex::default(), failure })
    }

    fn open(&self, table: &Py<PyAny>) -> Result<Reader> {
        let reader = Python::attach(|py| table.bind(py).extract::<AnyRecordBatch>()?.into_reader());
        reader.map_err(|raised| {
            self.failure.put(raised);
            unreadable()
        })
    }
}

impl HeldRecords for Records {
    fn batches(&self) -> Result<Batches> {
        let (table, constant) = match &self.origin {
            Origin::Columns(columns) => return Ok(columns.batches()),
            Origin::Table(table, constant) => (table, constant.clone()),
        };
        let opened = self.reader.lock().unwrap_or_else(PoisonError::into_inner).take();
        let reader = match opened {
            Some(reader) => reader,
            None => self.open(table)?,
        };
        let batches = reader
            .map(|batch: std::result::Result<RecordBatch, _>| batch.map_err(|_| unreadable()));
        Ok(match constant {
            Some(constant) => constant.beside(batches),
            None => Box::new(batches),
        })
    }

    /// Returns false for readers and streams, which give their records once.
    fn is_read_again(&self) -> bool {
        let Origin::Table(table, _) = &self.origin else { return true };
        Python::attach(|py| {
            let is_reader = table.bind(py).hasattr("read_next_batch");
            !is_reader.unwrap_or(true)
        })
    }

    /// Types that their library gives them.
    fn schema(&self) -> Option<SchemaRef> {
        let table = match &self.origin {
            Origin::Columns(columns) => return Some(columns.typed()),
            Origin::Table(table, _) => table,
        };
        let mut opened = self.reader.lock().unwrap_or_else(PoisonError::into_inner);
        if opened.is_none() {
            // A table that cannot be read is refused when it is read.
            *opened = self.open(table).ok();
        }
        opened.as_ref().map(|reader| reader.schema())
    }
}

impl fmt::Debug for Records {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Records").field("origin", &self.origin).finish_non_exhaustive()
    }
}

/// Refusal of records whose library raised an exception; the message of the library may repeat a
/// value, so it is left out.
fn unreadable() -> Error {
    Error::io(option::DATA, "they could not be read")
        .with_fix("read them without suum to see why, for example with pyarrow.table(data)")
}
