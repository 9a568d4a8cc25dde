//! Accounts of a dataset, and the reservations charged to them.

use dashu_ratio::RBig;
use suum_core::{Delta, Error, Result, option, say};

use crate::body::MembersBody;
use crate::columns::Uses;
use crate::tally::Tally;
use crate::{
    Accounts, Allowance, AmendedTier, Amount, Columns, Cost, Dataset, Holder, Lifetime, RegisterUse,
};

/// Dataset, its entries, and the charges to its accounts.
#[derive(Debug)]
pub(crate) struct Account {
    pub(crate) dataset: Dataset,
    /// Time at which the dataset was added, such as `2026-03-01T12:00:00Z`.
    pub(crate) at: String,
    /// Allowance of each tier, in the order of declaration, or the single one that all persons
    /// share; empty if persons declare their own.
    allowances: Vec<Allowance>,
    /// Settled and reserved charges of each tier, by its position; empty for accounts of persons.
    pub(crate) counted: Vec<Tally>,
    /// Sum of the δ of releases that find categories, without cancelled reservations.
    pub(crate) delta_of_categories: RBig,
    /// Uses of columns by its entries, without cancelled reservations.
    pub(crate) uses: Uses,
    /// Entry numbers of its reservations and of charges for losses elsewhere, ascending.
    pub(crate) reserves: Vec<u64>,
    /// Entry numbers of its amendments, ascending.
    pub(crate) amendments: Vec<u64>,
}

/// Reservation or charge for a loss elsewhere, and its outcome.
#[derive(Debug)]
pub(crate) struct Reserve {
    pub(crate) at: String,
    pub(crate) account: usize,
    pub(crate) items: Vec<Item>,
    /// True if its items are parts of persons, false if they are tiers.
    pub(crate) is_of_persons: bool,
    /// Persons that it names: those of its parts, or of its tiers where moves are watched.
    pub(crate) members: Option<MembersBody>,
    pub(crate) columns: Columns,
    pub(crate) register: Option<RegisterUse>,
    /// Number of people who were in another tier before, which somebody accepted.
    pub(crate) moved: u64,
    /// δ of the release, if it finds categories.
    pub(crate) delta: Option<Delta>,
    pub(crate) outcome: Outcome,
}

/// Charge of a reservation to one tier or one part of persons.
#[derive(Debug)]
pub(crate) struct Item {
    pub(crate) holder: Holder,
    /// Allowance of the holder at the time of the reservation; none if the dataset has none for
    /// this holder.
    pub(crate) allowed: Option<Allowance>,
    pub(crate) cost: Cost,
    pub(crate) persons: u64,
}

/// Change of the allowances of tiers or persons.
#[derive(Debug)]
pub(crate) struct AmendmentEntry {
    pub(crate) at: String,
    pub(crate) because: Option<String>,
    pub(crate) tiers: Vec<AmendedTier>,
    /// Holder, new allowance and number of persons of each part.
    pub(crate) parts: Vec<(Holder, Allowance, u64)>,
    /// Number of persons who allow more than before.
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
    /// Charge for a loss elsewhere, with its reason; it has no release.
    Elsewhere {
        because: String,
    },
}

impl Reserve {
    /// Returns the cost of an item that counts against its holder: the reserved cost while the
    /// reservation is open or if the loss was elsewhere, the final cost once it is settled, and
    /// zero once it is cancelled.
    pub(crate) fn counted_cost(&self, item: usize) -> Cost {
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
    /// Creates the accounts of a dataset, with nothing charged.
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
            delta_of_categories: RBig::ZERO,
            uses: Uses::default(),
            reserves: Vec::new(),
            amendments: Vec::new(),
        }
    }

    /// Changes the allowances of tiers from here on, and adds unknown tiers with nothing charged.
    pub(crate) fn amend(&mut self, tiers: &[(String, Amount)]) {
        self.dataset.amend(tiers);
        let anew = Self::new(self.dataset.clone(), &self.at);
        self.allowances = anew.allowances;
        self.counted.resize(anew.counted.len(), Tally::default());
    }

    /// Refuses a release of this δ that the accounts have no room for.
    ///
    /// # Errors
    ///
    /// Refuses it where no part of δ is for such releases, and beyond that part.
    pub(crate) fn check_delta(&self, delta: Option<Delta>) -> Result<()> {
        let Some(delta) = delta else { return Ok(()) };
        let place = format!("dataset {}", self.dataset.name);
        let Some(most) = self.dataset.delta_of_categories() else {
            return Err(Error::request(
                place,
                "its accounts have no δ for releases that find categories",
            )
            .with_fix(
                say("declare the categories, or open accounts of (ε, δ) for such releases with")
                    .set(option::DELTA, "1e-6"),
            ));
        };
        let spent = &self.delta_of_categories;
        if spent + delta.exact() <= most.exact() {
            return Ok(());
        }
        let spent = spent.to_f64().value();
        Err(Error::budget(
            place,
            format!("of δ = {most} for releases that find categories, {spent:e} is spent"),
        )
        .with_fix(
            say("ask for a smaller").option(option::DELTA).say(", or declare the categories"),
        ))
    }

    pub(crate) fn tier(&self, label: &str) -> Option<usize> {
        self.dataset.tiers()?.iter().position(|(known, _)| known == label)
    }

    /// Returns the allowance of a holder; `None` if the holder does not have the form of the
    /// dataset's accounts, or is an unknown tier.
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

    /// Returns the holder of charges to persons for losses elsewhere, whose tiers are not known.
    pub(crate) fn anybody(&self) -> Holder {
        match &self.dataset.accounts {
            Accounts::Persons(Lifetime::Same(_)) => Holder::Everybody,
            _ => Holder::Unknown,
        }
    }

    /// Returns true if participation is hidden, so that persons and their number stay private.
    pub(crate) fn is_add_remove(&self) -> bool {
        self.dataset.neighbors.hides_participation()
    }
}
