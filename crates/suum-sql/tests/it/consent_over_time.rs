//! Registers in tables: dates, times, words and budgets are read as in files.

use std::fs;
use std::sync::Arc;

use rusqlite::Connection;
use suum_core::{LevelTable, TimeScale};
use suum_data::{DecisionColumns, PrivacyColumn, Progress, Scan, Source, scan_csv};
use suum_sql::{Engine, Postgres, Relation, Sqlite};
use suum_testing::Server;

/// Decisions: key, tier, budget, from, until, status.
const ROWS: [[&str; 6]; 7] = [
    ["1", "open", "0.30000000000000004", "2026-01-01T00:00:00Z", "", "active"],
    ["1", "strict", "1e-7", "2026-02-01T07:30:00.250Z", "", ""],
    ["2", "open", "2", "2026-01-01T00:00:00Z", "2026-03-01", "active"],
    ["3", "open", "inf", "2026-01-01T00:00:00Z", "2026-03-02", "active"],
    ["4", "open", "2", "2026-01-01T00:00:00Z", "", "active"],
    ["4", "", "", "2026-02-01T00:00:00Z", "", "revoked"],
    ["5", "strict", "2", "2026-04-01T00:00:00Z", "", "active"],
];

const HEADER: [&str; 6] = ["id", "tier", "epsilon", "signed", "until", "status"];

fn choices(kind: &str, as_of: &str) -> Scan {
    let (privacy, unused) = match kind {
        "tiers" => (
            PrivacyColumn::Tiers {
                column: "tier".into(),
                tiers: "strict=0.1,open=1,unused=0".parse().unwrap(),
            },
            "unused",
        ),
        _ => (PrivacyColumn::Budgets { column: "epsilon".into() }, "0"),
    };
    let as_of = TimeScale::Seconds.number(as_of.as_bytes()).unwrap();
    let column = |name: &str| Some(name.to_owned());
    Scan {
        person: column("id"),
        missing_choice: column(unused),
        decisions: Some(DecisionColumns {
            from: column("signed"),
            until: column("until"),
            status: column("status"),
            ..DecisionColumns::at(as_of, unused)
        }),
        ..Scan::new(privacy, None)
    }
}

/// The scan of data whose choices are in a register, and how many are not used once it is made.
fn people(choices: &Scan, consent: suum_data::Consent) -> Scan {
    Scan {
        person: None,
        decisions: None,
        consent: Some(Arc::new(consent.watched())),
        ..choices.clone()
    }
}

fn scan_files(choices: &Scan) -> (LevelTable, u64) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("register.csv");
    let rows: String = ROWS.iter().map(|row| row.join(",") + "\n").collect();
    fs::write(&path, format!("{}\n{rows}", HEADER.join(","))).unwrap();
    let source = Source::parse(path.to_str().unwrap()).unwrap();
    let progress = Progress::default();
    let consent = suum_data::read_consent(&source, choices, "who", &progress).unwrap();
    let scan = people(choices, consent);
    let table = scan_csv("who\n1\n2\n3\n4\n5\n6\n".as_bytes(), &scan, &progress).unwrap();
    (table, scan.consent.unwrap().not_used())
}

fn scan_engine(engine: &mut dyn Engine, choices: &Scan) -> (LevelTable, u64) {
    let [register, data] = ["register", "people"].map(|name| Relation::Table(vec![name.into()]));
    let progress = Progress::default();
    let consent = suum_sql::read_consent(engine, &register, choices, "who", &progress).unwrap();
    let scan = people(choices, consent);
    let table = suum_sql::scan(engine, &data, &scan).unwrap();
    (table, scan.consent.unwrap().not_used())
}

/// Makes both tables with columns of these types: of keys, budgets, times and dates.
fn statements([key, budget, time, date]: [&str; 4], infinity: &str) -> String {
    let cell = |text: &str| match text {
        "" => "NULL".to_owned(),
        "inf" => infinity.to_owned(),
        text => format!("'{text}'"),
    };
    let rows = ROWS.map(|row| format!("({})", row.map(cell).join(", "))).join(", ");
    format!(
        "CREATE TABLE people (who {key}); INSERT INTO people VALUES (1), (2), (3), (4), (5), (6); \
         CREATE TABLE register (id {key}, tier TEXT, epsilon {budget}, signed {time}, \
         until {date}, status TEXT); INSERT INTO register VALUES {rows};"
    )
}

#[test]
fn tables_give_the_decisions_of_files() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("people.sqlite");
    let types = ["INTEGER", "REAL", "TEXT", "TEXT"];
    Connection::open(&path).unwrap().execute_batch(&statements(types, "9e999")).unwrap();
    let mut engines: Vec<Box<dyn Engine>> = vec![Box::new(Sqlite::open(&path).unwrap())];
    let server = Server::is_there().then(Server::start);
    if let Some(server) = &server {
        let types = ["integer", "double precision", "timestamptz", "date"];
        server.run(&statements(types, "'Infinity'"));
        engines.push(Box::new(Postgres::connect_with(&server.url(), |_| None).unwrap()));
    }
    let times = ["2026-01-15", "2026-02-01T07:30:00.2Z", "2026-02-01T07:30:00.25Z"];
    for as_of in times.into_iter().chain(["2026-03-01", "2026-05-01"]) {
        for kind in ["tiers", "budgets"] {
            let choices = choices(kind, as_of);
            let expected = scan_files(&choices);
            for engine in &mut engines {
                let found = scan_engine(engine.as_mut(), &choices);
                assert_eq!(found, expected, "{} {kind} {as_of}", engine.dialect());
            }
        }
    }
}

#[test]
fn wrong_cells_of_a_table_are_refused_by_column() {
    let folder = tempfile::tempdir().unwrap();
    let types = ["INTEGER", "REAL", "TEXT", "TEXT"];
    let register = Relation::Table(vec!["register".into()]);
    let (choices, progress) = (choices("tiers", "2026-03-01"), Progress::default());
    for (at, (change, said)) in [
        ("signed = NULL", "column signed"),
        ("signed = 20260101", "column signed"),
        ("status = 'SECRET'", "column status"),
        ("status = x'00'", "a cell of a decision"),
    ]
    .into_iter()
    .enumerate()
    {
        let path = folder.path().join(format!("{at}.sqlite"));
        let changed = format!("{} UPDATE register SET {change}", statements(types, "9e999"));
        Connection::open(&path).unwrap().execute_batch(&changed).unwrap();
        let mut engine = Sqlite::open(&path).unwrap();
        let read = suum_sql::read_consent(&mut engine, &register, &choices, "who", &progress);
        let text = read.unwrap_err().to_string();
        assert!(text.contains(said) && !text.contains("SECRET"), "{change}: {text}");
    }
}
