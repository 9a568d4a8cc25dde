//! Queries behind the rows of a table, and how they were checked.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

/// Check of the query that made the rows of a table.
///
/// A query is row-wise if each record gives at most one row, computed from that record alone, and
/// if private values do not decide whether it gives one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum QueryRows {
    /// The query was checked against forms that are known not to be row-wise, which is no proof.
    Screened,
    /// Somebody declared the query to be row-wise; it was not checked.
    Trusted,
}

impl QueryRows {
    /// Returns the name in files: `screened` or `trusted`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Screened => "screened",
            Self::Trusted => "trusted",
        }
    }

    /// Returns the check with this name.
    pub fn named(name: &str) -> Option<Self> {
        [Self::Screened, Self::Trusted].into_iter().find(|one| one.name() == name)
    }
}

/// Columns of a database table behind the columns of a query, by their use in a release.
///
/// A ledger knows columns by their names in the table, which a query can change.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct QueryOrigins {
    /// Columns that the values are computed from.
    pub values: BTreeSet<String>,
    /// Columns that tiers, budgets, persons and groups are computed from, and those that select
    /// rows.
    pub published: BTreeSet<String>,
}
