//! Decisions over time: a withdrawal, an expiry, a new form, and a look at another time.

use std::fs;
use std::sync::Arc;

use parquet::arrow::ArrowWriter;
use rusqlite::Connection;
use serde_json::{Value, json as of_json};
use suum::Job;
use suum::arrow_array::{ArrayRef, RecordBatch, StringArray};
use tempfile::TempDir;

use super::common::{json, refused, release, stdout};

/// 40 people, of whom p1 withdraws, p2 changes to `strict`, and the consent of p3 expires.
const REGISTER: [(&str, &str, &str, &str, &str); 3] = [
    ("p1", "", "2026-02-01", "", "withdrawn"),
    ("p2", "strict", "2026-02-10", "", ""),
    ("p4", "open", "2026-09-01", "", "active"),
];

const COLUMNS: [&str; 5] = ["id", "tier", "signed", "until", "status"];

fn rows() -> Vec<[String; 5]> {
    let own = |row: [&str; 5]| row.map(str::to_owned);
    let first = (0..40).filter(|id| *id != 4).map(|id| {
        let until = if id == 3 { "2026-03-01" } else { "" };
        [format!("p{id}"), "open".into(), "2026-01-01".into(), until.into(), "active".into()]
    });
    let later =
        REGISTER.map(|(id, tier, from, until, status)| own([id, tier, from, until, status]));
    first.chain(later).collect()
}

struct Files {
    folder: TempDir,
}

impl Files {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let files = Self { folder };
        let people: Vec<[String; 2]> =
            (0..40).map(|id| [format!("p{id}"), (id % 5).to_string()]).collect();
        let lines: String = people.iter().map(|row| row.join(",") + "\n").collect();
        files.write("data.csv", &format!("who,x\n{lines}"));
        let lines: String = rows().iter().map(|row| row.join(",") + "\n").collect();
        files.write("register.csv", &format!("{}\n{lines}", COLUMNS.join(",")));
        files.write_parquet();
        files.write_sqlite(&people);
        files
    }

    fn path(&self, name: &str) -> String {
        self.folder.path().join(name).to_str().unwrap().to_owned()
    }

    fn write(&self, name: &str, text: &str) -> String {
        fs::write(self.path(name), text).unwrap();
        self.path(name)
    }

    fn write_parquet(&self) {
        let rows = rows();
        let columns = COLUMNS.iter().enumerate().map(|(at, name)| {
            let cells =
                rows.iter().map(|row| Some(row[at].as_str()).filter(|cell| !cell.is_empty()));
            (*name, Arc::new(cells.collect::<StringArray>()) as ArrayRef, true)
        });
        let batch = RecordBatch::try_from_iter_with_nullable(columns).unwrap();
        let file = fs::File::create(self.path("register.parquet")).unwrap();
        let mut writer = ArrowWriter::try_new(file, batch.schema(), None).unwrap();
        writer.write(&batch).unwrap();
        writer.close().unwrap();
    }

    fn write_sqlite(&self, people: &[[String; 2]]) {
        let database = Connection::open(self.path("people.sqlite")).unwrap();
        database.execute("CREATE TABLE people (who TEXT, x REAL)", ()).unwrap();
        database
            .execute(
                "CREATE TABLE register (id TEXT, tier TEXT, signed TEXT, until TEXT, status TEXT)",
                (),
            )
            .unwrap();
        for row in people {
            database.execute("INSERT INTO people VALUES (?1, ?2)", row.each_ref()).unwrap();
        }
        for row in rows() {
            let cells =
                row.each_ref().map(|cell| Some(cell.as_str()).filter(|cell| !cell.is_empty()));
            database.execute("INSERT INTO register VALUES (?1, ?2, ?3, ?4, ?5)", cells).unwrap();
        }
    }
}

const MEAN: [&str; 6] = ["--value", "x", "--bounds", "0,4", "--insecure-seed", "3"];
const TIERS: [&str; 4] = ["--privacy", "tier", "--levels", "strict=0.5,open=2"];
const OVER_TIME: [&str; 8] = [
    "--key",
    "who=id",
    "--consent-from",
    "signed",
    "--consent-until",
    "until",
    "--consent-status",
    "status",
];
const UNUSED: [&str; 2] = ["--missing-consent", "0"];

/// A mean of the file with this register, as of March.
fn mean<'a>(data: &'a str, register: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let as_of = ["--as-of", "2026-03-01"];
    let consent = ["--consent", register];
    [&["mean", data][..], &MEAN, &TIERS, &consent, &OVER_TIME, &as_of, &UNUSED, more].concat()
}

#[test]
fn sources_give_the_same_release() {
    let files = Files::new();
    let (data, csv, parquet, database) = (
        files.path("data.csv"),
        files.path("register.csv"),
        files.path("register.parquet"),
        files.path("people.sqlite"),
    );
    let found = release(&mean(&data, &csv, &[]));
    assert_eq!(found["consent"], of_json!({"as_of": "2026-03-01", "not_used": 3}));
    let counts = |level: usize| found["privacy"][level]["count"].as_u64();
    assert_eq!((counts(0), counts(1), counts(2)), (Some(3), Some(1), Some(36)));
    assert_eq!(found["privacy"][0]["level"], "no consent");
    assert_eq!(release(&mean(&data, &parquet, &[])), found);
    let table = ["--table", "people"];
    assert_eq!(release(&mean(&database, "register", &table)), found);
    // A file beside a database, and persons.
    assert_eq!(release(&mean(&database, &csv, &table)), found);
    let persons = ["--person", "who"];
    let of_persons = release(&mean(&data, &csv, &persons));
    assert_eq!(of_persons["consent"], found["consent"]);
    let both = [&table[..], &persons].concat();
    assert_eq!(release(&mean(&database, "register", &both)), of_persons);
}

#[test]
fn texts_and_pages_say_who_is_not_used() {
    let files = Files::new();
    let (data, csv) = (files.path("data.csv"), files.path("register.csv"));
    let page = files.path("page.html");
    let said = stdout(&mean(&data, &csv, &["--report", &page]));
    let sentence = "Decisions count that were in force at 2026-03-01. 3 people in the data are not";
    let words = said.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains(sentence), "{said}");
    assert!(fs::read_to_string(&page).unwrap().contains(sentence));
    let planned = mean(&data, &csv, &[]).into_iter().filter(|word| *word != "mean");
    let planned: Vec<&str> = ["plan"].into_iter().chain(planned).collect();
    let planned: Vec<&str> = without(planned, "--insecure-seed");
    assert_eq!(json(&planned)["consent"]["not_used"], 3);
}

fn without<'a>(mut words: Vec<&'a str>, option: &str) -> Vec<&'a str> {
    let at = words.iter().position(|word| *word == option).unwrap();
    words.drain(at..at + 2);
    words
}

#[test]
fn hidden_participation_hides_the_number() {
    let files = Files::new();
    let (data, csv) = (files.path("data.csv"), files.path("register.csv"));
    for neighbors in ["both", "add-remove"] {
        let asked = mean(&data, &csv, &["--neighbors", neighbors]);
        assert_eq!(release(&asked)["consent"], of_json!({"as_of": "2026-03-01"}));
        let said = stdout(&asked);
        let words = said.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(words.contains("How many people have none is hidden."), "{said}");
        assert!(!said.contains("3 people"), "{said}");
    }
}

#[test]
fn times_choose_decisions() {
    let files = Files::new();
    let (data, csv) = (files.path("data.csv"), files.path("register.csv"));
    let at = |as_of: &str| {
        let asked = mean(&data, &csv, &[]);
        let asked: Vec<&str> =
            asked.into_iter().map(|word| if word == "2026-03-01" { as_of } else { word }).collect();
        let found = json(&asked);
        (
            found["consent"]["as_of"].as_str().unwrap().to_owned(),
            found["consent"]["not_used"].clone(),
        )
    };
    assert_eq!(at("2026-01-31"), ("2026-01-31".into(), Value::from(1)));
    assert_eq!(at("2026-02-28T23:59:59Z"), ("2026-02-28T23:59:59Z".into(), Value::from(2)));
    assert_eq!(at("2026-03-01T01:00+01:00"), ("2026-03-01T00:00:00Z".into(), Value::from(3)));
    assert_eq!(at("2026-09-01"), ("2026-09-01".into(), Value::from(2)));
    // Now is after all of them.
    let now = json(&without(mean(&data, &csv, &[]), "--as-of"));
    assert_eq!(now["consent"]["not_used"], 2);
    assert!(now["consent"]["as_of"].as_str().unwrap().ends_with('Z'));
}

#[test]
fn decisions_of_one_time_are_said_to_differ() {
    let files = Files::new();
    let text = "id,tier,signed\np0,open,2026-01-01\np0,strict,2026-01-01\n";
    let register = files.write("twice.csv", text);
    let data = files.write("one.csv", "who,x\np0,1\n");
    let asked = [
        &["mean", &data][..],
        &MEAN,
        &TIERS,
        &["--consent", &register, "--key", "who=id", "--consent-from", "signed"],
    ]
    .concat();
    let found = json(&asked);
    assert_eq!(found["privacy"][0]["level"], "strict");
    let warnings = found["warnings"].as_array().unwrap();
    let said = "1 person of the register has decisions of the same time that differ. The strictest \
                of them counts.";
    assert!(warnings.iter().any(|warning| warning == said), "{warnings:?}");
    let hidden = [&asked[..], &["--neighbors", "both"]].concat();
    assert!(!json(&hidden).to_string().contains("that differ"));
}

#[test]
fn query_files_and_several_answers_say_it_once() {
    let files = Files::new();
    let text = format!(
        "data = {:?}\nprivacy = \"tier\"\nlevels = \"strict=0.5,open=2\"\nconsent = {:?}\n\
         key = \"who=id\"\nconsent-from = \"signed\"\nconsent_until = \"until\"\n\
         consent_status = \"status\"\nconsent_withdrawn = [\"withdrawn\", \"gone\"]\n\
         as_of = \"2026-03-01\"\nmissing_consent = 0\n[[answers]]\nstatistic = \"mean\"\n\
         value = \"x\"\nbounds = [0, 4]\n[[answers]]\nstatistic = \"count\"\n",
        files.path("data.csv"),
        files.path("register.csv"),
    );
    let found = json(&["run", &files.write("query.toml", &text)]);
    assert_eq!(found["consent"], of_json!({"as_of": "2026-03-01", "not_used": 3}));
    let release = Job::from_toml(&text).unwrap().run().unwrap().json().unwrap();
    let release: Value = serde_json::from_str(&release).unwrap();
    assert_eq!(release["consent"], found["consent"]);
}

#[test]
fn ledgers_charge_nobody_without_a_valid_decision() {
    let files = Files::new();
    let (data, csv) = (files.path("data.csv"), files.path("register.csv"));
    for (name, persons) in [("tiers", &[][..]), ("persons", &["--persons"][..])] {
        let ledger = files.path(name);
        let init = ["ledger", "init", &ledger, "--dataset", "d", "--levels", "strict=0.5,open=2"];
        stdout(&[&init[..], persons].concat());
        let asked: Vec<&str> = [
            &["mean", &data, "--value", "x", "--bounds", "0,4", "--privacy", "tier"][..],
            &["--consent", &csv],
            &OVER_TIME,
            &["--as-of", "2026-03-01", "--ledger", &ledger, "--spend", "10%"],
            &UNUSED,
            if persons.is_empty() { &[][..] } else { &["--person", "who"][..] },
        ]
        .concat();
        let found = json(&asked);
        assert_eq!(found["consent"]["not_used"], 3, "{name}");
        let unused = &found["privacy"][0];
        assert_eq!((&unused["count"], &unused["spent"]), (&Value::from(3), &Value::from(0.0)));
        // The answer that the ledger keeps says it, too.
        let entry = found["ledger"]["entry"].as_u64().unwrap().to_string();
        let kept = json(&["ledger", "show", &ledger, "--entry", &entry]);
        assert_eq!(kept["consent"], found["consent"], "{name}");
        stdout(&["ledger", "verify", &ledger]);
    }
}

#[test]
fn wrong_registers_are_refused_by_place() {
    let files = Files::new();
    let data = files.path("data.csv");
    for (row, said) in [
        ("p1,open,,,", "column signed, row 1: missing date"),
        ("p1,open,2026-13-01,,", "column signed, row 1: not a date or time"),
        ("p1,open,2026-01-01,x,", "column until, row 1: not a date or time"),
        ("p1,open,2026-01-01,,maybe", "column status, row 1: the status is not declared"),
    ] {
        let register = files.write("wrong.csv", &format!("{}\n{row}\n", COLUMNS.join(",")));
        let (code, text) = refused(&mean(&data, &register, &[]));
        assert!(code == 1 && text.contains(&format!("wrong.csv: {said}")), "{text}");
        assert!(text.contains("hint: ") && !text.contains("p1") && !text.contains("maybe"));
    }
    let csv = files.path("register.csv");
    let (_, text) = refused(&mean(&data, &csv, &["--consent-withdrawn", "active"]));
    assert!(
        text.contains("consent-withdrawn: one of its words also stands for --consent-active"),
        "{text}"
    );
    let (_, text) = refused(&["mean", &data, "--as-of", "2026-01-01"]);
    assert!(text.contains("as-of: no column of a register"), "{text}");
    let database = files.path("people.sqlite");
    let (_, text) = refused(&mean(&database, "nowhere", &["--table", "people"]));
    assert!(text.contains("consent: it is neither a file nor a table"), "{text}");
    let query = ["levels-sql", "--dialect", "sqlite", "--table", "people"];
    let consent = ["--consent", "register", "--key", "who=id"];
    let (_, text) = refused(&[&query[..], &MEAN[..4], &TIERS, &consent].concat());
    assert!(text.contains("consent: a level query") && text.contains("LEFT JOIN"), "{text}");
}
