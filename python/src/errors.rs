//! Refusals as Python exceptions.

use pyo3::prelude::*;
use suum::{Error, ErrorKind};

/// Exception for a refusal; its class depends on the kind of the refusal.
pub(crate) fn raised(py: Python<'_>, refused: &Error) -> PyErr {
    let class = match refused.kind() {
        ErrorKind::Parameter => "ParameterError",
        ErrorKind::Request => "RequestError",
        ErrorKind::Data => "DataError",
        ErrorKind::Table => "TableError",
        ErrorKind::Io => "ReadError",
        ErrorKind::Ledger => "LedgerError",
        ErrorKind::Budget => "BudgetError",
        _ => "InternalError",
    };
    let exception =
        py.import("suum._errors").and_then(|errors| errors.getattr(class)).and_then(|class| {
            class.call1((
                refused.render_for(&suum::Python),
                refused.fix().map(|fix| fix.render_for(&suum::Python)),
            ))
        });
    exception.map_or_else(|error| error, PyErr::from_value)
}
