//! Datasets that a ledger keeps accounts of.

use std::collections::BTreeSet;

use suum_core::{Delta, Error, Neighbors, Result, for_example, leave_out, option, say};

use crate::{Allowance, Amount, Holder};

/// Dataset with accounts: the releases that name it are charged to them.
///
/// # Example
///
/// ```
/// use suum_core::Neighbors;
/// use suum_ledger::{Accounts, Dataset};
///
/// let accounts = Accounts::Tiers(vec![
///     ("strict".into(), "0.1".parse()?),
///     ("public".into(), "inf".parse()?),
/// ]);
/// let visits = Dataset::new("visits", Neighbors::ReplaceOne, accounts);
/// assert_eq!(visits.delta, None);
/// # Ok::<(), suum_core::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dataset {
    /// The name under which it is charged, matched exactly.
    pub name: String,
    /// Relation that its releases protect. With add-remove and both the ledger [hides
    /// participation](crate::Ledger::hides_participation).
    pub neighbors: Neighbors,
    /// Holders of the accounts, with their allowances.
    pub accounts: Accounts,
    /// δ of the allowances, if people allow (ε, δ) in place of ε.
    pub delta: Option<Delta>,
    /// True if a tenth of `delta` is for releases that find categories, and the rest for the sum of
    /// ρ; then such releases can be charged. Only with a δ.
    pub finds_categories: bool,
    /// Largest ε to which people who allow (ε, δ) can raise theirs. (ε, δ) then holds for this ε:
    /// the sum of ρ bounds it only for the largest allowance declared in advance.
    pub raise_up_to: Option<Amount>,
    /// What the data are used for, in the words of whoever declared it.
    pub purpose: Option<String>,
    /// True if the ledger keeps who was in which tier, and refuses a release in which people moved:
    /// their budgets would start anew. Only for accounts of tiers and replace-one neighbours.
    pub watch_moves: bool,
}

/// Holders of the accounts of a dataset, with their allowances.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Accounts {
    /// One account per tier, with the lifetime allowance of each of its people.
    ///
    /// Every release charges everybody in the tier alike, and people are taken to stay in their
    /// tier: somebody who moves from a spent tier to a fresh one would start anew. Where people
    /// move, use accounts of persons.
    Tiers(Vec<(String, Amount)>),
    /// One account per person, found by a keyed hash of their identifier.
    Persons(Lifetime),
}

/// Lifetime allowances of persons.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Lifetime {
    /// Allowance of each tier. A person who changes tier keeps what they have spent.
    Tiers(Vec<(String, Amount)>),
    /// One allowance, the same for every person.
    Same(Amount),
    /// Allowance that each person declares: the number in the budget column of the data.
    Own,
}

/// Returns true if a label is the name reserved for people who allow nothing.
pub(crate) fn is_no_consent(label: &str) -> bool {
    label.trim() == "no consent"
}

/// Returns the error for a tier of that name that allows something.
pub(crate) fn no_consent_allows_nothing(dataset: &Dataset) -> Error {
    Error::parameter(
        format!("dataset {}", dataset.name),
        "tier no consent is for people who allow nothing",
    )
    .with_fix("give that tier another name")
}

impl Dataset {
    /// Creates a dataset whose people allow ε, without δ.
    pub fn new(name: impl Into<String>, neighbors: Neighbors, accounts: Accounts) -> Self {
        Self {
            name: name.into(),
            neighbors,
            accounts,
            delta: None,
            finds_categories: false,
            raise_up_to: None,
            purpose: None,
            watch_moves: false,
        }
    }

    /// Returns the tiers with their allowances, if allowances go by tier.
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

    /// Returns the allowance of somebody who allows this ε, with the dataset's δ.
    pub fn allowance(&self, epsilon: Amount) -> Allowance {
        Allowance::new(epsilon, self.delta_of_rho())
    }

    /// Returns the part of δ that is for the sum of ρ: all of it, or nine tenths if the dataset
    /// [finds categories](Self::finds_categories).
    ///
    /// # Example
    ///
    /// ```
    /// use suum_core::{Delta, Neighbors};
    /// use suum_ledger::{Accounts, Dataset};
    ///
    /// let accounts = Accounts::Tiers(vec![("strict".into(), "0.1".parse()?)]);
    /// let visits = Dataset {
    ///     delta: Some(Delta::MILLIONTH),
    ///     finds_categories: true,
    ///     ..Dataset::new("visits", Neighbors::ReplaceOne, accounts)
    /// };
    /// assert_eq!(visits.delta_of_rho(), Some("9e-7".parse()?));
    /// assert_eq!(visits.delta_of_categories(), Some("1e-7".parse()?));
    /// # Ok::<(), suum_core::Error>(())
    /// ```
    pub fn delta_of_rho(&self) -> Option<Delta> {
        self.delta.map(|delta| if self.finds_categories { delta.tenths(9) } else { delta })
    }

    /// Returns the largest sum of the δ of releases that find categories; `None` if none of them
    /// can be charged.
    pub fn delta_of_categories(&self) -> Option<Delta> {
        self.delta.filter(|_| self.finds_categories).map(|delta| delta.tenths(1))
    }

    /// Changes the allowances of tiers from now on, and adds unknown tiers. Does nothing if
    /// allowances do not go by tier.
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

    /// Returns true if persons hold the accounts.
    pub fn is_of_persons(&self) -> bool {
        matches!(self.accounts, Accounts::Persons(_))
    }

    /// Refuses to watch who moves between tiers where persons keep what they spent, or where
    /// participation is hidden.
    fn check_watched(&self) -> Result<()> {
        let problem = match (self.is_of_persons(), self.neighbors) {
            (true, _) => "a person who moves keeps what they spent where persons have accounts",
            (false, Neighbors::ReplaceOne) => return Ok(()),
            (false, Neighbors::AddRemove | Neighbors::Both) => {
                "a refusal would tell whether people moved, where participation is hidden"
            }
        };
        Err(Error::request(option::WATCH_MOVES, problem).with_fix(leave_out(option::WATCH_MOVES)))
    }

    /// Refuses an empty name, an empty list of tiers, a label that is there twice, and accounts
    /// whose moves cannot be watched.
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
        if self.watch_moves {
            self.check_watched()?;
        }
        if self.finds_categories
            && (self.delta.is_none() || self.neighbors != Neighbors::ReplaceOne)
        {
            return Err(Error::parameter(
                option::DELTA,
                "categories are found under replace-one neighbours alone, and take a part of it",
            )
            .with_fix("declare a δ and replace-one neighbours, or accounts that find none"));
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
