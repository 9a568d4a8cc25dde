//! What is on record besides releases: charges from elsewhere, and what was done to the ledger.

use serde::Serialize;
use serde_json::Value;
use suum_core::{Error, Result};
use suum_ledger::{Amount, Dataset, Ledger, Members, Record, RecordState};

use super::costs::{CostRecord, hides_persons};

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
    /// What was charged, as far as that is not secret.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) costs: Vec<CostRecord>,
    /// The columns that were made public.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) columns: Vec<String>,
}

/// Kinds of entries that are no release.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum ChangeKind {
    /// Something was lost elsewhere, and counts.
    Charge,
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
    /// What the record of a charge says; `None` of a release.
    pub(super) fn of_charge(dataset: &Dataset, record: &Record) -> Option<Self> {
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

    /// What an entry of the log says, as it is exported; `None` of one of another kind.
    fn of_entry(entry: &Value) -> Option<Self> {
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
        let (costs, columns) = (Vec::new(), Vec::new());
        Self { entry, at, kind, dataset: None, because: None, costs, columns }
    }
}

/// What the log says besides what is charged to datasets.
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
    pub(super) fn of(ledger: &Ledger) -> Result<Self> {
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
            log.changes.extend(ChangeRecord::of_entry(&entry));
        }
        Ok(log)
    }
}
