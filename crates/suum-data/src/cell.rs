//! The text of one cell: a budget or a number.

use suum_core::Epsilon;

use crate::fault::{Fault, Role};

/// The budget a cell spells, by the rules of [`Epsilon`]'s text form. The cell has no spaces around it.
pub(crate) fn budget(cell: &[u8]) -> Result<Epsilon, Fault> {
    if cell.is_empty() {
        return Err(Fault::Missing(Role::Privacy));
    }
    text(cell, Role::Privacy)?.parse().map_err(|_| Fault::NotABudget)
}

/// The number a cell spells; NaN, however it is spelled, and an empty cell are NaN: missing.
pub(crate) fn number(cell: &[u8]) -> Result<f64, Fault> {
    if cell.is_empty() {
        return Ok(f64::NAN);
    }
    text(cell, Role::Value)?.parse().map_err(|_| Fault::NotANumber)
}

/// The cell as text.
pub(crate) fn text(cell: &[u8], role: Role) -> Result<&str, Fault> {
    std::str::from_utf8(cell).map_err(|_| Fault::NotUtf8(role))
}
