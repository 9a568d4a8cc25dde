//! Keyword arguments, as entries of a query.

use pyo3::prelude::*;
use pyo3::{Borrowed, FromPyObject};
use pythonize::depythonize;
use suum::Entries;

/// Entries of a dictionary.
pub(crate) struct Arguments(pub(crate) Entries);

impl<'a, 'py> FromPyObject<'a, 'py> for Arguments {
    type Error = PyErr;

    fn extract(said: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        Ok(Self(depythonize(&said)?))
    }
}
