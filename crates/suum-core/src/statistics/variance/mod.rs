//! The variance, and the mean that comes with it.
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

/// The variance, as it is asked for.
pub(crate) struct Variance;
