//! Design weights of databases are numbers, whatever their type.

use std::path::{Path, PathBuf};

use rusqlite::Connection;
use suum_core::{Bounds, Grid};
use suum_data::{
    CategoryRule, Groups, PrivacyColumn, Progress, Scan, Value, ValueColumn, scan_csv,
    scan_groups_csv,
};
use suum_data::{GroupColumn, Grouping};
use suum_sql::{Engine, Postgres, Relation, Sqlite};
use suum_testing::Server;

const CSV: &str = "v,t,w\n1,p,2.50\n2,p,1\n3,p,1234567890.125\n4,p,1.0\n5,p,0.1\n";

fn scan() -> Scan {
    let grid = Grid::new(Bounds::new(0.0, 8.0).unwrap());
    let value = ValueColumn { column: "v".into(), numbers: grid.into(), missing: None };
    let privacy = PrivacyColumn::Tiers { column: "t".into(), tiers: "p=1".parse().unwrap() };
    Scan::new(privacy, Some(Value::Number(value)))
}

/// The scan of the weights that another one has found.
fn scan_of_weights(found: Vec<f64>) -> Scan {
    let groups = CategoryRule::weights(found.iter().map(f64::to_string).collect()).unwrap();
    let column = GroupColumn { column: "w".into(), groups };
    Scan { group: Some(Grouping::from(column).ending_in_strata()), ..scan() }
}

fn weights() -> Scan {
    let privacy = PrivacyColumn::Budgets { column: "w".into() };
    Scan { reads_weights: true, ..Scan::new(privacy, None) }
}

fn scan_engine(engine: &mut dyn Engine, table: &str) -> Groups {
    let relation = Relation::Table(vec![table.into()]);
    let found = suum_sql::scan(engine, &relation, &weights()).unwrap();
    let found: Vec<f64> = found.by_level().iter().map(|level| level.epsilon.get()).collect();
    assert_eq!(found, [0.1, 1.0, 2.5, 1_234_567_890.125]);
    suum_sql::scan_groups(engine, &relation, &scan_of_weights(found)).unwrap()
}

fn statements(kind: &str) -> String {
    let rows = CSV.lines().skip(1).map(|line| format!("({})", line.replace(",p,", ",'p',")));
    let rows = rows.collect::<Vec<_>>().join(", ");
    format!("CREATE TABLE people (v INTEGER, t TEXT, w {kind}); INSERT INTO people VALUES {rows}")
}

#[test]
fn databases_match_weights_as_numbers() {
    let scan = scan_of_weights(vec![0.1, 1.0, 2.5, 1_234_567_890.125]);
    let expected = scan_groups_csv(CSV.as_bytes(), &scan, &Progress::default()).unwrap();
    let folder = tempfile::tempdir().unwrap();
    for kind in ["REAL", "NUMERIC", ""] {
        let path = folder.path().join(format!("{kind}.sqlite"));
        Connection::open(&path).unwrap().execute_batch(&statements(kind)).unwrap();
        assert_eq!(scan_engine(&mut Sqlite::open(&path).unwrap(), "people"), expected, "{kind}");
    }
    if !Server::is_there() {
        return;
    }
    let server = Server::start();
    for kind in ["numeric", "numeric(30, 12)", "double precision"] {
        server.run(&format!("DROP TABLE IF EXISTS people; {}", statements(kind)));
        let mut engine = Postgres::connect(&server.url()).unwrap();
        assert_eq!(scan_engine(&mut engine, "people"), expected, "{kind}");
    }
}

#[test]
fn refusals_of_databases_speak_of_weights_and_strata() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("people.sqlite");
    let file = Connection::open(&path).unwrap();
    file.execute_batch("CREATE TABLE people (v, t, w); INSERT INTO people VALUES (1, 'p', 1)")
        .unwrap();
    let relation = Relation::Table(vec!["people".into()]);
    let strata = || {
        let groups = CategoryRule::labels(vec!["1".into(), "2".into()], None).unwrap();
        let column = GroupColumn { column: "w".into(), groups };
        Scan { group: Some(Grouping::from(column).ending_in_strata()), ..scan() }
    };
    for (cell, scans) in [
        ("NULL", ["missing design weight", "missing design weight", "missing stratum"]),
        ("'x'", ["not a design weight", "not a declared design weight", "not a declared stratum"]),
        ("-3", ["not a design weight", "not a declared design weight", "not a declared stratum"]),
    ] {
        file.execute_batch(&format!("UPDATE people SET w = {cell}")).unwrap();
        let mut engine = Sqlite::open(&path).unwrap();
        let found = [
            suum_sql::scan(&mut engine, &relation, &weights()).unwrap_err(),
            suum_sql::scan_groups(&mut engine, &relation, &scan_of_weights(vec![1.0, 2.0]))
                .unwrap_err(),
            suum_sql::scan_groups(&mut engine, &relation, &strata()).unwrap_err(),
        ];
        for (refused, said) in found.iter().zip(scans) {
            assert_eq!(refused.to_string(), format!("column w: {said}"), "{cell}");
            assert!(
                refused.fix().map(ToString::to_string).is_some_and(|hint| !hint.contains("group")),
                "{refused:?}"
            );
        }
    }
}

/// A file of SQLite in which each number up to the last is a weight, and the same as CSV.
fn numbered(folder: &Path, last: u32) -> (PathBuf, String) {
    let path = folder.join(format!("{last}.sqlite"));
    let file = Connection::open(&path).unwrap();
    let rows = format!(
        "WITH RECURSIVE each (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM each WHERE n < {last}) \
         SELECT n % 7 AS v, 'p' AS t, n AS w FROM each"
    );
    file.execute_batch(&format!("CREATE TABLE people AS {rows}")).unwrap();
    let rows: String = (1..=last).map(|weight| format!("{},p,{weight}\n", weight % 7)).collect();
    (path, format!("v,t,w\n{rows}"))
}

#[test]
fn many_weights_are_told_apart() {
    let folder = tempfile::tempdir().unwrap();
    let (path, csv) = numbered(folder.path(), 300);
    let relation = Relation::Table(vec!["people".into()]);
    // In whatever order they are declared; the others are refused.
    let of_csv =
        |scan: &Scan| scan_groups_csv(csv.as_bytes(), scan, &Progress::default()).map_err(drop);
    for found in [(1..=300).rev().collect::<Vec<_>>(), (2..=300).collect(), (1..=299).collect()] {
        let scan = scan_of_weights(found.into_iter().map(f64::from).collect());
        let found = suum_sql::scan_groups(&mut Sqlite::open(&path).unwrap(), &relation, &scan);
        assert_eq!(found.map_err(drop), of_csv(&scan));
    }
}

/// Weights are not rounded to fewer where there are more than there can be strata, as in a file.
#[test]
fn refuses_more_weights_than_there_can_be_strata() {
    let folder = tempfile::tempdir().unwrap();
    let relation = Relation::Table(vec!["people".into()]);
    let found = |path: &Path, csv: &str| {
        let of_csv = scan_csv(csv.as_bytes(), &weights(), &Progress::default());
        (suum_sql::scan(&mut Sqlite::open(path).unwrap(), &relation, &weights()), of_csv)
    };
    let (path, csv) = numbered(folder.path(), 65_536);
    let (table, of_csv) = found(&path, &csv);
    assert_eq!(table.unwrap(), of_csv.unwrap());
    let (path, csv) = numbered(folder.path(), 65_537);
    let (refused, of_csv) = found(&path, &csv);
    let (refused, of_csv) = (refused.unwrap_err(), of_csv.unwrap_err());
    assert!(refused.to_string().contains("65536 different design weights"), "{refused}");
    assert_eq!((refused.to_string(), refused.fix()), (of_csv.to_string(), of_csv.fix()));
    // What is wrong with a row is said before.
    let file = Connection::open(&path).unwrap();
    file.execute_batch("UPDATE people SET w = 'x' WHERE w = 7").unwrap();
    let refused = found(&path, &csv).0.unwrap_err();
    assert_eq!(refused.to_string(), "column w: not a design weight");
}
