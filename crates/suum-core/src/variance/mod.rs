//! The variance, and the mean that comes with it.
//!
//! A [`VarianceRequest`] and a public profile make a [`VariancePlan`]; the plan and a level table
//! with sums of squares make a [`Release`](crate::Release).

mod answer;
mod moments;
mod plan;
mod record;
mod release;
mod request;

pub(crate) use answer::{Ends, agreeing, estimates};
pub use plan::VariancePlan;
pub(crate) use record::noise;
pub use request::VarianceRequest;
