//! A dossier of a ledger: what was published, what it could have cost anybody, whether the record
//! is sound, and what is promised. For a data protection officer.
//!
//! `releases`, `changes` and `accounts` are what is on record, `costs` what people lost by it;
//! `words` says it with the `texts` of a language.

mod accounts;
mod changes;
mod costs;
mod english;
mod releases;
mod texts;
mod words;

use std::path::Path;

use serde::Serialize;
use suum_core::{Delta, Neighbors, Result, Voice};
use suum_ledger::{Accounts, Columns, Dataset, Ledger, Lifetime, Verification};
use suum_report::{Beside, Page, View};

use super::show::ShownDelta;

use super::verification::{VerificationRecord, not_sound};
use crate::answer::{Content, More};
use crate::{Answer, date};
use accounts::AccountRecord;
use changes::{ChangeRecord, LogRecord};
use english::ENGLISH;
use releases::ReleaseRecord;

/// A dossier for a data protection officer: what a ledger is for, what was published, what that
/// could have cost anybody, whether the record is sound, and what is promised. Of one dataset, or
/// of all.
///
/// It has no identifier of a person and no hash of one; where participation is hidden, it has
/// no number of people.
///
/// # Errors
///
/// Refuses a ledger of which there is too little left to look at, and a dataset that it does not
/// have. One that is not sound is no error, but an answer that says so, and has a
/// [refusal](Answer::refusal).
///
/// # Example
///
/// ```
/// use suum::Entries;
///
/// let folder = tempfile::tempdir().unwrap();
/// let file = folder.path().join("visits.ledger");
/// let json = r#"{"dataset": "visits", "levels": {"strict": 0.1, "public": "inf"},
///     "purpose": "planning of surgeries"}"#;
/// suum::init_ledger(&file, Entries::from_json(json)?)?;
/// let dossier = suum::ledger_dossier(&file, None)?;
/// assert!(dossier.text().contains("Purpose, as it was declared: “planning of surgeries”."));
/// assert!(dossier.html()?.contains("<h2"));
/// # Ok::<(), suum::Error>(())
/// ```
pub fn ledger_dossier(file: &Path, dataset: Option<&str>) -> Result<Answer> {
    let verification = Ledger::verify_file(file)?;
    let mut record = DossierRecord::new(file, &verification);
    if !verification.is_sound() {
        return Ok(Answer::from_content(record).with_refusal(Some(not_sound())));
    }
    record.read(&Ledger::open_to_read(file)?, dataset)?;
    Ok(Answer::from_content(record))
}

/// A dossier, as JSON.
#[derive(Debug, Serialize)]
pub(super) struct DossierRecord {
    /// The version of suum that made it.
    suum: &'static str,
    /// The day on which it was made.
    made: String,
    #[serde(skip)]
    file: String,
    verification: VerificationRecord,
    /// None of a ledger that is not sound.
    #[serde(skip_serializing_if = "Option::is_none")]
    ledger: Option<LedgerRecord>,
    datasets: Vec<DatasetRecord>,
    /// Entries besides releases, oldest first.
    changes: Vec<ChangeRecord>,
}

/// The ledger as a whole.
#[derive(Debug, Serialize)]
struct LedgerRecord {
    id: String,
    /// When it was made, and by which suum.
    made: String,
    suum: String,
    /// The version of its tables.
    tables: usize,
}

/// A dataset as it was declared, what was published of it, and its accounts.
#[derive(Debug, Serialize)]
struct DatasetRecord {
    dataset: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    purpose: Option<String>,
    opened: String,
    neighbors: &'static str,
    #[serde(skip)]
    relation: Neighbors,
    /// Who holds the accounts: `tiers` or `persons`.
    held_by: &'static str,
    /// True if persons say themselves what they allow.
    #[serde(skip)]
    is_own: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    delta: Option<Delta>,
    #[serde(skip_serializing_if = "Option::is_none")]
    delta_of_categories: Option<ShownDelta>,
    /// True if a release is refused in which people moved between tiers.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    watch_moves: bool,
    columns: Columns,
    releases: Vec<ReleaseRecord>,
    accounts: Vec<AccountRecord>,
}

impl DossierRecord {
    fn new(file: &Path, verification: &Verification) -> Self {
        let name = file.file_name().unwrap_or(file.as_os_str());
        Self {
            suum: env!("CARGO_PKG_VERSION"),
            made: date::today(),
            file: name.to_string_lossy().into_owned(),
            verification: VerificationRecord::new(verification, None),
            ledger: None,
            datasets: Vec::new(),
            changes: Vec::new(),
        }
    }

    /// Adds what is on record, of a ledger that is sound.
    fn read(&mut self, ledger: &Ledger, dataset: Option<&str>) -> Result<()> {
        let datasets = match dataset {
            Some(name) => vec![ledger.dataset(name)?],
            None => ledger.datasets()?,
        };
        let log = LogRecord::read(ledger)?;
        self.ledger = Some(LedgerRecord {
            id: ledger.id()?,
            made: log.made,
            suum: log.suum,
            tables: ledger.tables()?,
        });
        // All changes there are, whatever says them.
        let is_shown = |change: &ChangeRecord| {
            let of = change.dataset.as_ref();
            of.is_none_or(|name| datasets.iter().any(|dataset| dataset.name == *name))
        };
        self.changes = log.changes.into_iter().filter(is_shown).collect();
        for dataset in &datasets {
            let records = ledger.history(&dataset.name)?;
            let charge = |record| ChangeRecord::from_charge(dataset, record);
            self.changes.extend(records.iter().filter_map(charge));
            let amendments = ledger.amendments(&dataset.name)?;
            let amendment = |amendment| ChangeRecord::from_amendment(dataset, amendment);
            self.changes.extend(amendments.iter().map(amendment));
            let release = |record| ReleaseRecord::from_record(dataset, record);
            let releases = records.iter().filter_map(release).collect();
            self.datasets.push(DatasetRecord::read(ledger, dataset, releases)?);
        }
        self.changes.sort_by_key(|change| change.entry);
        Ok(())
    }
}

impl DatasetRecord {
    fn read(ledger: &Ledger, dataset: &Dataset, releases: Vec<ReleaseRecord>) -> Result<Self> {
        Ok(Self {
            dataset: dataset.name.clone(),
            purpose: dataset.purpose.clone(),
            opened: ledger.opened(&dataset.name)?,
            neighbors: dataset.neighbors.name(),
            relation: dataset.neighbors,
            held_by: if dataset.is_of_persons() { "persons" } else { "tiers" },
            is_own: matches!(dataset.accounts, Accounts::Persons(Lifetime::Own)),
            delta: dataset.delta,
            delta_of_categories: ShownDelta::of_dataset(ledger, dataset)?,
            watch_moves: dataset.watch_moves,
            columns: ledger.columns(&dataset.name)?,
            releases,
            accounts: AccountRecord::all(dataset, &ledger.balance(&dataset.name)?),
        })
    }

    fn is_of_persons(&self) -> bool {
        self.held_by == "persons"
    }

    /// Returns true if the accounts themselves are secret.
    fn hides_accounts(&self) -> bool {
        self.is_of_persons() && self.relation.hides_participation()
    }
}

impl Content for DossierRecord {
    fn text(&self, view: &View, _: &Beside) -> String {
        self.dossier(&ENGLISH).text(view)
    }

    fn json(&self, _: &More) -> Result<String> {
        suum_report::json(self)
    }

    fn page(&self, _: &dyn Voice, _: &Beside) -> Option<Page> {
        Some(self.dossier(&ENGLISH).page())
    }
}
