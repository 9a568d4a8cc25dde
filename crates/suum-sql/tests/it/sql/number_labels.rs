//! Labels that spell numbers match as numbers, whatever the column that has them.

use std::sync::Arc;

use rusqlite::Connection;
use suum_core::LevelTable;
use suum_data::arrow_array::{ArrayRef, Float64Array, Int64Array, RecordBatch};
use suum_data::{
    CategoryColumn, CategoryRule, Grouping, PrivacyColumn, Progress, Scan, Value, scan_batches,
    scan_csv, scan_groups_csv,
};
use suum_sql::{Sqlite, scan};

use super::people::people_table;

const TIERS: [&str; 3] = ["1=0.1,2=inf", "1.0=0.1,2.00=inf", "2.0=inf,1=0.1"];
const LABELS: [[&str; 2]; 3] = [["0", "1"], ["0.0", "1.0"], ["0", "1.00"]];

/// Shares of `label` at the tiers in `tier`, both declared as numbers in some way.
fn shares(tiers: &str, labels: [&str; 2]) -> Scan {
    let classes = CategoryRule::labels(labels.map(str::to_owned).to_vec(), None).unwrap();
    let column = CategoryColumn { column: "label".into(), classes, missing: None, across: None };
    let tiers = tiers.parse().unwrap();
    let privacy = PrivacyColumn::Tiers { column: "tier".into(), tiers };
    Scan::new(privacy, Some(Value::Category(column)))
}

/// The counts by tier, by its budget.
fn counts(table: &LevelTable) -> Vec<(String, Vec<i128>)> {
    let rows = table.by_level().iter().map(|row| {
        let sums = row.sums.iter().map(suum_core::ExactSum::expose_raw).collect();
        (row.epsilon.to_string(), sums)
    });
    rows.collect()
}

#[test]
fn numbers_match_as_numbers_at_every_door() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.db");
    let create = |kind: &str, rows: &str| {
        let _ = std::fs::remove_file(&path);
        let statements = format!(
            "CREATE TABLE people (tier {kind}, label {kind}, w {kind}); \
             INSERT INTO people VALUES {rows};"
        );
        Connection::open(&path).unwrap().execute_batch(&statements).unwrap();
        Sqlite::open(&path).unwrap()
    };
    let integers = |numbers: [i64; 4]| Arc::new(Int64Array::from(numbers.to_vec())) as ArrayRef;
    let floats = |numbers: [f64; 4]| Arc::new(Float64Array::from(numbers.to_vec())) as ArrayRef;
    let batches = [
        [("tier", integers([1, 1, 2, 2])), ("label", integers([0, 1, 1, 1]))],
        [("tier", floats([1.0, 1.0, 2.0, 2.0])), ("label", floats([-0.0, 1.0, 1.0, 1.0]))],
    ];
    for tiers in TIERS {
        for labels in LABELS {
            let asked = shares(tiers, labels);
            let expected = counts(
                &scan_csv(
                    "tier,label\n1,0\n1,1\n2,1\n2,1\n".as_bytes(),
                    &asked,
                    &Progress::default(),
                )
                .unwrap(),
            );
            let all: i128 = expected.iter().flat_map(|(_, sums)| sums).sum();
            assert_eq!(all, 4, "{tiers} {labels:?}");
            for csv in [
                "tier,label\n1.0,0.0\n1.00,1.0\n2.0,1\n2,1.000\n",
                "tier,label\n\"1.0\",0\n1.0 ,1.0\n2,1\n2.0,1.0\n",
            ] {
                let found = scan_csv(csv.as_bytes(), &asked, &Progress::default()).unwrap();
                assert_eq!(counts(&found), expected, "{csv} {tiers} {labels:?}");
            }
            for columns in &batches {
                let batch = RecordBatch::try_from_iter(columns.clone()).unwrap();
                let found = scan_batches([Ok(batch)], &asked, &Progress::default()).unwrap();
                assert_eq!(counts(&found), expected, "{tiers} {labels:?}");
            }
            for (kind, rows) in [
                ("INTEGER", "(1, 0, 1), (1, 1, 1), (2, 1, 1), (2, 1, 1)"),
                ("REAL", "(1, 0, 1), (1, 1, 1), (2, 1, 1), (2, 1, 1)"),
            ] {
                let found = scan(&mut create(kind, rows), &people_table(), &asked).unwrap();
                assert_eq!(counts(&found), expected, "{kind} {tiers} {labels:?}");
            }
        }
    }
    // Groups and strata, among them design weights.
    for weights in [["1", "2.5"], ["1.0", "2.50"]] {
        let groups = CategoryRule::labels(weights.map(str::to_owned).to_vec(), None).unwrap();
        let asked = Scan {
            group: Some(Grouping::one("w", groups)),
            ..Scan::new(PrivacyColumn::Budgets { column: "tier".into() }, None)
        };
        for csv in ["tier,w\n1,1\n2,2.5\n1,1\n", "tier,w\n1,1.0\n2,2.50\n1,1.00\n"] {
            let found = scan_groups_csv(csv.as_bytes(), &asked, &Progress::default()).unwrap();
            let records = found.each.iter().map(|(_, table)| table.as_ref().unwrap().records());
            assert_eq!(records.collect::<Vec<_>>(), [2, 1], "{csv} {weights:?}");
        }
    }
    // Codes are no numbers.
    let codes = shares("1=0.1,2=inf", ["01", "1"]);
    let found = scan_csv("tier,label\n1,01\n2,1\n".as_bytes(), &codes, &Progress::default());
    assert_eq!(counts(&found.unwrap()), [("0.1".into(), vec![1, 0]), ("inf".into(), vec![0, 1])]);
}
