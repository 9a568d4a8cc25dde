//! The command `suum`, as the program that comes with the wheel has it.

use std::ffi::OsString;

use pyo3::prelude::*;

/// Does what these words ask for, of which the first is the name of the program, and gives the exit
/// code.
#[pyfunction]
pub(crate) fn command(py: Python<'_>, words: Vec<OsString>) -> u8 {
    py.detach(|| suum_cli::run(&words))
}
