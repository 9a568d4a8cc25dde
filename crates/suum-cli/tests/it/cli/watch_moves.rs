//! Ledgers of tiers that watch who moves, from the command line.

use std::fs;

use rusqlite::Connection;
use serde_json::Value;

use super::common::{LedgerFolder, json, refused, stdout};

const INIT: [&str; 3] = ["--levels", "strict=0.5,relaxed=2,public=inf", "--watch-moves"];
const TIERS: [&str; 3] = ["strict", "relaxed", "public"];

/// A ledger that watches, with the data of people.
struct Watched(LedgerFolder);

impl Watched {
    fn new() -> Self {
        Self(LedgerFolder::new("visits", &INIT))
    }

    /// Writes 60 people with two rows each; `tier` says in which tier each is.
    fn people(&self, name: &str, tier: impl Fn(usize) -> usize) -> String {
        let row = |row: usize| {
            let id = row / 2;
            format!("p{id},{},{},{}\n", row % 5, ["a", "b"][id % 2], TIERS[tier(id)])
        };
        let rows: String = (0..120).map(row).collect();
        let path = self.0.path(name).to_str().unwrap().to_owned();
        fs::write(&path, format!("id,x,site,tier\n{rows}")).unwrap();
        path
    }

    fn mean<'a>(&self, data: &'a str, more: &[&'a str]) -> Vec<String> {
        let mean = ["mean", data, "--value", "x", "--bounds", "0,4", "--privacy", "tier"];
        let ledger = self.0.ledger();
        let charged = ["--person", "id", "--spend", "1%", "--ledger", &ledger];
        [&mean[..], &charged, more].concat().into_iter().map(str::to_owned).collect()
    }

    fn release(&self, data: &str, more: &[&str]) -> Value {
        json(&self.mean(data, more).iter().map(String::as_str).collect::<Vec<_>>())
    }

    fn refused(&self, data: &str, more: &[&str]) -> String {
        let words = self.mean(data, more);
        refused(&words.iter().map(String::as_str).collect::<Vec<_>>()).1
    }

    fn entries(&self) -> u64 {
        json(&["ledger", "verify", &self.0.ledger()])["entries"].as_u64().unwrap()
    }
}

#[test]
fn release_is_refused_if_people_moved_unless_told() {
    let watched = Watched::new();
    let before = watched.people("before.csv", |id| id % 3);
    let after = watched.people("after.csv", |id| if id < 7 { 1 } else { id % 3 });
    watched.release(&before, &[]);
    watched.release(&before, &["--where", "site = 'a'", "--public-columns", "site"]);
    let entries = watched.entries();
    let message = watched.refused(&after, &[]);
    assert!(message.contains("5 people are in another tier"), "{message}");
    assert!(message.contains("--allow-moves") && !message.contains("p1"), "{message}");
    assert_eq!(watched.entries(), entries, "nothing was reserved");
    let found = watched.release(&after, &["--allow-moves"]);
    assert_eq!(found["ledger"]["people"], 60);
    watched.release(&after, &[]);
    let shown = json(&["ledger", "show", &watched.0.ledger()])[0].take();
    assert_eq!((&shown["watch_moves"], &shown["releases"][2]["moved"]), (&true.into(), &5.into()));
    assert!(shown["releases"][3].get("moved").is_none());
    let dossier = json(&["ledger", "dossier", &watched.0.ledger()]);
    let dataset = &dossier["datasets"][0];
    assert_eq!(
        (&dataset["watch_moves"], &dataset["releases"][2]["moved"]),
        (&true.into(), &5.into())
    );
    let text = stdout(&["ledger", "dossier", &watched.0.ledger()]);
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(text.contains("It refuses a result if people have moved"), "{text}");
    assert!(text.contains("5 people had chosen differently"), "{text}");
    assert!(stdout(&["ledger", "show", &watched.0.ledger()]).contains("move to another tier"));
}

#[test]
fn watched_release_is_that_of_a_ledger_which_does_not_watch() {
    let watched = Watched::new();
    let plain = Watched(LedgerFolder::new("visits", &INIT[..2]));
    let data = watched.people("people.csv", |id| id % 3);
    for more in [
        &[][..],
        &["--group-by", "site", "--groups", "a,b"],
        &["--group-by", "site", "--groups", "a,b", "--suppress-below", "3"],
        &["--per-person", "max"],
        &["--check-bounds"],
    ] {
        let facts = |of: &Watched| {
            let mut found = of.release(&data, more);
            let privacy = found["privacy"].take();
            let ledger = found["ledger"].take();
            (privacy, ledger["tiers"].clone(), ledger["people"].clone())
        };
        assert_eq!(facts(&watched), facts(&plain), "{more:?}");
    }
}

#[test]
fn people_in_a_database_and_of_a_register_are_watched_too() {
    let watched = Watched::new();
    let before = watched.people("before.csv", |id| id % 3);
    watched.release(&before, &[]);
    let path = watched.0.path("people.sqlite").to_str().unwrap().to_owned();
    let database = Connection::open(&path).unwrap();
    database.execute("CREATE TABLE people (id TEXT, x REAL, tier TEXT)", ()).unwrap();
    let mut register = "id,tier\n".to_owned();
    for id in 0..60 {
        let tier = TIERS[if id < 7 { 1 } else { id % 3 }];
        let row = (format!("p{id}"), id % 5, tier);
        database.execute("INSERT INTO people VALUES (?, ?, ?)", row).unwrap();
        register += &format!("p{id},{tier}\n");
    }
    let message = watched.refused(&path, &["--table", "people"]);
    assert!(message.contains("5 people are in another tier"), "{message}");
    let file = watched.0.path("register.csv").to_str().unwrap().to_owned();
    fs::write(&file, register).unwrap();
    let apart = watched.0.path("apart.csv").to_str().unwrap().to_owned();
    let rows: String = (0..60).map(|id| format!("p{id},{}\n", id % 5)).collect();
    fs::write(&apart, format!("id,x\n{rows}")).unwrap();
    let message = watched.refused(&apart, &["--consent", &file, "--key", "id"]);
    assert!(message.contains("5 people are in another tier"), "{message}");
}

#[test]
fn whoever_cannot_say_who_is_in_which_tier_is_refused() {
    let watched = Watched::new();
    let data = watched.people("people.csv", |id| id % 3);
    let ledger = watched.0.ledger();
    let mean = ["mean", &data, "--value", "x", "--bounds", "0,4", "--privacy", "tier"];
    let charged = ["--ledger", &ledger, "--spend", "1%"];
    let (_, message) = refused(&[&mean[..], &charged].concat());
    assert!(message.starts_with("error: person: the ledger watches"), "{message}");
    let levels = ["--levels", "strict=0.5,relaxed=2,public=inf"];
    let table = stdout(&[&["levels"], &mean[1..], &levels, &["--person", "id"]].concat());
    let file = watched.0.path("levels.json").to_str().unwrap().to_owned();
    fs::write(&file, table).unwrap();
    let of_levels = ["mean", "--from-levels", &file, "--value", "x", "--bounds", "0,4"];
    let (_, message) = refused(&[&of_levels[..], &charged].concat());
    assert!(message.contains("which persons it is of"), "{message}");
    assert_eq!(watched.entries(), 2);
    let plain = LedgerFolder::new("visits", &INIT[..2]);
    let charged = ["--ledger", &plain.ledger(), "--spend", "1%", "--allow-moves"];
    let (_, message) = refused(&[&mean[..], &charged].concat());
    assert!(message.starts_with("error: allow-moves: nobody watches"), "{message}");
    let path = plain.path("other").to_str().unwrap().to_owned();
    for more in [&["--persons"][..], &["--neighbors", "both"]] {
        let init = ["ledger", "init", &path, "--dataset", "d"];
        let (_, message) = refused(&[&init[..], &INIT, more].concat());
        assert!(message.starts_with("error: watch-moves: "), "{message}");
    }
    assert!(!plain.path("other").exists());
}

#[test]
fn several_answers_name_everybody_once() {
    let watched = Watched::new();
    let data = watched.people("people.csv", |id| id % 3);
    let ledger = watched.0.ledger();
    let text = format!(
        "data = {data:?}\nprivacy = \"tier\"\nperson = \"id\"\nledger = {ledger:?}\n\
         spend = \"1%\"\n[[answers]]\nstatistic = \"mean\"\nvalue = \"x\"\nbounds = [0, 4]\n\
         [[answers]]\nstatistic = \"median\"\nvalue = \"x\"\nbounds = [0, 4]\n"
    );
    let file = watched.0.path("query.toml").to_str().unwrap().to_owned();
    fs::write(&file, text).unwrap();
    json(&["run", &file]);
    let after = watched.people("people.csv", |id| if id < 7 { 1 } else { id % 3 });
    assert_eq!(after, data);
    let (_, message) = refused(&["run", &file]);
    assert!(message.contains("5 people are in another tier"), "{message}");
    assert!(message.contains("allow_moves"), "{message}");
}
