//! What persons have spent, added up while data are read.

use std::sync::{Mutex, OnceLock, PoisonError};
use std::thread::{self, JoinHandle};

use suum_core::{Error, Result};
use suum_ledger::{Ledger, PersonsSpent};

/// What persons have spent, from a thread of its own: of millions that takes as long as it takes to
/// read half of their data.
pub(super) struct Already {
    thread: Mutex<Option<JoinHandle<Result<PersonsSpent>>>>,
    spent: OnceLock<Result<PersonsSpent>>,
}

impl Already {
    /// Begins to add up what the persons of a dataset have spent.
    ///
    /// # Errors
    ///
    /// If the ledger cannot be opened once more.
    pub(super) fn begin(ledger: &Ledger, dataset: &str) -> Result<Self> {
        let (reader, name) = (ledger.reader()?, dataset.to_owned());
        let add_up = move || reader.spent_by_persons(&name);
        let thread = thread::Builder::new().name("accounts".to_owned()).spawn(add_up);
        Ok(match thread {
            Ok(thread) => Self { thread: Mutex::new(Some(thread)), spent: OnceLock::new() },
            // Where there are no more threads it is done at once.
            Err(_) => {
                let spent = ledger.spent_by_persons(dataset);
                Self { thread: Mutex::default(), spent: OnceLock::from(spent) }
            }
        })
    }

    /// What they have spent; waits for it.
    ///
    /// # Errors
    ///
    /// What the ledger refuses.
    pub(super) fn get(&self) -> Result<&PersonsSpent> {
        let spent = self.spent.get_or_init(|| {
            let mut thread = self.thread.lock().unwrap_or_else(PoisonError::into_inner);
            let joined = thread.take().and_then(|thread| thread.join().ok());
            joined.unwrap_or_else(|| Err(Error::internal("accounts could not be added up")))
        });
        spent.as_ref().map_err(Clone::clone)
    }
}
