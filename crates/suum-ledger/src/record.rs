//! What was released, and at what cost.

use serde_json::Value;

use crate::{Amount, Cost, Holder, RegisterUse};

/// A reservation and what became of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Record {
    /// The number of its entry.
    pub entry: u64,
    /// When it was made, as `2026-03-01T12:00:00Z`.
    pub at: String,
    /// What became of it.
    pub state: RecordState,
    /// What it costs every tier or part.
    pub charges: Vec<RecordCharge>,
    /// The plan or request that it was made for.
    pub plan: Value,
    /// The register of decisions that it looked at.
    pub register: Option<RegisterUse>,
    /// The certificate of the release, if it was settled.
    pub certificate: Option<Value>,
}

/// What became of a reservation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RecordState {
    /// Not settled: a release is being made, or was cut off. It counts in full.
    Open,
    /// The release was made.
    Settled {
        /// The number of the entry that says so.
        entry: u64,
        /// When.
        at: String,
    },
    /// Nothing was drawn, and nothing counts.
    Cancelled {
        /// The number of the entry that says so.
        entry: u64,
        /// When.
        at: String,
    },
    /// No release: something was lost elsewhere, and counts.
    Elsewhere {
        /// The reason that was given.
        because: String,
    },
}

/// What a release costs a tier, or the persons of a part.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordCharge {
    /// Whom.
    pub holder: Holder,
    /// How many persons, for accounts of persons.
    pub persons: Option<u64>,
    /// What was reserved.
    pub reserved: Amount,
    /// What counts: what it cost if it is settled, nothing if it is cancelled, else what was
    /// reserved.
    pub counted: Cost,
}

/// What is written down with a reservation: a request, and the register that it looked at.
///
/// A request alone is one, too.
#[derive(Debug, Clone, Copy)]
pub struct ReservationRecord<'a> {
    /// The plan or request that the release is made for.
    pub request: &'a Value,
    /// The register of decisions that it looked at.
    pub register: Option<&'a RegisterUse>,
}

impl<'a> From<&'a Value> for ReservationRecord<'a> {
    fn from(request: &'a Value) -> Self {
        Self { request, register: None }
    }
}
