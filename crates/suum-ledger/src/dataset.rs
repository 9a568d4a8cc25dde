//! What a ledger keeps accounts of.

use std::collections::BTreeSet;

use suum_core::{Delta, Error, Neighbors, Result, for_example, option, say};

use crate::{Allowance, Amount, Holder};

/// A dataset with accounts: the releases that name it are charged to them.
///
/// # Example
///
/// ```
/// use suum_core::Neighbors;
/// use suum_ledger::{Accounts, Dataset};
///
/// let visits = Dataset {
///     name: "visits".into(),
///     neighbors: Neighbors::ReplaceOne,
///     accounts: Accounts::Tiers(vec![
///         ("strict".into(), "0.1".parse()?),
///         ("public".into(), "inf".parse()?),
///     ]),
///     delta: None,
///     purpose: None,
/// };
/// # Ok::<(), suum_core::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dataset {
    /// The name under which it is charged, matched exactly.
    pub name: String,
    /// Which datasets its releases do not tell apart. Add-remove [seals](crate::Ledger::is_sealed)
    /// the ledger.
    pub neighbors: Neighbors,
    /// Who holds the accounts.
    pub accounts: Accounts,
    /// If there is one, people allow (ε, δ) in place of ε.
    pub delta: Option<Delta>,
    /// The most to which people who allow (ε, δ) can raise their ε. Then (ε, δ) holds for this ε:
    /// the sum of ρ bounds it only for the largest allowance declared in advance.
    pub raise_up_to: Option<Amount>,
    /// What the data are used for, in the words of whoever declared it.
    pub purpose: Option<String>,
}

/// Who holds the accounts of a dataset.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Accounts {
    /// One account a tier, with what each of its people allows in all their life.
    ///
    /// Every release charges everybody in the tier alike, and people are taken to stay in their
    /// tier: somebody who moves from a spent tier to a fresh one would start anew. Where people
    /// move, use accounts of persons.
    Tiers(Vec<(String, Amount)>),
    /// One account a person, found by a keyed hash of their identifier.
    Persons(Lifetime),
}

/// What a person allows in all their life.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Lifetime {
    /// What their tier allows. What they spent stays with them if they change it.
    Tiers(Vec<(String, Amount)>),
    /// The same for everybody.
    Same(Amount),
    /// What they say themselves: the number in the budget column of the data.
    Own,
}

/// Returns true if a tier has the name that is kept for people who allow nothing.
pub(crate) fn is_no_consent(label: &str) -> bool {
    label.trim() == "no consent"
}

/// Returns the refusal of such a tier that allows something.
pub(crate) fn no_consent_allows_nothing(dataset: &Dataset) -> Error {
    Error::parameter(
        format!("dataset {}", dataset.name),
        "tier no consent is for people who allow nothing",
    )
    .with_fix("give that tier another name")
}

impl Dataset {
    /// A dataset whose people allow ε, and no δ.
    pub fn new(name: impl Into<String>, neighbors: Neighbors, accounts: Accounts) -> Self {
        Self {
            name: name.into(),
            neighbors,
            accounts,
            delta: None,
            raise_up_to: None,
            purpose: None,
        }
    }

    /// The tiers, if allowances go by tier.
    pub fn tiers(&self) -> Option<&[(String, Amount)]> {
        match &self.accounts {
            Accounts::Tiers(tiers) | Accounts::Persons(Lifetime::Tiers(tiers)) => Some(tiers),
            Accounts::Persons(_) => None,
        }
    }

    /// Returns what a holder allows in all; none if that is not known.
    pub fn allowed(&self, holder: &Holder) -> Option<Amount> {
        match (&self.accounts, holder) {
            (_, Holder::NoConsent) => Some(Amount::ZERO),
            (Accounts::Persons(Lifetime::Same(allowed)), _) => Some(*allowed),
            (Accounts::Persons(Lifetime::Own), Holder::Own(allowed)) => Some(*allowed),
            (_, Holder::Tier(label)) => {
                let tiers = self.tiers().unwrap_or_default();
                tiers.iter().find(|(known, _)| known == label).map(|(_, allowed)| *allowed)
            }
            _ => None,
        }
    }

    /// What somebody allows in all who allows this ε.
    pub fn allowance(&self, epsilon: Amount) -> Allowance {
        Allowance::new(epsilon, self.delta)
    }

    /// Changes what tiers allow from now on; unknown ones are added. Of accounts in which everybody
    /// allows the same, and of those in which persons say themselves, nothing changes.
    pub(crate) fn amend(&mut self, amended: &[(String, Amount)]) {
        let (Accounts::Tiers(tiers) | Accounts::Persons(Lifetime::Tiers(tiers))) =
            &mut self.accounts
        else {
            return;
        };
        for (label, allowed) in amended {
            match tiers.iter_mut().find(|(known, _)| known == label) {
                Some((_, known)) => *known = *allowed,
                None => tiers.push((label.clone(), *allowed)),
            }
        }
    }

    /// Whether persons hold the accounts.
    pub fn is_of_persons(&self) -> bool {
        matches!(self.accounts, Accounts::Persons(_))
    }

    /// Refuses empty names and purposes, no tiers, and a label that is there twice.
    ///
    /// # Errors
    ///
    /// Names what is wrong. Opening accounts refuses the same.
    pub fn check(&self) -> Result<()> {
        if self.name.trim().is_empty() {
            return Err(Error::parameter(option::DATASET, "the name is empty")
                .with_fix(say("name it with").set(option::DATASET, "NAME")));
        }
        if self.purpose.as_ref().is_some_and(|purpose| purpose.trim().is_empty()) {
            return Err(Error::parameter(option::PURPOSE, "it is empty")
                .with_fix(for_example(option::PURPOSE, "planning of bus lines")));
        }
        let Some(tiers) = self.tiers() else { return Ok(()) };
        if tiers.is_empty() {
            return Err(Error::parameter(format!("dataset {}", self.name), "no tiers").with_fix(
                "give every tier its label and what its people allow in all, for example \
                strict=0.1",
            ));
        }
        let mut seen = BTreeSet::new();
        for (label, _) in tiers {
            if !seen.insert(label) {
                return Err(Error::parameter(
                    format!("dataset {}", self.name),
                    format!("tier {label} is there twice"),
                )
                .with_fix("leave one of the two out"));
            }
        }
        Ok(())
    }
}
