//! The releases of a dataset.

use serde::Serialize;
use serde_json::Value;
use suum_ledger::{Amount, Dataset, NotUsed, Record, RecordState};

use super::costs::CostRecord;
use crate::answer::StoredAnswer;
use crate::ledgers::release_summary::ReleaseSummary;

/// A release, and what it could have cost anybody.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(super) struct ReleaseRecord {
    pub(super) entry: u64,
    pub(super) at: String,
    /// `settled`, `open` or `cancelled`.
    pub(super) state: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) statistic: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) column: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) group_by: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) edition: Option<String>,
    /// The version of suum that made it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) suum: Option<String>,
    /// The register of decisions that was looked at.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) register: Option<RegisterRecord>,
    /// Number of people who were in another tier before, which somebody accepted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) moved: Option<u64>,
    /// The digest of what was published.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) sha256: Option<String>,
    /// Costs of each tier or class of persons, as far as they are not secret.
    pub(super) costs: Vec<CostRecord>,
    /// The largest of these.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) most: Option<Amount>,
}

/// The register of decisions that a release looked at.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(super) struct RegisterRecord {
    pub(super) as_of: String,
    /// The number of people who were not used for want of a decision in force; none where
    /// participation is hidden.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) not_used: Option<u64>,
    /// Number by the reason.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) reasons: Option<NotUsed>,
    /// The keyed digest of the decisions; none where equal ones would tell that nobody decided
    /// anything.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) digest: Option<String>,
}

impl ReleaseRecord {
    /// A reservation and what became of it; `None` of what is no release.
    pub(super) fn from_record(dataset: &Dataset, record: &Record) -> Option<Self> {
        let state = match record.state {
            RecordState::Open => "open",
            RecordState::Settled { .. } => "settled",
            RecordState::Cancelled { .. } => "cancelled",
            RecordState::Elsewhere { .. } => return None,
        };
        let summary = ReleaseSummary::from_record(record);
        let certificate = record.certificate.as_ref();
        let sha256 = certificate.and_then(|said| said[StoredAnswer::DIGEST].as_str());
        let costs = CostRecord::all(dataset, record);
        Some(Self {
            entry: record.entry,
            at: record.at.clone(),
            state,
            statistic: summary.statistic,
            column: summary.column,
            group_by: summary.group_by.map(|names| names.0).unwrap_or_default(),
            edition: summary.edition,
            suum: summary.suum,
            register: certificate
                .and_then(|said| RegisterRecord::from_certificate(dataset, said, record)),
            moved: Some(record.moved).filter(|moved| *moved > 0),
            sha256: sha256.map(str::to_owned),
            most: costs.iter().map(|cost| cost.epsilon).max(),
            costs,
        })
    }
}

impl RegisterRecord {
    /// Returns the register in the document of a release.
    fn from_certificate(dataset: &Dataset, certificate: &Value, record: &Record) -> Option<Self> {
        let consent = &certificate["consent"];
        let not_used = consent["not_used"].as_u64();
        let hides = dataset.neighbors.hides_participation();
        let on_record = record.register.as_ref().filter(|_| !hides);
        Some(Self {
            as_of: consent["as_of"].as_str()?.to_owned(),
            not_used: not_used.filter(|_| !hides),
            reasons: on_record.and_then(|register| register.not_used),
            digest: on_record.map(|register| register.digest.clone()),
        })
    }
}
