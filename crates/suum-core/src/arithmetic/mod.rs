//! Arithmetic that planning needs: long sums, and where functions fall below zero or are least.

pub(crate) mod crossing;
pub(crate) mod double_double;
pub(crate) mod least;
