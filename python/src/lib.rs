//! The extension module of the Python package: jobs in dictionaries and data in Arrow go in,
//! answers come out.
//!
//! Names, types, defaults and documentation are in Python (`python/suum`). A keyword argument there
//! becomes the entry of the same name of a [`suum::Query`], which gives it a meaning.
//!
//! # What is where
//!
//! A study (`_study.py`) says consent (`_consent.py`) and columns (`_codebook.py`) once; its
//! methods (`_question.py`) call the functions (`_functions.py`), also as plans and as answers of
//! one release. The extension says what columns add to a question. `keywords.py` has the types of
//! keywords, which `_help.py` explains. A function makes a dictionary of its keywords
//! (`_entries.py`), describes columns in Arrow (`_data.py`, `_columns.py`; the types of all that
//! data can be in `_types.py`, dates in `_times.py`; what is read follows one order of rows and is
//! computed from public columns where it chooses rows, `_public.py`), has warnings raised before a
//! release costs anything (`_ask.py`), and reads the answer (`_release.py`, `_kinds.py`,
//! `_values.py`, `_plan.py`, `_report.py`), with labels of their own type (`_groups.py`).
//! `_survey.py` asks several questions at once. In the extension `command` is the program of
//! suum-cli, `arguments` makes a query of a dictionary, `lists` makes arrays of those of Python and
//! looks for interrupts between their `items`, `numpy` reads arrays where they lie, `constant` is a
//! column of one number, `watch` has a thread that rests between calls do the work while the
//! interpreter looks for interrupts, and `record` makes dictionaries of an answer's JSON.
//! `duckdb.py`, `spark.py` and `sql.py` have an engine run the query that `_level_query.py` prints,
//! and hand its rows back as a level table (`_levels.py`); they import nothing of these engines,
//! but call what the caller hands over, and end its query when the process is interrupted
//! (`_process.py`). A cluster of Spark makes level tables only: noise is drawn on the driver.

mod answer;
mod arguments;
mod audit;
mod columns;
mod command;
mod constant;
mod errors;
mod items;
mod ledger;
mod lists;
mod numpy;
mod pieces;
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
        Answer, answer_from_record, completed_job, filter_columns, level_query, level_table,
        options, plain_job, read_query, run, schema,
    };
    #[pymodule_export]
    use crate::audit::{audit_function, audit_named};
    #[pymodule_export]
    use crate::command::command;
    #[pymodule_export]
    use crate::ledger::{
        amend_ledger, charge_ledger, export_ledger, init_ledger, ledger_dossier, ledger_statement,
        show_ledger, verify_ledger,
    };
    #[pymodule_export]
    use crate::record::read_record;
    #[pymodule_export]
    use crate::simulation::simulate;
    #[pymodule_export]
    use crate::spending::spending_stream;
    #[pymodule_export]
    use crate::verification::{release_sensitivity, verify_release};

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
