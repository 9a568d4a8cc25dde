//! Numbers that no double holds keep their places in databases, as they do in files.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use rusqlite::Connection;
use suum_core::{Bounds, Grid, Numbers, PersonValue};
use suum_data::arrow_array::{ArrayRef, Float64Array, RecordBatch, StringArray};
use suum_data::{
    CategoryRule, GroupColumn, Grouping, Nulls, PrivacyColumn, Progress, Scan, Value, ValueColumn,
    scan_batches, scan_csv, scan_groups_csv,
};
use suum_sql::{Engine, Postgres, Relation, Sqlite};
use suum_testing::Server;

/// 2^53, beside which there is an integer without a double.
const LARGE: f64 = 9_007_199_254_740_992.0;

/// Rows as CSV, and as they stand in an INSERT.
struct Table {
    csv: &'static str,
    rows: &'static str,
}

/// Integers and decimals that are missing, stand for missing ones, or are far beyond the bounds.
const TABLE: Table = Table {
    csv: "v,t,g,p\n9007199254740993,p,a,1\n9007199254740995,p,b,2\n-99,p,a,1\n,p,b,3\n\
          9007199254740997,p,a,4\n9007199254740998,p,a,4\n9223372036854775807,p,b,2\n",
    rows: "(9007199254740993, 'p', 'a', 1), (9007199254740995, 'p', 'b', 2), (-99, 'p', 'a', 1), \
           (NULL, 'p', 'b', 3), (9007199254740997, 'p', 'a', 4), (9007199254740998, 'p', 'a', 4), \
           (9223372036854775807, 'p', 'b', 2)",
};

fn scan() -> Scan {
    let grid = Grid::new(Bounds::new(LARGE, LARGE + 8.0).unwrap());
    let numbers = Numbers { squares: true, ..Numbers::from(grid) };
    let value = ValueColumn { column: "v".into(), numbers, missing: None };
    let privacy = PrivacyColumn::Tiers { column: "t".into(), tiers: "p=inf".parse().unwrap() };
    Scan::new(privacy, Some(Value::Number(value)))
}

/// Scans that the table can be asked.
fn scans() -> Vec<Scan> {
    let nulls = |texts: &[&str]| Nulls::new(texts.iter().copied()).unwrap();
    let replaced = || {
        let mut scan = scan();
        let Some(Value::Number(column)) = &mut scan.value else { unreachable!() };
        column.missing = Some(LARGE + 2.0);
        scan
    };
    let left_out = || Scan { leaves_out_missing: true, ..scan() };
    vec![
        replaced(),
        Scan { nulls: nulls(&["-99", "9007199254740993"]), ..replaced() },
        Scan { nulls: nulls(&["-99.0", "9007199254740995.00", "NA"]), ..left_out() },
        Scan { filter: Some("v > 0".parse().unwrap()), public: ["v".to_owned()].into(), ..scan() },
        Scan { person: Some("p".into()), ..replaced() },
        Scan { person: Some("p".into()), ..left_out() },
        Scan {
            filter: Some("g = 'a'".parse().unwrap()),
            public: ["g".to_owned()].into(),
            ..scan()
        },
    ]
}

fn grouped(scan: Scan) -> Scan {
    let groups = CategoryRule::labels(vec!["a".into(), "b".into()], None).unwrap();
    let column = GroupColumn { column: "g".into(), groups };
    Scan { group: Some(Grouping::from(column)), ..scan }
}

fn people() -> Relation {
    Relation::Table(vec!["people".into()])
}

fn sqlite(folder: &Path, statements: &str) -> Sqlite {
    let path = folder.join(format!("{}.sqlite", fs::read_dir(folder).unwrap().count()));
    Connection::open(&path).unwrap().execute_batch(statements).unwrap();
    Sqlite::open(path).unwrap()
}

fn statements(kind: &str, rows: &str) -> String {
    format!(
        "CREATE TABLE people (v {kind}, t text, g text, p integer); INSERT INTO people VALUES \
         {rows}"
    )
}

/// Engines with the rows of the table.
fn engines(folder: &Path, server: Option<&Server>) -> Vec<(String, Box<dyn Engine>)> {
    let mut engines: Vec<(String, Box<dyn Engine>)> = Vec::new();
    for kind in ["INTEGER", "", "DECIMAL(20)"] {
        let engine = sqlite(folder, &statements(kind, TABLE.rows));
        engines.push((format!("SQLite {kind}"), Box::new(engine)));
    }
    for (schema, kind) in
        [("a", "bigint"), ("b", "numeric"), ("c", "numeric(30, 4)"), ("d", "whole")]
    {
        let Some(server) = server else { continue };
        server.run(&format!(
            "SET client_min_messages = error; DROP SCHEMA IF EXISTS {schema} CASCADE; \
             CREATE SCHEMA {schema}; SET search_path = {schema}; CREATE DOMAIN whole AS bigint; {}",
            statements(kind, TABLE.rows)
        ));
        let url = format!("{}?options=-csearch_path%3D{schema}", server.url());
        engines.push((kind.to_owned(), Box::new(Postgres::connect(&url).unwrap())));
    }
    engines
}

#[test]
fn databases_give_the_level_tables_of_csv() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::is_there().then(Server::start);
    for (kind, mut engine) in engines(folder.path(), server.as_ref()) {
        for scan in scans() {
            let expected = scan_csv(TABLE.csv.as_bytes(), &scan, &Progress::default());
            let found = suum_sql::scan(engine.as_mut(), &people(), &scan);
            let asked = (&scan.nulls, &scan.filter, &scan.person);
            match (found, expected) {
                (Ok(found), Ok(expected)) => assert_eq!(found, expected, "{kind} {asked:?}"),
                (found, expected) => panic!("{kind} {asked:?}: {found:?} for {expected:?}"),
            }
            if scan.person.is_some() {
                continue;
            }
            let scan = grouped(scan);
            let expected = scan_groups_csv(TABLE.csv.as_bytes(), &scan, &Progress::default());
            let found = suum_sql::scan_groups(engine.as_mut(), &people(), &scan).unwrap();
            assert_eq!(found, expected.unwrap(), "{kind}");
        }
        let refused = suum_sql::scan(engine.as_mut(), &people(), &scan()).unwrap_err();
        assert_eq!(refused.to_string(), "column v: missing value", "{kind}");
    }
}

/// A double is what it is, as in a batch.
#[test]
fn doubles_of_databases_are_those_of_batches() {
    let doubles = [LARGE + 2.0, LARGE + 4.0, 0.1, 1e23, f64::INFINITY, -1.5e300];
    let columns: [(&str, ArrayRef, bool); 2] = [
        ("v", Arc::new(Float64Array::from(doubles.to_vec())), true),
        ("t", Arc::new(StringArray::from(vec!["p"; doubles.len()])), true),
    ];
    let batch = RecordBatch::try_from_iter_with_nullable(columns).unwrap();
    let expected = scan_batches([Ok(batch)], &scan(), &Progress::default()).unwrap();
    let rows = |infinity: &str| {
        let cells = doubles.map(|double| match double.is_infinite() {
            true => format!("({infinity}, 'p', 'a', 1)"),
            false => format!("({double:e}, 'p', 'a', 1)"),
        });
        cells.join(", ")
    };
    let folder = tempfile::tempdir().unwrap();
    let mut engine = sqlite(folder.path(), &statements("REAL", &rows("9e999")));
    assert_eq!(suum_sql::scan(&mut engine, &people(), &scan()).unwrap(), expected);
    if !Server::is_there() {
        return;
    }
    let server = Server::start();
    server.run(&statements("double precision", &rows("'inf'")));
    let mut engine = Postgres::connect(&server.url()).unwrap();
    assert_eq!(suum_sql::scan(&mut engine, &people(), &scan()).unwrap(), expected);
}

#[test]
fn refuses_what_is_no_number_and_totals() {
    let folder = tempfile::tempdir().unwrap();
    for (cell, said) in [
        ("'9007199254740993'", "column v: not a number"),
        ("'x'", "column v: not a number"),
        ("x'39'", "column v: not a number"),
        ("NULL", "column v: missing value"),
    ] {
        let mut engine = sqlite(folder.path(), &statements("", &format!("({cell}, 'p', 'a', 1)")));
        let refused = suum_sql::scan(&mut engine, &people(), &scan()).unwrap_err();
        assert_eq!(refused.to_string(), said, "{cell}");
    }
    let mut engine = sqlite(folder.path(), &statements("INTEGER", TABLE.rows));
    let totals =
        Scan { person: Some("p".into()), person_value: PersonValue::Total, ..scans().remove(0) };
    let refused = suum_sql::scan(&mut engine, &people(), &totals).unwrap_err();
    let of_csv = scan_csv(TABLE.csv.as_bytes(), &totals, &Progress::default()).unwrap_err();
    assert_eq!((refused.to_string(), refused.fix()), (of_csv.to_string(), of_csv.fix()));
    assert!(refused.to_string().starts_with("bounds: "), "{refused}");
}
