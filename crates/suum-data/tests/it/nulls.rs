//! Texts that stand for an empty cell are read as one, in every column and every form.

use std::sync::Arc;

use arrow_array::types::Int8Type;
use arrow_array::{ArrayRef, DictionaryArray, Float64Array, Int64Array, RecordBatch, StringArray};
use proptest::prelude::*;
use suum_core::{LevelTable, Result};
use suum_data::{GroupColumn, Nulls, Progress, Scan, scan_batches, scan_csv};
use suum_testing::Extent;

use crate::common::{bins, budgets, labels, like, tiers, value, value_or};

/// Texts for empty cells in these tests.
fn nulls() -> Nulls {
    Nulls::new(["NA", " - ", "-99", "1e3"]).unwrap()
}

fn csv(text: &str, scan: &Scan) -> Result<LevelTable> {
    scan_csv(text.as_bytes(), scan, &Progress::default())
}

/// Scans in which a missing value, tier or budget is something.
fn scans() -> Vec<Scan> {
    let mut scans = Vec::new();
    for (privacy, choice) in [(tiers("tier", "strict=0.1,open=1"), "open"), (budgets("e"), "0")] {
        for (value, left_out) in [
            (value_or("x", 3.0), false),
            (value("x"), true),
            (labels("label", "good,fair", Some("else"), Some("fair")), false),
            (labels("label", "good,fair", Some("else"), None), true),
            (bins("x", "0,3,8", Some("else"), Some("else")), false),
        ] {
            scans.push(Scan {
                nulls: nulls(),
                missing_choice: Some(choice.into()),
                leaves_out_missing: left_out,
                ..Scan::new(privacy.clone(), value)
            });
        }
    }
    scans
}

/// A cell that is empty, one that stands for it, or another one.
fn cell(others: &'static [&'static str]) -> impl Strategy<Value = &'static str> {
    prop_oneof![
        Just(""),
        prop::sample::select(vec!["NA", " NA ", "-"]),
        prop::sample::select(others),
    ]
}

/// A cell of numbers.
fn number(others: &'static [&'static str]) -> impl Strategy<Value = &'static str> {
    prop_oneof![2 => cell(others), 1 => prop::sample::select(vec!["-99", "-99.0", "1000", "1e3"])]
}

type Row = (&'static str, &'static str, &'static str, &'static str);

fn row() -> impl Strategy<Value = Row> {
    (
        cell(&["strict", "open"]),
        number(&["0.1", "1", "inf"]),
        number(&["1", "7.5", "99"]),
        cell(&["good", "NAN", "none"]),
    )
}

/// The rows as text, with cells as they are or as they are meant.
fn text(rows: &[Row], quoted: bool, as_meant: bool) -> String {
    let written = |cell: &str, numbers: bool| {
        let cell = cell.trim();
        let is_number = ["-99", "-99.0", "1000", "1e3"].contains(&cell);
        let is_null = ["NA", "-"].contains(&cell) || (numbers && is_number);
        match (as_meant && is_null, quoted) {
            (true, _) => String::new(),
            (false, true) => format!("\"{cell}\""),
            (false, false) => format!(" {cell} "),
        }
    };
    let rows = rows.iter().map(|(tier, budget, x, label)| {
        let cells = [(tier, false), (budget, true), (x, true), (label, false)];
        cells.map(|(cell, numbers)| written(cell, numbers)).join(",") + "\n"
    });
    format!("tier,e,x,label\n{}", rows.collect::<String>())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(Extent::get().cases(64)))]

    #[test]
    fn they_are_empty_cells(rows in prop::collection::vec(row(), 1..40), quoted: bool) {
        for scan in scans() {
            let without = Scan { nulls: Nulls::default(), ..like(&scan) };
            let expected = csv(&text(&rows, false, true), &without);
            prop_assert_eq!(csv(&text(&rows, quoted, false), &scan), expected);
        }
    }
}

#[test]
fn in_arrow_as_well() {
    let texts = |cells: [&'static str; 4], dictionary: bool| -> ArrayRef {
        match dictionary {
            true => Arc::new(cells.into_iter().collect::<DictionaryArray<Int8Type>>()),
            false => Arc::new(StringArray::from(cells.to_vec())),
        }
    };
    let meant = "tier,e,x,label\nopen,1,2,good\n,,,\nstrict,0.1,7,none\n,,,\n";
    for scan in scans() {
        let expected = csv(meant, &Scan { nulls: Nulls::default(), ..like(&scan) }).unwrap();
        for (dictionary, integers, words) in
            [(false, false, false), (true, true, true), (false, true, true)]
        {
            let x: ArrayRef = match integers {
                true => Arc::new(Int64Array::from(vec![2, -99, 7, 1000])),
                false => Arc::new(Float64Array::from(vec![2.0, -99.0, 7.0, 1000.0])),
            };
            let e: ArrayRef = match words {
                true => texts(["1", "NA", "0.1", "-"], dictionary),
                false => Arc::new(Float64Array::from(vec![1.0, -99.0, 0.1, 1000.0])),
            };
            let columns = [
                ("tier", texts(["open", "NA", "strict", " - "], dictionary)),
                ("e", e),
                ("x", x),
                ("label", texts(["good", " NA", "none", "-99"], dictionary)),
            ];
            let batch = RecordBatch::try_from_iter(columns).unwrap();
            let found = scan_batches([Ok(batch)], &scan, &Progress::default()).unwrap();
            assert_eq!(found, expected, "{scan:?}");
        }
    }
}

#[test]
fn what_must_be_there_is_refused() {
    let scan = |more: Scan| Scan { nulls: nulls(), ..more };
    let open = || Scan::new(tiers("tier", "strict=0.1,open=1"), value("x"));
    let groups =
        suum_data::CategoryRule::labels(vec!["north".into(), "south".into()], None).unwrap();
    let group = GroupColumn { column: "site".into(), groups };
    let text = "tier,x,site,id\nopen,1,north,7\nopen,1,NA,-\n";
    let refused = csv("tier,x\nopen,1\nNA,2\n", &scan(open())).unwrap_err();
    assert_eq!(refused.to_string(), "column tier, row 2: missing privacy choice");
    let refused = csv("tier,x\nopen,1\nopen,-99\n", &scan(open())).unwrap_err();
    assert_eq!(refused.to_string(), "column x, row 2: missing value");
    let persons = scan(Scan { person: Some("id".into()), ..open() });
    let refused = csv(text, &persons).unwrap_err();
    assert_eq!(refused.to_string(), "column id, row 2: missing identifier");
    let grouped = scan(Scan { group: Some(group.into()), ..open() });
    let progress = Progress::default();
    let refused = suum_data::scan_groups_csv(text.as_bytes(), &grouped, &progress).unwrap_err();
    assert_eq!(refused.to_string(), "column site, row 2: missing group");
}

#[test]
fn a_declared_label_is_none_of_them() {
    for scan in [
        Scan::new(tiers("tier", "NA=0.1,open=1"), value("x")),
        Scan::new(budgets("e"), labels("x", "good,-", None, None)),
    ] {
        let refused = csv("tier,e,x\n", &Scan { nulls: nulls(), ..scan }).unwrap_err();
        assert!(refused.to_string().starts_with("null: "), "{refused}");
    }
    assert!(Nulls::new(["NA", " "]).is_err());
}
