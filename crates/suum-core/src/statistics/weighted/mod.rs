//! Means, sums and frequencies: weighted sums of records, by any of the estimators.

mod calibration;
mod comparison;
mod end;
mod frequencies;
mod hidden;
mod mean;
mod plan;
mod reach;
mod record;
mod request;
mod spread;

pub use comparison::{Candidate, Excluded};
pub(crate) use end::{End, Errors};
pub(crate) use hidden::NoiseOfSum;
pub use plan::WeightedPlan;
pub(crate) use reach::{Beyond, Reaches};
pub use request::{Statistic, WeightedRequest};

/// The mean, as it is asked for.
pub(crate) struct Mean;

/// The sum, as it is asked for.
pub(crate) struct Sum;
