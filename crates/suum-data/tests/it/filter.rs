//! Rows that a filter does not select are passed over; what is wrong with others keeps its place.

use std::collections::BTreeSet;

use suum_core::{DeclaredBudgets, Epsilon, Error, LevelTable, Result};
use suum_data::{GroupColumn, Progress, Scan, Slice, Slices, scan_csv, scan_slices};

use crate::common::{SECRET, budgets, tiers, value};

fn public(columns: &[&str]) -> BTreeSet<String> {
    columns.iter().map(|column| (*column).to_owned()).collect()
}

fn scan_where(filter: &str, columns: &[&str]) -> Scan {
    Scan {
        public: public(columns),
        filter: Some(filter.parse().unwrap()),
        ..Scan::new(tiers("e", "a=1,b=inf"), value("v"))
    }
}

fn declared() -> DeclaredBudgets {
    let tiers = [("a".to_owned(), Epsilon::new(1.0).unwrap()), ("b".to_owned(), Epsilon::PUBLIC)];
    DeclaredBudgets::tiers(tiers).unwrap()
}

fn read(csv: &str, scan: &Scan) -> Result<LevelTable> {
    scan_csv(csv.as_bytes(), scan, &Progress::default())
}

fn refusal(csv: &str, scan: &Scan) -> Error {
    let refused = read(csv, scan).unwrap_err();
    assert!(!format!("{refused:?}").contains("SECRET"), "{refused:?}");
    refused
}

#[test]
fn passes_over_what_else_is_wrong_with_rows() {
    let csv = format!("e,v,g\na,1,1\n{SECRET},{SECRET},2\nb,2,\"1\"\n,,2\n{SECRET},1,\n");
    let table = read(&csv, &scan_where("g = 1", &["g"])).unwrap();
    assert_eq!(table.profile().unwrap().to_string(), "1:1,inf:1");
    assert_eq!(table.filter(), Some("g = 1"));
}

#[test]
fn refusals_name_the_row_of_the_file() {
    let rows = |count: usize, row: &str| row.repeat(count);
    let scan = scan_where("g = 1", &["g"]);
    for (before, passed) in [(0, 0), (3, 2), (5_000, 3_000)] {
        let start = format!("e,v,g\n{}{}", rows(before, "a,1,1\n"), rows(passed, "x,x,2\n"));
        let row = before + passed + 1;
        let after = rows(2_000, "a,1,1\nx,x,2\n");
        for (wrong, what) in [
            ("SECRET,1,1\n", format!("column e, row {row}: the tier is not declared")),
            ("a,SECRET,1\n", format!("column v, row {row}: not a number")),
            (
                "a,1,SECRET\n",
                format!(
                    "column g, row {row}: not a number, and the condition compares it with one"
                ),
            ),
        ] {
            let refused = refusal(&format!("{start}{wrong}{after}"), &scan);
            assert_eq!(refused.to_string(), what);
            // Hidden participation has no rows.
            let hidden = Scan { add_remove: Some(declared()), ..scan.clone() };
            let refused = refusal(&format!("{start}{wrong}{after}"), &hidden).to_string();
            assert!(!refused.contains("row"), "{refused}");
        }
    }
}

#[test]
fn refuses_private_columns_where_participation_is_public() {
    let csv = "e,v,g,id\na,1,1,x\n";
    for (filter, column) in [("g = 1", "g"), ("v > 1", "v"), ("e = 'a' or v > 1", "v")] {
        let refused = refusal(csv, &scan_where(filter, &[]));
        let expected = format!("where: column {column} is not public");
        assert!(refused.to_string().starts_with(&expected), "{refused}");
        let out = format!("public_columns={column}");
        assert!(refused.fix().unwrap().to_string().contains(&out), "{refused:?}");
    }
    assert!(read(csv, &scan_where("e = 'a'", &[])).is_ok());
    assert!(read(csv, &scan_where("v >= 1", &["V "])).is_ok());
    // A value is private even if it is a group as well.
    let groups = suum_data::CategoryRule::labels(vec!["1".into(), "2".into()], None).unwrap();
    let grouped = Scan {
        group: Some(GroupColumn { column: "v".into(), groups }.into()),
        ..scan_where("v = 1", &[])
    };
    assert!(grouped.check(true).is_err());
    // Rows of a person can differ in their tiers.
    let persons = |filter, columns: &[&str]| Scan {
        person: Some("id".into()),
        ..scan_where(filter, columns)
    };
    let refused = refusal(csv, &persons("e = 'a'", &[])).to_string();
    assert!(refused.contains("the rows of a person can differ in it"), "{refused}");
    assert!(read(csv, &persons("e = 'a'", &["e"])).is_ok());
    assert!(read(csv, &persons("id <> 'y'", &[])).is_ok());
    let hidden = Scan { add_remove: Some(declared()), ..scan_where("v > 1", &[]) };
    assert_eq!(read(csv, &hidden).unwrap().records(), 0);
}

#[test]
fn tells_what_was_meant_and_what_is_empty() {
    let csv = "e,v,region\na,1,north\n";
    let refused = refusal(csv, &scan_where("regoin = 'north'", &["regoin"]));
    assert!(refused.to_string().starts_with("column regoin: there is no such column"));
    assert!(refused.fix().unwrap().to_string().starts_with("did you mean region?"), "{refused:?}");
    let refused = refusal(csv, &scan_where("region = 'North'", &["region"]));
    assert!(refused.to_string().starts_with("where: the data have no records"), "{refused}");
}

#[test]
fn selects_slices_by_numbers() {
    let numbers = [1.0, 2.0, f64::NAN, 4.0];
    let slices = Slices::new()
        .with("e", Slice::Numbers(&[0.1, 1.0, 0.1, f64::INFINITY]))
        .and_then(|slices| slices.with("g", Slice::Numbers(&numbers)))
        .unwrap();
    let scan = |filter: &str| Scan {
        public: public(&["g"]),
        filter: Some(filter.parse().unwrap()),
        ..Scan::new(budgets("e"), None)
    };
    for (filter, profile) in [
        ("g > 1", "1:1,inf:1"),
        ("g <> 1", "1:1,inf:1"),
        ("g is null", "0.1:1"),
        ("g in ('4', '1')", "0.1:1,inf:1"),
    ] {
        let table = scan_slices(&slices, &scan(filter), &Progress::default()).unwrap();
        assert_eq!(table.profile().unwrap().to_string(), profile, "{filter}");
    }
}
