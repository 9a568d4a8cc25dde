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
pub(crate) mod histogram;
mod order;
pub(crate) mod place;
mod plan;
pub(crate) mod questions;
mod rank;
pub(crate) mod reach;
mod record;
mod reference;
mod release;
mod request;
pub(crate) mod slack;

pub use candidate::{QuantileCandidate, RankError};
pub(crate) use division::Division;
pub use division::{QuantileMethod, QuantilesTogether};
pub use estimator::QuantileEstimator;
pub(crate) use order::{Drawn, in_order};
pub(crate) use place::{Place, half_of_longest, no_interval, why_no_interval};
pub use plan::QuantilePlan;
pub use rank::Rank;
#[cfg(feature = "schema")]
pub(crate) use record::ComparedRecord;
pub(crate) use record::{Compared, noise};
pub use request::QuantileRequest;
pub(crate) use request::{check_interval_share, check_ranks};
