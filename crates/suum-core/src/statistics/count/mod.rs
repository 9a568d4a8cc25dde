//! Number of records.

mod add_remove;
mod request;

pub(crate) use add_remove::{Count, count_units, measure_count};

/// Number of records, as a statistic to request.
pub(crate) struct RecordCount;
