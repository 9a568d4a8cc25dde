//! Reads of the log at one moment, and additions to it while nobody else can write.

use rusqlite::{Connection, TransactionBehavior};
use suum_core::{Error, Result};

use crate::Ledger;
use crate::body::Body;
use crate::connection::Access;
use crate::entry::{self, Entry};
use crate::failure::Failure;
use crate::fault::Doing;
use crate::foundation::{new_entry, write_head};
use crate::head::{FoundHead, Head};
use crate::state::State;

/// Entry to be added, with the document that is stored with it.
pub(crate) type NewEntry = std::result::Result<(Body, Option<String>), Failure>;

/// Access to the log.
impl Ledger {
    /// Reads the state of the log at one moment, and calls `then` with it.
    pub(crate) fn read<T>(
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

    pub(crate) fn append(
        &mut self,
        doing: Doing,
        make: impl FnOnce(&Connection, &State) -> NewEntry,
    ) -> Result<Entry> {
        self.append_with(doing, false, make)
    }

    /// Adds an entry that follows from all entries before it, while nobody else can add one.
    pub(crate) fn append_with(
        &mut self,
        doing: Doing,
        loss_accepted: bool,
        make: impl FnOnce(&Connection, &State) -> NewEntry,
    ) -> Result<Entry> {
        if self.access == Access::Read {
            return Err(Error::ledger(
                format!("ledger {}", self.path.display()),
                "it was opened to read only",
            )
            .with_fix("open it with Ledger::open"));
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
    pub(crate) fn write_head(&mut self, loss_accepted: bool) -> std::result::Result<(), Failure> {
        let transaction =
            self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let (seq, hash) = entry::newest(&transaction)?;
        if let FoundHead::Good(found) = Head::read(&self.path, &self.key)?
            && found.seq > seq
            && !loss_accepted
        {
            return Err(Error::ledger(
                format!("ledger {}", self.path.display()),
                "it was replaced while in use",
            )
            .with_fix("put back its newest copy and verify it")
            .into());
        }
        write_head(&self.path, &self.key, seq, &hash)?;
        transaction.rollback()?;
        Ok(())
    }
}
