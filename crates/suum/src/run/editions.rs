//! An answer that a ledger has already: shown again, at no cost.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::Path;

use serde::Serialize;
use serde_json::{Value, json};
use suum_core::{Error, ErrorKind, Releases, Result};
use suum_ledger::{Ledger, Record, RecordState};
use suum_report::{Beside, Remarks, View};
use suum_sql as sql;

use super::Task;
use crate::answer::{Content, More};
use crate::meter::{ShownAgain, Statement, dataset_of};
use crate::{Answer, Charge, DataSource, Job};

/// Under this name the text of an answer stands beside its JSON.
const TEXT: &str = "text";

/// What is written down of a release when it is settled: its JSON, and of an edition its text.
pub(super) fn described(task: &Task<'_>, releases: &Releases) -> Result<Value> {
    #[derive(Serialize)]
    struct Described<'a> {
        #[serde(flatten)]
        releases: &'a Releases,
        #[serde(flatten)]
        remarks: &'a Remarks,
    }
    let remarks = task.noted.remarks();
    let mut said = serde_json::to_value(Described { releases, remarks: &remarks })
        .map_err(|_| Error::internal("internal error: a release has no JSON form"))?;
    if task.charge.edition.is_some() {
        said[TEXT] = Answer::of(releases.clone()).with_remarks(remarks).text().into();
    }
    Ok(said)
}

/// The newest answer to the same query of the same edition, if the ledger has one and no new one is
/// wanted.
///
/// Query, edition and dataset decide, and nothing about the data: whether these have changed would
/// tell about those who are in them.
fn shown_again(task: &Task<'_>) -> Result<Option<Answer>> {
    let Charge { ledger: Some(path), edition: Some(edition), again: false, .. } = task.charge
    else {
        return Ok(None);
    };
    let ledger = Ledger::open_to_read(Path::new(path))?;
    let dataset = dataset_of(&ledger, task.charge.dataset.as_deref())?;
    let asked = asked(&request(task));
    let is_answer = |record: &&Record| {
        matches!(record.state, RecordState::Settled { .. })
            && self::asked(&record.plan) == asked
            && stored(record).is_some()
    };
    let history = ledger.history(&dataset.name)?;
    let Some(record) = history.iter().rev().find(is_answer) else { return Ok(None) };
    let RecordState::Settled { at, .. } = &record.state else { return Ok(None) };
    let Some((text, json)) = stored(record) else { return Ok(None) };
    let again = ShownAgain {
        edition: edition.clone(),
        at: at.clone(),
        suum: record.plan["suum"].as_str().map(str::to_owned),
    };
    let statement = Statement::shown_again(&dataset, record.entry, again);
    Ok(Some(Answer::of(Stored { text, json }).with_statement(Some(statement))))
}

/// Whether somebody has paid for the answer, or it is for this task to make it.
pub(super) enum Turn {
    /// The answer that the ledger has.
    Paid(Box<Answer>),
    /// The lock that has all others wait until it is dropped; none where nothing is shown again.
    Mine(Option<File>),
}

/// The answer of an edition that the ledger has; else waits until no other release of an edition is
/// under way there. Of those who ask for the same at once, only the first then pays.
pub(super) fn turn(task: &Task<'_>) -> Result<Turn> {
    if let Some(answer) = shown_again(task)? {
        return Ok(Turn::Paid(Box::new(answer)));
    }
    let lock = lock(task)?;
    // Somebody else may have paid while this one waited.
    let paid = if lock.is_some() { shown_again(task)? } else { None };
    Ok(paid.map_or(Turn::Mine(lock), |answer| Turn::Paid(Box::new(answer))))
}

/// Waits until nobody else has the lock for editions of the ledger, and takes it.
///
/// The operating system frees the lock of a process that dies, so nobody waits for the dead.
fn lock(task: &Task<'_>) -> Result<Option<File>> {
    let Charge { ledger: Some(path), edition: Some(_), again: false, .. } = task.charge else {
        return Ok(None);
    };
    locked(Path::new(path)).map(Some).map_err(|error| {
        let said = format!("ledger {path}: its file .editions cannot be locked ({})", error.kind());
        Error::new(ErrorKind::Io, said)
            .with_hint("allow writing to its folder, on a disk with file locks; nothing was paid")
    })
}

fn locked(ledger: &Path) -> io::Result<File> {
    // One lock for all names of the ledger.
    let mut name = fs::canonicalize(ledger)?.into_os_string();
    name.push(".editions");
    let mut options = OpenOptions::new();
    options.append(true).create(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let file = options.open(name)?;
    file.lock()?;
    Ok(file)
}

/// What is written down as asked for: the job, without a password.
pub(super) fn request(task: &Task<'_>) -> Value {
    let mut source = task.source.clone();
    source.data = source.data.map(|data| match sql::is_postgres_url(&data) {
        true => sql::without_password(&data),
        false => data,
    });
    let job = Job { source, ..task.asked.clone() };
    let mut said = json!({"suum": env!("CARGO_PKG_VERSION"), "job": job});
    // As text: the order of tiers counts, and an object has none here.
    if let Some(tiers) = &task.asked.query.levels {
        said["job"]["levels"] = Value::String(tiers.to_string());
    }
    said
}

/// What decides whether two requests ask for the same: the job, but for where the data are and who
/// pays how much.
fn asked(request: &Value) -> Value {
    let mut job = request["job"].clone();
    let elsewhere = json!(DataSource { table: None, query: None, ..every_source() });
    let paid = json!(Charge { edition: None, ..every_charge() });
    for name in [elsewhere, paid].iter().filter_map(Value::as_object).flat_map(|all| all.keys()) {
        job.as_object_mut().and_then(|job| job.remove(name));
    }
    job
}

/// A source that says something in every field, for their names.
fn every_source() -> DataSource {
    let said = || Some(String::new());
    DataSource {
        data: said(),
        table: said(),
        query: said(),
        trust_query: true,
        delimiter: Some(Default::default()),
        encoding: Some(Default::default()),
        consent: said(),
        key: said(),
        from_levels: said(),
    }
}

/// As [`every_source`], of a charge.
fn every_charge() -> Charge {
    Charge {
        ledger: Some(String::new()),
        dataset: Some(String::new()),
        spend: Some(crate::Spend::All),
        target_rmse: Some(1.0),
        target_half_width: Some(1.0),
        public_columns: Some(crate::Labels(Vec::new())),
        edition: Some(String::new()),
        again: true,
    }
}

/// The text and the JSON that were stored with a release.
fn stored(record: &Record) -> Option<(String, Value)> {
    let mut json = record.certificate.clone()?;
    match json.as_object_mut()?.remove(TEXT)? {
        Value::String(text) => Some((text, json)),
        _ => None,
    }
}

/// An answer as it was stored.
struct Stored {
    text: String,
    json: Value,
}

impl Content for Stored {
    fn text(&self, _: &View, _: &Beside) -> String {
        self.text.clone()
    }

    fn json(&self, more: &More) -> Result<String> {
        more.json(&self.json)
    }
}
