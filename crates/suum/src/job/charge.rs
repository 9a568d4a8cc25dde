//! Who pays for a job, where accounts are kept.

use schemars::JsonSchema;
use serde::Serialize;
use suum_core::Result;

use crate::Spend;
use crate::query::{Entries, Labels, schema};

/// The accounts that a release is charged to, and how much of them it may use.
#[derive(Debug, Clone, PartialEq, Default, Serialize, JsonSchema)]
#[serde(default)]
pub struct Charge {
    /// The ledger that keeps account of what releases cost.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ledger: Option<String>,
    /// Whose accounts in the ledger; needed if it has several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dataset: Option<String>,
    /// How much may be used: a share such as 10% or 1/12 of what was allowed in all, 10%-of-left of
    /// what is left, or an ε as eps=0.05, which does not limit those who allow ∞.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub spend: Option<Spend>,
    /// Spend the least with which the expected error is at most this.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target_rmse: Option<f64>,
    /// Spend the least with which half the length of the interval is expected to be at most this.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target_half_width: Option<f64>,
    /// Columns that everybody may know of everybody, for good.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "schema::names")]
    pub public_columns: Option<Labels>,
    /// Which state of the data this is, in your words: what the ledger has released of it by the
    /// same query is shown again, and costs nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub edition: Option<String>,
    /// Release anew, and pay, although the edition has an answer to the query.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub again: bool,
}

impl Charge {
    /// How near the estimate is to come, if that is said.
    pub(crate) fn target(&self) -> Option<f64> {
        self.target_half_width.or(self.target_rmse)
    }

    /// Takes what the entries say of accounts, and leaves the rest.
    pub(crate) fn take(entries: &mut Entries) -> Result<Self> {
        Ok(Self {
            ledger: entries.name("ledger")?,
            dataset: entries.name("dataset")?,
            spend: entries.parsed("spend")?,
            target_rmse: entries.number("target_rmse")?,
            target_half_width: entries.number("target_half_width")?,
            public_columns: entries.labels("public_columns")?,
            edition: entries.name("edition")?,
            again: entries.flag("again")?,
        })
    }
}
