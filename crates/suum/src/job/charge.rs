//! Who pays for a job, where accounts are kept.

use schemars::JsonSchema;
use serde::Serialize;
use suum_core::Result;

use crate::Spend;
use crate::query::Entries;

/// The accounts that a release is charged to, and how much of them it may use.
#[derive(Debug, Clone, PartialEq, Default, Serialize, JsonSchema)]
#[serde(default)]
pub struct Charge {
    /// The ledger that keeps account of what releases cost (suum ledger init makes one). Nobody
    /// spends more than they have left.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-value" = "FILE"))]
    pub ledger: Option<String>,
    /// Whose accounts in the ledger; needed if it has several.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-value" = "NAME", "x-needs" = "ledger"))]
    pub dataset: Option<String>,
    /// How much may be used: a share of what was allowed in all (10%, 1/12: twelve equal
    /// instalments), of what is left (10%-of-left), or an ε (eps=0.05), which does not limit those
    /// who allow ∞.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String", extend("x-value" = "SHARE", "x-needs" = "ledger"))]
    pub spend: Option<Spend>,
    /// Spend the least share of everybody's budget with which the expected error is at most this,
    /// in the units of the statistic; for quantiles that of the rank, as a share of people. A plan
    /// without a ledger says how many times as many people it takes.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-value" = "ERROR"))]
    pub target_rmse: Option<f64>,
    /// The same for half the length of the interval, as a plan expects it. Of shares and ranks
    /// 0.5pp and 0.5% are half a percentage point.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-value" = "LENGTH", "x-not" = "target_rmse"))]
    pub target_half_width: Option<f64>,
    /// Marks a target that was given in percentage points.
    #[serde(skip)]
    #[schemars(skip)]
    pub target_in_points: bool,
    /// Which state of the data this is, in your words. If the ledger has answered the same query of
    /// this edition before, that answer is shown again with its date, nothing is read, and nobody
    /// pays.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-value" = "LABEL", "x-needs" = "ledger"))]
    pub edition: Option<String>,
    /// Make and pay for a new release, although the edition has an answer to the query.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[schemars(extend("x-needs" = "edition"))]
    pub again: bool,
}

impl Charge {
    /// How near the estimate is to come, if that is said.
    pub(crate) fn target(&self) -> Option<f64> {
        self.target_half_width.or(self.target_rmse)
    }

    /// Takes what the entries say of accounts, and leaves the rest.
    pub(crate) fn take(entries: &mut Entries) -> Result<Self> {
        let (target_rmse, of_error) = entries.length("target_rmse")?;
        let (target_half_width, of_interval) = entries.length("target_half_width")?;
        Ok(Self {
            target_rmse,
            target_half_width,
            target_in_points: of_error || of_interval,
            ledger: entries.name("ledger")?,
            dataset: entries.name("dataset")?,
            spend: entries.parsed("spend")?,
            edition: entries.name("edition")?,
            again: entries.flag("again")?,
        })
    }
}
