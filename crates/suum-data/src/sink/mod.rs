//! What becomes of rows: records that are counted at once, that wait for the rows of their person,
//! or that are kept to be asked again.

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
