//! Keys of a register of choices, which a database has in place of them.

use std::borrow::Cow;

use suum_core::{Epsilon, Result};
use suum_data::{PrivacyColumn, Scan, Tiers};

/// The scan as a database is asked for it: where choices are in a register, keys stand in their
/// place, which are text.
pub(crate) fn with_keys(scan: &Scan) -> Result<Cow<'_, Scan>> {
    let Some(consent) = &scan.consent else { return Ok(Cow::Borrowed(scan)) };
    let tiers = match &scan.privacy {
        PrivacyColumn::Tiers { tiers, .. } => tiers.clone(),
        PrivacyColumn::Budgets { column } => Tiers::new([(column.clone(), Epsilon::UNUSED)])?,
    };
    let privacy = PrivacyColumn::Tiers { column: consent.key().to_owned(), tiers };
    Ok(Cow::Owned(Scan { privacy, missing_choice: None, ..scan.clone() }))
}
