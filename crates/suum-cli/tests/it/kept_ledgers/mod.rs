//! Ledgers that an earlier suum wrote, one of each kind of account: they are opened, shown and
//! verified, their edition is shown again, and they are charged.
//!
//! The test `writes_ledgers`, which is ignored, made them. They are kept as they are: a ledger in
//! use cannot be made anew.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use suum::ledger::{Amount, Charges, Columns, Holder, Ledger, Part};
use suum::{Answer, JobInputs};
use suum_cli::{answer, parse};
use tempfile::TempDir;

/// The files of a ledger, by what is behind its name.
const FILES: [&str; 3] = ["", ".key", ".head"];

/// The person whose budget is reserved for a release that was cut off, and whom the data have.
const RESERVED: &[u8] = b"p3";

/// A kind of accounts, and the options of releases that are charged to them.
struct Kind {
    name: &'static str,
    accounts: &'static str,
    release: &'static str,
}

const KINDS: [Kind; 4] = [
    Kind {
        name: "tiers",
        accounts: "--levels strict=0.5,relaxed=2,public=inf",
        release: "--privacy tier",
    },
    Kind {
        name: "persons",
        accounts: "--persons --levels strict=0.5,relaxed=2,public=inf",
        release: "--privacy tier --person id",
    },
    Kind {
        name: "delta",
        accounts: "--levels strict=0.5,relaxed=2,public=inf --delta 1e-6",
        release: "--privacy tier",
    },
    Kind {
        name: "hidden",
        accounts: "--persons --allow own --neighbors add-remove",
        release: "--epsilon budget --person id --neighbors add-remove --epsilon-range 0.01,0.5",
    },
];

fn run(line: &str) -> Answer {
    let asked = parse(line.split(' ')).unwrap_or_else(|error| panic!("{line}: {error}"));
    answer(asked, JobInputs::default()).unwrap_or_else(|error| panic!("{line}: {error}"))
}

fn json_of(line: &str) -> Value {
    serde_json::from_str(&run(line).json().unwrap()).unwrap()
}

impl Kind {
    /// Returns where the ledger is kept.
    fn kept_path(&self) -> PathBuf {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/kept_ledgers");
        folder.join(self.name).join("ledger")
    }

    /// Returns the command of a release that is charged to a ledger.
    fn mean(&self, folder: &TempDir, ledger: &Path) -> String {
        let data = people(folder);
        let (data, ledger) = (data.display(), ledger.display());
        let release = self.release;
        format!("mean {data} --value x --bounds 0,9 {release} --ledger {ledger} --spend 10%")
    }

    /// Makes a ledger with two releases, one of them an edition, and a reservation.
    fn make(&self, folder: &TempDir, ledger: &Path) {
        let accounts = self.accounts;
        run(&format!("ledger init {} --dataset visits {accounts}", ledger.display()));
        let mean = self.mean(folder, ledger);
        run(&format!("{mean} --edition 2026-01"));
        run(&mean);
        let mut ledger = Ledger::open(ledger).unwrap();
        let charge = Amount::micros(10_000);
        let of_persons = ledger.dataset("visits").unwrap().is_of_persons();
        let charges = match of_persons {
            false => Charges::Tiers(vec![("strict".to_owned(), charge)]),
            true => {
                let holder = match ledger.dataset("visits").unwrap().tiers() {
                    Some(_) => Holder::Tier("strict".to_owned()),
                    None => Holder::Own("0.5".parse().unwrap()),
                };
                let persons = [ledger.person_key().hash(RESERVED)].into_iter().collect();
                Charges::Persons(vec![Part { holder, charge, persons }])
            }
        };
        let request = json!({"suum": "0.2.0", "job": {"statistic": "count"}});
        // Never settled.
        drop(ledger.reserve("visits", &charges, &Columns::default(), &request).unwrap());
    }
}

/// Writes a small table of people.
fn people(folder: &TempDir) -> PathBuf {
    let path = folder.path().join("people.csv");
    let tiers = [("strict", "0.5"), ("relaxed", "2"), ("public", "inf")];
    let row = |at: usize| {
        let (tier, budget) = tiers[at % tiers.len()];
        format!("p{at},{tier},{budget},{}\n", at % 10)
    };
    let rows: String = (0..60).map(row).collect();
    fs::write(&path, format!("id,tier,budget,x\n{rows}")).unwrap();
    path
}

fn copied(from: &Path, to: &Path) {
    for ending in FILES {
        let with_ending = |path: &Path| PathBuf::from(format!("{}{ending}", path.display()));
        fs::copy(with_ending(from), with_ending(to)).unwrap();
    }
}

#[test]
fn kept_ledgers_are_opened_shown_verified_and_charged() {
    for kind in &KINDS {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("ledger");
        copied(&kind.kept_path(), &path);
        let ledger = path.display();
        let moved = json_of(&format!("ledger verify {ledger} --accept-move --format json"));
        assert_eq!(moved["sound"], true, "{}: {moved}", kind.name);
        let shown = run(&format!("ledger show {ledger}")).text();
        insta::assert_snapshot!(format!("kept_ledger_of_{}", kind.name), shown);
        let dossier = json_of(&format!("ledger dossier {ledger} --format json"));
        let (visits, sound) = (&dossier["datasets"][0], &dossier["verification"]["sound"]);
        let states: Vec<&Value> =
            visits["releases"].as_array().unwrap().iter().map(|one| &one["state"]).collect();
        assert_eq!(states, ["settled", "settled", "open"], "{}", kind.name);
        assert_eq!(*sound, true, "{}", kind.name);
        assert!(visits.get("purpose").is_none(), "{}", kind.name);
        assert!(run(&format!("ledger dossier {ledger}")).html().unwrap().contains("<h1>"));
        // The edition is shown again: nobody pays, and nothing is written down.
        let entries =
            || json_of(&format!("ledger verify {ledger} --format json"))["entries"].clone();
        let before = entries();
        let stored = run(&format!("ledger show {ledger} --entry 3")).text();
        let mean = kind.mean(&folder, &path);
        let again = run(&format!("{mean} --edition 2026-01"));
        assert_eq!(again.text().lines().next(), stored.lines().next(), "{}", kind.name);
        assert!(again.html().unwrap().contains("<h1>"), "{}", kind.name);
        assert_eq!(entries(), before, "{}", kind.name);
        // A further release is charged, beside what was spent and reserved.
        let spent = || {
            let ledger = Ledger::open(&path).unwrap();
            let key = ledger.person_key();
            match ledger.spent_by_persons("visits") {
                Ok(spent) => spent.get(key.hash(RESERVED)),
                Err(_) => match ledger.balance("visits").unwrap() {
                    suum::ledger::Balance::Tiers(tiers) => tiers[0].spent.plus(tiers[0].reserved),
                    suum::ledger::Balance::Persons(_) => unreachable!(),
                },
            }
        };
        let gone = spent();
        assert!(gone > Amount::micros(10_000), "{}: {gone}", kind.name);
        run(&mean);
        assert!(spent() > gone, "{}", kind.name);
        let verified = json_of(&format!("ledger verify {ledger} --format json"));
        assert_eq!(verified["sound"], true, "{}: {verified}", kind.name);
        let export = run(&format!("ledger export {ledger}")).text();
        assert_eq!(export.lines().count() as u64, before.as_u64().unwrap() + 2, "{}", kind.name);
    }
}

/// Makes the ledgers that are kept; those that are there stay.
#[test]
#[ignore = "writes files that are kept"]
fn writes_ledgers() {
    for kind in KINDS.iter().filter(|kind| !kind.kept_path().exists()) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("ledger");
        kind.make(&folder, &path);
        let connection = rusqlite::Connection::open(&path).unwrap();
        connection.execute_batch("PRAGMA page_size = 1024; VACUUM;").unwrap();
        drop(connection);
        fs::create_dir_all(kind.kept_path().parent().unwrap()).unwrap();
        copied(&path, &kind.kept_path());
    }
}
