//! Search for the entry of a ledger that holds a release.

use serde::Serialize;
use serde_json::{Map, Value};
use suum_core::{Command, Error, Result, option, say};
use suum_ledger::{Ledger, RecordState};

use crate::answer::ReleaseDigest;

/// Entry that holds a release.
#[derive(Debug, Clone, Serialize)]
pub(super) struct KeptRelease {
    entry: u64,
    dataset: String,
    at: String,
}

/// Result of a search for a release.
pub(super) enum Search {
    Kept(KeptRelease),
    /// No entry holds it; `untold` entries have no stored release to compare with.
    Missing {
        untold: usize,
    },
}

impl Search {
    /// Searches all settled entries for a release, given as JSON.
    pub(super) fn run(ledger: &Ledger, release: &Map<String, Value>) -> Result<Self> {
        let sought = ReleaseDigest::compute(release);
        let mut untold = 0;
        for dataset in ledger.datasets()? {
            for record in ledger.history(&dataset.name)? {
                let RecordState::Settled { at, .. } = &record.state else { continue };
                match record.certificate.as_ref().and_then(ReleaseDigest::from_stored) {
                    Some(kept) if kept == sought => {
                        let (entry, at) = (record.entry, at.clone());
                        return Ok(Self::Kept(KeptRelease { entry, dataset: dataset.name, at }));
                    }
                    Some(_) => {}
                    None => untold += 1,
                }
            }
        }
        Ok(Self::Missing { untold })
    }

    /// Returns the entry, if one holds the release.
    pub(super) fn kept_release(&self) -> Option<&KeptRelease> {
        match self {
            Self::Kept(kept) => Some(kept),
            Self::Missing { .. } => None,
        }
    }

    /// Describes the result in a line.
    pub(super) fn text(&self) -> String {
        match self {
            Self::Kept(KeptRelease { entry, dataset, at }) => {
                format!("the release is entry {entry} of dataset {dataset}, of {at}\n")
            }
            Self::Missing { .. } => "no entry holds the release\n".to_owned(),
        }
    }

    /// Returns the reason why the release cannot be relied on, if no entry holds it.
    pub(super) fn refusal(&self) -> Option<Error> {
        match self {
            Self::Kept(_) => None,
            Self::Missing { untold: 0 } => Some(
                Error::ledger("release", "no entry of the ledger holds it").with_fix(
                    say("it was changed, charged to another ledger, or cost nothing and was not \
                         kept:")
                    .command(Command::ShowLedger)
                    .say("lists the releases, and with")
                    .set(option::ENTRY, "N")
                    .say("shows one"),
                ),
            ),
            Self::Missing { untold } => {
                let keep = if *untold == 1 { "keeps" } else { "keep" };
                Some(
                    Error::ledger(
                        "release",
                        format!(
                            "the ledger cannot tell: {untold} of its entries {keep} neither a \
                             digest nor the document of a release, and no other holds it"
                        ),
                    )
                    .with_fix(
                        "releases that this suum makes can be told; of that one ask who made it",
                    ),
                )
            }
        }
    }
}
