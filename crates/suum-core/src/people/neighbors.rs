//! Neighbouring datasets: those that a release must not tell apart.

use std::str::FromStr;

use dashu_ratio::RBig;
use serde::{Deserialize, Serialize};

use crate::error::option;
use crate::{Error, Result};

/// Relation between datasets that a release must not tell apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum Neighbors {
    /// Datasets that differ in the value of one record; the number of records and their budgets are
    /// public.
    #[default]
    #[serde(rename = "replace")]
    ReplaceOne,
    /// Datasets that differ by the presence of one record: see
    /// [`AddRemoveRequest`](crate::AddRemoveRequest).
    #[serde(rename = "add-remove")]
    AddRemove,
    /// Datasets that differ by the presence of one record, or in its value: one ε bounds the odds
    /// between any two situations of a record, absent or present with any value.
    #[serde(rename = "both")]
    Both,
}

impl Neighbors {
    /// Returns the name on the command line and in JSON.
    ///
    /// ```
    /// assert_eq!(suum_core::Neighbors::AddRemove.name(), "add-remove");
    /// ```
    pub fn name(self) -> &'static str {
        match self {
            Neighbors::ReplaceOne => "replace",
            Neighbors::AddRemove => "add-remove",
            Neighbors::Both => "both",
        }
    }

    /// Returns true if a release must not reveal who takes part.
    ///
    /// ```
    /// use suum_core::Neighbors;
    ///
    /// assert!(Neighbors::Both.hides_participation());
    /// assert!(!Neighbors::ReplaceOne.hides_participation());
    /// ```
    pub fn hides_participation(self) -> bool {
        self != Neighbors::ReplaceOne
    }
}

/// Bounds on how far one record of weight 1 moves the exact answers to a question, all together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Moves {
    /// Bound for a record that joins or leaves.
    pub(crate) presence: RBig,
    /// Bound for a record that has another value.
    pub(crate) change: RBig,
}

impl Neighbors {
    /// Returns the most by which a record of weight 1 moves the answers to a question with these
    /// moves, between two neighbouring datasets.
    pub(crate) fn sensitivity(self, moves: Moves) -> RBig {
        let Moves { presence, change } = moves;
        match self {
            Neighbors::ReplaceOne => change,
            Neighbors::AddRemove => presence,
            Neighbors::Both => presence.max(change),
        }
    }
}

impl FromStr for Neighbors {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        match text {
            "replace" => Ok(Neighbors::ReplaceOne),
            "add-remove" => Ok(Neighbors::AddRemove),
            "both" => Ok(Neighbors::Both),
            _ => Err(Error::parameter(option::NEIGHBORS, "there are none of that name")
                .with_fix("choose replace, add-remove or both")),
        }
    }
}
