//! The ledger itself.

use std::fmt;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use rusqlite::{Connection, TransactionBehavior};
use serde_json::Value;
use suum_core::{Error, Result};

use crate::body::{Body, CancelBody, LossBody, MoveBody, PublishBody, SettleBody, Units};
use crate::clock::Clock;
use crate::connection::{self, Access};
use crate::entry::{self, Entry};
use crate::export::{self, Members};
use crate::failure::Failure;
use crate::fault::{self, Doing};
use crate::files::beside;
use crate::fit::fit;
use crate::foundation::{found, new_entry, write_head};
use crate::head::{FoundHead, Head};
use crate::key::Key;
use crate::members::{self, Rolls};
use crate::migrate::migrate;
use crate::place::Place;
use crate::record::{Record, RecordCharge, RecordState};
use crate::settlement::{amounts, open_reserve};
use crate::state::{Outcome, Reserve, State};
use crate::{
    Balance, Charges, Columns, Dataset, PersonKey, PersonsSpent, Receipt, Reservation, Spent, Turn,
    Verification,
};
use crate::{balance, schema, verify};

/// An entry to be added, and the document that it refers to.
type Made = std::result::Result<(Body, Option<String>), Failure>;

/// A durable record of who has spent what.
///
/// Any number of processes may have it open; whoever writes waits for the others, for up to a
/// minute.
///
/// # Example
///
/// ```
/// use suum_core::{Loss, Neighbors};
/// use suum_ledger::{Accounts, Amount, Balance, Charges, Columns, Dataset, Ledger, Spent};
///
/// # let folder = tempfile::tempdir().unwrap();
/// # let path = folder.path().join("visits.ledger");
/// let mut ledger = Ledger::create(&path)?;
/// let tiers = vec![("strict".into(), "0.1".parse()?), ("relaxed".into(), "1".parse()?)];
/// let accounts = Accounts::Tiers(tiers);
/// ledger.add_dataset(Dataset {
///     name: "visits".into(),
///     neighbors: Neighbors::ReplaceOne,
///     accounts,
///     delta: None,
/// })?;
///
/// let charges = Charges::Tiers(vec![("strict".into(), Amount::of_loss(&Loss::ratio(1, 100)))]);
/// let columns = Columns { values: ["visits".into()].into(), ..Columns::default() };
/// let request = serde_json::json!({"statistic": "mean"});
/// let reservation = ledger.reserve("visits", &charges, &columns, &request)?;
/// # let noisy = |_: &mut suum_core::Randomness| Ok(2.87);
/// let (estimate, drawn) = reservation.draw(|randomness| noisy(randomness))?;
/// drawn.settle(Spent::AsReserved, &serde_json::json!({"estimate": estimate}))?;
///
/// let Balance::Tiers(tiers) = ledger.balance("visits")? else { unreachable!() };
/// assert_eq!(tiers[0].left, "0.09".parse()?);
/// # Ok::<(), suum_core::Error>(())
/// ```
pub struct Ledger {
    path: PathBuf,
    connection: Connection,
    key: Key,
    clock: Clock,
    access: Access,
    rolls: Rolls,
}

impl Ledger {
    /// Creates an empty ledger, with its key in `FILE.key` and its head in `FILE.head`.
    ///
    /// It appears as a whole: after a crash there is no ledger, or one that works.
    ///
    /// # Errors
    ///
    /// Refuses to write over a ledger or a key, and if files cannot be written.
    pub fn create(path: impl AsRef<Path>) -> Result<Self> {
        let path = path.as_ref();
        if fs::symlink_metadata(path).is_ok() {
            return Err(Error::ledger(format!(
                "ledger {}: the file exists already",
                path.display()
            ))
            .with_hint("open it, or give another name"));
        }
        // Whoever makes the key makes the ledger: of two processes one is refused here.
        let key = Key::create(path)?;
        if let Err(error) = found(path, &key) {
            // Once the ledger has its name it needs its key.
            let there = fs::symlink_metadata(path).is_ok();
            for suffix in
                [".new", ".new-journal", ".head", ".head.new", ".key"].iter().filter(|_| !there)
            {
                // What cannot be removed is named when the ledger is next created.
                let _ = fs::remove_file(beside(path, suffix));
            }
            return Err(error);
        }
        Self::open(path)
    }

    /// Opens a ledger to read and write.
    ///
    /// # Errors
    ///
    /// Refuses what is not a ledger, is damaged, was tampered with, has lost entries, is newer than
    /// this suum, has another key, or is neither where it was made nor the file that was made
    /// there, as a copy is; and if files cannot be read or written.
    pub fn open(path: impl AsRef<Path>) -> Result<Self> {
        let ledger = Self::open_unchecked(path.as_ref(), Access::Write)?;
        ledger.read(|_, state| Ok(ledger.check_place(state)?))?;
        Ok(ledger)
    }

    /// Opens a ledger to read only.
    ///
    /// # Errors
    ///
    /// As [`open`](Self::open), but the file need not be writable, and may be a copy.
    pub fn open_to_read(path: impl AsRef<Path>) -> Result<Self> {
        let ledger = Self::open_unchecked(path.as_ref(), Access::Read)?;
        ledger.read(|_, _| Ok(()))?;
        Ok(ledger)
    }

    /// Looks at everything in a ledger that may not be fit to be opened, and changes nothing.
    ///
    /// # Errors
    ///
    /// If there is too little of it left to look at: no file, no key or another ledger's, no
    /// database.
    pub fn verify_file(path: impl AsRef<Path>) -> Result<Verification> {
        Self::open_unchecked(path.as_ref(), Access::Read)?.verify()
    }

    /// Opens a ledger that has lost entries, and records that somebody accepted that.
    ///
    /// What was spent in lost entries is not known to the ledger any more. Reserve it anew, as far
    /// as it is known otherwise; where it is not, reserve all that is left. Everything else that is
    /// wrong is refused as by [`open`](Self::open).
    ///
    /// # Errors
    ///
    /// As [`open`](Self::open), but for lost entries; and refuses a ledger that has lost none.
    pub fn accept_loss(path: impl AsRef<Path>) -> Result<Self> {
        let mut ledger = Self::open_unchecked(path.as_ref(), Access::Write)?;
        // What is written down stays for good.
        if ledger.read(|_, _| Ok(())).is_ok() {
            let path = ledger.path.display();
            return Err(Error::ledger(format!(
                "ledger {path}: it has lost nothing that could be accepted"
            ))
            .with_hint("use it as it is, without accepting a loss"));
        }
        let newest = match Head::read(&ledger.path, &ledger.key)? {
            FoundHead::Good(head) => Some(head.seq),
            FoundHead::Missing | FoundHead::Damaged => None,
        };
        ledger.append_with(Doing::Reserving, true, |_, _| {
            Ok((Body::Loss(LossBody { newest }), None))
        })?;
        Ok(ledger)
    }

    /// Opens a ledger that was moved, or restored elsewhere, and records where it is now.
    ///
    /// From then on it is charged here. A ledger that is still used where it was knows nothing of
    /// that, so that everybody's budget would be there twice.
    ///
    /// # Errors
    ///
    /// As [`open`](Self::open), but for its place; and refuses a ledger that is where it was.
    pub fn accept_move(path: impl AsRef<Path>) -> Result<Self> {
        let mut ledger = Self::open_unchecked(path.as_ref(), Access::Write)?;
        let moved = ledger.read(|_, state| Ok(ledger.check_place(state).is_err()))?;
        if !moved {
            let path = ledger.path.display();
            return Err(Error::ledger(format!("ledger {path}: it is where it was made"))
                .with_hint("use it as it is, without accepting a move"));
        }
        let place = Place::of(&ledger.key, &ledger.path);
        ledger.append(Doing::Reserving, |_, _| Ok((Body::Move(MoveBody { place }), None)))?;
        Ok(ledger)
    }

    /// Brings a ledger of an older suum up to date.
    fn migrate(&mut self) -> Result<()> {
        let failed = |failure: Failure, path: &Path| failure.into_error(path, Doing::Reading);
        let version = schema::version(&self.connection)
            .map_err(|error| fault::sqlite(&self.path, Doing::Reading, &error))?;
        if version == schema::VERSION {
            return Ok(());
        }
        let head = Head::read(&self.path, &self.key)?;
        migrate(&mut self.connection, &self.key, head, &self.path, &self.clock)
            .map_err(|failure| failed(failure, &self.path))?;
        self.write_head(false).map_err(|failure| failed(failure, &self.path))
    }

    /// Refuses a ledger that is in another place than its log says.
    fn check_place(&self, state: &State) -> Result<()> {
        let here = Place::of(&self.key, &self.path);
        if state.place.as_ref().is_none_or(|place| place.is_same(&here)) {
            return Ok(());
        }
        let path = self.path.display();
        Err(Error::ledger(format!(
            "ledger {path}: it was made elsewhere, so it may be a copy; what one copy is charged, \
            the other does not know"
        ))
        .with_hint(
            "use the ledger where it was made; if it was moved here and is used nowhere else, run \
            suum ledger verify FILE --accept-move, which stays on record",
        ))
    }

    fn open_unchecked(path: &Path, access: Access) -> Result<Self> {
        let connection = connection::open(path, access)?;
        let key = Key::read(path)?;
        let (path, clock, rolls) = (path.to_owned(), Clock::default(), Rolls::default());
        let mut ledger = Self { path, connection, key, clock, access, rolls };
        ledger.check_key()?;
        if access == Access::Write {
            ledger.migrate()?;
        }
        Ok(ledger)
    }

    /// The same ledger once more, to read it in another thread. Which persons it has is read once
    /// for both.
    ///
    /// # Errors
    ///
    /// As [`open_to_read`](Self::open_to_read), when it is first asked for something.
    pub fn reader(&self) -> Result<Self> {
        let (access, path) = (Access::Read, self.path.clone());
        let connection = connection::open(&path, access)?;
        let (key, clock, rolls) = (self.key.clone(), Clock::default(), self.rolls.clone());
        Ok(Self { path, connection, key, clock, access, rolls })
    }

    /// The same ledger with another clock, for tests. Times are for people to read; nothing depends
    /// on them.
    #[must_use]
    pub fn with_clock(mut self, clock: impl Fn() -> SystemTime + Send + 'static) -> Self {
        self.clock = Clock(Box::new(clock));
        self
    }

    /// The ledger's id, made when it was created.
    ///
    /// # Errors
    ///
    /// As all that reads: if files cannot be read, or the ledger has a fault.
    pub fn id(&self) -> Result<String> {
        self.read(|_, state| Ok(state.id.clone()))
    }

    /// Whether there is a dataset with add-remove neighbors.
    ///
    /// Then who is in the ledger, and how many, is private: the file and what it tells of persons
    /// must be kept as the data are.
    ///
    /// # Errors
    ///
    /// If files cannot be read, or the ledger has a fault.
    pub fn is_sealed(&self) -> Result<bool> {
        self.read(|_, state| Ok(state.accounts.iter().any(|account| account.is_hidden())))
    }

    /// Waits until no other process has the turn at this question, and takes it. Other questions
    /// have turns of their own.
    ///
    /// What the question is decides whoever asks; the ledger itself does nothing with it.
    ///
    /// # Errors
    ///
    /// If the folder of the ledger cannot be written, or has no file locks.
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

    /// Adds a dataset. What was declared stays: allowances never grow or shrink.
    ///
    /// # Errors
    ///
    /// Refuses a name or tier that is there twice, no tiers, and a ledger that cannot be written.
    pub fn add_dataset(&mut self, dataset: Dataset) -> Result<()> {
        dataset.check()?;
        self.append(Doing::Reserving, |_, state| {
            if state.account(&dataset.name).is_ok() {
                return Err(Error::parameter(format!(
                    "dataset {}: the ledger has it already",
                    dataset.name
                ))
                .with_hint("give another name; what a dataset allows cannot be changed")
                .into());
            }
            Ok((Body::Dataset((&dataset).into()), None))
        })?;
        Ok(())
    }

    /// All datasets, in the order in which they were added.
    ///
    /// # Errors
    ///
    /// If files cannot be read, or the ledger has a fault.
    pub fn datasets(&self) -> Result<Vec<Dataset>> {
        self.read(|_, state| {
            Ok(state.accounts.iter().map(|account| account.dataset.clone()).collect())
        })
    }

    /// The dataset with this name.
    ///
    /// # Errors
    ///
    /// Refuses an unknown name, and names those there are.
    pub fn dataset(&self, name: &str) -> Result<Dataset> {
        self.read(|_, state| Ok(state.account(name)?.1.dataset.clone()))
    }

    /// What is spent and left.
    ///
    /// # Errors
    ///
    /// Refuses an unknown dataset.
    pub fn balance(&self, dataset: &str) -> Result<Balance> {
        self.read(|connection, state| {
            let (index, account) = state.account(dataset)?;
            if account.dataset.is_of_persons() {
                let spent = members::spent(connection, &self.key, &self.rolls, state, index)?;
                let all = members::everybody(connection, &self.key, &self.rolls, state, index)?;
                // Those who were changed were refused above.
                let all = all.map_err(|_| fault::damaged(&self.path.display().to_string()))?;
                return Ok(Balance::Persons(balance::of_persons(state, account, &spent, &all)));
            }
            Ok(Balance::Tiers(balance::of_tiers(state, account)))
        })
    }

    /// What every person has spent, to plan with what is left of their budgets.
    ///
    /// # Errors
    ///
    /// Refuses an unknown dataset, and one whose accounts are held by tiers.
    pub fn spent_by_persons(&self, dataset: &str) -> Result<PersonsSpent> {
        self.read(|connection, state| {
            let (index, account) = state.account(dataset)?;
            if !account.dataset.is_of_persons() {
                return Err(Error::request(format!(
                    "dataset {dataset}: tiers hold its accounts, not persons"
                ))
                .with_hint("ask for its balance, or name a dataset whose accounts persons hold")
                .into());
            }
            members::spent(connection, &self.key, &self.rolls, state, index)
        })
    }

    /// What turns identifiers into persons of this ledger.
    pub fn person_key(&self) -> PersonKey {
        self.key.persons()
    }

    /// All reservations of a dataset and what became of them, oldest first.
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
        let of_persons = reserve.members.is_some();
        let charge = |(index, item): (usize, &crate::state::Item)| RecordCharge {
            holder: item.holder.clone(),
            persons: of_persons.then_some(item.persons),
            reserved: item.cost.epsilon,
            counted: reserve.counted(index),
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
        };
        Ok(Record {
            entry,
            at: reserve.at.clone(),
            state,
            charges: reserve.items.iter().enumerate().map(charge).collect(),
            plan: document(entry)?,
            certificate,
        })
    }

    /// Whether charges would fit now. Nothing is reserved: another process may be faster.
    ///
    /// # Errors
    ///
    /// As [`reserve`](Self::reserve).
    pub fn check(&self, dataset: &str, charges: &Charges) -> Result<()> {
        self.read(|connection, state| {
            let columns = Columns::default();
            fit(connection, &self.key, &self.rolls, state, dataset, charges, &columns).map(|_| ())
        })
    }

    /// Whether a release may use these columns now.
    ///
    /// # Errors
    ///
    /// Refuses an unknown dataset, to make a column public whose values are protected, and to
    /// protect one that releases made public, unless it is declared public.
    pub fn check_columns(&self, dataset: &str, columns: &Columns) -> Result<()> {
        self.read(|_, state| Ok(state.account(dataset)?.1.uses.check(columns)?))
    }

    /// The columns of a dataset that releases used, but for those that were cancelled.
    ///
    /// # Errors
    ///
    /// Refuses an unknown dataset.
    pub fn columns(&self, dataset: &str) -> Result<Columns> {
        self.read(|_, state| Ok(state.account(dataset)?.1.uses.columns()))
    }

    /// Writes down, before they are printed, which columns exact numbers make public that cost
    /// nothing. When this returns, it is durable.
    ///
    /// # Errors
    ///
    /// As [`check_columns`](Self::check_columns); refuses values, which cost something, and a
    /// ledger that cannot be written. Then nothing may be published.
    pub fn publish(&mut self, dataset: &str, columns: &Columns, request: &Value) -> Result<()> {
        if !columns.values.is_empty() {
            return Err(Error::internal("ledger: values are to be released at no cost"));
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

    /// Sets budget aside for one release. When this returns, it is durable.
    ///
    /// # Errors
    ///
    /// Refuses what does not fit ([`ErrorKind::Budget`](suum_core::ErrorKind::Budget)), unknown
    /// datasets and tiers, columns as [`check_columns`](Self::check_columns), a person who is there
    /// twice, charges of another form than the accounts, and a ledger that cannot be written. Then
    /// nothing may be drawn.
    pub fn reserve(
        &mut self,
        dataset: &str,
        charges: &Charges,
        columns: &Columns,
        plan: &Value,
    ) -> Result<Reservation<'_>> {
        let key = self.key.clone();
        let rolls = self.rolls.clone();
        let reserved = self.append(Doing::Reserving, |connection, state| {
            let fitting = fit(connection, &key, &rolls, state, dataset, charges, columns)?;
            if let Some(members) = &fitting.members {
                members.insert(connection, state.newest + 1)?;
            }
            Ok((Body::Reserve(fitting.body), Some(plan.to_string())))
        });
        let entry = reserved?;
        Ok(Reservation::new(self, entry.seq))
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
        spent: &Spent,
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

    /// Looks at everything: file, chain, head, accounts, persons.
    ///
    /// # Errors
    ///
    /// If there is too little left of the ledger to look at.
    pub fn verify(&self) -> Result<Verification> {
        let head = Head::read(&self.path, &self.key)?;
        let look = || {
            let transaction = self.connection.unchecked_transaction()?;
            verify::verify(&transaction, &self.key, head, &self.path)
        };
        look().map_err(|error| fault::sqlite(&self.path, Doing::Reading, &error))
    }

    /// Writes the log as JSON Lines, one entry a line.
    ///
    /// # Errors
    ///
    /// If files cannot be read or written, or the ledger has a fault.
    pub fn export(&self, members: Members, mut to: impl Write) -> Result<()> {
        self.read(|connection, state| {
            export::export(connection, &self.key, &self.rolls, state, members, &mut to)
        })
    }

    /// Reads everything at one moment.
    fn read<T>(
        &self,
        then: impl FnOnce(&Connection, &State) -> std::result::Result<T, Failure>,
    ) -> Result<T> {
        let head = Head::read(&self.path, &self.key)?;
        let read = || {
            let transaction = self.connection.unchecked_transaction()?;
            let state = State::strict(&transaction, &self.key, head, &self.path, false)?;
            then(&transaction, &state)
        };
        read().map_err(|failure| failure.into_error(&self.path, Doing::Reading))
    }

    fn append(
        &mut self,
        doing: Doing,
        make: impl FnOnce(&Connection, &State) -> Made,
    ) -> Result<Entry> {
        self.append_with(doing, false, make)
    }

    /// Adds an entry that follows from all entries before it, while nobody else can add one.
    fn append_with(
        &mut self,
        doing: Doing,
        loss_accepted: bool,
        make: impl FnOnce(&Connection, &State) -> Made,
    ) -> Result<Entry> {
        if self.access == Access::Read {
            return Err(Error::ledger(format!(
                "ledger {}: it was opened to read only",
                self.path.display()
            ))
            .with_hint("open it with Ledger::open"));
        }
        let head = Head::read(&self.path, &self.key)?;
        let commit = || {
            let transaction =
                self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            let state = State::strict(&transaction, &self.key, head, &self.path, loss_accepted)?;
            let (body, document) = make(&transaction, &state)?;
            // Read while nobody else can write, so that times go with the entries.
            let at = self.clock.now();
            let entry = new_entry(&self.key, state.newest + 1, at, &body, document, state.hash)?;
            entry.insert(&transaction)?;
            transaction.commit()?;
            Ok(entry)
        };
        let entry = commit().map_err(|failure: Failure| failure.into_error(&self.path, doing))?;
        self.write_head(loss_accepted).map_err(|failure| failure.into_error(&self.path, doing))?;
        Ok(entry)
    }

    /// Replaces the head while nobody else can, so that it never goes back.
    fn write_head(&mut self, loss_accepted: bool) -> std::result::Result<(), Failure> {
        let transaction =
            self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let (seq, hash) = entry::newest(&transaction)?;
        if let FoundHead::Good(found) = Head::read(&self.path, &self.key)?
            && found.seq > seq
            && !loss_accepted
        {
            return Err(Error::ledger(format!(
                "ledger {}: it was replaced while in use",
                self.path.display()
            ))
            .with_hint("put back its newest copy and verify it")
            .into());
        }
        write_head(&self.path, &self.key, seq, &hash)?;
        transaction.rollback()?;
        Ok(())
    }

    /// Refuses a key of another ledger, before it is taken for tampering with every entry.
    fn check_key(&self) -> Result<()> {
        let body: Option<String> = self
            .connection
            .query_row("SELECT body FROM entry WHERE seq = 1", [], |row| row.get(0))
            .map(Some)
            .or_else(|error| {
                if error == rusqlite::Error::QueryReturnedNoRows { Ok(None) } else { Err(error) }
            })
            .map_err(|error| fault::sqlite(&self.path, Doing::Reading, &error))?;
        match body.and_then(|body| Body::parse("ledger", &body)) {
            Some(Body::Ledger(body)) if body.key != self.key.fingerprint() => Err(Error::ledger(
                format!("ledger {}: its key file is of another ledger", self.path.display()),
            )
            .with_hint("put back the key that was made with this ledger")),
            // What else is wrong is found with all the rest.
            _ => Ok(()),
        }
    }
}

/// Only where it is.
impl fmt::Debug for Ledger {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Ledger")
            .field("path", &self.path)
            .field("access", &self.access)
            .finish_non_exhaustive()
    }
}
