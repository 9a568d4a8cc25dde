//! Warnings reach their recipient before a release costs anything, and a ledger keeps the columns
//! that computed ones were made of.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::sync::{Arc, Mutex};

use suum::{Entries, Error, Job, JobInputs, Result, WarningSink, show_ledger};

/// Recipient that keeps what it is told, and refuses the release if it shall.
#[derive(Debug, Default)]
struct Recipient {
    refuses: bool,
    told: Mutex<Vec<String>>,
}

impl WarningSink for Recipient {
    fn warn(&self, warnings: &[String]) -> Result<()> {
        self.told.lock().unwrap().extend_from_slice(warnings);
        match self.refuses {
            true => Err(Error::request("warnings", "refused").with_fix("go on")),
            false => Ok(()),
        }
    }
}

/// People, and a ledger for them, whose tiers allow so much.
fn people(folder: &Path, levels: &str) -> (String, String) {
    let (data, ledger) = (folder.join("people.csv"), folder.join("ledger"));
    fs::write(&data, "v,tier\n".to_owned() + &"3,low\n0,high\n".repeat(50)).unwrap();
    let accounts = format!(r#"{{"dataset": "d", "levels": "{levels}"}}"#);
    suum::init_ledger(&ledger, Entries::from_json(&accounts).unwrap()).unwrap();
    (data.to_str().unwrap().to_owned(), ledger.to_str().unwrap().to_owned())
}

fn job(data: &str, ledger: &str, asked: &str) -> Job {
    let json = format!(
        r#"{{"data": {data:?}, "ledger": {ledger:?}, "spend": "10%", "privacy": "tier", {asked}}}"#
    );
    Job::new(Entries::from_json(&json).unwrap()).unwrap()
}

fn inputs(recipient: &Arc<Recipient>) -> JobInputs {
    let recipient: Arc<dyn WarningSink> = recipient.clone();
    JobInputs { warnings: Some(recipient), ..JobInputs::default() }
}

const MEAN: &str = r#""statistic": "mean", "value": "v", "bounds": [0, 10]"#;

#[test]
fn refused_warning_leaves_the_ledger_as_it_was() {
    let answers = format!(r#""answers": [{{{MEAN}}}, {{{MEAN}}}]"#);
    for asked in [MEAN, &answers] {
        let folder = tempfile::tempdir().unwrap();
        let (data, ledger) = people(folder.path(), "low=1000,high=2000");
        let job = job(&data, &ledger, asked);
        let before = fs::read(&ledger).unwrap();
        let refusing = Arc::new(Recipient { refuses: true, ..Recipient::default() });
        let refused = job.run_with(inputs(&refusing)).unwrap_err();
        assert_eq!(refused.to_string(), "warnings: refused");
        assert_eq!(fs::read(&ledger).unwrap(), before);
        let listening = Arc::new(Recipient::default());
        let answer = job.run_with(inputs(&listening)).unwrap();
        assert_eq!(*listening.told.lock().unwrap(), answer.warnings());
        assert_eq!(answer.warnings().len(), 1);
        assert_ne!(fs::read(&ledger).unwrap(), before);
    }
}

#[test]
fn recipient_hears_nothing_where_there_is_no_warning() {
    let folder = tempfile::tempdir().unwrap();
    let (data, ledger) = people(folder.path(), "low=1,high=2");
    let refusing = Arc::new(Recipient { refuses: true, ..Recipient::default() });
    job(&data, &ledger, MEAN).run_with(inputs(&refusing)).unwrap();
    assert!(refusing.told.lock().unwrap().is_empty());
}

#[test]
fn ledger_keeps_the_origins_of_computed_columns() {
    let answers = format!(r#""answers": [{{{MEAN}}}]"#);
    for asked in [MEAN, &answers] {
        let folder = tempfile::tempdir().unwrap();
        let (data, ledger) = people(folder.path(), "low=1,high=2");
        let named = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        let origins: BTreeMap<String, BTreeSet<String>> =
            [("v".to_owned(), named(&["pay", "hours"])), ("tier".to_owned(), named(&["choice"]))]
                .into();
        let inputs = JobInputs { origins, ..JobInputs::default() };
        job(&data, &ledger, asked).run_with(inputs).unwrap();
        let shown = show_ledger(ledger.as_ref(), None).unwrap().json().unwrap();
        let shown: serde_json::Value = serde_json::from_str(&shown).unwrap();
        let columns = &shown[0]["columns"];
        assert_eq!(columns["values"], serde_json::json!(["hours", "pay"]));
        assert_eq!(columns["published"], serde_json::json!(["choice"]));
    }
}
