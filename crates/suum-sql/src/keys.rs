//! Keys of a register of choices, which a database has in place of choices.

use std::borrow::Cow;

use suum_core::{Epsilon, Result};
use suum_data::{PrivacyColumn, Scan, Tiers};

/// Scan for the database: if choices are in a register, the keys in their place are read as text,
/// and its attributes are not read.
pub(crate) fn with_keys(scan: &Scan) -> Result<Cow<'_, Scan>> {
    let Some(consent) = &scan.consent else { return Ok(Cow::Borrowed(scan)) };
    let tiers = match &scan.privacy {
        PrivacyColumn::Tiers { tiers, .. } => tiers.clone(),
        PrivacyColumn::Budgets { column } => Tiers::new([(column.clone(), Epsilon::UNUSED)])?,
    };
    let privacy = PrivacyColumn::Tiers { column: consent.key().to_owned(), tiers };
    let group = scan.group.as_ref();
    let group = group.and_then(|group| group.by_some(|one| !consent.has_attribute(&one.column)));
    Ok(Cow::Owned(Scan { privacy, group, missing_choice: None, ..scan.clone() }))
}
