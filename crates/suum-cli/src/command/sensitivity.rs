//! `suum sensitivity`: dependence of the intervals of a release on budgets.

use suum::{Answer, Claim, Result};

use super::verify;
use crate::arguments::SensitivityArguments;

/// Reads a release, and prints its intervals if tiers differ.
pub(super) fn run(arguments: &SensitivityArguments) -> Result<Answer> {
    // Before a file is read.
    let claim = arguments.claim.as_deref().map(str::parse::<Claim>).transpose()?;
    suum::release_sensitivity(&verify::text(&arguments.file)?, claim, arguments.difference)
}
