//! The check that a statistic has use for every option that is set.

use suum_core::{Error, Result};

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
    let (word, others) = (row.word(), row.of.words().unwrap_or("other statistics"));
    Err(Error::request(format!("{word}: is for {others}")).with_hint(format!("leave --{word} out")))
}
