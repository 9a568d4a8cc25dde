//! Export of the log, with the facts that follow from its entries.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use suum_core::{Error, Result};
use suum_ledger::{Ledger, RecordState};

use super::over_time::OverTime;
use super::release_summary::ReleaseSummary;

/// Adds to the lines of a log the request of each release, and the amounts left after each entry.
pub(super) fn with_what_follows(ledger: &Ledger, lines: &str) -> Result<String> {
    let mut more: BTreeMap<u64, Vec<(&str, Value)>> = BTreeMap::new();
    for dataset in ledger.datasets()? {
        let records = ledger.history(&dataset.name)?;
        for record in &records {
            if matches!(record.state, RecordState::Elsewhere { .. }) {
                continue;
            }
            more.entry(record.entry)
                .or_default()
                .push(("released", json!(ReleaseSummary::from_record(record))));
        }
        let OverTime { tiers, left, .. } =
            OverTime::compute(&dataset, &records, &ledger.amendments(&dataset.name)?);
        for (entry, _, left) in left {
            let tiers = tiers.iter().map(|(tier, _)| tier).zip(left);
            let left: Vec<Value> =
                tiers.map(|(tier, left)| json!({"level": tier, "left": left})).collect();
            more.entry(entry).or_default().push(("left", Value::from(left)));
        }
    }
    let line = |line: &str| {
        let mut entry: Value = serde_json::from_str(line)
            .map_err(|_| Error::internal("an exported entry is not JSON"))?;
        let seq = entry["seq"].as_u64().unwrap_or_default();
        for (name, value) in more.remove(&seq).unwrap_or_default() {
            entry[name] = value;
        }
        Ok(format!("{entry}\n"))
    };
    lines.lines().map(line).collect()
}
