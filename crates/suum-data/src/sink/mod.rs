//! Sinks of rows: records are counted at once, wait for other rows of their person, or are kept to
//! be counted later.

pub(crate) mod accumulator;
pub(crate) mod budgets;
pub(crate) mod buffer;
pub(crate) mod job;
pub(crate) mod levels;
pub(crate) mod persons;
pub(crate) mod record_sink;
pub(crate) mod register;
pub(crate) mod room;
pub(crate) mod row_sink;
pub(crate) mod temporary;

pub use budgets::too_many_weights;
pub use buffer::RecordBuffer;
