//! Choices in a separate register, found by a key.

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rustc_hash::{FxHashMap, FxHashSet};
use suum_core::{DeclaredBudgets, Epsilon};

use crate::scan::attributes::Attributes;
use crate::scan::identifier::halves;
use crate::scan::standing::{Outcome, Standing, Strictness};

/// Privacy choice of each key in a register at one point in time
/// ([`read_consent`](crate::read_consent)).
///
/// A key is kept as a hash of 128 bits, like an identifier of a person; key and choice take some 60
/// bytes.
pub struct Consent {
    key: String,
    standings: Arc<FxHashMap<[u64; 2], Standing>>,
    /// Keys with what stands for them as persons, where persons have accounts.
    persons: Arc<Vec<([u64; 2], u128)>>,
    /// Decisions for accounts of persons, if they differ from those that count.
    decided: Option<Arc<FxHashMap<[u64; 2], Standing>>>,
    strictness: Strictness,
    /// Rule for numeric budgets where participation is hidden.
    declared: Option<DeclaredBudgets>,
    /// Bits of a choice that has ended.
    ended: u64,
    /// Counters of records without a valid decision, if these are counted and not used.
    watch: Option<Watch>,
    /// True if records without a choice are not used, because the replacement is an unused tier or
    /// budget.
    leaves_out_missing: bool,
    is_over_time: bool,
    attributes: Option<Arc<Attributes>>,
}

/// Numbers of people without a valid decision, by the reason.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct NotUsedCounts {
    /// Without a decision that has begun.
    pub none: u64,
    /// Whose decision was withdrawn.
    pub withdrawn: u64,
    /// Whose decision has expired.
    pub expired: u64,
}

/// Decision in force of a person who has an account.
#[derive(Clone, Copy, PartialEq)]
pub struct PersonDecision {
    /// Value that [stands](crate::Accounts::person) for them.
    pub person: u128,
    /// The choice.
    pub choice: DecidedChoice,
    /// From when on, in seconds since 1970 in UTC; `None` of a choice for good.
    pub from: Option<f64>,
    /// True if something proves it.
    pub has_reference: bool,
}

/// Decision of a person.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum DecidedChoice {
    /// The tier at this position among those declared.
    Tier(u32),
    /// A budget of their own.
    Budget(Epsilon),
    /// Nothing any more: it was withdrawn.
    Withdrawn,
    /// Nothing any more: its time is over.
    Expired,
}

/// Keys in the data that have no valid decision, in shards, each with a lock.
struct Watch {
    keys: [Mutex<FxHashSet<[u64; 2]>>; 64],
    /// Number of records without a key.
    without_key: AtomicU64,
}

impl Default for Watch {
    fn default() -> Self {
        let keys = std::array::from_fn(|_| Mutex::default());
        Self { keys, without_key: AtomicU64::new(0) }
    }
}

/// Locks a shard. A panic while it was locked has made the scan fail, so poisoning is ignored.
fn lock<T>(shard: &Mutex<T>) -> MutexGuard<'_, T> {
    shard.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Reason that a key has no choice.
pub(crate) enum NoChoice {
    /// The cell is empty.
    NoKey,
    /// The register has no decision for the key that has begun, or none with a choice.
    NoDecision,
}

impl Consent {
    /// Creates the choices of these decisions; `key` is the column of the data.
    pub(crate) fn new(
        key: &str,
        standings: FxHashMap<[u64; 2], Standing>,
        persons: Vec<([u64; 2], u128)>,
        strictness: Strictness,
        declared: Option<DeclaredBudgets>,
    ) -> Self {
        Self {
            key: key.to_owned(),
            standings: Arc::new(standings),
            persons: Arc::new(persons),
            decided: None,
            strictness,
            declared,
            ended: 0,
            watch: None,
            leaves_out_missing: false,
            is_over_time: false,
            attributes: None,
        }
    }

    /// Adds public attributes of the keys.
    pub(crate) fn with_attributes(self, attributes: Attributes) -> Self {
        Self { attributes: Some(Arc::new(attributes)), ..self }
    }

    /// Returns the public attributes of the keys, if some were read.
    pub(crate) fn attributes(&self) -> Option<&Attributes> {
        self.attributes.as_deref()
    }

    /// Returns true if this column of groups is an attribute of the register, so that the data
    /// have none.
    pub fn has_attribute(&self, name: &str) -> bool {
        self.attributes().is_some_and(|attributes| attributes.position(name).is_some())
    }

    /// Marks the choices as decisions over time; decisions that have ended have the bits `ended`.
    pub(crate) fn over_time(mut self, ended: u64, leaves_out_missing: bool) -> Self {
        (self.ended, self.leaves_out_missing) = (ended, leaves_out_missing);
        self.is_over_time = true;
        self
    }

    /// Returns true if its choices are decisions over time.
    pub(crate) fn is_over_time(&self) -> bool {
        self.is_over_time
    }

    /// The column of the data with the keys.
    pub fn key(&self) -> &str {
        &self.key
    }

    /// Number of keys with two different decisions at the same time, of which the stricter counts.
    pub fn ties(&self) -> u64 {
        self.standings.values().filter(|standing| standing.is_tied).count() as u64
    }

    /// Returns true if choices are positions of tiers, and no budgets.
    fn is_of_tiers(&self) -> bool {
        matches!(self.strictness, Strictness::Tiers(_))
    }

    /// Returns the bits of what a choice counts as in the data.
    #[inline]
    fn counted_bits(&self, bits: u64) -> u64 {
        match &self.declared {
            Some(declared) if !self.is_of_tiers() => {
                let budget = Epsilon::new(f64::from_bits(bits)).ok();
                budget.map_or(bits, |budget| declared.round_down(budget).get().to_bits())
            }
            _ => bits,
        }
    }

    /// Returns these decisions, of which each counts as the stricter one of its own and of that of
    /// `later`: whoever has allowed less since is not used as if they had not. Accounts of persons
    /// are told the later decisions.
    #[must_use]
    pub fn no_more_than(self, later: &Self) -> Self {
        let mut standings = FxHashMap::clone(&self.standings);
        for (key, standing) in &mut standings {
            let now = later.standings.get(key).map(|now| now.outcome);
            let stricter = now.filter(|now| self.strictness.is_stricter(*now, standing.outcome));
            standing.outcome = stricter.unwrap_or(standing.outcome);
        }
        Self {
            standings: Arc::new(standings),
            decided: Some(Arc::clone(&later.standings)),
            persons: Arc::clone(&later.persons),
            ..self
        }
    }

    /// Copies the decisions for one more scan, which counts the people of the data without a valid
    /// decision ([`not_used`](Self::not_used)).
    #[must_use]
    pub fn watched(&self) -> Self {
        Self {
            key: self.key.clone(),
            standings: Arc::clone(&self.standings),
            persons: Arc::clone(&self.persons),
            decided: self.decided.clone(),
            strictness: self.strictness.clone(),
            declared: self.declared.clone(),
            attributes: self.attributes.clone(),
            watch: Some(Watch::default()),
            ..*self
        }
    }

    /// Number of people in the last scanned data who are not used for lack of a valid decision:
    /// they have none, or it was withdrawn or has expired.
    ///
    /// Records with the same key count as one person, and so does each record without a key. People
    /// without a decision who count at a tier are used. Without [`watched`](Self::watched) it is 0.
    pub fn not_used(&self) -> u64 {
        self.watch.as_ref().map_or(0, |watch| {
            let keys = watch.keys.iter().map(|keys| lock(keys).len() as u64);
            keys.sum::<u64>() + watch.without_key.load(Ordering::Relaxed)
        })
    }

    /// The people that [`not_used`](Self::not_used) counts, by the reason.
    pub fn not_used_by_reason(&self) -> NotUsedCounts {
        let mut counts = NotUsedCounts::default();
        let Some(watch) = &self.watch else { return counts };
        counts.none = watch.without_key.load(Ordering::Relaxed);
        for keys in &watch.keys {
            for key in lock(keys).iter() {
                match self.standings.get(key).map(|standing| standing.outcome) {
                    Some(Outcome::Withdrawn) => counts.withdrawn += 1,
                    Some(Outcome::Expired) => counts.expired += 1,
                    Some(Outcome::Missing(_) | Outcome::Chosen(_)) | None => counts.none += 1,
                }
            }
        }
        counts
    }

    /// The decisions in force, in no order, of a register that was read with
    /// [accounts](crate::Scan::accounts); without them there are none. Keys without a choice are
    /// left out.
    pub fn decisions(&self) -> impl Iterator<Item = PersonDecision> {
        let decided = self.decided.as_ref().unwrap_or(&self.standings);
        self.persons.iter().filter_map(|(key, person)| {
            let standing = decided.get(key)?;
            let choice = match standing.outcome {
                Outcome::Withdrawn => DecidedChoice::Withdrawn,
                Outcome::Expired => DecidedChoice::Expired,
                Outcome::Missing(_) => return None,
                Outcome::Chosen(bits) if self.is_of_tiers() => {
                    DecidedChoice::Tier(u32::try_from(bits).ok()?)
                }
                Outcome::Chosen(bits) => {
                    DecidedChoice::Budget(Epsilon::new(f64::from_bits(bits)).ok()?)
                }
            };
            Some(PersonDecision {
                person: *person,
                choice,
                from: standing.from(),
                has_reference: standing.has_reference,
            })
        })
    }

    /// Gives all decisions in force to a hasher, in an order that does not depend on that of the
    /// rows: 33 bytes each. A digest of them is to be keyed, since a plain one would confirm
    /// guesses.
    pub fn hash_decisions(&self, add: &mut dyn FnMut(&[u8])) {
        let mut standings: Vec<(&[u64; 2], &Standing)> = self.standings.iter().collect();
        standings.sort_unstable_by_key(|(key, _)| *key);
        for (key, standing) in standings {
            let (kind, bits) = match standing.outcome {
                Outcome::Withdrawn => (0, 0),
                Outcome::Expired => (1, 0),
                Outcome::Missing(bits) => (2, bits),
                Outcome::Chosen(bits) => (3, bits),
            };
            let from = standing.from().unwrap_or(f64::NEG_INFINITY).to_bits();
            let mut bytes = [kind; 33];
            for (place, part) in bytes[1..].chunks_exact_mut(8).zip([key[0], key[1], bits, from]) {
                place.copy_from_slice(&part.to_le_bytes());
            }
            add(&bytes);
        }
    }

    /// Returns true if it counts people without a valid decision.
    pub(crate) fn is_watched(&self) -> bool {
        self.watch.is_some()
    }

    /// Resets the counts before another scan.
    pub(crate) fn forget(&self) {
        if let Some(watch) = &self.watch {
            watch.keys.iter().for_each(|keys| lock(keys).clear());
            watch.without_key.store(0, Ordering::Relaxed);
        }
    }

    /// Bits of the choice of the key with this hash; `None` stands for a cell without a key.
    #[inline]
    pub(crate) fn bits(&self, hash: Option<u128>) -> Result<u64, NoChoice> {
        let Some(key) = hash.map(halves) else {
            if let Some(watch) = self.watch.as_ref().filter(|_| self.leaves_out_missing) {
                watch.without_key.fetch_add(1, Ordering::Relaxed);
            }
            return Err(NoChoice::NoKey);
        };
        match self.standings.get(&key).map(|standing| standing.outcome) {
            Some(Outcome::Chosen(bits)) => Ok(self.counted_bits(bits)),
            Some(Outcome::Withdrawn | Outcome::Expired) => {
                self.note(key);
                Ok(self.ended)
            }
            Some(Outcome::Missing(_)) | None => {
                if self.leaves_out_missing {
                    self.note(key);
                }
                Err(NoChoice::NoDecision)
            }
        }
    }

    fn note(&self, key: [u64; 2]) {
        if let Some(watch) = &self.watch {
            lock(&watch.keys[(key[0] % 64) as usize]).insert(key);
        }
    }
}

/// Nobody is shown.
impl fmt::Debug for PersonDecision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PersonDecision").field("choice", &self.choice).finish_non_exhaustive()
    }
}

/// Redacted: shows nothing of people's choices.
impl fmt::Debug for Consent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Consent").field("key", &self.key).finish_non_exhaustive()
    }
}
