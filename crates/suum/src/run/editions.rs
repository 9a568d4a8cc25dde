//! An answer that a ledger has already: shown again, at no cost.

use std::path::Path;

use serde::Serialize;
use serde_json::{Value, json};
use suum_core::{Error, Releases, Result};
use suum_ledger::{Dataset, Ledger, Record, RecordState, Turn};
use suum_report::Remarks;
use suum_sql as sql;

use super::Task;
use crate::accountant::{ShownAgain, Statement, dataset_of};
use crate::answer::{Content, ReleaseDigest, StoredAnswer};
use crate::{Answer, Charge, Job};

/// What is written down of a release when it is settled, so that it can be shown again whatever
/// becomes of what is printed: its JSON with a digest of it, its text, and of an edition its page.
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
    if task.charge.edition.is_some()
        && let Some(page) = releases.page(task.given.voice())
    {
        let page = page.spoken(task.given.voice()).with_remarks(&remarks);
        said[StoredAnswer::PAGE] = serde_json::to_value(page).map_err(no_json)?;
    }
    if let Some(fields) = said.as_object() {
        said[StoredAnswer::DIGEST] = ReleaseDigest::of(fields).into_text().into();
    }
    let text =
        Answer::of(releases.clone()).with_remarks(remarks).in_voice(task.given.voice()).text();
    said[StoredAnswer::TEXT] = text.into();
    Ok(said)
}

/// A query of an edition, as a ledger is asked for its answer.
///
/// Query, edition and dataset decide, and nothing about the data: whether these have changed would
/// tell about those who are in them.
struct EditionSearch {
    ledger: Ledger,
    dataset: Dataset,
    edition: String,
    asked: Value,
}

impl EditionSearch {
    /// What is sought, if it is an edition and no new answer is wanted.
    fn of(task: &Task<'_>) -> Result<Option<Self>> {
        let Charge { ledger: Some(path), edition: Some(edition), again: false, .. } = task.charge
        else {
            return Ok(None);
        };
        let ledger = Ledger::open_to_read(Path::new(path))?;
        let dataset = dataset_of(&ledger, task.charge.dataset.as_deref())?;
        Ok(Some(Self { ledger, dataset, edition: edition.clone(), asked: asked(&request(task)) }))
    }

    /// The newest answer, if the ledger has one.
    fn answer(&self) -> Result<Option<Answer>> {
        let is_answer = |record: &&Record| {
            matches!(record.state, RecordState::Settled { .. })
                && asked(&record.plan) == self.asked
                && StoredAnswer::of(record).is_some()
        };
        let history = self.ledger.history(&self.dataset.name)?;
        let Some(record) = history.iter().rev().find(is_answer) else { return Ok(None) };
        let RecordState::Settled { at, .. } = &record.state else { return Ok(None) };
        let Some(stored) = StoredAnswer::of(record) else { return Ok(None) };
        let again = ShownAgain {
            edition: self.edition.clone(),
            at: at.clone(),
            suum: record.plan["suum"].as_str().map(str::to_owned),
        };
        let statement = Statement::shown_again(&self.dataset, record.entry, again);
        Ok(Some(Answer::of(stored).with_statement(Some(statement))))
    }

    /// Waits until nobody else makes this answer.
    fn turn(&self) -> Result<Turn> {
        self.ledger.wait_for_turn(&json!([self.dataset.name, self.asked]).to_string())
    }
}

/// Whether somebody has paid for the answer, or it is for this task to make it.
pub(super) enum Paying {
    /// Nobody: the answer that the ledger has.
    Done(Box<Answer>),
    /// The turn that has all others wait until it is dropped; none where nothing is shown again.
    Mine(Option<Turn>),
}

/// The answer of an edition that the ledger has; else waits until nobody else is making the same
/// one. Of those who ask for the same at once, only the first then pays.
pub(super) fn paying(task: &Task<'_>) -> Result<Paying> {
    let Some(sought) = EditionSearch::of(task)? else { return Ok(Paying::Mine(None)) };
    if let Some(answer) = sought.answer()? {
        return Ok(Paying::Done(Box::new(answer)));
    }
    let turn = sought.turn()?;
    // Somebody else may have paid while this one waited.
    let paid = sought.answer()?;
    Ok(paid.map_or(Paying::Mine(Some(turn)), |answer| Paying::Done(Box::new(answer))))
}

/// What is written down as asked for: the job, without a password.
pub(super) fn request(task: &Task<'_>) -> Value {
    let mut source = task.source.clone();
    let plain = |name: String| match sql::is_postgres_url(&name) {
        true => sql::without_password(&name),
        false => name,
    };
    source.data = source.data.map(|data| data.map(plain));
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
    for row in crate::options().filter(|row| !row.is_asked) {
        job.as_object_mut().and_then(|job| job.remove(row.name));
    }
    job
}
