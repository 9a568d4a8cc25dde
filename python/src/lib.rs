//! The extension module of the Python package: commands in words and data in Arrow go in, answers
//! come out.
//!
//! Names, types, defaults and documentation are in Python (`python/suum`). A keyword argument there
//! becomes the option of the same name of the command line (`suum-cli`), which is the one place
//! that gives it a meaning.

mod answer;
mod audit;
mod columns;
mod errors;
mod record;
mod records;
mod simulation;
mod spending;
mod watch;

use pyo3::prelude::*;

/// The part of suum that is written in Rust.
#[pymodule]
mod _suum {
    use super::*;

    #[pymodule_export]
    use crate::answer::{Answer, level_table, options, run};
    #[pymodule_export]
    use crate::audit::audit_function;
    #[pymodule_export]
    use crate::simulation::simulate;
    #[pymodule_export]
    use crate::spending::spending_stream;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
