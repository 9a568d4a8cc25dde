//! Variance, and the mean that is measured with it.
//!
//! A [`VarianceRequest`] and a public profile make a [`VariancePlan`]; the plan and a level table
//! with sums of squares make a [`Release`](crate::Release).

mod add_remove;
mod answer;
mod moments;
mod plan;
mod record;
mod release;
mod request;

pub(crate) use answer::Ends;
pub use plan::VariancePlan;
pub use request::VarianceRequest;

/// Variance, as a statistic to request.
pub(crate) struct Variance;
