//! Decisions of persons about their allowances, with the time from which they hold.

use std::fmt;

use serde::Serialize;

use crate::{Amount, Holder, PersonHash, RegisterUse};

/// Decision of a person, in force at the time for which a register was read.
#[derive(Clone)]
pub struct Decision {
    /// Person who decided.
    pub person: PersonHash,
    /// Their allowance from then on: a tier, a number of their own, or no consent.
    pub holder: Holder,
    /// Start, in microseconds since the beginning of 1970 in UTC; `None` of a decision without a
    /// date, which counts as older than all that have one.
    pub from: Option<i64>,
    /// True if there is evidence: the version of a form, or the number of a receipt.
    pub has_reference: bool,
}

/// Kinds of decisions that an amendment enters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// Decisions that allow less than the ledger knows, and first decisions that allow nothing:
    /// those that a release enters by itself.
    OnlyLower,
    /// Decisions that allow less, at once; decisions that allow more if they are newer, have a
    /// reference, and do not lie in the future.
    LowerAndRaise,
}

/// Change of the allowances of tiers or persons.
#[derive(Debug, Clone)]
pub struct Amendment {
    /// Tiers with their new allowances: less than before for a known tier, any for a new one.
    pub tiers: Vec<(String, Amount)>,
    /// Decisions of persons, at most one of each.
    pub decisions: Vec<Decision>,
    /// Kinds of decisions that are entered.
    pub direction: Direction,
    /// The reason, which stays on record.
    pub because: Option<String>,
    /// The register that the decisions are from.
    pub register: Option<RegisterUse>,
}

/// Outcome of an amendment.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct AmendmentOutcome {
    /// The number of its entry; none if there was nothing to enter.
    pub entry: Option<u64>,
    /// Numbers of decisions by outcome.
    pub counts: DecisionCounts,
}

/// Numbers of decisions by outcome.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct DecisionCounts {
    /// Entered: the first decision of a person of whom nothing was known.
    pub first: u64,
    /// Entered: allows less than before.
    pub lowered: u64,
    /// Entered: allows more than before.
    pub raised: u64,
    /// Entered: newer, and allows the same as before.
    pub confirmed: u64,
    /// Not entered: already known, older than the decision on record, or of a kind that the
    /// amendment does not enter.
    pub known: u64,
    /// Not entered: allows more, with the date of the decision on record.
    pub same_date: u64,
    /// Not entered: allows more, without a reference.
    pub without_reference: u64,
    /// Not entered: allows more than accounts of (ε, δ) may be raised to.
    pub beyond_maximum: u64,
    /// Not entered: starts in the future.
    pub in_future: u64,
    /// Persons whose decision is on record, but who are not in the amendment.
    pub missing: u64,
    /// Persons among those entered who have spent more than they allow now. Spent budget never
    /// comes back.
    pub spent_more: u64,
}

impl DecisionCounts {
    /// Returns the number of entered decisions.
    pub fn entered(&self) -> u64 {
        self.first + self.lowered + self.raised + self.confirmed
    }
}

/// Amendment on record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AmendmentRecord {
    /// The number of its entry.
    pub entry: u64,
    /// Time of the entry, such as `2026-03-01T12:00:00Z`.
    pub at: String,
    /// The reason that was given.
    pub because: Option<String>,
    /// Tiers that were lowered or added.
    pub tiers: Vec<AmendedTier>,
    /// New allowances of persons, with the number of persons of each.
    pub decisions: Vec<(Holder, u64)>,
    /// Number of these persons who allow more than before.
    pub raised: u64,
    /// The register that the decisions were from.
    pub register: Option<RegisterUse>,
}

/// Tier that was lowered or added.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AmendedTier {
    /// The tier.
    pub label: String,
    /// Allowance of its people before; none for a tier that was added.
    pub before: Option<Amount>,
    /// Allowance of its people from then on.
    pub allowed: Amount,
}

impl AmendmentRecord {
    /// Returns the allowance of a tier when `entry` was the newest, given `all` amendments of a
    /// dataset and the present allowance `now`.
    pub fn allowed_at(all: &[Self], label: &str, now: Amount, entry: u64) -> Amount {
        let later = all.iter().filter(|amendment| amendment.entry > entry);
        let mut changes = later.flat_map(|amendment| &amendment.tiers);
        let next = changes.find(|tier| tier.label == label);
        next.map_or(now, |next| next.before.unwrap_or(Amount::ZERO))
    }
}

/// Decision of a person on record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordedDecision {
    /// The number of the entry.
    pub entry: u64,
    /// Time of the entry, such as `2026-03-01T12:00:00Z`.
    pub at: String,
    /// Allowance of the person from then on.
    pub holder: Holder,
    /// Start, in microseconds since the beginning of 1970 in UTC; `None` if the decision has no
    /// date.
    pub from: Option<i64>,
}

/// Stored time of decisions without a date: before every possible date, and a whole number of days.
pub(crate) const UNDATED: i64 = -834_000 * 86_400_000_000;

impl Decision {
    /// Returns the time as it is stored.
    pub(crate) fn written_time(&self) -> i64 {
        self.from.unwrap_or(UNDATED)
    }

    /// Returns true if the time is within the range that can be stored.
    pub(crate) fn has_usable_time(&self) -> bool {
        self.from.is_none_or(|from| (UNDATED + 1..-UNDATED).contains(&from))
    }
}

/// Redacted: shows no person.
impl fmt::Debug for Decision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Decision")
            .field("holder", &self.holder)
            .field("from", &self.from)
            .field("has_reference", &self.has_reference)
            .finish_non_exhaustive()
    }
}
