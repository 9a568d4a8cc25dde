//! The command `suum`, as the program in the wheel has it.

use std::ffi::OsString;

use pyo3::prelude::*;

/// Runs the command with these words, the first of which is the name of the program, and returns
/// the exit code.
#[pyfunction]
pub(crate) fn command(py: Python<'_>, words: Vec<OsString>) -> u8 {
    py.detach(|| suum_cli::run(&words))
}
