//! Conversion of the cells of a row to integers, and the faults that a cell can have.

pub(crate) mod cell;
pub(crate) mod columns;
pub(crate) mod fault;
pub(crate) mod indexed;
pub(crate) mod level_key;
pub(crate) mod missing_column;
pub(crate) mod offset;
pub(crate) mod selection;

pub use level_key::EXACT as EXACT_BUDGETS;
