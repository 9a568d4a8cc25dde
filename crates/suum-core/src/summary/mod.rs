//! Several statistics of one column, from one pass and one budget.

mod plan;
mod record;
mod release;
mod split;
mod statistics;
#[cfg(test)]
mod tests;

use crate::Error;

pub use plan::SummaryPlan;
pub(crate) use release::estimates;
pub use split::{Parts, Split};
pub(crate) use statistics::Measured;
pub use statistics::Statistics;

/// The refusal of quantiles of a table without candidates.
pub(crate) fn no_candidates() -> Error {
    Error::request("quantiles: there are no candidates")
        .with_hint("make the table for quantiles, with --cells or --step")
}
