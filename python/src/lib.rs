//! The extension module of the Python package: jobs in JSON and data in Arrow go in, answers come
//! out.
//!
//! Names, types, defaults and documentation are in Python (`python/suum`). A keyword argument there
//! becomes the entry of the same name of a [`suum::Query`], which gives it a meaning.

mod answer;
mod audit;
mod columns;
mod command;
mod constant;
mod errors;
mod items;
mod ledger;
mod lists;
mod pieces;
mod reading;
mod record;
mod records;
mod simulation;
mod spending;
mod text;
mod verification;
mod watch;

use pyo3::prelude::*;

/// The part of suum that is written in Rust.
#[pymodule]
mod _suum {
    use super::*;

    #[pymodule_export]
    use crate::answer::{
        Answer, level_query, level_table, options, plain_job, read_query, run, schema,
    };
    #[pymodule_export]
    use crate::audit::{audit_function, audit_named};
    #[pymodule_export]
    use crate::command::command;
    #[pymodule_export]
    use crate::ledger::{export_ledger, init_ledger, show_ledger, verify_ledger};
    #[pymodule_export]
    use crate::simulation::simulate;
    #[pymodule_export]
    use crate::spending::spending_stream;
    #[pymodule_export]
    use crate::verification::verify_release;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
