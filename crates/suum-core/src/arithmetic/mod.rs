//! Arithmetic for planning: accurate sums, zeros and minima.

pub(crate) mod crossing;
pub(crate) mod double_double;
pub(crate) mod least;
