//! Decisions of persons about what they allow, with the time from which they hold.

use std::fmt;

use crate::{Amount, Holder, PersonHash, RegisterUse};

/// Decision of a person, in force at the time at which a register was looked at.
#[derive(Clone)]
pub struct Decision {
    /// Who decided.
    pub person: PersonHash,
    /// What they allow from then on: a tier, a number of their own, or no consent.
    pub holder: Holder,
    /// From when on, in microseconds since the beginning of 1970 in UTC; `None` of a decision
    /// without a date, which is older than all that have one.
    pub from: Option<i64>,
    /// True if something proves it: the version of a form, or the number of a receipt.
    pub has_reference: bool,
}

/// Which decisions an amendment enters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// Only those that allow less than the ledger knows: what a release does by itself.
    OnlyLower,
    /// Those that allow less at once; those that allow more if they are newer, have a reference,
    /// and do not lie in the future.
    LowerAndRaise,
}

/// Change of what people allow.
#[derive(Debug, Clone)]
pub struct Amendment {
    /// Tiers with what they allow from now on: a known tier less than before, or a new tier.
    pub tiers: Vec<(String, Amount)>,
    /// Decisions of persons, at most one of each.
    pub decisions: Vec<Decision>,
    /// Which of the decisions are entered.
    pub direction: Direction,
    /// The reason, which stays on record.
    pub because: Option<String>,
    /// The register that the decisions are from.
    pub register: Option<RegisterUse>,
}

/// What became of an amendment.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct AmendmentOutcome {
    /// The number of its entry; none if there was nothing to enter.
    pub entry: Option<u64>,
    /// The persons it was about.
    pub counts: DecisionCounts,
}

/// Numbers of decisions by what became of them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct DecisionCounts {
    /// Entered: the first of persons of whom nothing was known.
    pub first: u64,
    /// Entered: less is allowed than before.
    pub lowered: u64,
    /// Entered: more is allowed than before.
    pub raised: u64,
    /// Entered: newer, and nothing else is allowed than before.
    pub confirmed: u64,
    /// Not entered: known already, or older than what is known.
    pub known: u64,
    /// Not entered: more would be allowed by a decision of the same date as the one on record.
    pub same_date: u64,
    /// Not entered: more would be allowed, and nothing proves it.
    pub without_reference: u64,
    /// Not entered: more would be allowed than may be of (ε, δ).
    pub beyond_maximum: u64,
    /// Not entered: of a time that has not come.
    pub in_future: u64,
    /// Persons whose decision is on record, and not among those of the amendment.
    pub missing: u64,
    /// Of those entered: persons who have spent more than they allow now. Nothing gives it back.
    pub spent_more: u64,
}

impl DecisionCounts {
    /// Returns how many decisions are entered.
    pub fn entered(&self) -> u64 {
        self.first + self.lowered + self.raised + self.confirmed
    }
}

/// Amendment as it is on record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AmendmentRecord {
    /// The number of its entry.
    pub entry: u64,
    /// When it was entered, as `2026-03-01T12:00:00Z`.
    pub at: String,
    /// The reason that was given.
    pub because: Option<String>,
    /// Tiers that were lowered or added.
    pub tiers: Vec<AmendedTier>,
    /// What persons allow from then on, and how many they are.
    pub decisions: Vec<(Holder, u64)>,
    /// How many of them allow more than before.
    pub raised: u64,
    /// The register that the decisions were from.
    pub register: Option<RegisterUse>,
}

/// Tier that was lowered or added.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AmendedTier {
    /// The tier.
    pub label: String,
    /// What its people allowed before; none of a tier that was added.
    pub before: Option<Amount>,
    /// What they allow from then on.
    pub allowed: Amount,
}

impl AmendmentRecord {
    /// Returns what a tier allowed when `entry` was the newest, of all amendments of a dataset and
    /// with what the tier allows `now`.
    pub fn allowed_at(all: &[Self], label: &str, now: Amount, entry: u64) -> Amount {
        let later = all.iter().filter(|amendment| amendment.entry > entry);
        let mut changes = later.flat_map(|amendment| &amendment.tiers);
        let next = changes.find(|tier| tier.label == label);
        next.map_or(now, |next| next.before.unwrap_or(Amount::ZERO))
    }
}

/// Decision of a person that is on record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordedDecision {
    /// The number of the entry.
    pub entry: u64,
    /// When it was entered, as `2026-03-01T12:00:00Z`.
    pub at: String,
    /// What the person allows from then on.
    pub holder: Holder,
    /// From when on it holds, in microseconds since the beginning of 1970 in UTC; `None` if it has
    /// no date.
    pub from: Option<i64>,
}

/// The time of decisions without a date, as it is written: before all that a date can be, and a
/// whole number of days.
pub(crate) const UNDATED: i64 = -834_000 * 86_400_000_000;

impl Decision {
    /// Returns the time as it is written.
    pub(crate) fn written_time(&self) -> i64 {
        self.from.unwrap_or(UNDATED)
    }

    /// Returns true if the time can be written.
    pub(crate) fn has_usable_time(&self) -> bool {
        self.from.is_none_or(|from| (UNDATED + 1..-UNDATED).contains(&from))
    }
}

/// Nobody is shown.
impl fmt::Debug for Decision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Decision")
            .field("holder", &self.holder)
            .field("from", &self.from)
            .field("has_reference", &self.has_reference)
            .finish_non_exhaustive()
    }
}
