//! Records of releases and their costs.

use serde_json::Value;
use suum_core::Delta;

use crate::{Amount, Cost, Holder, Persons, RegisterUse};

/// Reservation or charge for a loss elsewhere, with its outcome.
#[derive(Debug, Clone, PartialEq)]
pub struct Record {
    /// The number of its entry.
    pub entry: u64,
    /// Time of the entry, such as `2026-03-01T12:00:00Z`.
    pub at: String,
    /// Outcome.
    pub state: RecordState,
    /// Charge to every tier or part.
    pub charges: Vec<RecordCharge>,
    /// Plan or request that it was made for; null for a loss elsewhere.
    pub plan: Value,
    /// The register of decisions that it looked at.
    pub register: Option<RegisterUse>,
    /// Number of people who were in another tier at an earlier release, which somebody accepted.
    pub moved: u64,
    /// δ of the release, if it finds categories.
    pub delta: Option<Delta>,
    /// The certificate of the release, if it was settled.
    pub certificate: Option<Value>,
}

/// Outcome of a reservation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RecordState {
    /// Not settled: a release is being made, or was cut off. It counts in full.
    Open,
    /// The release was made.
    Settled {
        /// The number of the entry that says so.
        entry: u64,
        /// Time of that entry.
        at: String,
    },
    /// Nothing was drawn, and nothing counts.
    Cancelled {
        /// The number of the entry that says so.
        entry: u64,
        /// Time of that entry.
        at: String,
    },
    /// No release: a loss elsewhere, which counts.
    Elsewhere {
        /// The reason that was given.
        because: String,
    },
}

/// Charge of a release to a tier, or to the persons of a part.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordCharge {
    /// Holder that is charged.
    pub holder: Holder,
    /// Number of persons, for accounts of persons.
    pub persons: Option<u64>,
    /// Reserved amount.
    pub reserved: Amount,
    /// Cost that counts: the final cost of a settled reservation, zero for a cancelled one, else
    /// the reserved cost.
    pub counted: Cost,
}

/// Content that is stored with a reservation: a request, the register that it looked at, and the
/// people of each tier where moves are watched, and its δ.
///
/// A request alone converts into it.
#[derive(Debug, Clone, Copy)]
pub struct ReservationRecord<'a> {
    /// The plan or request that the release is made for.
    pub request: &'a Value,
    /// The register of decisions that it looked at.
    pub register: Option<&'a RegisterUse>,
    /// The people of each tier, where the ledger [watches](crate::Dataset::watch_moves) who moves.
    pub people: Option<&'a TierPeople>,
    /// δ of the release, if it finds categories.
    pub delta: Option<Delta>,
}

/// People of each tier whose records a release uses, where the ledger
/// [watches](crate::Dataset::watch_moves) who moves.
#[derive(Debug, Clone)]
pub struct TierPeople {
    /// Tiers with their people; nobody may be in two.
    pub tiers: Vec<(String, Persons)>,
    /// True if it is accepted that people moved, whose budgets start anew.
    pub may_have_moved: bool,
}

impl<'a> From<&'a Value> for ReservationRecord<'a> {
    fn from(request: &'a Value) -> Self {
        Self { request, register: None, people: None, delta: None }
    }
}
