//! People of each tier in the data, where a ledger watches who moves between tiers.

use std::fmt;
use std::sync::{Mutex, PoisonError};

use suum_core::{Epsilon, Error, Result, option};
use suum_data::{AccountKey, Accounts};
use suum_ledger::{PersonHash, PersonKey, Persons, TierPeople};

use super::persons::hash_all;

/// People of each tier, told while data are read. They count at what they chose.
pub(super) struct TierWatch {
    key: PersonKey,
    /// Tiers with accounts.
    tiers: Vec<String>,
    /// Persons, each with the position of their tier.
    seen: Mutex<Vec<(PersonHash, u32)>>,
}

impl TierWatch {
    /// Creates the watch over these tiers.
    pub(super) fn new(key: PersonKey, tiers: Vec<String>) -> Self {
        Self { key, tiers, seen: Mutex::default() }
    }

    /// Returns the people of each tier; `may_have_moved` is true if it is accepted that they were
    /// in other tiers before. Whoever was read several times is there once.
    ///
    /// # Errors
    ///
    /// Refuses data in which the tier of a person changed while they were read.
    pub(super) fn people(&self, may_have_moved: bool) -> Result<TierPeople> {
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        seen.sort_unstable();
        seen.dedup();
        if seen.windows(2).any(|pair| pair[0].0 == pair[1].0) {
            return Err(Error::data(
                option::DATA,
                "they changed while they were read, so that a person is in two tiers",
            )
            .with_fix("keep the data as they are until the release is made"));
        }
        let tier = |(position, label): (u32, &String)| {
            let of_tier = seen.iter().filter(|(_, tier)| *tier == position);
            (label.clone(), of_tier.map(|(person, _)| *person).collect::<Persons>())
        };
        Ok(TierPeople { tiers: (0..).zip(&self.tiers).map(tier).collect(), may_have_moved })
    }
}

impl Accounts for TierWatch {
    fn person(&self, identifier: &[u8]) -> u128 {
        self.key.hash(identifier).to_number()
    }

    fn persons(&self, identifiers: &mut dyn Iterator<Item = &[u8]>, persons: &mut Vec<u128>) {
        hash_all(&self.key, identifiers, persons);
    }

    fn left(&self, asked: &[AccountKey], tiers: &[&str], left: &mut Vec<Epsilon>) {
        // Whoever has no account, such as people who are not used, is in no tier.
        let position = |label: &&str| self.tiers.iter().position(|known| known == label);
        let positions: Vec<Option<u32>> =
            tiers.iter().map(|label| position(label).map(|position| position as u32)).collect();
        let seen = asked.iter().filter_map(|one| {
            let tier = (*positions.get(one.tier? as usize)?)?;
            Some((PersonHash::from_number(one.person), tier))
        });
        self.seen.lock().unwrap_or_else(PoisonError::into_inner).extend(seen);
        left.extend(asked.iter().map(|one| one.budget));
    }

    fn keeps_choices(&self) -> bool {
        true
    }
}

/// Redacted: shows no person.
impl fmt::Debug for TierWatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TierWatch").field("tiers", &self.tiers).finish_non_exhaustive()
    }
}
