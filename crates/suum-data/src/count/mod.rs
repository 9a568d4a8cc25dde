//! Counts and sums, level by level.

pub(crate) mod briefs;
pub(crate) mod cell_entry;
pub(crate) mod cell_table;
pub(crate) mod coarse_sums;
pub(crate) mod coded;
pub(crate) mod counters;
pub(crate) mod first_records;
pub(crate) mod moments;
pub(crate) mod parts;
pub(crate) mod totals;

pub use counters::MOST as MOST_PAIRS;
pub use moments::{PARTS_OF_SUMS, SumsLimit};
