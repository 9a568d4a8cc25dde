//! Creation and opening of ledgers, with the checks that come before every use.

use std::fs;
use std::path::Path;
use std::time::SystemTime;

use suum_core::{Command, Error, Result, say};

use crate::body::{Body, LossBody, MoveBody};
use crate::clock::Clock;
use crate::connection::{self, Access};
use crate::failure::Failure;
use crate::fault::{self, Doing};
use crate::file_identity::FileIdentity;
use crate::files::beside;
use crate::foundation::create;
use crate::head::{FoundHead, Head};
use crate::key::Key;
use crate::members::Rolls;
use crate::migrate::migrate;
use crate::state::State;
use crate::{Ledger, Verification, schema};

/// Creation and opening.
impl Ledger {
    /// Creates an empty ledger, with its key in `FILE.key` and its head in `FILE.head`.
    ///
    /// It appears as a whole: after a crash there is no ledger, or one that works.
    ///
    /// # Errors
    ///
    /// Refuses to write over a ledger or a key, and fails if files cannot be written.
    pub fn create(path: impl AsRef<Path>) -> Result<Self> {
        let path = path.as_ref();
        if fs::symlink_metadata(path).is_ok() {
            return Err(Error::ledger(
                format!("ledger {}", path.display()),
                "the file exists already",
            )
            .with_fix("open it, or give another name"));
        }
        // Whoever makes the key makes the ledger: of two processes one is refused here.
        let key = Key::create(path)?;
        if let Err(error) = create(path, &key) {
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
    /// Refuses as [`open`](Self::open) does, but the file need not be writable, and may be a copy.
    pub fn open_to_read(path: impl AsRef<Path>) -> Result<Self> {
        let ledger = Self::open_unchecked(path.as_ref(), Access::Read)?;
        ledger.read(|_, _| Ok(()))?;
        Ok(ledger)
    }

    /// Verifies a ledger that may not be fit to be opened, and changes nothing.
    ///
    /// # Errors
    ///
    /// Fails if there is too little left to verify: no file, no key or another ledger's, or no
    /// database.
    pub fn verify_file(path: impl AsRef<Path>) -> Result<Verification> {
        Self::open_unchecked(path.as_ref(), Access::Read)?.verify()
    }

    /// Opens a ledger that has lost entries, and records that the loss was accepted.
    ///
    /// What was spent in lost entries is not known to the ledger any more. As far as it is known
    /// otherwise, [charge](Self::charge) it; where it is not, charge all that is left. Everything
    /// else that is wrong is refused as by [`open`](Self::open).
    ///
    /// # Errors
    ///
    /// Refuses as [`open`](Self::open) does, except for lost entries; and refuses a ledger that has
    /// lost none.
    pub fn accept_loss(path: impl AsRef<Path>) -> Result<Self> {
        let mut ledger = Self::open_unchecked(path.as_ref(), Access::Write)?;
        // What is written down stays for good.
        if ledger.read(|_, _| Ok(())).is_ok() {
            let path = ledger.path.display();
            return Err(Error::ledger(
                format!("ledger {path}"),
                "it has lost nothing that could be accepted",
            )
            .with_fix("use it as it is, without accepting a loss"));
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
    /// Refuses as [`open`](Self::open) does, except for the place; and refuses a ledger that is
    /// where it was.
    pub fn accept_move(path: impl AsRef<Path>) -> Result<Self> {
        let mut ledger = Self::open_unchecked(path.as_ref(), Access::Write)?;
        let moved = ledger.read(|_, state| Ok(ledger.check_place(state).is_err()))?;
        if !moved {
            let path = ledger.path.display();
            return Err(Error::ledger(format!("ledger {path}"), "it is where it was made")
                .with_fix("use it as it is, without accepting a move"));
        }
        let place = FileIdentity::for_file(&ledger.key, &ledger.path);
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
        let here = FileIdentity::for_file(&self.key, &self.path);
        if state.place.as_ref().is_none_or(|place| place.is_same(&here)) {
            return Ok(());
        }
        let path = self.path.display();
        Err(Error::ledger(
            format!("ledger {path}"),
            "it was made elsewhere, so it may be a copy; what one copy is charged, the other does \
             not know",
        )
        .with_fix(
            say(
                "use the ledger where it was made; if it was moved here and is used nowhere else, \
                 run",
            )
            .command(Command::AcceptMove)
            .say(", which stays on record"),
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

    /// Opens the same ledger once more, to read it in another thread. Both share the persons that
    /// either has read.
    ///
    /// # Errors
    ///
    /// Fails if the database cannot be opened; the first call refuses as
    /// [`open_to_read`](Self::open_to_read) does.
    pub fn reader(&self) -> Result<Self> {
        let (access, path) = (Access::Read, self.path.clone());
        let connection = connection::open(&path, access)?;
        let (key, clock, rolls) = (self.key.clone(), Clock::default(), self.rolls.clone());
        Ok(Self { path, connection, key, clock, access, rolls })
    }

    /// Replaces the clock, for tests. It dates entries, and tells which decisions lie in the
    /// future.
    #[must_use]
    pub fn with_clock(mut self, clock: impl Fn() -> SystemTime + Send + 'static) -> Self {
        self.clock = Clock(Box::new(clock));
        self
    }

    /// Refuses a key of another ledger, which would otherwise look like tampering with every entry.
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
                format!("ledger {}", self.path.display()),
                "its key file is of another ledger",
            )
            .with_fix("put back the key that was made with this ledger")),
            // What else is wrong is found with all the rest.
            _ => Ok(()),
        }
    }
}
