//! Means, sums and frequencies: weighted sums of records, by any of the estimators.

mod calibration;
mod comparison;
mod end;
mod frequencies;
mod mean;
mod plan;
mod reach;
mod request;
mod spread;

pub use comparison::{Candidate, Excluded};
pub(crate) use end::{End, Errors};
pub use plan::WeightedPlan;
pub(crate) use reach::{Beyond, Reaches};
pub use request::{Statistic, WeightedRequest};
