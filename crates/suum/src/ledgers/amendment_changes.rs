//! Changes that an amendment made, as commands about ledgers tell of them.

use serde::Serialize;
use suum_ledger::{AmendedTier, AmendmentRecord, Amount, Holder, RegisterUse};

use super::forecast::level;

/// Changes of an amendment, as JSON.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub(super) struct AmendmentChanges {
    /// Tiers that were lowered or added.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) tiers: Vec<TierChange>,
    /// Numbers of persons by their new allowance.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) persons: Vec<DecidedPersons>,
    /// Number of these persons who allow more than before, if there are any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) raised: Option<u64>,
    /// Register of the decisions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) register: Option<RegisterUse>,
}

/// New allowance of a tier.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(super) struct TierChange {
    pub(super) level: String,
    /// Allowance before; none for an added tier.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) before: Option<Amount>,
    pub(super) allowed: Amount,
}

/// Persons with the same new allowance.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(super) struct DecidedPersons {
    pub(super) level: String,
    pub(super) persons: u64,
}

impl AmendmentChanges {
    /// Returns the changes of an amendment on record.
    pub(super) fn from_record(amendment: &AmendmentRecord) -> Self {
        let tier = |AmendedTier { label, before, allowed }: &AmendedTier| TierChange {
            level: label.clone(),
            before: *before,
            allowed: *allowed,
        };
        let persons = |(holder, persons): &(Holder, u64)| DecidedPersons {
            level: level(holder),
            persons: *persons,
        };
        Self {
            tiers: amendment.tiers.iter().map(tier).collect(),
            persons: amendment.decisions.iter().map(persons).collect(),
            raised: (amendment.raised > 0).then_some(amendment.raised),
            register: amendment.register.clone(),
        }
    }

    /// Returns the changes of tiers alone: others can tell who takes part.
    pub(super) fn tiers_only(self) -> Self {
        Self { tiers: self.tiers, ..Self::default() }
    }
}

impl TierChange {
    /// Describes the tier in a line.
    pub(super) fn text(&self) -> String {
        let Self { level, before, allowed } = self;
        match before {
            Some(before) => format!("{level}: {allowed} in all, {before} before"),
            None => format!("{level}: a new tier that allows {allowed} in all"),
        }
    }
}
