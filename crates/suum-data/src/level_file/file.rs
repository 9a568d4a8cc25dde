//! Contents of a level-table file before it is checked.

use serde::Deserialize;
use serde_json::value::RawValue;
use suum_core::{Crosstab, Error, GroupName, Phrase, QueryOrigins, Replacement};

use super::numbers::Count;

/// The whole file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct LevelFile {
    #[serde(rename = "format")]
    _format: String,
    #[serde(rename = "version")]
    _version: u64,
    #[serde(rename = "warning")]
    _warning: Option<String>,
    pub(super) column: Option<String>,
    pub(super) bounds: Option<[f64; 2]>,
    pub(super) unit: Option<String>,
    pub(super) grid: Option<u64>,
    pub(super) categories: Option<Vec<String>>,
    pub(super) crosstab: Option<Crosstab>,
    pub(super) squares: Option<bool>,
    pub(super) cells: Option<u32>,
    pub(super) cell_sums: Option<bool>,
    pub(super) rows: Option<u32>,
    pub(super) person: Option<String>,
    pub(super) totals: Option<bool>,
    pub(super) per_person: Option<String>,
    pub(super) query: Option<String>,
    pub(super) query_columns: Option<QueryOrigins>,
    #[serde(rename = "where")]
    pub(super) filter: Option<String>,
    pub(super) missing: Option<Replacement>,
    pub(super) group_by: Option<GroupName>,
    pub(super) groups: Option<Vec<GroupName>>,
    pub(super) records: u64,
    pub(super) levels: Vec<FoundLevel>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FoundLevel {
    pub(super) group: Option<GroupName>,
    pub(super) level: Option<String>,
    pub(super) epsilon: serde_json::Value,
    pub(super) count: u64,
    pub(super) sum: Option<Box<RawValue>>,
    pub(super) counts: Option<Vec<Count>>,
    pub(super) squares: Option<Box<RawValue>>,
    pub(super) cells: Option<Vec<(u32, Count)>>,
    pub(super) cell_sums: Option<Vec<(Box<RawValue>, Box<RawValue>)>>,
}

/// Returns the refusal of a file.
pub(super) fn refused(what: impl Into<Phrase>, fix: impl Into<Phrase>) -> Error {
    Error::table("level table", what).with_fix(fix)
}
