//! Items of lists.

use pyo3::prelude::*;

/// Number of items after which an interrupt is noticed.
const ITEMS: usize = 1 << 18;

/// Iterates over the items, and notices interrupts in between.
pub(crate) fn watched<'py>(
    items: &Bound<'py, PyAny>,
) -> PyResult<impl Iterator<Item = PyResult<Bound<'py, PyAny>>>> {
    let py = items.py();
    Ok(items.try_iter()?.enumerate().map(move |(row, item)| match row % ITEMS {
        0 => py.check_signals().and(item),
        _ => item,
    }))
}
