//! The variance, and the mean that comes with it.
//!
//! A [`VarianceRequest`] and a public profile make a [`VariancePlan`]; the plan and a level table
//! with sums of squares make a [`VarianceRelease`].

mod plan;
mod record;
mod release;
mod request;

pub use plan::VariancePlan;
pub use release::{Estimate, VarianceRelease};
pub use request::{VarianceOptions, VarianceRequest};
