//! Quantiles: candidates chosen by their weighted rank.
//!
//! The flow is that of a mean: a [`QuantileRequest`] and a public profile make a [`QuantilePlan`],
//! which fixes weights, questions and the exact loss of every level; the plan and a level table
//! with counts at candidates make a [`Release`](crate::Release).

mod add_remove;
mod answer_positions;
mod basis;
mod candidate;
mod comparison;
mod division;
mod draft;
mod estimator;
mod histogram;
mod order;
mod plan;
mod questions;
mod rank_sampling;
mod record;
mod reference;
mod release;
mod request;
mod slack;

pub(crate) use answer_positions::why_no_interval;
pub use candidate::{QuantileCandidate, RankError};
pub(crate) use division::Division;
pub use division::{QuantileMethod, QuantilesTogether};
pub use estimator::QuantileEstimator;
pub use plan::QuantilePlan;
pub use request::{QuantileEstimands, QuantileRequest};
