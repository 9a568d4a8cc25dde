//! Releases that are charged to a ledger.

mod already;
mod calibration;
mod dataset;
mod effect;
mod forecast;
mod line_cost;
mod persons;
mod quote;
mod register;
mod seen;
mod spend;
mod tables;
mod tiers;
mod watch;

use std::path::Path;
use std::sync::Arc;

use serde_json::Value;
use suum_core::{
    Command, Delta, Epsilon, Error, ErrorKind, Neighbors, Phrase, Randomness, Releases, Result,
    leave_out, option, say,
};
use suum_data::{Accounts, Tiers};
use suum_ledger::{
    Accounts as Holders, Amount, Charges, Columns, Dataset, Direction, FinalCost, Ledger, Lifetime,
    RegisterUse, ReservationRecord,
};

pub use effect::{LedgerEffect, PersonsEffect, ShownAgain, TierEffect};
pub use forecast::Forecast;
pub(crate) use forecast::ForecastAccount;
pub use spend::{Fraction, Spend};

use already::Already;
pub(crate) use already::Raises;
use calibration::{WHOLE, scaled};
pub(crate) use dataset::{balances, dataset_of};
use line_cost::LineCost;
use persons::PersonAccounts;
use quote::spent;
pub(crate) use register::ReadRegister;
pub(crate) use tables::{Names, named};
use tiers::TierAccounts;
pub(crate) use tiers::requested_amount;
use watch::TierWatch;

/// Path of a release through a ledger, from the remaining budgets to the recorded cost.
///
/// The order is essential: budgets are lowered to what is left, the data are read, the largest
/// possible cost is reserved durably, only then noise is drawn, and in the end the real cost is
/// settled. Whatever goes wrong after the first random number counts as spent in full.
#[derive(Debug)]
pub struct Accountant {
    ledger: Ledger,
    dataset: Dataset,
    accounts: OpenAccounts,
    // True if a record is a person, perhaps with rows of several tiers.
    persons: bool,
    columns: Columns,
    // Part of the available budgets that this release uses, in millionths.
    part: u32,
    // The register of decisions that the release looks at.
    register: Option<ReadRegister>,
    // The people of each tier, if the ledger watches who moves.
    watch: Option<Arc<TierWatch>>,
    // True if it is accepted that people moved.
    may_have_moved: bool,
    // δ of the release, if it finds categories.
    delta: Option<Delta>,
}

#[derive(Debug)]
enum OpenAccounts {
    Tiers(TierAccounts),
    Persons(Arc<PersonAccounts>),
}

impl Accountant {
    /// Opens the accounts of a dataset in the ledger at `path`; without a name those of its only
    /// one.
    ///
    /// `asked` is the amount requested from each tier; `None` for all that `spend` allows.
    /// `columns` are the columns that the release reads.
    ///
    /// # Errors
    ///
    /// Refuses a ledger that cannot be used, a dataset with other neighbours, columns that other
    /// releases protect or published, and tiers that have no account.
    pub fn open(
        path: &Path,
        dataset: Option<&str>,
        neighbors: Neighbors,
        spend: Spend,
        asked: Option<&[(String, Amount)]>,
        columns: Columns,
    ) -> Result<Self> {
        Self::open_with(path, dataset, neighbors, spend, asked, columns, Raises::Allowed)
    }

    /// Opens the accounts like [`open`](Self::open); `raises` decides on people who allow more by
    /// the data than the ledger knows.
    pub(crate) fn open_with(
        path: &Path,
        dataset: Option<&str>,
        neighbors: Neighbors,
        spend: Spend,
        asked: Option<&[(String, Amount)]>,
        columns: Columns,
        raises: Raises,
    ) -> Result<Self> {
        let ledger = Ledger::open(path)?;
        let dataset = dataset_of(&ledger, dataset)?;
        if dataset.neighbors != neighbors {
            let option = dataset.neighbors.name();
            let is = match dataset.neighbors {
                Neighbors::ReplaceOne => "replace-one",
                Neighbors::AddRemove => option,
                Neighbors::Both => "both kinds of",
            };
            return Err(Error::request(
                option::NEIGHBORS,
                format!(
                    "the accounts of dataset {} are for {is} neighbours, whose losses do not add \
                     up with others",
                    dataset.name
                ),
            )
            .with_fix(
                say("use")
                    .set(option::NEIGHBORS, option)
                    .say(", or keep accounts of their own for other releases"),
            ));
        }
        ledger.check_columns(&dataset.name, &columns)?;
        let accounts = match &dataset.accounts {
            Holders::Tiers(_) => {
                let mut tiers =
                    TierAccounts::new(&dataset, balances(&ledger, &dataset.name)?, spend);
                if let Some(asked) = asked {
                    tiers.ask(asked)?;
                }
                OpenAccounts::Tiers(tiers)
            }
            Holders::Persons(lifetime) => {
                let already = Already::begin(&ledger, &dataset.name, raises)?;
                let key = ledger.person_key();
                OpenAccounts::Persons(Arc::new(PersonAccounts::new(
                    key,
                    lifetime.clone(),
                    dataset.delta_of_rho(),
                    already,
                    spend,
                    asked,
                )?))
            }
        };
        let labels = || dataset.tiers().into_iter().flatten().map(|(label, _)| label.clone());
        let watch = dataset.watch_moves.then(|| {
            let watch = TierWatch::new(ledger.person_key(), labels().collect());
            Arc::new(watch)
        });
        Ok(Self {
            ledger,
            dataset,
            accounts,
            persons: false,
            columns,
            part: WHOLE,
            register: None,
            watch,
            may_have_moved: false,
            delta: None,
        })
    }

    /// Adds columns that are known only after the data are read, such as those of a level table.
    ///
    /// # Errors
    ///
    /// Refuses columns as [`open`](Self::open) does.
    pub fn use_columns(&mut self, columns: Columns) -> Result<()> {
        self.columns.values.extend(columns.values);
        self.columns.published.extend(columns.published);
        self.columns.declared.extend(columns.declared);
        self.ledger.check_columns(&self.dataset.name, &self.columns)
    }

    /// Columns that earlier releases of the dataset used.
    ///
    /// # Errors
    ///
    /// Fails if the ledger cannot be read.
    pub fn used_columns(&self) -> Result<Columns> {
        self.ledger.columns(&self.dataset.name)
    }

    /// Records that exact numbers make the columns public, which costs nothing.
    ///
    /// The record is durable when this returns. `request` is stored with it.
    ///
    /// # Errors
    ///
    /// Fails if the ledger refuses; then nothing may be published.
    pub fn publish(mut self, request: &Value) -> Result<()> {
        self.ledger.publish(&self.dataset.name, &self.columns, request)
    }

    /// Declares that records are persons, who may have rows of several tiers.
    #[must_use]
    pub fn with_persons(self) -> Self {
        Self { persons: true, ..self }
    }

    /// Accepts that people moved between tiers, whose budgets start anew there.
    ///
    /// # Errors
    ///
    /// Refuses that where nobody watches who moves.
    pub fn with_moves(self) -> Result<Self> {
        match self.watches_moves() {
            true => Ok(Self { may_have_moved: true, ..self }),
            false => Err(Error::request(
                option::ALLOW_MOVES,
                format!("nobody watches who moves between tiers of dataset {}", self.dataset.name),
            )
            .with_fix(leave_out(option::ALLOW_MOVES))),
        }
    }

    /// Returns true if the ledger watches who moves between tiers: then every charge needs the
    /// persons in the data.
    pub fn watches_moves(&self) -> bool {
        self.watch.is_some()
    }

    /// Says which register of decisions the release looks at, if it looks at one.
    #[must_use]
    pub(crate) fn looking_at(self, register: Option<ReadRegister>) -> Self {
        Self { register, ..self }
    }

    /// Returns the accountant of a release of this δ that finds categories.
    ///
    /// # Errors
    ///
    /// Refuses it if the accounts have no room for it.
    pub(crate) fn with_delta(self, delta: Delta) -> Result<Self> {
        self.ledger.check_delta(&self.dataset.name, Some(delta))?;
        Ok(Self { delta: Some(delta), ..self })
    }

    /// Refuses if no tier has anything left, before any data are read.
    ///
    /// # Errors
    ///
    /// Names every tier, and what it has left.
    pub fn check(&self) -> Result<()> {
        match &self.accounts {
            OpenAccounts::Tiers(tiers) => tiers.check(),
            OpenAccounts::Persons(_) => Ok(()),
        }
    }

    /// Amounts that persons allow in all, if persons have the accounts.
    pub fn lifetime(&self) -> Option<&Lifetime> {
        match &self.dataset.accounts {
            Holders::Persons(lifetime) => Some(lifetime),
            Holders::Tiers(_) => None,
        }
    }

    /// Tiers with the amounts they may spend on this release, if tiers have the accounts.
    ///
    /// # Errors
    ///
    /// None is expected: the tiers of a ledger were checked when they were declared.
    pub fn tiers(&self) -> Result<Option<Tiers>> {
        match &self.accounts {
            OpenAccounts::Tiers(tiers) => tiers.tiers().map(Some),
            OpenAccounts::Persons(_) => Ok(None),
        }
    }

    /// Public range of the amounts that persons may have left for this release, if persons have the
    /// accounts. `None` if tiers have the accounts, or if the data tell what each person allows in
    /// all.
    pub(crate) fn range_of_persons(&self) -> Option<(Epsilon, Epsilon)> {
        match &self.accounts {
            OpenAccounts::Tiers(_) => None,
            OpenAccounts::Persons(persons) => persons.range(),
        }
    }

    /// Accounts that a scan asks about each person, if persons have the accounts, or tells of each,
    /// if the ledger watches who moves between tiers.
    pub fn accounts(&self) -> Option<Arc<dyn Accounts>> {
        match &self.accounts {
            OpenAccounts::Tiers(_) => self.watch.clone().map(|watch| watch as Arc<dyn Accounts>),
            OpenAccounts::Persons(persons) => Some(Arc::clone(persons) as Arc<dyn Accounts>),
        }
    }

    /// Refuses accounts of persons that turned out to be damaged, or changed while data were read:
    /// then no person was asked for any budget.
    ///
    /// # Errors
    ///
    /// Fails if the ledger refuses.
    pub(crate) fn are_known(&self) -> Result<()> {
        match &self.accounts {
            OpenAccounts::Tiers(_) => Ok(()),
            OpenAccounts::Persons(persons) => persons.are_known(),
        }
    }

    /// Marks the end of one of several passes over the data for a release of several answers, so
    /// that persons are charged once.
    ///
    /// # Errors
    ///
    /// Refuses persons whose tier or budget differs from that of an earlier pass.
    pub(crate) fn has_read(&self) -> Result<()> {
        match &self.accounts {
            OpenAccounts::Tiers(_) => Ok(()),
            OpenAccounts::Persons(persons) => persons.has_read(),
        }
    }

    fn charges(&self) -> Charges {
        let scaled = |amount| scaled(amount, self.part);
        match &self.accounts {
            OpenAccounts::Tiers(tiers) => Charges::Tiers(tiers.charges(scaled)),
            OpenAccounts::Persons(persons) => Charges::Persons(persons.parts(scaled)),
        }
    }

    /// Makes a release: reserves its largest possible cost, calls `draw`, and settles the real
    /// cost.
    ///
    /// `draw` gets its randomness from the reservation, so it draws no noise before that is
    /// durable. It has to release at the budgets of [`tiers`](Self::tiers),
    /// [`accounts`](Self::accounts) or [`cap`](Self::cap). A release that cost somebody more than
    /// was reserved is not returned.
    ///
    /// `request` is stored with the reservation, and the result of `describe` with the settlement;
    /// neither may hold anything that must not be published.
    ///
    /// Whoever allows less by the decisions of a register than the ledger knows is lowered before
    /// anything is reserved, which stays if the release fails. Nobody is raised.
    ///
    /// # Errors
    ///
    /// Fails if the ledger refuses, before anything is drawn; and if `draw` refuses. If `draw` did
    /// so after it had drawn, the reservation counts as spent, and the refusal says so.
    pub fn release(
        mut self,
        request: &Value,
        draw: impl FnOnce(&mut Randomness) -> Result<Releases>,
        describe: impl FnOnce(&Releases) -> Result<Value>,
    ) -> Result<(Releases, LedgerEffect)> {
        self.are_known()?;
        let people = self.watch.as_ref().map(|watch| watch.people(self.may_have_moved));
        let people = people.transpose()?;
        let register = self.follow_register()?;
        let charges = self.charges();
        // Under hidden participation it must not show whether anybody has budget left.
        let whom = self.whom();
        let hides_persons =
            whom.hidden_participation && matches!(self.accounts, OpenAccounts::Persons(_));
        if is_empty(&charges) && !hides_persons {
            return Err(self.nobody());
        }
        let record = ReservationRecord {
            request,
            register: register.as_ref(),
            people: people.as_ref(),
            delta: self.delta,
        };
        let reservation =
            self.ledger.reserve(&self.dataset.name, &charges, &self.columns, record)?;
        let (release, drawn) = reservation.draw(draw)?;
        let entry = drawn.entry();
        let losses = release.certificate();
        let lost = LineCost::all(&losses, &release.rho());
        let spent = spent(&self.accounts, whom, &charges, &lost);
        let certificate = match describe(&release) {
            Ok(certificate) => certificate,
            Err(refused) => return Err(drawn.give_up(&refused)),
        };
        // The release is made and paid for: that its real cost could not be written down must not
        // keep it back.
        let settled = drawn.settle(spent.clone(), &certificate);
        if let Err(error) = &settled
            && error.kind() == ErrorKind::Internal
        {
            // It cost more than was reserved, so it was not made at the budgets that were left:
            // nobody gets to see it.
            return Err(error.clone());
        }
        let spent = if settled.is_ok() { spent } else { FinalCost::AsReserved };
        let now = match self.accounts {
            OpenAccounts::Tiers(_) => balances(&self.ledger, &self.dataset.name).ok(),
            OpenAccounts::Persons(_) => None,
        };
        let mut effect = self.effect(Some(entry), &charges, &spent, now, &lost);
        effect.warning = settled.err().map(|error| error.to_string());
        Ok((release, effect))
    }

    /// Lowers the accounts of persons whose decisions allow less, and returns what the ledger keeps
    /// of the register.
    fn follow_register(&mut self) -> Result<Option<RegisterUse>> {
        let Some(register) = self.register.take() else { return Ok(None) };
        let evidence = register.evidence(&self.ledger);
        if matches!(self.accounts, OpenAccounts::Persons(_)) {
            let amendment = register.amendment(&self.dataset, Direction::OnlyLower, &evidence);
            self.ledger.amend(&self.dataset.name, &amendment)?;
        }
        Ok(Some(evidence))
    }

    /// Returns the error for a release that nobody has budget left for.
    fn nobody(&self) -> Error {
        if let OpenAccounts::Tiers(tiers) = &self.accounts
            && let Err(refused) = tiers.check()
        {
            return refused;
        }
        Error::budget(option::LEDGER, "nobody has budget left for this release").with_fix(
            Phrase::from(Command::ShowLedger)
                .say("says how much was spent;")
                .option(option::SPEND)
                .say("and")
                .option(option::TARGET_RMSE)
                .say("may ask for less than a millionth"),
        )
    }
}

fn is_empty(charges: &Charges) -> bool {
    match charges {
        Charges::Tiers(tiers) => tiers.iter().all(|(_, amount)| amount.is_zero()),
        Charges::Persons(parts) => parts.is_empty(),
    }
}
