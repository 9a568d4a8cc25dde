//! Checks of certificates, and the sensitivity of intervals to budgets.

use std::path::PathBuf;

use pyo3::prelude::*;

use crate::answer::Answer;
use crate::watch::done;

/// Recomputes the certificate of a release, from its JSON or from a file with it.
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

/// Intervals of a release, from its JSON, if tiers differ: also for one more difference, and the
/// largest difference for which a claim holds, such as `above 2.5`.
#[pyfunction]
#[pyo3(signature = (text, claim, difference))]
pub(crate) fn release_sensitivity(
    py: Python<'_>,
    text: String,
    claim: Option<String>,
    difference: Option<f64>,
) -> PyResult<Answer> {
    let read = done(py, move || {
        let claim = claim.map(|claim| claim.parse()).transpose()?;
        suum::release_sensitivity(&text, claim, difference)
    });
    read.map(Answer::from)
}
