//! The accounts of a dataset, and the reservations that are charged to them.

use crate::body::MembersBody;
use crate::columns::Uses;
use crate::tally::Tally;
use crate::{
    Accounts, Allowance, AmendedTier, Amount, Columns, Cost, Dataset, Holder, Lifetime, RegisterUse,
};

/// A dataset and what its accounts are charged.
#[derive(Debug)]
pub(crate) struct Account {
    pub(crate) dataset: Dataset,
    /// When it was added.
    pub(crate) at: String,
    /// What its tiers allow, or everybody; empty where persons say themselves.
    allowances: Vec<Allowance>,
    /// What counts against every tier, settled or reserved; empty for accounts of persons.
    pub(crate) counted: Vec<Tally>,
    /// What its releases made of columns, but for those that were cancelled.
    pub(crate) uses: Uses,
    /// Its reservations, and charges from elsewhere.
    pub(crate) reserves: Vec<u64>,
    /// Its amendments.
    pub(crate) amendments: Vec<u64>,
}

/// A reservation and what became of it.
#[derive(Debug)]
pub(crate) struct Reserve {
    pub(crate) at: String,
    pub(crate) account: usize,
    pub(crate) items: Vec<Item>,
    pub(crate) members: Option<MembersBody>,
    pub(crate) columns: Columns,
    pub(crate) register: Option<RegisterUse>,
    pub(crate) outcome: Outcome,
}

/// One tier or part of a reservation.
#[derive(Debug)]
pub(crate) struct Item {
    pub(crate) holder: Holder,
    /// What the holder allowed when it was reserved; none if that is not known.
    pub(crate) allowed: Option<Allowance>,
    pub(crate) cost: Cost,
    pub(crate) persons: u64,
}

/// A change of what people allow.
#[derive(Debug)]
pub(crate) struct Amended {
    pub(crate) at: String,
    pub(crate) because: Option<String>,
    pub(crate) tiers: Vec<AmendedTier>,
    /// What persons allow from then on, and how many they are, by part.
    pub(crate) parts: Vec<(Holder, Allowance, u64)>,
    /// How many of the persons allow more than before.
    pub(crate) raised: u64,
    pub(crate) members: Option<MembersBody>,
    pub(crate) register: Option<RegisterUse>,
}

#[derive(Debug)]
pub(crate) enum Outcome {
    Open,
    Settled {
        entry: u64,
        at: String,
        spent: Vec<Cost>,
    },
    Cancelled {
        entry: u64,
        at: String,
    },
    /// A charge for what was lost elsewhere, with its reason: it has no release.
    Elsewhere {
        because: String,
    },
}

impl Reserve {
    /// What counts against the holders of an item: what it cost if that is known, else what was
    /// reserved.
    pub(crate) fn counted(&self, item: usize) -> Cost {
        match &self.outcome {
            Outcome::Open | Outcome::Elsewhere { .. } => {
                self.items.get(item).map_or(Cost::ZERO, |item| item.cost)
            }
            Outcome::Settled { spent, .. } => spent.get(item).copied().unwrap_or(Cost::ZERO),
            Outcome::Cancelled { .. } => Cost::ZERO,
        }
    }
}

impl Account {
    /// The accounts of a dataset, of which nothing is charged yet.
    pub(crate) fn new(dataset: Dataset, at: &str) -> Self {
        let tiers = if dataset.is_of_persons() { 0 } else { dataset.tiers().map_or(0, <[_]>::len) };
        let allowed = match &dataset.accounts {
            Accounts::Persons(Lifetime::Same(allowed)) => vec![*allowed],
            _ => dataset.tiers().into_iter().flatten().map(|(_, allowed)| *allowed).collect(),
        };
        Self {
            allowances: allowed.into_iter().map(|e| dataset.allowance(e)).collect(),
            dataset,
            at: at.to_owned(),
            counted: vec![Tally::default(); tiers],
            uses: Uses::default(),
            reserves: Vec::new(),
            amendments: Vec::new(),
        }
    }

    /// Changes what tiers allow from here on; unknown ones are added.
    pub(crate) fn amend(&mut self, tiers: &[(String, Amount)]) {
        self.dataset.amend(tiers);
        let anew = Self::new(self.dataset.clone(), &self.at);
        self.allowances = anew.allowances;
        self.counted.resize(anew.counted.len(), Tally::default());
    }

    pub(crate) fn tier(&self, label: &str) -> Option<usize> {
        self.dataset.tiers()?.iter().position(|(known, _)| known == label)
    }

    /// What the holders of a part allow; `None` if the part does not have the form of the dataset's
    /// lifetime.
    pub(crate) fn allowed(&self, holder: &Holder) -> Option<Allowance> {
        match (&self.dataset.accounts, holder) {
            (_, Holder::NoConsent) => Some(self.dataset.allowance(Amount::ZERO)),
            (Accounts::Persons(Lifetime::Same(_)), Holder::Everybody) => {
                self.allowances.first().copied()
            }
            (Accounts::Persons(Lifetime::Own), Holder::Own(allowed)) => {
                Some(self.dataset.allowance(*allowed))
            }
            (Accounts::Persons(Lifetime::Own | Lifetime::Same(_)), _) => None,
            (_, Holder::Tier(label)) => self.allowances.get(self.tier(label)?).copied(),
            _ => None,
        }
    }

    /// Whoever is charged for what was lost elsewhere, of which no tier is known.
    pub(crate) fn anybody(&self) -> Holder {
        match &self.dataset.accounts {
            Accounts::Persons(Lifetime::Same(_)) => Holder::Everybody,
            _ => Holder::Unknown,
        }
    }

    /// Whether persons and their number must not be told.
    pub(crate) fn is_add_remove(&self) -> bool {
        self.dataset.neighbors.hides_participation()
    }
}
