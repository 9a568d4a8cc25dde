//! The check that a statistic has use for every option that is set.

use suum_core::{Error, Result, leave_out, say};

use super::OptionRow;
use crate::statistic::StatisticName;

/// Refuses options that the statistic has no use for: they would be ignored.
///
/// # Errors
///
/// Names the first of them, and the statistics that it is for.
pub(crate) fn check_uses(set: &[&OptionRow], statistic: &StatisticName) -> Result<()> {
    let unused = set.iter().find(|row| !row.of.include(statistic));
    let Some(row) = unused else { return Ok(()) };
    let others = row.of.words().unwrap_or_else(|| say("other statistics"));
    Err(Error::request(row.option(), say("is for").then(others)).with_fix(leave_out(row.option())))
}
