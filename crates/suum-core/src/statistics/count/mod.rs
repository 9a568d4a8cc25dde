//! The number of records.

mod hidden;
mod request;

pub(crate) use hidden::{Count, count_units, measure_count};

/// The number of records, as it is asked for.
pub(crate) struct RecordCount;
