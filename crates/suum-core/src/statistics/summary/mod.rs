//! Several statistics of one column, from one pass and one budget.

mod add_remove;
mod plan;
mod record;
mod release;
mod request;
mod split;
mod statistics;
#[cfg(test)]
mod tests;

pub use plan::SummaryPlan;
pub use release::{SummaryPart, SummaryProcedure};
pub use request::SummaryEstimands;
pub use split::{Parts, Split};
pub use statistics::Statistics;
