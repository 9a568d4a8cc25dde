//! Commands of `suum ledger`: creation, display, verification and export.

mod amend;
mod amendment_changes;
mod charge;
mod dossier;
mod export;
mod forecast;
mod kept_release;
mod over_time;
mod release_summary;
mod show;
mod statement;
mod verification;

use std::path::Path;

use serde_json::{Map, Value};
use suum_core::{
    Command, Epsilon, Error, Neighbors, Phrase, Result, Voice, for_example, leave_out, option, say,
};
use suum_data::list;
use suum_ledger::{
    Accounts, Amount, Dataset, Ledger, Lifetime, Members, RecordState, Verification,
};
use suum_report::{Beside, LedgerDataset, Page, Remarks, View};

use crate::answer::{Content, More, StoredAnswer};
use crate::{Answer, Entries};
pub use amend::amend_ledger;
pub use charge::charge_ledger;
pub use dossier::ledger_dossier;
use kept_release::Search;
use show::DatasetRecord;
pub use statement::ledger_statement;
use verification::{VerificationRecord, not_sound};

/// Creates a ledger, or opens accounts for another dataset in an existing one.
///
/// The entries are those of `suum ledger init`: `dataset`, `levels` or `allow` or both `persons`
/// and one of them, `neighbors`, `delta`, `purpose` and `watch_moves`.
///
/// # Errors
///
/// Refuses missing entries, accounts that no release could be charged to, and a ledger that cannot
/// be used.
///
/// # Example
///
/// ```
/// use suum::Entries;
///
/// let folder = tempfile::tempdir().unwrap();
/// let file = folder.path().join("visits.ledger");
/// let json = r#"{"dataset": "visits", "levels": {"strict": 0.1, "public": "inf"}}"#;
/// suum::init_ledger(&file, Entries::from_json(json)?)?;
/// assert!(suum::show_ledger(&file, None)?.text().contains("Dataset visits"));
/// # Ok::<(), suum::Error>(())
/// ```
pub fn init_ledger(file: &Path, mut entries: Entries) -> Result<Answer> {
    let dataset = entries.name("dataset")?.ok_or_else(|| {
        Error::parameter(option::DATASET, "the accounts have no name")
            .with_fix(say("add").set(option::DATASET, "NAME"))
    })?;
    let (levels, allow) = (entries.text("levels")?, entries.text("allow")?);
    let accounts = accounts(levels.as_deref(), entries.flag("persons")?, allow.as_deref())?;
    let neighbors = entries.parsed("neighbors")?.unwrap_or_default();
    let delta = entries.parsed("delta")?;
    let raise_up_to = entries.parsed("raise_up_to")?;
    let purpose = entries.name("purpose")?.map(|purpose| purpose.trim().to_owned());
    let watch_moves = entries.flag("watch_moves")?;
    entries.finish()?;
    check(&accounts)?;
    let is_of_persons = matches!(accounts, Accounts::Persons(_));
    if raise_up_to.is_some() && !(is_of_persons && delta.is_some()) {
        return Err(Error::request(
            option::RAISE_UP_TO,
            "it is for accounts of persons who allow (ε, δ); in pure ε a person can raise what \
             they allow without a limit, and a tier is never raised",
        )
        .with_fix(leave_out(option::RAISE_UP_TO)));
    }
    let dataset = Dataset {
        name: dataset,
        neighbors,
        accounts,
        delta,
        finds_categories: delta.is_some() && neighbors == Neighbors::ReplaceOne,
        raise_up_to,
        purpose,
        watch_moves,
    };
    init(file, dataset)
}

/// Shows the remaining amounts and the releases of one dataset, or of all.
///
/// # Errors
///
/// Refuses a ledger that cannot be read, and a dataset that it does not have.
pub fn show_ledger(file: &Path, dataset: Option<&str>) -> Result<Answer> {
    let ledger = Ledger::open_to_read(file)?;
    let datasets = match dataset {
        Some(name) => vec![ledger.dataset(name)?],
        None => ledger.datasets()?,
    };
    let shown = datasets
        .iter()
        .map(|dataset| DatasetRecord::read(&ledger, dataset))
        .collect::<Result<Vec<_>>>()?;
    Ok(Answer::from_content(ShownLedger(shown)))
}

/// Returns the stored answer of a release that was charged to a ledger: nothing is read, drawn or
/// paid.
///
/// # Errors
///
/// Refuses a ledger that cannot be read, and an entry that is no release or has no stored answer.
///
/// # Example
///
/// ```
/// # let folder = tempfile::tempdir().unwrap();
/// # let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
/// # let (people, ledger) = (path("people.csv"), path("visits.ledger"));
/// # std::fs::write(&people, "visits,tier\n2,a\n3,a\n3,b\n")?;
/// # let json = r#"{"dataset": "visits", "levels": {"a": 1, "b": "inf"}}"#;
/// # suum::init_ledger(ledger.as_ref(), suum::Entries::from_json(json)?)?;
/// let job = suum::Job::from_toml(&format!(
///     "statistic = 'mean'\nvalue = 'visits'\nbounds = [0, 9]\nprivacy = 'tier'\n\
///      data = '{people}'\nledger = '{ledger}'\nspend = '10%'"
/// ))?;
/// let released = job.run()?;
/// assert!(released.command_to_show_again().is_some_and(|command| command.ends_with("--entry 3")));
/// let shown = suum::show_ledger_entry(ledger.as_ref(), 3)?;
/// assert_eq!(shown.text().lines().next(), released.text().lines().next());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn show_ledger_entry(file: &Path, entry: u64) -> Result<Answer> {
    let ledger = Ledger::open_to_read(file)?;
    let refused = |what: &'static str, fix: Phrase| {
        Err(Error::request(option::ENTRY, format!("{entry} {what}")).with_fix(fix))
    };
    for dataset in ledger.datasets()? {
        let records = ledger.history(&dataset.name)?;
        let Some(record) = records.iter().find(|record| record.entry == entry) else { continue };
        return match (&record.state, StoredAnswer::from_record(record)) {
            (RecordState::Settled { .. }, Some(stored)) => Ok(Answer::from_content(stored)),
            (RecordState::Settled { .. }, None) => refused(
                "has no text, because the suum that made the release stored none",
                Phrase::from(Command::ExportLedger)
                    .say("has its JSON, as the document of an entry"),
            ),
            (RecordState::Open, _) => refused(
                "was not settled: the release is being made, or was cut off before it was stored",
                list(),
            ),
            (RecordState::Cancelled { .. }, _) => {
                refused("was cancelled: nothing was drawn", list())
            }
            (RecordState::Elsewhere { .. }, _) => {
                refused("is a charge for what was lost elsewhere, without a release", list())
            }
        };
    }
    refused("is no release of this ledger", list())
}

/// Returns the way to find the entries that are releases.
fn list() -> Phrase {
    Phrase::from(Command::ShowLedger).say("lists the releases with their entries")
}

/// Balances and releases of datasets, as an answer.
struct ShownLedger(Vec<DatasetRecord>);

impl Content for ShownLedger {
    fn text(&self, view: &View, _: &Beside) -> String {
        self.0.iter().map(|dataset| dataset.text(view)).collect::<Vec<_>>().join("\n")
    }

    fn json(&self, _: &More) -> Result<String> {
        suum_report::json(&self.0)
    }

    fn page(&self, voice: &dyn Voice, _: &Beside) -> Option<Page> {
        let datasets: Vec<LedgerDataset> =
            self.0.iter().map(|dataset| dataset.for_page(voice)).collect();
        Some(suum_report::ledger_page(&datasets))
    }
}

/// Verifies that no entry was changed or lost.
///
/// With `accept_loss` a ledger that has lost its newest entries is used again, with `accept_move`
/// one that was moved; each stays on record.
///
/// # Errors
///
/// Refuses a ledger that cannot be read. A ledger that is not sound is no error, but an answer that
/// says so.
pub fn verify_ledger(file: &Path, accept_loss: bool, accept_move: bool) -> Result<Answer> {
    if accept_loss {
        Ledger::accept_loss(file)?;
    }
    if accept_move {
        Ledger::accept_move(file)?;
    }
    verify(file, None)
}

/// Verifies like [`verify_ledger`], and searches the entry that holds a release, given as its JSON.
///
/// If none does, the answer says so, and has a [refusal](Answer::refusal).
///
/// # Errors
///
/// Refuses as [`verify_ledger`] does, and refuses text that is not the JSON of a release.
///
/// # Example
///
/// ```
/// # let folder = tempfile::tempdir().unwrap();
/// # let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
/// # let (people, ledger) = (path("people.csv"), path("visits.ledger"));
/// # std::fs::write(&people, "visits,tier\n2,a\n3,a\n3,b\n")?;
/// # let json = r#"{"dataset": "visits", "levels": {"a": 1, "b": "inf"}}"#;
/// # suum::init_ledger(ledger.as_ref(), suum::Entries::from_json(json)?)?;
/// let job = suum::Job::from_toml(&format!(
///     "statistic = 'mean'\nvalue = 'visits'\nbounds = [0, 9]\nprivacy = 'tier'\n\
///      data = '{people}'\nledger = '{ledger}'\nspend = '10%'"
/// ))?;
/// let release = job.run()?.json()?;
/// let verified = suum::verify_ledger_release(ledger.as_ref(), &release)?;
/// assert!(verified.text().starts_with("the release is entry 3 of dataset visits"));
/// let changed = release.replacen("0.1", "0.2", 1);
/// assert!(suum::verify_ledger_release(ledger.as_ref(), &changed)?.refusal().is_some());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn verify_ledger_release(file: &Path, release: &str) -> Result<Answer> {
    let no_release = |what: &str| {
        Error::parameter("release", format!("this is not the JSON of a release{what}"))
            .with_fix(say("give").command(Command::Json))
    };
    let release: Value = serde_json::from_str(release).map_err(|error| {
        no_release(&format!(" (line {}, column {})", error.line(), error.column()))
    })?;
    verify(file, Some(release.as_object().ok_or_else(|| no_release(""))?))
}

/// Exports all entries, one JSON object per line.
///
/// An entry that reserves, settles or cancels has the amounts that were left after it (`left`), and
/// one that reserves also has the request (`released`).
///
/// # Errors
///
/// Refuses a ledger that cannot be read.
pub fn export_ledger(file: &Path) -> Result<Answer> {
    let ledger = Ledger::open_to_read(file)?;
    let mut lines = Vec::new();
    ledger.export(Members::Counted, &mut lines)?;
    export::with_what_follows(&ledger, &String::from_utf8_lossy(&lines)).map(Answer::words)
}

fn accounts(levels: Option<&str>, persons: bool, allow: Option<&str>) -> Result<Accounts> {
    match (levels, persons, allow) {
        (Some(levels), false, None) => allowances(levels).map(Accounts::Tiers),
        (Some(levels), true, None) => {
            allowances(levels).map(Lifetime::Tiers).map(Accounts::Persons)
        }
        (None, true, Some("own")) => Ok(Accounts::Persons(Lifetime::Own)),
        (None, true, Some(amount)) => {
            amount.parse().map(Lifetime::Same).map(Accounts::Persons).map_err(|_| {
                Error::parameter(option::ALLOW, "expected an ε, or own")
                    .with_fix(for_example(option::ALLOW, "2").say(", or").set(option::ALLOW, "own"))
            })
        }
        (Some(_), _, Some(_)) => {
            Err(Error::parameter(option::ALLOW, "what people allow goes by their tier already")
                .with_fix(
                    say("leave one of")
                        .option(option::LEVELS)
                        .say("and")
                        .option(option::ALLOW)
                        .say("out"),
                ))
        }
        _ => Err(Error::parameter(option::LEVELS, "it is not said what people allow in all")
            .with_fix(
                say("give")
                    .set(option::LEVELS, "strict=0.1,standard=1,public=inf")
                    .say(", or")
                    .option(option::PERSONS)
                    .say("with")
                    .option(option::LEVELS)
                    .say(",")
                    .set(option::ALLOW, "EPSILON")
                    .say("or")
                    .set(option::ALLOW, "own"),
            )),
    }
}

/// Refuses accounts that no release could be charged to.
fn check(accounts: &Accounts) -> Result<()> {
    let nobody = match accounts {
        Accounts::Tiers(tiers) | Accounts::Persons(Lifetime::Tiers(tiers)) => {
            tiers.iter().all(|(_, amount)| amount.is_zero())
        }
        Accounts::Persons(Lifetime::Same(amount)) => amount.is_zero(),
        Accounts::Persons(Lifetime::Own) => false,
    };
    match nobody {
        true => Err(Error::parameter(option::LEVELS, "nobody would allow anything").with_fix(
            say("say what people allow in all, for example")
                .set(option::LEVELS, "strict=0.1,never=0"),
        )),
        false => Ok(()),
    }
}

/// Parses the allowance of each tier; 0 stands for people who must not be used.
fn allowances(levels: &str) -> Result<Vec<(String, Amount)>> {
    let tiers = amounts(levels)?;
    let texts = list::pairs(levels).into_iter().flatten().map(|(_, text)| text.parse::<Epsilon>());
    match tiers.iter().zip(texts).any(|((_, amount), exact)| {
        amount.is_zero() && exact.is_ok_and(|exact| exact != Epsilon::UNUSED)
    }) {
        true => Err(Error::parameter(
            option::LEVELS,
            "somebody would allow less than a millionth of ε in all",
        )
        .with_fix("give 0 to a tier whose people must not be used")),
        false => Ok(tiers),
    }
}

/// Parses tiers and amounts, which are read as decimals.
fn amounts(text: &str) -> Result<Vec<(String, Amount)>> {
    let refused = |what: Phrase| {
        Err(Error::parameter(option::LEVELS, what)
            .with_fix(for_example(option::LEVELS, "strict=0.01,standard=0.1,public=inf")))
    };
    let mut tiers: Vec<(String, Amount)> = Vec::new();
    for pair in list::pairs(text) {
        let parsed = pair.map(|(label, amount)| (label, amount.parse().ok()));
        match parsed {
            Some((label, None)) if !label.is_empty() => {
                return refused(say(format!(
                    "what {label} allows is none of 0, a number from 1e-100 to 1e100, and inf"
                )));
            }
            Some((label, _)) if tiers.iter().any(|(known, _)| *known == label) => {
                return refused(say("a label is declared twice"));
            }
            Some((label, Some(amount))) if !label.is_empty() => tiers.push((label, amount)),
            _ => return refused(say("expected TIER=EPSILON pairs separated by commas")),
        }
    }
    Ok(tiers)
}

fn init(file: &Path, dataset: Dataset) -> Result<Answer> {
    dataset.check()?;
    let exists = std::fs::exists(file).unwrap_or(true);
    let mut ledger = if exists { Ledger::open(file)? } else { Ledger::create(file)? };
    let name = dataset.name.clone();
    let weak = allowed(&dataset.accounts).into_iter().filter(|budget| budget.is_weak()).collect();
    let warnings = Remarks { weak, ..Remarks::default() }.warnings();
    ledger.add_dataset(dataset)?;
    let file = file.display();
    let made = if exists { "opened accounts in" } else { "made" };
    Ok(Answer::words(format!(
        "{made} {file} for dataset {name}\n\
         Its key is {file}.key: keep a copy of it, but not where the copies of the ledger are. \
         Charge a release to it with\n  \
         suum mean DATA … --ledger {file} --dataset {name} --spend 10%\n\
         which uses a tenth of what is allowed; what is spent never comes back.\n"
    ))
    .with_warnings(warnings))
}

/// Returns the declared allowances; none if persons declare their own.
fn allowed(accounts: &Accounts) -> Vec<Epsilon> {
    match accounts {
        Accounts::Tiers(tiers) | Accounts::Persons(Lifetime::Tiers(tiers)) => {
            tiers.iter().map(|(_, amount)| amount.epsilon()).collect()
        }
        Accounts::Persons(Lifetime::Same(amount)) => vec![amount.epsilon()],
        Accounts::Persons(Lifetime::Own) => Vec::new(),
    }
}

fn verify(file: &Path, release: Option<&Map<String, Value>>) -> Result<Answer> {
    let verification = Ledger::verify_file(file)?;
    // One that is not sound says nothing that can be relied on.
    let release = release.filter(|_| verification.is_sound());
    let search = release.map(|release| Search::run(&Ledger::open_to_read(file)?, release));
    let search = search.transpose()?;
    let missing = search.as_ref().and_then(Search::refusal);
    let refusal = (!verification.is_sound()).then(not_sound);
    let kept = search.as_ref().map(|search| search.kept_release().cloned());
    let found = search.map_or_else(String::new, |search| search.text());
    let file = file.display().to_string();
    let text = move |verification: &Verification| {
        let findings: String =
            verification.findings.iter().map(|finding| format!("{finding}\n")).collect();
        let entries = verification.entries;
        let verdict = if verification.is_sound() { "no fault found" } else { "NOT SOUND" };
        format!("{found}{findings}{file}: {entries} entries, {verdict}\n")
    };
    let json = move |verification: &Verification| {
        suum_report::json(&VerificationRecord::new(verification, kept.clone()))
    };
    Ok(Answer::new(verification, text, json).with_refusal(refusal.or(missing)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn says_of_which_tier_the_amount_is_none() {
        for text in ["b=1,a=1e400", "a=x", "a=-1", "a="] {
            let refused = amounts(text).unwrap_err().to_string();
            assert!(refused.starts_with("levels: what a allows is none of 0, "), "{refused}");
        }
        for text in ["a", "=1", "a=1,"] {
            let refused = amounts(text).unwrap_err().to_string();
            assert!(refused.starts_with("levels: expected TIER=EPSILON pairs"), "{refused}");
        }
    }
}
