//! Earlier spending of persons, added up while data are read.

use std::sync::{Mutex, OnceLock, PoisonError};
use std::thread::{self, JoinHandle};

use suum_core::{Error, Result};
use suum_ledger::{Ledger, PersonsSpent};

/// Earlier spending of persons, added up by a thread of its own: for millions of persons that takes
/// as long as reading half of their data.
pub(super) struct Already {
    thread: Mutex<Option<JoinHandle<Result<PersonsSpent>>>>,
    spent: OnceLock<Result<PersonsSpent>>,
}

/// Treatment of people who allow more by the data than when they were charged last.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Raises {
    /// The higher allowance counts, unless a decision on record is stricter.
    Allowed,
    /// The higher allowance does not count: a release raises nothing by the choices of a register.
    Ignored,
}

impl Already {
    /// Starts to add up the spending of the persons of a dataset.
    ///
    /// # Errors
    ///
    /// Fails if the ledger cannot be opened once more.
    pub(super) fn begin(ledger: &Ledger, dataset: &str, raises: Raises) -> Result<Self> {
        let add_up = move |ledger: &Ledger, dataset: &str| match raises {
            Raises::Allowed => ledger.spent_by_persons(dataset),
            Raises::Ignored => ledger.spent_without_raises(dataset),
        };
        let (reader, name) = (ledger.reader()?, dataset.to_owned());
        let in_thread = move || add_up(&reader, &name);
        let thread = thread::Builder::new().name("accounts".to_owned()).spawn(in_thread);
        Ok(match thread {
            Ok(thread) => Self { thread: Mutex::new(Some(thread)), spent: OnceLock::new() },
            // Adds up at once if no further thread can be started.
            Err(_) => {
                let spent = add_up(ledger, dataset);
                Self { thread: Mutex::default(), spent: OnceLock::from(spent) }
            }
        })
    }

    /// Waits for the thread and returns the spending.
    ///
    /// # Errors
    ///
    /// Fails if the ledger cannot be read.
    pub(super) fn get(&self) -> Result<&PersonsSpent> {
        let spent = self.spent.get_or_init(|| {
            let mut thread = self.thread.lock().unwrap_or_else(PoisonError::into_inner);
            let joined = thread.take().and_then(|thread| thread.join().ok());
            joined.unwrap_or_else(|| Err(Error::internal("accounts could not be added up")))
        });
        spent.as_ref().map_err(Clone::clone)
    }
}
