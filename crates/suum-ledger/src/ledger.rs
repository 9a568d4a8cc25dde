//! Ledger with its public calls.

use std::fmt;
use std::io::Write;
use std::path::PathBuf;

use rusqlite::Connection;
use serde_json::Value;
use suum_core::{Delta, Error, Result};

use crate::account::{Item, Outcome, Reserve};
use crate::amount_json::Units;
use crate::body::{Body, CancelBody, PublishBody, SettleBody};
use crate::clock::Clock;
use crate::connection::Access;
use crate::dataset::{is_no_consent, no_consent_allows_nothing};
use crate::decision::UNDATED;
use crate::elsewhere;
use crate::export::{self, Members};
use crate::failure::Failure;
use crate::fault::{self, Doing};
use crate::fit::{self, fit};
use crate::head::Head;
use crate::key::{Key, Use};
use crate::members::{self, ClaimLimit, Rolls};
use crate::record::{Record, RecordCharge, RecordState};
use crate::settlement::{amounts, open_reserve};
use crate::state::State;
use crate::{
    Amendment, AmendmentOutcome, AmendmentRecord, Balance, Charges, Columns, Cost, Dataset,
    DeltaBalance, FinalCost, PersonHash, PersonKey, PersonsSpent, Receipt, RecordedDecision,
    RegisterHasher, Reservation, ReservationRecord, Turn, Verification,
};
use crate::{amend, balance, moves, schema, verify};

/// Durable record of who has spent what.
///
/// Any number of processes may have it open; whoever writes waits for the others, for up to a
/// minute.
///
/// # Example
///
/// ```
/// use suum_core::{Loss, Neighbors};
/// use suum_ledger::{Accounts, Amount, Balance, Charges, Columns, Dataset, Ledger, FinalCost};
///
/// # let folder = tempfile::tempdir().unwrap();
/// # let path = folder.path().join("visits.ledger");
/// let mut ledger = Ledger::create(&path)?;
/// let tiers = vec![("strict".into(), "0.1".parse()?), ("relaxed".into(), "1".parse()?)];
/// let accounts = Accounts::Tiers(tiers);
/// ledger.add_dataset(Dataset::new("visits", Neighbors::ReplaceOne, accounts))?;
///
/// let charges = Charges::Tiers(vec![("strict".into(), Amount::from_loss(&Loss::ratio(1, 100)))]);
/// let columns = Columns { values: ["visits".into()].into(), ..Columns::default() };
/// let request = serde_json::json!({"statistic": "mean"});
/// let reservation = ledger.reserve("visits", &charges, &columns, &request)?;
/// # let noisy = |_: &mut suum_core::Randomness| Ok(2.87);
/// let (estimate, drawn) = reservation.draw(|randomness| noisy(randomness))?;
/// drawn.settle(FinalCost::AsReserved, &serde_json::json!({"estimate": estimate}))?;
///
/// let Balance::Tiers(tiers) = ledger.balance("visits")? else { unreachable!() };
/// assert_eq!(tiers[0].left, "0.09".parse()?);
/// # Ok::<(), suum_core::Error>(())
/// ```
pub struct Ledger {
    pub(crate) path: PathBuf,
    pub(crate) connection: Connection,
    pub(crate) key: Key,
    pub(crate) clock: Clock,
    pub(crate) access: Access,
    pub(crate) rolls: Rolls,
}

impl Ledger {
    /// Returns the ledger's id, made when it was created.
    ///
    /// # Errors
    ///
    /// Fails if files cannot be read, or the ledger has a fault.
    pub fn id(&self) -> Result<String> {
        self.read(|_, state| Ok(state.id.clone()))
    }

    /// The version of the tables in the file.
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    pub fn tables(&self) -> Result<usize> {
        schema::version(&self.connection)
            .map_err(|error| fault::sqlite(&self.path, Doing::Reading, &error))
    }

    /// Returns true if there is a dataset whose neighbors hide participation: add-remove, or both.
    ///
    /// The file, and what it shows of persons, must then be kept as safe as the data.
    ///
    /// # Errors
    ///
    /// Fails if files cannot be read, or the ledger has a fault.
    pub fn hides_participation(&self) -> Result<bool> {
        self.read(|_, state| Ok(state.accounts.iter().any(|account| account.is_add_remove())))
    }

    /// Waits until no other process has the turn at this question, and takes it. Other questions
    /// have turns of their own.
    ///
    /// The caller decides what a question is; the ledger uses it for nothing else.
    ///
    /// # Errors
    ///
    /// Fails if the folder of the ledger cannot be written, or has no file locks.
    ///
    /// # Example
    ///
    /// ```
    /// # use suum_ledger::Ledger;
    /// # let folder = tempfile::tempdir().unwrap();
    /// let ledger = Ledger::create(folder.path().join("visits.ledger"))?;
    /// let turn = ledger.wait_for_turn("the mean of March")?;
    /// // Meanwhile nobody else does it.
    /// drop(turn);
    /// # Ok::<(), suum_core::Error>(())
    /// ```
    pub fn wait_for_turn(&self, question: &str) -> Result<Turn> {
        Turn::wait(&self.path, &self.key, question.as_bytes())
    }

    /// Adds a dataset. Its allowances change by amendments only.
    ///
    /// # Errors
    ///
    /// Refuses a name or tier that is there twice, no tiers, and a ledger that cannot be written.
    pub fn add_dataset(&mut self, dataset: Dataset) -> Result<()> {
        dataset.check()?;
        let mut tiers = dataset.tiers().unwrap_or_default().iter();
        if tiers.any(|(label, allowed)| is_no_consent(label) && !allowed.is_zero()) {
            return Err(no_consent_allows_nothing(&dataset));
        }
        self.append(Doing::Reserving, |_, state| {
            if state.account(&dataset.name).is_ok() {
                return Err(Error::parameter(
                    format!("dataset {}", dataset.name),
                    "the ledger has it already",
                )
                .with_fix("give another name; what a dataset allows is changed by an amendment")
                .into());
            }
            Ok((Body::Dataset((&dataset).into()), None))
        })?;
        Ok(())
    }

    /// Returns all datasets, in the order in which they were added.
    ///
    /// # Errors
    ///
    /// Fails if files cannot be read, or the ledger has a fault.
    pub fn datasets(&self) -> Result<Vec<Dataset>> {
        self.read(|_, state| {
            Ok(state.accounts.iter().map(|account| account.dataset.clone()).collect())
        })
    }

    /// Returns the dataset with this name.
    ///
    /// # Errors
    ///
    /// Refuses an unknown name, and names those there are.
    pub fn dataset(&self, name: &str) -> Result<Dataset> {
        self.read(|_, state| Ok(state.account(name)?.1.dataset.clone()))
    }

    /// Returns the spent and remaining amounts of a dataset.
    ///
    /// # Errors
    ///
    /// Refuses an unknown dataset.
    pub fn balance(&self, dataset: &str) -> Result<Balance> {
        self.read(|connection, state| {
            let (index, account) = state.account(dataset)?;
            if account.dataset.is_of_persons() {
                let spent = members::spent(
                    connection,
                    &self.key,
                    &self.rolls,
                    state,
                    index,
                    ClaimLimit::Unlimited,
                )?;
                let all = members::everybody(connection, &self.key, &self.rolls, state, index)?;
                // Those who were changed were refused above.
                let all = all.map_err(|_| fault::damaged(&self.path.display().to_string()))?;
                return Ok(Balance::Persons(balance::persons_balance(
                    state, account, &spent, &all,
                )));
            }
            Ok(Balance::Tiers(balance::tier_balances(state, account)))
        })
    }

    /// Returns the spent amounts of every person, to plan with their remaining budgets.
    ///
    /// # Errors
    ///
    /// Refuses an unknown dataset, and one whose accounts are held by tiers.
    pub fn spent_by_persons(&self, dataset: &str) -> Result<PersonsSpent> {
        self.spent_within(dataset, ClaimLimit::Unlimited)
    }

    /// Returns the spent amounts of every person, and limits whoever has no decision on record to
    /// their allowance at the release that charged them last.
    ///
    /// A release with a register plans with these limits, because it never raises an allowance.
    /// They do not apply to persons who declare their own ε, without δ, where participation is
    /// hidden.
    ///
    /// # Errors
    ///
    /// Refuses as [`spent_by_persons`](Self::spent_by_persons) does.
    pub fn spent_without_raises(&self, dataset: &str) -> Result<PersonsSpent> {
        self.spent_within(dataset, ClaimLimit::AsLast)
    }

    fn spent_within(&self, dataset: &str, limit: ClaimLimit) -> Result<PersonsSpent> {
        self.read(|connection, state| {
            let index = person_dataset(state, dataset)?;
            members::spent(connection, &self.key, &self.rolls, state, index, limit)
        })
    }

    /// Returns the key that turns identifiers into persons of this ledger.
    pub fn person_key(&self) -> PersonKey {
        self.key.persons()
    }

    /// Returns the time at which the accounts of a dataset were opened, such as
    /// `2026-03-01T12:00:00Z`.
    ///
    /// # Errors
    ///
    /// Refuses an unknown dataset.
    pub fn opened(&self, dataset: &str) -> Result<String> {
        self.read(|_, state| Ok(state.account(dataset)?.1.at.clone()))
    }

    /// Returns all charges that count against a person, oldest first, each with the person's part
    /// alone.
    ///
    /// The list is empty for an unknown person, and for one whom nothing has cost anything.
    ///
    /// # Errors
    ///
    /// Refuses an unknown dataset, and one whose accounts tiers hold.
    pub fn history_of(&self, dataset: &str, person: PersonHash) -> Result<Vec<Record>> {
        self.read(|connection, state| {
            let index = person_dataset(state, dataset)?;
            let all = members::everybody(connection, &self.key, &self.rolls, state, index)?;
            let all = all.map_err(members::changed)?;
            let mut records = Vec::new();
            for (seq, part) in all.entries_charging(person) {
                let Some(reserve) = state.reserves.get(&seq) else { continue };
                if reserve.counted_cost(part) != Cost::ZERO {
                    let record = self.record(connection, seq, reserve)?;
                    let charges = record.charges.into_iter().skip(part).take(1);
                    let charges = charges.map(|charge| RecordCharge { persons: None, ..charge });
                    records.push(Record { charges: charges.collect(), ..record });
                }
            }
            Ok(records)
        })
    }

    /// Returns all reservations of a dataset with their outcomes, and charges for losses elsewhere,
    /// oldest first.
    ///
    /// # Errors
    ///
    /// Refuses an unknown dataset.
    pub fn history(&self, dataset: &str) -> Result<Vec<Record>> {
        self.read(|connection, state| {
            let (_, account) = state.account(dataset)?;
            let reserves =
                account.reserves.iter().filter_map(|seq| Some((*seq, state.reserves.get(seq)?)));
            reserves.map(|(seq, reserve)| self.record(connection, seq, reserve)).collect()
        })
    }

    fn record(
        &self,
        connection: &Connection,
        entry: u64,
        reserve: &Reserve,
    ) -> std::result::Result<Record, Failure> {
        let of_persons = reserve.is_of_persons;
        let charge = |(index, item): (usize, &Item)| RecordCharge {
            holder: item.holder.clone(),
            persons: of_persons.then_some(item.persons),
            reserved: item.cost.epsilon,
            counted: reserve.counted_cost(index),
        };
        let document = |seq| export::document(connection, &self.path, seq);
        let (state, certificate) = match &reserve.outcome {
            Outcome::Open => (RecordState::Open, None),
            Outcome::Settled { entry, at, .. } => {
                (RecordState::Settled { entry: *entry, at: at.clone() }, Some(document(*entry)?))
            }
            Outcome::Cancelled { entry, at } => {
                (RecordState::Cancelled { entry: *entry, at: at.clone() }, None)
            }
            Outcome::Elsewhere { because } => {
                (RecordState::Elsewhere { because: because.clone() }, None)
            }
        };
        Ok(Record {
            entry,
            at: reserve.at.clone(),
            state,
            charges: reserve.items.iter().enumerate().map(charge).collect(),
            plan: document(entry)?,
            register: reserve.register.clone(),
            moved: reserve.moved,
            delta: reserve.delta,
            certificate,
        })
    }

    /// Returns all amendments of a dataset, oldest first.
    ///
    /// # Errors
    ///
    /// Refuses an unknown dataset.
    pub fn amendments(&self, dataset: &str) -> Result<Vec<AmendmentRecord>> {
        self.read(|_, state| {
            let (_, account) = state.account(dataset)?;
            let record = |seq: &u64| Some(amend::record(*seq, state.amendments.get(seq)?));
            Ok(account.amendments.iter().filter_map(record).collect())
        })
    }

    /// Returns all decisions of a person on record, oldest first.
    ///
    /// # Errors
    ///
    /// Refuses an unknown dataset, and one whose accounts tiers hold.
    pub fn decisions_of(&self, dataset: &str, person: PersonHash) -> Result<Vec<RecordedDecision>> {
        self.read(|connection, state| {
            let index = person_dataset(state, dataset)?;
            let all = members::everybody(connection, &self.key, &self.rolls, state, index)?;
            let all = all.map_err(members::changed)?;
            let decision = |(entry, part, from): (u64, usize, i64)| {
                let amended = state.amendments.get(&entry)?;
                let (holder, ..) = amended.parts.get(part)?;
                Some(RecordedDecision {
                    entry,
                    at: amended.at.clone(),
                    holder: holder.clone(),
                    from: (from != UNDATED).then_some(from),
                })
            };
            Ok(all.decisions_of(person).into_iter().filter_map(decision).collect())
        })
    }

    /// Changes allowances: lowers tiers or adds new ones, or enters decisions of persons.
    ///
    /// Persons allow less at once. They allow more by a decision that is newer than the last one
    /// known, that something proves, and that does not lie in the future. Nothing gives back what
    /// was spent: whoever allows less than that has nothing left. If there is nothing to enter, the
    /// ledger stays as it is.
    ///
    /// # Errors
    ///
    /// Refuses an unknown dataset, a tier that is raised, decisions of another form than the
    /// accounts, a person who is there twice, and a ledger that cannot be written.
    ///
    /// # Example
    ///
    /// ```
    /// # use suum_core::Neighbors;
    /// # use suum_ledger::{
    /// #     Accounts, Amendment, Dataset, Decision, Direction, Holder, Ledger, Lifetime,
    /// # };
    /// # let folder = tempfile::tempdir().unwrap();
    /// # let mut ledger = Ledger::create(folder.path().join("visits.ledger"))?;
    /// # let tiers = Lifetime::Tiers(vec![("strict".into(), "0.1".parse()?)]);
    /// # let accounts = Accounts::Persons(tiers);
    /// # ledger.add_dataset(Dataset::new("visits", Neighbors::ReplaceOne, accounts))?;
    /// let withdrawal = Decision {
    ///     person: ledger.person_key().hash(b"ann"),
    ///     holder: Holder::NoConsent,
    ///     from: Some(1_767_225_600_000_000),
    ///     has_reference: false,
    /// };
    /// let outcome = ledger.amend("visits", &Amendment {
    ///     tiers: vec![],
    ///     decisions: vec![withdrawal],
    ///     direction: Direction::LowerAndRaise,
    ///     because: None,
    ///     register: None,
    /// })?;
    /// assert_eq!(outcome.counts.entered(), 1);
    /// # Ok::<(), suum_core::Error>(())
    /// ```
    pub fn amend(&mut self, dataset: &str, amendment: &Amendment) -> Result<AmendmentOutcome> {
        let now = self.clock.micros();
        let (prepared, hides_participation) = self.read(|connection, state| {
            let (_, account) = state.account(dataset)?;
            let hides_participation = account.is_add_remove();
            let (key, rolls) = (&self.key, &self.rolls);
            let prepared = amend::prepare(connection, key, rolls, state, dataset, amendment, now)?;
            Ok((prepared, hides_participation))
        })?;
        let mut counts = prepared.counts;
        // The number of the next entry may not tell whether somebody decided anything.
        let is_always_entered = hides_participation && amendment.register.is_some();
        if prepared.is_empty() && !is_always_entered {
            return Ok(AmendmentOutcome { entry: None, counts });
        }
        let (key, rolls) = (self.key.clone(), self.rolls.clone());
        let entry = self.append(Doing::Reserving, |connection, state| {
            // Another process may have written something meanwhile, at worst the same.
            let prepared = match prepared.hash == state.hash {
                true => prepared,
                false => amend::prepare(connection, &key, &rolls, state, dataset, amendment, now)?,
            };
            counts = prepared.counts;
            if let Some(members) = &prepared.members {
                members.insert(connection, state.newest + 1)?;
            }
            Ok((Body::Amend(prepared.body), None))
        })?;
        Ok(AmendmentOutcome { entry: Some(entry.seq), counts })
    }

    /// Makes the hasher of a register's decisions, keyed by the key of this ledger.
    pub fn register_hasher(&self) -> RegisterHasher {
        RegisterHasher(self.key.hasher(Use::Register))
    }

    /// Refuses charges that would not fit now. Nothing is reserved: another process may be faster.
    ///
    /// # Errors
    ///
    /// Refuses charges as [`reserve`](Self::reserve) does.
    pub fn check(&self, dataset: &str, charges: &Charges) -> Result<()> {
        self.read(|connection, state| {
            let columns = Columns::default();
            fit(connection, &self.key, &self.rolls, state, dataset, charges, &columns).map(|_| ())
        })
    }

    /// Refuses columns that a release may not use now.
    ///
    /// # Errors
    ///
    /// Refuses an unknown dataset, to make a column public whose values are protected, and to
    /// protect one that releases made public, unless it is declared public.
    pub fn check_columns(&self, dataset: &str, columns: &Columns) -> Result<()> {
        self.read(|_, state| Ok(state.account(dataset)?.1.uses.check(columns)?))
    }

    /// Returns the columns of a dataset by use, without those of cancelled reservations.
    ///
    /// # Errors
    ///
    /// Refuses an unknown dataset.
    pub fn columns(&self, dataset: &str) -> Result<Columns> {
        self.read(|_, state| Ok(state.account(dataset)?.1.uses.columns()))
    }

    /// Returns the δ for releases of a dataset that find categories, and what of it is spent;
    /// `None` if none of them can be charged.
    ///
    /// # Errors
    ///
    /// Refuses an unknown dataset.
    pub fn delta_of_categories(&self, dataset: &str) -> Result<Option<DeltaBalance>> {
        self.read(|_, state| Ok(DeltaBalance::of_account(state.account(dataset)?.1)))
    }

    /// Refuses a release of this δ that finds categories, if the accounts of a dataset have no room
    /// for it, as [`reserve`](Self::reserve) does.
    ///
    /// # Errors
    ///
    /// Refuses an unknown dataset, and a δ beyond that of the dataset.
    pub fn check_delta(&self, dataset: &str, delta: Option<Delta>) -> Result<()> {
        self.read(|_, state| Ok(state.account(dataset)?.1.check_delta(delta)?))
    }

    /// Records which columns are made public by exact numbers that cost nothing, before they are
    /// printed. The record is durable when this returns.
    ///
    /// # Errors
    ///
    /// Refuses columns as [`check_columns`](Self::check_columns) does, values, which cost
    /// something, and a ledger that cannot be written. Then nothing may be published.
    pub fn publish(&mut self, dataset: &str, columns: &Columns, request: &Value) -> Result<()> {
        if !columns.values.is_empty() {
            return Err(Error::internal("values are to be released at no cost"));
        }
        self.check_columns(dataset, columns)?;
        if self.read(|_, state| Ok(state.account(dataset)?.1.uses.knows(columns)))? {
            return Ok(());
        }
        self.append(Doing::Reserving, |_, state| {
            state.account(dataset)?.1.uses.check(columns)?;
            let body = PublishBody { dataset: dataset.to_owned(), columns: columns.clone() };
            Ok((Body::Publish(body), Some(request.to_string())))
        })?;
        Ok(())
    }

    /// Reserves budget for one release. The reservation is durable when this returns.
    ///
    /// # Errors
    ///
    /// Refuses what does not fit ([`ErrorKind::Budget`](suum_core::ErrorKind::Budget)), a δ where
    /// accounts have none for releases, unknown datasets and tiers, columns as
    /// [`check_columns`](Self::check_columns), a person who is there twice, people who moved to
    /// another tier where that is watched, charges of another form than the accounts, and a ledger
    /// that cannot be written. Then nothing may be drawn.
    pub fn reserve<'a>(
        &mut self,
        dataset: &str,
        charges: &Charges,
        columns: &Columns,
        record: impl Into<ReservationRecord<'a>>,
    ) -> Result<Reservation<'_>> {
        let ReservationRecord { request, register, people, delta } = record.into();
        let key = self.key.clone();
        let rolls = self.rolls.clone();
        let reserved = self.append(Doing::Reserving, |connection, state| {
            let mut fitting = fit(connection, &key, &rolls, state, dataset, charges, columns)?;
            state.account(dataset)?.1.check_delta(delta)?;
            fitting.body.delta = delta;
            fitting.body.register = register.cloned();
            moves::watch(connection, &key, &rolls, state, &mut fitting, people)?;
            if let Some(members) = &fitting.members {
                members.insert(connection, state.newest + 1)?;
            }
            Ok((Body::Reserve(fitting.body), Some(request.to_string())))
        });
        let entry = reserved?;
        Ok(Reservation::new(self, entry.seq))
    }

    /// Charges a loss elsewhere: by a lost ledger, another tool, or a publication before suum. It
    /// stays on record with its reason. Returns the number of its entry.
    ///
    /// The charge may exceed what is left, and what is allowed: then nothing is left. The holder of
    /// a part of persons is ignored.
    ///
    /// # Errors
    ///
    /// Refuses an unknown dataset or tier, a tier or person who is there twice, charges of nobody,
    /// no reason, and a ledger that cannot be written.
    ///
    /// # Example
    ///
    /// ```
    /// # use suum_core::Neighbors;
    /// # use suum_ledger::{Accounts, Amount, Balance, Charges, Dataset, Ledger};
    /// # let folder = tempfile::tempdir().unwrap();
    /// # let mut ledger = Ledger::create(folder.path().join("visits.ledger"))?;
    /// # let accounts = Accounts::Tiers(vec![("strict".into(), "0.1".parse()?)]);
    /// # ledger.add_dataset(Dataset::new("visits", Neighbors::ReplaceOne, accounts))?;
    /// let charges = Charges::Tiers(vec![("strict".into(), Amount::charged("0.02")?)]);
    /// ledger.charge("visits", &charges, "the table of 2024, made by another program")?;
    /// let Balance::Tiers(tiers) = ledger.balance("visits")? else { unreachable!() };
    /// assert_eq!(tiers[0].left, "0.08".parse()?);
    /// # Ok::<(), suum_core::Error>(())
    /// ```
    pub fn charge(&mut self, dataset: &str, charges: &Charges, because: &str) -> Result<u64> {
        let key = self.key.clone();
        let rolls = self.rolls.clone();
        let entry = self.append(Doing::Reserving, |connection, state| {
            let (body, members) =
                elsewhere::charge(connection, &key, &rolls, state, dataset, charges, because)?;
            if let Some(members) = &members {
                members.insert(connection, state.newest + 1)?;
            }
            Ok((Body::Charge(body), None))
        })?;
        Ok(entry.seq)
    }

    pub(crate) fn cancel(&mut self, reserve: u64) -> Result<()> {
        self.append(Doing::Reserving, |_, state| {
            open_reserve(state, reserve)?;
            Ok((Body::Cancel(CancelBody { reserve }), None))
        })?;
        Ok(())
    }

    pub(crate) fn settle(
        &mut self,
        reserve: u64,
        spent: &FinalCost,
        certificate: &Value,
    ) -> Result<Receipt> {
        let mut ledger = String::new();
        let entry = self.append(Doing::Settling, |_, state| {
            ledger.clone_from(&state.id);
            let costs = amounts(open_reserve(state, reserve)?, spent)?;
            let spent = costs.iter().map(|cost| cost.epsilon).collect();
            let rho = Some(costs.iter().map(|cost| Units(cost.rho)).collect());
            let body = SettleBody { reserve, spent, rho };
            Ok((Body::Settle(body), Some(certificate.to_string())))
        })?;
        Ok(Receipt { ledger, entry: entry.seq, reserved: reserve, at: entry.at })
    }

    /// Verifies the whole ledger: file, chain, head, accounts and persons.
    ///
    /// # Errors
    ///
    /// Fails if there is too little left of the ledger to verify.
    pub fn verify(&self) -> Result<Verification> {
        let head = Head::read(&self.path, &self.key)?;
        let look = || {
            let transaction = self.connection.unchecked_transaction()?;
            verify::verify(&transaction, &self.key, head, &self.path)
        };
        look().map_err(|error| fault::sqlite(&self.path, Doing::Reading, &error))
    }

    /// Writes the log as JSON Lines, one entry per line.
    ///
    /// # Errors
    ///
    /// Fails if files cannot be read or written, or the ledger has a fault.
    pub fn export(&self, members: Members, mut to: impl Write) -> Result<()> {
        self.read(|connection, state| {
            export::export(connection, &self.key, &self.rolls, state, members, &mut to)
        })
    }
}

/// Returns the position of a dataset whose accounts persons hold.
fn person_dataset(state: &State, dataset: &str) -> Result<usize> {
    match state.account(dataset)? {
        (index, account) if account.dataset.is_of_persons() => Ok(index),
        _ => Err(fit::tiers_hold_accounts(dataset)
            .with_fix("ask for its balance, or name a dataset whose accounts persons hold")),
    }
}

/// Redacted: shows only the path and the access.
impl fmt::Debug for Ledger {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Ledger")
            .field("path", &self.path)
            .field("access", &self.access)
            .finish_non_exhaustive()
    }
}
