//! Means, sums and frequencies: weighted sums of records, by any of the estimators.

mod end;
mod frequencies;
mod mean;
mod plan;
mod reach;
mod spread;

pub(crate) use end::{End, Errors};
pub use plan::{Candidate, Excluded, WeightedPlan};
pub(crate) use reach::{Beyond, Reaches};
