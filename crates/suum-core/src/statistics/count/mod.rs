//! The number of records.

mod add_remove;
mod request;

pub(crate) use add_remove::{Count, count_units, measure_count};

/// The number of records, as it is asked for.
pub(crate) struct RecordCount;
