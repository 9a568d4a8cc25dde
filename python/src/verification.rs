//! Certificates checked.

use std::path::PathBuf;

use pyo3::prelude::*;

use crate::answer::Answer;
use crate::watch::done;

/// Computes the certificate of a release again, from its JSON or from a file with it.
#[pyfunction]
#[pyo3(signature = (text, file))]
pub(crate) fn verify_release(
    py: Python<'_>,
    text: Option<String>,
    file: Option<PathBuf>,
) -> PyResult<Answer> {
    let verified = done(py, move || match (text, file) {
        (None, Some(file)) => suum::verify_file(&file),
        (text, _) => suum::verify_release(&text.unwrap_or_default()),
    });
    verified.map(Answer::from)
}
