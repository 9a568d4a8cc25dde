//! Ledgers: creating and reading them.

use std::path::PathBuf;
use std::sync::Arc;

use pyo3::prelude::*;
use suum::{HeldRecords, Result};

use crate::answer::Answer;
use crate::arguments::Arguments;
use crate::records::{Failure, Records};
use crate::watch::done;

/// Makes a ledger, or accounts for another dataset in it; `accounts` is a dictionary.
#[pyfunction]
pub(crate) fn init_ledger(py: Python<'_>, file: PathBuf, accounts: Arguments) -> PyResult<Answer> {
    run(py, move || suum::init_ledger(&file, accounts.0))
}

/// Remaining budgets, and the releases of one dataset.
#[pyfunction]
#[pyo3(signature = (file, dataset=None))]
pub(crate) fn show_ledger(
    py: Python<'_>,
    file: PathBuf,
    dataset: Option<String>,
) -> PyResult<Answer> {
    run(py, move || suum::show_ledger(&file, dataset.as_deref()))
}

/// Charges losses from elsewhere; `charge` is a dictionary of persons or tiers and amounts.
#[pyfunction]
pub(crate) fn charge_ledger(py: Python<'_>, file: PathBuf, charge: Arguments) -> PyResult<Answer> {
    run(py, move || suum::charge_ledger(&file, charge.0))
}

/// Enters decisions of persons, or changes tiers; `amendment` is a dictionary, and `register` a
/// table in place of the file that it would name.
#[pyfunction]
#[pyo3(signature = (file, amendment, register=None))]
pub(crate) fn amend_ledger(
    py: Python<'_>,
    file: PathBuf,
    amendment: Arguments,
    register: Option<Bound<'_, PyAny>>,
) -> PyResult<Answer> {
    let register = register.map(|table| Records::new(&table, Failure::default())).transpose()?;
    let register = register.map(|table| Arc::new(table) as Arc<dyn HeldRecords>);
    // It is dropped here, where Python code of its owner may run.
    let lent = register.clone();
    run(py, move || suum::amend_ledger(&file, amendment.0, lent))
}

/// Statement to one person; a dictionary says to whom.
#[pyfunction]
pub(crate) fn ledger_statement(
    py: Python<'_>,
    file: PathBuf,
    whose: Arguments,
) -> PyResult<Answer> {
    run(py, move || suum::ledger_statement(&file, whose.0))
}

/// A dossier for a data protection officer, of one dataset or of all.
#[pyfunction]
#[pyo3(signature = (file, dataset=None))]
pub(crate) fn ledger_dossier(
    py: Python<'_>,
    file: PathBuf,
    dataset: Option<String>,
) -> PyResult<Answer> {
    run(py, move || suum::ledger_dossier(&file, dataset.as_deref()))
}

/// Checks that no entry was changed or lost, and finds the entry of a release, if its JSON is
/// given.
#[pyfunction]
#[pyo3(signature = (file, accept_loss, accept_move, release=None))]
pub(crate) fn verify_ledger(
    py: Python<'_>,
    file: PathBuf,
    accept_loss: bool,
    accept_move: bool,
    release: Option<String>,
) -> PyResult<Answer> {
    run(py, move || {
        let verify = || suum::verify_ledger(&file, accept_loss, accept_move);
        let Some(release) = release else { return verify() };
        if accept_loss || accept_move {
            verify()?;
        }
        suum::verify_ledger_release(&file, &release)
    })
}

/// All entries, one JSON object a line.
#[pyfunction]
pub(crate) fn export_ledger(py: Python<'_>, file: PathBuf) -> PyResult<Answer> {
    run(py, move || suum::export_ledger(&file))
}

fn run(
    py: Python<'_>,
    work: impl FnOnce() -> Result<suum::Answer> + Send + 'static,
) -> PyResult<Answer> {
    done(py, work).map(Answer::from)
}
