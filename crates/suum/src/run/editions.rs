//! Answers that a ledger has already, which are shown again at no cost.

use std::path::Path;

use serde::Serialize;
use serde_json::{Value, json};
use suum_core::{Error, Releases, Result};
use suum_ledger::{Dataset, Ledger, Record, RecordState, Turn};
use suum_report::{Beside, Remarks, Sort};
use suum_sql as sql;

use super::Task;
use crate::accountant::{LedgerEffect, ShownAgain, dataset_of};
use crate::answer::{Content, ReleaseDigest, StoredAnswer};
use crate::{Answer, Charge, Job};

/// Stored form of a release, written when it is settled, so that it can be shown again whatever
/// happens to the output: its JSON with a digest, its text, and for an edition its page.
pub(super) fn described(task: &Task<'_>, releases: &Releases) -> Result<Value> {
    #[derive(Serialize)]
    struct EditionRecord<'a> {
        #[serde(flatten)]
        releases: &'a Releases,
        #[serde(flatten)]
        remarks: &'a Remarks,
    }
    let no_json = |_| Error::internal("a release has no JSON form");
    let remarks = task.noted.remarks();
    let described = EditionRecord { releases, remarks: &remarks };
    let mut said = serde_json::to_value(described).map_err(no_json)?;
    let sort = task.query.bins.is_some().then_some(Sort::Declared);
    let beside = Beside { sort, ..Beside::default() };
    if task.charge.edition.is_some()
        && let Some(page) = releases.page(task.given.voice(), &beside)
    {
        let voice = task.given.voice();
        let page = page.with_voice(voice).with_remarks(&remarks, voice);
        said[StoredAnswer::PAGE] = serde_json::to_value(page).map_err(no_json)?;
    }
    if let Some(fields) = said.as_object() {
        said[StoredAnswer::DIGEST] = ReleaseDigest::compute(fields).into_text().into();
    }
    let text = Answer::from_content(releases.clone())
        .with_remarks(remarks)
        .in_voice(task.given.voice())
        .text();
    said[StoredAnswer::TEXT] = text.into();
    Ok(said)
}

/// Query of an edition, to look up its answer in a ledger.
///
/// Query, edition and dataset decide, and no fact about the data: a check whether these have
/// changed would reveal something about the people in them.
struct EditionSearch {
    ledger: Ledger,
    dataset: Dataset,
    edition: String,
    asked: Value,
}

impl EditionSearch {
    /// Creates the search for a task, if it has an edition and no new answer is requested.
    fn for_task(task: &Task<'_>) -> Result<Option<Self>> {
        let Charge { ledger: Some(path), edition: Some(edition), again: false, .. } = task.charge
        else {
            return Ok(None);
        };
        let ledger = Ledger::open_to_read(Path::new(path))?;
        let dataset = dataset_of(&ledger, task.charge.dataset.as_deref())?;
        Ok(Some(Self {
            ledger,
            dataset,
            edition: edition.clone(),
            asked: request_identity(&request(task)),
        }))
    }

    /// Newest answer, if the ledger has one.
    fn answer(&self) -> Result<Option<Answer>> {
        let is_answer = |record: &&Record| {
            matches!(record.state, RecordState::Settled { .. })
                && request_identity(&record.plan) == self.asked
                && StoredAnswer::from_record(record).is_some()
        };
        let history = self.ledger.history(&self.dataset.name)?;
        let Some(record) = history.iter().rev().find(is_answer) else { return Ok(None) };
        let RecordState::Settled { at, .. } = &record.state else { return Ok(None) };
        let Some(stored) = StoredAnswer::from_record(record) else { return Ok(None) };
        let again = ShownAgain {
            edition: self.edition.clone(),
            at: at.clone(),
            suum: record.plan["suum"].as_str().map(str::to_owned),
        };
        let effect = LedgerEffect::shown_again(&self.dataset, record.entry, again);
        Ok(Some(Answer::from_content(stored).with_effect(Some(effect))))
    }

    /// Waits until nobody else is making this answer.
    fn turn(&self) -> Result<Turn> {
        self.ledger.wait_for_turn(&json!([self.dataset.name, self.asked]).to_string())
    }
}

/// Payment for the answer: it was made before, or this task has to make it.
pub(super) enum Paying {
    /// Answer that the ledger has: nobody pays again.
    Done(Box<Answer>),
    /// Turn that makes all others wait until it is dropped; `None` if nothing is shown again.
    Mine(Option<Turn>),
}

/// Returns the answer of an edition that the ledger has; otherwise waits until nobody else is
/// making it. Of several simultaneous requests, only the first then pays.
pub(super) fn paying(task: &Task<'_>) -> Result<Paying> {
    let Some(sought) = EditionSearch::for_task(task)? else { return Ok(Paying::Mine(None)) };
    if let Some(answer) = sought.answer()? {
        return Ok(Paying::Done(Box::new(answer)));
    }
    let turn = sought.turn()?;
    // Somebody else may have paid while this one waited.
    let paid = sought.answer()?;
    Ok(paid.map_or(Paying::Mine(Some(turn)), |answer| Paying::Done(Box::new(answer))))
}

/// Stored form of the request: the job, without a password.
pub(super) fn request(task: &Task<'_>) -> Value {
    let mut source = task.source.clone();
    let plain = |name: String| match sql::is_postgres_url(&name) {
        true => sql::without_password(&name),
        false => name,
    };
    source.data = source.data.map(|data| data.map(plain));
    let job = Job { source, ..task.asked.clone() };
    let mut said = json!({"suum": env!("CARGO_PKG_VERSION"), "job": job});
    // Written as text: the order of tiers matters, and a JSON object has none here.
    if let Some(tiers) = &task.asked.query.levels {
        said["job"]["levels"] = Value::String(tiers.to_string());
    }
    said
}

/// Part of a request that decides whether two are equal: the job, without the location of the data
/// and the payment.
fn request_identity(request: &Value) -> Value {
    let mut job = request["job"].clone();
    for row in crate::options().filter(|row| !row.is_asked) {
        job.as_object_mut().and_then(|job| job.remove(row.name));
    }
    job
}
