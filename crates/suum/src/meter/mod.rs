//! Releases that a ledger keeps account of.

mod already;
mod lost;
mod persons;
mod seen;
mod spend;
mod statement;
mod tiers;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use serde_json::Value;
use suum_core::{
    CellCounts, Cohort, Epsilon, Error, ErrorKind, Level, LevelTable, Measure, Neighbors, Profile,
    Randomness, Releases, Result, Rho, Spending,
};
use suum_data::{Accounts, Tiers};
use suum_ledger::{
    Accounts as Holders, Amount, Balance, Charges, Columns, Cost, Dataset, Ledger, Lifetime, Spent,
    TierBalance,
};

use already::Already;
pub use spend::{Fraction, Spend};
pub use statement::{PersonStatement, ShownAgain, Statement, TierStatement};

use lost::Lost;
use persons::{PersonCount, PersonWallet};
pub(crate) use tiers::asked;
use tiers::{TierPurse, TierWallet, gives_the_rest};

/// Everything, in millionths.
const WHOLE: u32 = 1_000_000;

/// A release's way through a ledger: what everybody has left goes in, what it cost is written down.
///
/// The order is what keeps it right: budgets are lowered to what is left, the data are read, what
/// the release may cost is reserved durably, only then is anything drawn, and in the end the real
/// cost is settled. Whatever goes wrong after the first random number counts as spent in full.
#[derive(Debug)]
pub struct Meter {
    ledger: Ledger,
    dataset: Dataset,
    wallet: Wallet,
    // Whether a record is a person, with rows of several tiers perhaps.
    persons: bool,
    columns: Columns,
    // What part of what may be spent this release asks for, in millionths.
    part: u32,
}

#[derive(Debug)]
enum Wallet {
    Tiers(TierWallet),
    Persons(Arc<PersonWallet>),
}

impl Meter {
    /// The accounts of a dataset in the ledger at `path`; without a name those of its only one.
    ///
    /// `asked` is what the release asks of each tier; `None` for all that `spend` allows. `columns`
    /// are those that it reads.
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
        let ledger = Ledger::open(path)?;
        let dataset = dataset_of(&ledger, dataset)?;
        if dataset.neighbors != neighbors {
            let option = dataset.neighbors.name();
            let is = match dataset.neighbors {
                Neighbors::ReplaceOne => "replace-one",
                Neighbors::AddRemove => option,
                Neighbors::Both => "both kinds of",
            };
            return Err(Error::request(format!(
                "neighbors: the accounts of dataset {} are for {is} neighbours, whose losses do \
                not add up with others",
                dataset.name
            ))
            .with_hint(format!(
                "use --neighbors {option}, or keep accounts of their own for other \
                releases"
            )));
        }
        ledger.check_columns(&dataset.name, &columns)?;
        let wallet = match &dataset.accounts {
            Holders::Tiers(_) => {
                let mut tiers = TierWallet::new(&dataset, balances(&ledger, &dataset.name)?, spend);
                if let Some(asked) = asked {
                    tiers.ask(asked)?;
                }
                Wallet::Tiers(tiers)
            }
            Holders::Persons(lifetime) => {
                let already = Already::begin(&ledger, &dataset.name)?;
                let key = ledger.person_key();
                Wallet::Persons(Arc::new(PersonWallet::new(
                    key,
                    lifetime.clone(),
                    dataset.delta,
                    already,
                    spend,
                    asked,
                )?))
            }
        };
        Ok(Self { ledger, dataset, wallet, persons: false, columns, part: WHOLE })
    }

    /// Adds columns that are known only once the data are read, as those of a level table are.
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

    /// The columns that earlier releases of the dataset used.
    ///
    /// # Errors
    ///
    /// If the ledger cannot be read.
    pub fn used_columns(&self) -> Result<Columns> {
        self.ledger.columns(&self.dataset.name)
    }

    /// Writes down that exact numbers make the columns public, which costs nothing.
    ///
    /// When this returns, it is durable. `request` is written down with it.
    ///
    /// # Errors
    ///
    /// What the ledger refuses. Then nothing may be published.
    pub fn publish(mut self, request: &Value) -> Result<()> {
        self.ledger.publish(&self.dataset.name, &self.columns, request)
    }

    /// Says that records are persons, who may have rows of several tiers.
    #[must_use]
    pub fn of_persons(self) -> Self {
        Self { persons: true, ..self }
    }

    /// Refuses where no tier has anything left, before any data are read.
    ///
    /// # Errors
    ///
    /// Names every tier, and what it has left.
    pub fn check(&self) -> Result<()> {
        match &self.wallet {
            Wallet::Tiers(tiers) => tiers.check(),
            Wallet::Persons(_) => Ok(()),
        }
    }

    /// What persons allow in all, where they have the accounts.
    pub fn lifetime(&self) -> Option<&Lifetime> {
        match &self.dataset.accounts {
            Holders::Persons(lifetime) => Some(lifetime),
            Holders::Tiers(_) => None,
        }
    }

    /// The tiers with what they may spend on this release, where tiers have the accounts.
    ///
    /// # Errors
    ///
    /// None is expected: the tiers of a ledger were checked when they were declared.
    pub fn tiers(&self) -> Result<Option<Tiers>> {
        match &self.wallet {
            Wallet::Tiers(tiers) => tiers.tiers().map(Some),
            Wallet::Persons(_) => Ok(None),
        }
    }

    /// What persons may have left for this release, where they have the accounts: the least and
    /// the most, as far as it is public. `None` where tiers have the accounts, and where persons
    /// say themselves what they allow in all.
    pub(crate) fn range_of_persons(&self) -> Option<(Epsilon, Epsilon)> {
        match &self.wallet {
            Wallet::Tiers(_) => None,
            Wallet::Persons(persons) => persons.range(),
        }
    }

    /// What a scan asks of each person, where persons have the accounts.
    pub fn accounts(&self) -> Option<Arc<dyn Accounts>> {
        match &self.wallet {
            Wallet::Tiers(_) => None,
            Wallet::Persons(persons) => Some(Arc::clone(persons) as Arc<dyn Accounts>),
        }
    }

    /// Refuses accounts of persons that turned out to be damaged or changed while data were read:
    /// then nobody was asked for anything.
    ///
    /// # Errors
    ///
    /// What the ledger refuses.
    pub(crate) fn are_known(&self) -> Result<()> {
        match &self.wallet {
            Wallet::Tiers(_) => Ok(()),
            Wallet::Persons(persons) => persons.are_known(),
        }
    }

    /// Says that the data were read once, of the several times that a release of several answers
    /// reads them: persons are then charged once.
    ///
    /// # Errors
    ///
    /// Refuses persons of whom the data say something else than before.
    pub(crate) fn has_read(&self) -> Result<()> {
        match &self.wallet {
            Wallet::Tiers(_) => Ok(()),
            Wallet::Persons(persons) => persons.has_read(),
        }
    }

    /// A level table made elsewhere, at the budgets that are left.
    ///
    /// # Errors
    ///
    /// Refuses a table without the labels of tiers, one in which persons count at other tiers than
    /// they would by what is left, and accounts of persons, who are not in it.
    pub fn cap(&mut self, table: LevelTable) -> Result<LevelTable> {
        let Wallet::Tiers(tiers) = &self.wallet else {
            return Err(Error::request(
                "from-levels: a level table does not say which persons it is of",
            )
            .with_hint("name the data in place of --from-levels"));
        };
        let purse = |label: Option<&str>| {
            tiers.0.iter().find(|purse| Some(purse.balance.label.as_str()) == label)
        };
        if table.cohorts().iter().any(|cohort| purse(cohort.label.as_deref()).is_none()) {
            return Err(Error::table(
                "level table: it has levels that are no tiers of the ledger's dataset",
            )
            .with_hint("make the table with the tiers of the ledger: --privacy COL --levels …"));
        }
        if table.person().is_some() {
            self.persons = true;
            // Where it is hidden who takes part, all tiers decide, and not those that people have.
            if self.whom().sealed && !tiers.keep_their_order() {
                return Err(stricter_now());
            }
            // Persons with rows of several tiers were counted at the strictest of them, by the
            // budgets of the table.
            let may =
                |cohort: &suum_core::Cohort| purse(cohort.label.as_deref()).map(|purse| purse.may);
            let ordered = table.cohorts().windows(2).all(|pair| {
                let (one, other) = (may(&pair[0]), may(&pair[1]));
                if pair[0].epsilon == pair[1].epsilon { one == other } else { one <= other }
            });
            if !ordered {
                return Err(stricter_now());
            }
        }
        table.with_budgets(|label, epsilon| {
            purse(label).map_or(Epsilon::UNUSED, |purse| epsilon.min(purse.may.epsilon()))
        })
    }

    /// How levels are named after the tiers of their people, where persons have the accounts and
    /// chose among tiers; empty elsewhere.
    pub(crate) fn names(&self) -> Names {
        match &self.wallet {
            Wallet::Persons(persons) => persons.names(|amount| scaled(amount, self.part)),
            Wallet::Tiers(_) => Names::new(),
        }
    }

    /// The table with levels that are named after the tiers of their people, where persons have the
    /// accounts and chose among tiers.
    ///
    /// People of one tier can have different budgets left: then a name tells the budget, too.
    ///
    /// # Errors
    ///
    /// None is expected.
    pub fn name_tiers(&self, table: LevelTable) -> Result<LevelTable> {
        named(table, &self.names())
    }

    /// The table at the part of all budgets that [`aim`](Self::aim) found.
    ///
    /// # Errors
    ///
    /// None is expected.
    pub fn scale(&self, table: LevelTable) -> Result<LevelTable> {
        match self.part {
            WHOLE => Ok(table),
            part => self.name_tiers(at_part(table, part)?),
        }
    }

    /// Finds the least part of what may be spent with which the error is at most `most`, the same
    /// for everybody.
    ///
    /// `error` is what a release at these budgets is expected to have; it does not grow with the
    /// part.
    ///
    /// # Errors
    ///
    /// Refuses an error that cannot be reached with all of it.
    pub fn aim(
        &mut self,
        most: f64,
        table: &LevelTable,
        error: impl Fn(&LevelTable) -> Result<f64>,
    ) -> Result<()> {
        self.aim_at(("target-rmse", "expected error"), most, &[table], error)
    }

    /// As [`aim`](Self::aim), at what an option asks for, of the worst of several tables.
    pub(crate) fn aim_at(
        &mut self,
        (option, what): (&str, &str),
        most: f64,
        tables: &[&LevelTable],
        error: impl Fn(&LevelTable) -> Result<f64>,
    ) -> Result<()> {
        if !(most.is_finite() && most > 0.0) {
            return Err(Error::parameter(format!("{option}: must be a positive number"))
                .with_hint(format!("for example --{option} 0.5")));
        }
        let worst = |of: &dyn Fn(&LevelTable) -> Result<f64>| -> Result<f64> {
            let errors = tables.iter().map(|table| of(table)).collect::<Result<Vec<f64>>>()?;
            let nan = errors.iter().any(|error| error.is_nan());
            Ok(if nan { f64::NAN } else { errors.into_iter().fold(0.0, f64::max) })
        };
        let of = |part: u32| worst(&|table| error(&at_part(table.clone(), part)?));
        let least = worst(&error)?;
        if least.is_nan() || least > most {
            return Err(Error::budget(format!(
                "{option}: with all that may be spent the {what} is {least:.4}, which is more"
            ))
            .with_hint("ask for a larger error, or for more people or budget"));
        }
        // `enough` reaches it, `short` does not, or is nothing at all. A plan without anybody has
        // no error.
        let (mut short, mut enough) = (0, WHOLE);
        while enough - short > 1 {
            let part = short + (enough - short) / 2;
            if of(part).is_ok_and(|error| error <= most) { enough = part } else { short = part }
        }
        self.part = enough;
        Ok(())
    }

    /// The part of what may be spent that is asked for, at most 1.
    pub fn part(&self) -> f64 {
        f64::from(self.part) / f64::from(WHOLE)
    }

    fn charges(&self) -> Charges {
        let scaled = |amount| scaled(amount, self.part);
        match &self.wallet {
            Wallet::Tiers(tiers) => Charges::Tiers(tiers.charges(scaled)),
            Wallet::Persons(persons) => Charges::Persons(persons.parts(scaled)),
        }
    }

    /// Makes a release: reserves what it may cost, lets `draw` make it, and settles what it did
    /// cost.
    ///
    /// `draw` is lent its randomness by the reservation, so it draws no noise before that is
    /// durable. It has to release at the budgets of [`tiers`](Self::tiers),
    /// [`accounts`](Self::accounts) or [`cap`](Self::cap). A release that cost somebody more than
    /// was reserved is not handed out.
    ///
    /// `request` is written down with the reservation, and what `describe` says of the release with
    /// the settlement; neither may hold anything that must not be published.
    ///
    /// # Errors
    ///
    /// What the ledger refuses, before anything is drawn; and what `draw` refuses. If it did so
    /// after it had drawn, what was reserved counts as spent, and the refusal says so.
    pub fn release(
        mut self,
        request: &Value,
        draw: impl FnOnce(&mut Randomness) -> Result<Releases>,
        describe: impl FnOnce(&Releases) -> Result<Value>,
    ) -> Result<(Releases, Statement)> {
        self.are_known()?;
        let charges = self.charges();
        // Whether anybody is there who has budget left may not show where it is hidden who takes
        // part.
        let whom = self.whom();
        let hides_persons = whom.sealed && matches!(self.wallet, Wallet::Persons(_));
        if is_empty(&charges) && !hides_persons {
            return Err(self.nobody());
        }
        let reservation =
            self.ledger.reserve(&self.dataset.name, &charges, &self.columns, request)?;
        let (release, drawn) = reservation.draw(draw)?;
        let entry = drawn.entry();
        let losses = release.certificate();
        let lost = Lost::all(&losses, &release.rho());
        let spent = spent(&self.wallet, whom, &charges, &lost);
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
        let spent = if settled.is_ok() { spent } else { Spent::AsReserved };
        let now = match self.wallet {
            Wallet::Tiers(_) => balances(&self.ledger, &self.dataset.name).ok(),
            Wallet::Persons(_) => None,
        };
        let mut statement = self.statement(Some(entry), &charges, &spent, now, &losses);
        statement.warning = settled.err().map(|error| error.to_string());
        Ok((release, statement))
    }

    /// The refusal where all accounts are empty.
    fn nobody(&self) -> Error {
        if let Wallet::Tiers(tiers) = &self.wallet
            && let Err(refused) = tiers.check()
        {
            return refused;
        }
        Error::budget("ledger: nobody has budget left for this release").with_hint(
            "suum ledger show FILE says how much was spent; --spend and --target-rmse \
                may ask for less than a millionth",
        )
    }

    /// What a release with these losses would do to the accounts; `rho` is the ρ of each, at most.
    pub fn quote(&self, losses: &[Spending], rho: &[Rho]) -> Statement {
        let charges = self.charges();
        let spent = spent(&self.wallet, self.whom(), &charges, &Lost::all(losses, rho));
        self.statement(None, &charges, &spent, None, losses)
    }

    fn whom(&self) -> Whom {
        Whom { persons: self.persons, sealed: self.dataset.neighbors.hides_participation() }
    }

    /// `now` is the balance after a release, if one was made.
    fn statement(
        &self,
        entry: Option<u64>,
        charges: &Charges,
        spent: &Spent,
        now: Option<Vec<TierBalance>>,
        losses: &[Spending],
    ) -> Statement {
        let Whom { sealed, .. } = self.whom();
        let scaled = |amount| scaled(amount, self.part);
        let mut statement = Statement {
            dataset: self.dataset.name.clone(),
            entry,
            tiers: Vec::new(),
            persons: None,
            exhausted: None,
            not_asked: None,
            people: None,
            sealed,
            warning: None,
            shown_again: None,
        };
        let mut count = PersonCount::default();
        match &self.wallet {
            Wallet::Tiers(tiers) => {
                let of = |purse: &TierPurse| {
                    let rest =
                        gives_the_rest(purse.instalment, purse.balance.left, scaled(purse.may));
                    let instalment = rest.then_some(purse.instalment);
                    TierStatement {
                        instalment,
                        ..tier_statement(purse, charges, spent, now.as_deref())
                    }
                };
                statement.tiers = tiers.0.iter().map(of).collect();
                for loss in losses {
                    let people = loss.count.unwrap_or_default();
                    count.all += people;
                    let purse = tiers.0.iter().find(|purse| purse.balance.label == loss.level);
                    match purse
                        .map(|purse| (purse.balance.allowed, purse.balance.left, scaled(purse.may)))
                    {
                        Some((allowed, left, _)) if left.is_zero() && !allowed.is_zero() => {
                            count.exhausted += people
                        }
                        Some((_, left, may)) if may.is_zero() && !left.is_zero() => {
                            count.not_asked += people
                        }
                        _ => {}
                    }
                }
            }
            Wallet::Persons(persons) => {
                count = persons.count(scaled);
                let charged = match charges {
                    Charges::Persons(parts) => {
                        parts.iter().map(|part| part.persons.len() as u64).sum()
                    }
                    Charges::Tiers(_) => 0,
                };
                let most = match (spent, charges) {
                    (Spent::Parts(parts), _) => parts.iter().map(|cost| cost.epsilon).max(),
                    (_, Charges::Persons(parts)) => parts.iter().map(|part| part.charge).max(),
                    _ => None,
                };
                // How many were charged, and the most of what they were, depends on who they are.
                statement.persons = (!sealed).then(|| PersonStatement {
                    charged,
                    most: most.unwrap_or(Amount::ZERO),
                    rest: count.rest,
                });
            }
        }
        if !sealed {
            statement.people = Some(count.all);
            statement.exhausted = Some(count.exhausted);
            statement.not_asked = Some(count.not_asked);
        }
        statement
    }
}

fn stricter_now() -> Error {
    Error::table("level table: by what is left other tiers are stricter than when it was made")
        .with_hint("name the data in place of --from-levels, or make the table again")
}

/// People of tiers, as numbers of people tell them apart who allow different amounts in all.
impl Meter {
    /// A level table of as many people as in the profile, at what their tiers may spend on this
    /// release; `None` where persons have the accounts.
    ///
    /// # Errors
    ///
    /// Refuses a profile with budgets that no tier allows in all, or that several do.
    pub(crate) fn people(&self, profile: &Profile) -> Result<Option<LevelTable>> {
        let Wallet::Tiers(tiers) = &self.wallet else { return Ok(None) };
        let known = tiers.0.iter().map(|purse| purse.balance.allowed.to_string());
        let known = known.collect::<Vec<_>>().join(", ");
        let cohort = |level: &Level| {
            let allows = |purse: &&TierPurse| purse.balance.allowed == asked(level.epsilon);
            let mut of = tiers.0.iter().filter(allows);
            let purse = of.next().ok_or_else(|| {
                Error::request(format!("profile: no tier of the ledger allows {}", level.epsilon))
                    .with_hint(format!("give what tiers allow in all: {known}"))
            })?;
            if of.any(|other| other.may != purse.may) {
                return Err(Error::request(format!(
                    "profile: several tiers of the ledger allow {}, and differ in what they have \
                     left",
                    level.epsilon
                ))
                .with_hint("name the data, or a level table, in place of --profile"));
            }
            Ok(Cohort {
                label: Some(purse.balance.label.clone()),
                epsilon: purse.may.epsilon(),
                count: level.count,
                sums: Vec::new(),
                cells: CellCounts::default(),
            })
        };
        let cohorts = profile.levels().iter().map(cohort).collect::<Result<_>>()?;
        LevelTable::new(None, Measure::Nothing, cohorts).map(Some)
    }
}

/// Names of levels, by what their people may spend.
pub(crate) type Names = BTreeMap<Epsilon, String>;

/// The table with levels of these names, if there are any.
pub(crate) fn named(table: LevelTable, names: &Names) -> Result<LevelTable> {
    match names.is_empty() {
        true => Ok(table),
        false => table.with_labels(|epsilon| names.get(&epsilon).cloned()),
    }
}

fn is_empty(charges: &Charges) -> bool {
    match charges {
        Charges::Tiers(tiers) => tiers.iter().all(|(_, amount)| amount.is_zero()),
        Charges::Persons(parts) => parts.is_empty(),
    }
}

/// Whom accounts are of.
#[derive(Debug, Clone, Copy)]
struct Whom {
    /// Whether a record is a person, with rows of several tiers perhaps.
    persons: bool,
    /// Whether the accounts are private, because participation is.
    sealed: bool,
}

/// What a release with these losses cost, in the form of its charges.
fn spent(wallet: &Wallet, whom: Whom, charges: &Charges, losses: &[Lost<'_>]) -> Spent {
    match (wallet, charges) {
        (Wallet::Tiers(tiers), _) => Spent::Tiers(tiers.spent(losses, whom.persons)),
        (Wallet::Persons(_), Charges::Persons(parts)) => Spent::Parts(match whom.sealed {
            true => lost::spent_of_declared(parts, losses),
            false => lost::spent_of_parts(parts, losses),
        }),
        (Wallet::Persons(_), Charges::Tiers(_)) => Spent::AsReserved,
    }
}

fn tier_statement(
    purse: &TierPurse,
    charges: &Charges,
    spent: &Spent,
    now: Option<&[TierBalance]>,
) -> TierStatement {
    let label = &purse.balance.label;
    let cost = match (spent, charges) {
        (Spent::Tiers(tiers), _) => tiers.iter().find(|(tier, _)| tier == label).map(|one| one.1),
        (_, Charges::Tiers(tiers)) => {
            tiers.iter().find(|(tier, _)| tier == label).map(|(_, amount)| Cost::from(*amount))
        }
        _ => None,
    };
    let cost = cost.unwrap_or(Cost::ZERO);
    let spent = cost.epsilon;
    let gone = |balance: &TierBalance| balance.spent.plus(balance.reserved);
    let now = now.and_then(|now| now.iter().find(|balance| balance.label == *label));
    TierStatement {
        level: label.clone(),
        allowed: purse.balance.allowed,
        // Others may have been at it in between.
        before: now.map_or(gone(&purse.balance), |now| gone(now).saturating_sub(spent)),
        spent,
        rho: cost.rho,
        left: now.map_or_else(|| purse.left_after(cost), |now| now.left),
        had: purse.balance.left,
        instalment: None,
    }
}

/// A table of budgets of which only this part may be spent.
fn at_part(table: LevelTable, part: u32) -> Result<LevelTable> {
    table.with_budgets(|_, epsilon| scaled(asked(epsilon), part).epsilon())
}

fn scaled(amount: Amount, part: u32) -> Amount {
    match Fraction::new(part.into(), WHOLE.into()) {
        Some(part) => part.of(amount),
        None => Amount::ZERO,
    }
}

/// The accounts of a dataset's tiers.
fn balances(ledger: &Ledger, dataset: &str) -> Result<Vec<TierBalance>> {
    match ledger.balance(dataset)? {
        Balance::Tiers(balances) => Ok(balances),
        Balance::Persons(_) => {
            Err(Error::internal("internal error: a dataset of tiers has accounts of persons"))
        }
    }
}

/// The dataset of this name; without a name the only one.
pub(crate) fn dataset_of(ledger: &Ledger, name: Option<&str>) -> Result<Dataset> {
    match name {
        Some(name) => ledger.dataset(name),
        None => only(ledger.datasets()?),
    }
}

/// The only dataset of a ledger.
fn only(mut datasets: Vec<Dataset>) -> Result<Dataset> {
    if datasets.len() == 1
        && let Some(dataset) = datasets.pop()
    {
        return Ok(dataset);
    }
    let names: Vec<&str> = datasets.iter().map(|dataset| dataset.name.as_str()).collect();
    Err(Error::parameter("dataset: it is not said whose accounts a release is charged to")
        .with_hint(format!("add --dataset NAME; the ledger has: {}", names.join(", "))))
}
