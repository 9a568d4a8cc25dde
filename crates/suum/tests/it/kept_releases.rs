//! Releases that ledgers of an older suum hold.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use suum::{Entries, Job};
use suum_core::{Loss, Result};
use suum_ledger::{Amount, Charges, Columns, FinalCost, Ledger};
use tempfile::TempDir;

/// Makes a ledger of two tiers in this folder.
fn ledger(folder: &TempDir) -> String {
    let path = folder.path().join("visits.ledger").to_str().unwrap().to_owned();
    let accounts = r#"{"dataset": "visits", "levels": {"a": 1, "b": "inf"}}"#;
    suum::init_ledger(path.as_ref(), Entries::from_json(accounts).unwrap()).unwrap();
    path
}

/// Writes down that a release was made, of which this was stored.
fn settle(path: &str, stored: &Value) {
    let mut ledger = Ledger::open(path).unwrap();
    let charges = Charges::Tiers(vec![("a".into(), Amount::from_loss(&Loss::ratio(1, 100)))]);
    let columns = Columns { values: ["visits".into()].into(), ..Columns::default() };
    let request = json!({"job": {"statistic": "mean"}});
    let reservation = ledger.reserve("visits", &charges, &columns, &request).unwrap();
    let (_, drawn) = reservation.draw(|_| Result::Ok(())).unwrap();
    drawn.settle(FinalCost::AsReserved, stored).unwrap();
}

/// The JSON of a release, and what its ledger has stored of it.
fn released(folder: &TempDir) -> (String, Value) {
    let (people, path) = (folder.path().join("people.csv"), ledger(folder));
    fs::write(&people, "visits,tier\n2,a\n3,a\n3,b\n").unwrap();
    let job = Job::from_toml(&format!(
        "statistic = 'mean'\nvalue = 'visits'\nbounds = [0, 9]\nprivacy = 'tier'\n\
         data = '{}'\nledger = '{path}'\nspend = '10%'",
        people.display()
    ));
    let release = job.unwrap().run().unwrap().json().unwrap();
    let history = Ledger::open_to_read(Path::new(&path)).unwrap().history("visits").unwrap();
    (release, history[0].certificate.clone().unwrap())
}

#[test]
fn older_entries_are_compared_by_what_they_keep() {
    let folder = tempfile::tempdir().unwrap();
    let (release, mut stored) = released(&folder);
    assert_eq!(stored["sha256"].as_str().map(str::len), Some(64));
    let altered = release.replacen("\"bounds\": [", "\"bounds\": [ 1e-9, ", 1);
    assert_ne!(altered, release);
    // As a suum stored it that kept no digest, and one that kept no text either.
    for field in ["sha256", "text"] {
        stored.as_object_mut().unwrap().remove(field).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let older = ledger(&folder);
        settle(&older, &stored);
        let found = suum::verify_ledger_release(older.as_ref(), &release).unwrap();
        assert!(found.refusal().is_none(), "without {field}: {}", found.text());
        assert!(found.text().starts_with("the release is entry 3 of dataset visits"));
        let found = suum::verify_ledger_release(older.as_ref(), &altered).unwrap();
        let refusal = found.refusal().unwrap().to_string();
        assert_eq!(refusal, "release: no entry of the ledger holds it");
    }
}

#[test]
fn entries_without_digest_and_document_cannot_be_told() {
    let folder = tempfile::tempdir().unwrap();
    let (release, _) = released(&folder);
    let folder = tempfile::tempdir().unwrap();
    let oldest = ledger(&folder);
    settle(&oldest, &json!({"statistic": "mean"}));
    let found = suum::verify_ledger_release(oldest.as_ref(), &release).unwrap();
    let refusal = found.refusal().unwrap().to_string();
    assert!(
        refusal.starts_with("release: the ledger cannot tell: 1 of its entries keeps neither"),
        "{refusal}"
    );
}
