//! Entries besides releases: charges from elsewhere, amendments, and what was done to the ledger.

use serde::Serialize;
use serde_json::Value;
use suum_core::{Error, Result};
use suum_ledger::{AmendmentRecord, Amount, Dataset, Ledger, Members, Record, RecordState};

use super::costs::{CostRecord, hides_persons};
use crate::ledgers::amendment_changes::AmendmentChanges;

/// An entry that is no release. What is said of each kind is in `words`.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(super) struct ChangeRecord {
    pub(super) entry: u64,
    pub(super) at: String,
    pub(super) kind: ChangeKind,
    /// None of what is about the whole ledger.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) dataset: Option<String>,
    /// The reason of a charge.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) because: Option<String>,
    /// Costs of the charge, as far as they are not secret.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) costs: Vec<CostRecord>,
    /// The columns that were made public.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) columns: Vec<String>,
    #[serde(flatten)]
    pub(super) changes: AmendmentChanges,
    /// True if it is secret who decided.
    #[serde(skip)]
    pub(super) is_hidden: bool,
}

/// Kinds of entries that are no release.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum ChangeKind {
    /// Something was lost elsewhere, and counts.
    Charge,
    /// Entered decisions, or changed tiers.
    Amend,
    /// Exact numbers were published that cost nothing.
    Publish,
    /// Somebody accepted that entries were lost.
    Loss,
    /// Somebody said that the ledger was moved.
    Move,
    /// The tables were brought up to date.
    Migrate,
}

impl ChangeRecord {
    /// Returns the record of a charge; `None` for a release.
    pub(super) fn from_charge(dataset: &Dataset, record: &Record) -> Option<Self> {
        let RecordState::Elsewhere { because } = &record.state else { return None };
        let costs = match hides_persons(dataset) {
            // Who was charged how much can tell who takes part.
            true => Vec::new(),
            false => CostRecord::all(dataset, record),
        };
        Some(Self {
            dataset: Some(dataset.name.clone()),
            because: Some(because.clone()),
            costs: costs.into_iter().filter(|cost| cost.epsilon != Amount::ZERO).collect(),
            ..Self::new(record.entry, record.at.clone(), ChangeKind::Charge)
        })
    }

    /// Returns what the record of an amendment says.
    pub(super) fn from_amendment(dataset: &Dataset, amendment: &AmendmentRecord) -> Self {
        let is_of_persons = amendment.register.is_some() || !amendment.decisions.is_empty();
        let is_hidden = is_of_persons && dataset.neighbors.hides_participation();
        let changes = AmendmentChanges::from_record(amendment);
        Self {
            dataset: Some(dataset.name.clone()),
            because: amendment.because.clone(),
            changes: if is_hidden { changes.tiers_only() } else { changes },
            is_hidden,
            ..Self::new(amendment.entry, amendment.at.clone(), ChangeKind::Amend)
        }
    }

    /// Returns the record of an exported entry of the log; `None` for one of another kind.
    fn from_entry(entry: &Value) -> Option<Self> {
        let kind = match entry["kind"].as_str()? {
            "publish" => ChangeKind::Publish,
            "loss" => ChangeKind::Loss,
            "move" => ChangeKind::Move,
            "migrate" => ChangeKind::Migrate,
            _ => return None,
        };
        let (body, at) = (&entry["body"], entry["at"].as_str().unwrap_or_default());
        let columns = body["columns"]["published"].as_array().into_iter().flatten();
        Some(Self {
            dataset: body["dataset"].as_str().map(str::to_owned),
            columns: columns.filter_map(|name| name.as_str().map(str::to_owned)).collect(),
            ..Self::new(entry["seq"].as_u64()?, at.to_owned(), kind)
        })
    }

    fn new(entry: u64, at: String, kind: ChangeKind) -> Self {
        Self {
            entry,
            at,
            kind,
            dataset: None,
            because: None,
            costs: Vec::new(),
            columns: Vec::new(),
            changes: AmendmentChanges::default(),
            is_hidden: false,
        }
    }
}

/// Contents of the log besides the charges to datasets.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct LogRecord {
    /// When the ledger was made, and by which suum.
    pub(super) made: String,
    pub(super) suum: String,
    pub(super) changes: Vec<ChangeRecord>,
}

impl LogRecord {
    /// Goes through all entries.
    ///
    /// # Errors
    ///
    /// If the ledger cannot be read.
    pub(super) fn read(ledger: &Ledger) -> Result<Self> {
        let mut lines = Vec::new();
        ledger.export(Members::Counted, &mut lines)?;
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let mut log = Self { made: String::new(), suum: String::new(), changes: Vec::new() };
        for line in lines.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
            let entry: Value = serde_json::from_slice(line)
                .map_err(|_| Error::internal("an exported entry is not JSON"))?;
            if entry["kind"] == "ledger" {
                (log.made, log.suum) = (text(&entry["at"]), text(&entry["body"]["suum"]));
            }
            log.changes.extend(ChangeRecord::from_entry(&entry));
        }
        Ok(log)
    }
}
