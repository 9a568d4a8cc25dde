//! How a query was looked at that has made the rows of a table.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

/// How a query was looked at that has made the rows of a table.
///
/// A query is row-wise if each record gives at most one row, computed from that record alone, and
/// if it does not depend on private values whether it gives one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum QueryRows {
    /// It has a form that is not known to break this, which is no proof.
    Screened,
    /// Somebody has said that it is row-wise, and it was not looked at.
    Trusted,
}

impl QueryRows {
    /// Its name in files: `screened` or `trusted`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Screened => "screened",
            Self::Trusted => "trusted",
        }
    }

    /// What has this name.
    pub fn named(name: &str) -> Option<Self> {
        [Self::Screened, Self::Trusted].into_iter().find(|one| one.name() == name)
    }
}

/// Columns of a table of a database behind the columns of a query, by what a release makes of them.
///
/// A ledger knows columns by their names in the table: a query can give them others.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct QueryOrigins {
    /// Columns that the values are made of.
    pub values: BTreeSet<String>,
    /// Columns that tiers, budgets, persons and groups are made of, and those that choose rows.
    pub published: BTreeSet<String>,
}
