//! Means, sums and frequencies: weighted sums of records, by any of the estimators.

mod add_remove;
mod calibration;
mod comparison;
mod end;
mod frequencies;
mod half_width;
mod mean;
mod plan;
mod record;
mod request;
mod sensitivity;
mod spread;
mod strata;
mod tier_difference;
mod tiers_apart;

pub(crate) use add_remove::{NoiseOfSum, possible_sums};
pub use comparison::{Candidate, Exclusion};
pub(crate) use end::{End, Errors};
pub(crate) use half_width::{Beyond, HalfWidths};
pub use plan::WeightedPlan;
pub use request::{Statistic, WeightedRequest};
pub(crate) use sensitivity::{CutOffErrors, Side, tiers_sd};
pub(crate) use tier_difference::{PlannedVariance, shortest};
pub use tiers_apart::{TierAnswers, TierContrast, TierMean};

/// Mean, as a statistic to request.
pub(crate) struct Mean;

/// Sum, as a statistic to request.
pub(crate) struct Sum;
