//! Quantiles: candidates chosen by their weighted rank.
//!
//! The flow is that of a mean: a [`QuantileRequest`] and a public profile make a [`QuantilePlan`],
//! which fixes weights, questions and the exact loss of every level; the plan and a level table
//! with counts at candidates make a [`Release`](crate::Release).

mod basis;
mod candidate;
mod comparison;
mod division;
mod draft;
mod estimator;
mod hidden;
mod histogram;
mod order;
mod place;
mod plan;
mod questions;
mod rank;
mod reach;
mod record;
mod reference;
mod release;
mod request;
mod slack;

pub use candidate::{QuantileCandidate, RankError};
pub(crate) use division::Division;
pub use division::{QuantileMethod, QuantilesTogether};
pub use estimator::QuantileEstimator;
pub(crate) use place::why_no_interval;
pub use plan::QuantilePlan;
pub use rank::Rank;
pub use request::{AskedQuantiles, QuantileRequest};
