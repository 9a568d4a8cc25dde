//! With add-remove neighbours nothing but the table says who is in the data.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use arrow_array::{ArrayRef, StringArray};
use proptest::prelude::*;
use suum_core::{
    Bounds, Cells, DeclaredBudgets, Epsilon, ErrorKind, Grid, LevelTable, Numbers, Records, Result,
};
use suum_data::{
    CategoryRule, Grouping, Groups, PrivacyColumn, Progress, RecordBuffer, Scan, Source,
    UnboundedColumn, Value, ValueColumn, keep, scan_csv, scan_groups,
};
use suum_testing::Extent;

use crate::common::{
    SECRET, budgets, labels, like, scan_path, sums, tiers, value, value_or, write_parquet,
};

fn range(text: &str) -> DeclaredBudgets {
    text.parse().unwrap()
}

fn add_remove(scan: Scan) -> Scan {
    Scan { add_remove: Some(range("0.01,inf")), ..scan }
}

fn unbounded(scan: &Scan) -> Scan {
    let column = UnboundedColumn { column: "v".into(), missing: Some(1.0), cells: None };
    Scan { value: Some(Value::Unbounded(column)), ..like(scan) }
}

/// Budget and value, as they stand in a cell.
type Record = (String, String);

fn csv(path: &Path, records: &[Record]) {
    let rows: String = records.iter().map(|(e, v)| format!("{e},{v}\n")).collect();
    fs::write(path, format!("e,v\n{rows}")).unwrap();
}

fn parquet(path: &Path, records: &[Record]) {
    let column = |cell: fn(&Record) -> &str| -> ArrayRef {
        Arc::new(StringArray::from_iter_values(records.iter().map(cell)))
    };
    let e = column(|record| &record.0);
    // A column of numbers; what is no number is missing.
    let v = records.iter().map(|record| record.1.parse().ok());
    let v: ArrayRef = Arc::new(v.collect::<arrow_array::Float64Array>());
    write_parquet(path, &[("e", e), ("v", v)], 3);
}

fn from_path(path: &Path, scan: &Scan) -> Result<RecordBuffer> {
    keep(&Source::parse(path.to_str().unwrap())?, scan, &Progress::default())
}

/// Visible result of a scan: the rows of its table, or the refusal.
fn rows(table: &LevelTable) -> BTreeMap<(Epsilon, Option<String>), (u64, i128)> {
    let by_level = table.by_level().iter().zip(sums(table));
    by_level
        .map(|(level_sums, sums)| {
            ((level_sums.epsilon, level_sums.label.clone()), (level_sums.count, sums[0]))
        })
        .collect()
}

fn budget() -> impl Strategy<Value = String> {
    let common = prop::sample::select(vec!["0.1", "0.5", "1"]).prop_map(str::to_owned);
    let rare = prop::sample::select(vec![
        "0",
        "1e-100",
        "1e-50",
        "0.0100000001",
        "0.7777",
        "1e60",
        "1e100",
        "inf",
    ]);
    prop_oneof![common, rare.prop_map(str::to_owned)]
}

fn record() -> impl Strategy<Value = Record> {
    (budget(), prop::sample::select(vec!["-3", "0", "2.5", "8", "inf", ""]).prop_map(str::to_owned))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(Extent::get().cases(100)))]

    #[test]
    fn one_record_more_or_less_changes_its_own_level_alone(
        records in prop::collection::vec(record(), 1..20),
        at in any::<prop::sample::Index>(),
    ) {
        let place = at.index(records.len());
        let mut neighbour = records.clone();
        let (choice, value) = neighbour.remove(place);
        let folder = tempfile::tempdir().unwrap();
        let scan = add_remove(Scan::new(budgets("e"), value_or("v", 1.0)));
        for write in [csv, parquet] {
            let [with, without] = ["with", "without"].map(|name| folder.path().join(name));
            write(&with, &records);
            write(&without, &neighbour);
            let [table, less] = [&with, &without].map(|path| scan_path(path, &scan).unwrap());
            prop_assert_eq!((table.column(), table.measure()), (less.column(), less.measure()));

            // The record's own row, and no other, has one record more.
            let grid = *table.grid().unwrap();
            let level = range("0.01,inf").round_down(choice.parse().unwrap());
            let index = grid.index(value.parse().unwrap_or(1.0)).unwrap();
            let mut expected = rows(&less);
            let row = expected.entry((level, None)).or_default();
            *row = (row.0 + 1, row.1 + i128::from(index));
            prop_assert_eq!(rows(&table), expected);

            for (path, table) in [(&with, table), (&without, less)] {
                let buffer = from_path(path, &unbounded(&scan)).unwrap();
                let levels: Vec<Epsilon> =
                    table.by_level().iter().map(|level_sums| level_sums.epsilon).collect();
                prop_assert_eq!(buffer.budgets(), levels);
                prop_assert_eq!(buffer.records(), table.records());
                prop_assert_eq!(buffer.table(grid.into()).unwrap(), table);
            }
        }
    }
}

#[test]
fn data_without_records_have_an_empty_table() {
    let folder = tempfile::tempdir().unwrap();
    for write in [csv, parquet] {
        let path = folder.path().join("x");
        write(&path, &[]);
        for privacy in [budgets("e"), tiers("e", "a=1,b=0.001")] {
            for scan in [
                Scan::new(privacy.clone(), None),
                Scan::new(privacy.clone(), value("v")),
                Scan { person: Some("e".into()), ..Scan::new(privacy.clone(), value("v")) },
            ] {
                assert!(scan_path(&path, &scan).unwrap_err().to_string().contains("no records"));
                let table = scan_path(&path, &add_remove(scan)).unwrap();
                assert_eq!((table.by_level().len(), table.records()), (0, 0));
            }
            let mut buffer =
                from_path(&path, &unbounded(&add_remove(Scan::new(privacy.clone(), None))))
                    .unwrap();
            assert_eq!((buffer.budgets().len(), buffer.records()), (0, 0));
            assert_eq!(buffer.weigh(suum_core::Key::Value, &[5, 7], &[]).unwrap(), [0, 0, 0]);
            let grid = Grid::new(Bounds::UNIT);
            assert_eq!(buffer.table(grid.into()).unwrap().grid(), Some(&grid));
        }
    }
}

#[test]
fn tiers_count_as_their_budgets_in_the_range() {
    let text = "e,v\nlow,1\nhigh,2\nhigher,3\n";
    let scan = Scan::new(tiers("e", "low=0.001,high=0.3,higher=7"), value("v"));
    let scan = Scan { add_remove: Some(range("0.01,1")), ..scan };
    let table = scan_csv(text.as_bytes(), &scan, &Progress::default()).unwrap();
    let coarse = Epsilon::new(0.3).unwrap().coarse();
    let expected =
        [("low", Epsilon::UNUSED), ("high", coarse), ("higher", Epsilon::new(1.0).unwrap())];
    let found = table
        .by_level()
        .iter()
        .map(|level_sums| (level_sums.label.as_deref().unwrap(), level_sums.epsilon));
    assert!(found.eq(expected));
    assert_eq!(table.profile().unwrap().records(), 3);
}

/// A person counts at the least budget of their rows, each in the range; of equal tiers at the
/// first declared.
#[test]
fn persons_count_at_budgets_in_the_range() {
    let text = "p,e,v\n1,b,1\n1,a,1\n2,b,1\n";
    let scan =
        Scan { person: Some("p".into()), ..Scan::new(tiers("e", "b=0.002,a=0.001"), value("v")) };
    let table = scan_csv(text.as_bytes(), &add_remove(scan), &Progress::default()).unwrap();
    let found: Vec<_> = table
        .by_level()
        .iter()
        .map(|level_sums| (level_sums.label.as_deref(), level_sums.count))
        .collect();
    assert_eq!(found, [(Some("b"), 2)], "both tiers are unused");
}

#[test]
fn the_number_of_budgets_decides_nothing() {
    // One less than the most exact budgets of a scan, that many, and two more.
    let budget = |number: u32| Epsilon::new(1.0 + f64::from(number) / 16_777_216.0).unwrap();
    for budgets_met in [65_535u32, 65_536, 65_538] {
        let rows: String =
            (0..budgets_met).map(|number| format!("{},2\n", budget(number))).collect();
        let text = format!("e,v\n{rows}");
        let scan = add_remove(Scan::new(budgets("e"), value("v")));
        let table = scan_csv(text.as_bytes(), &scan, &Progress::default()).unwrap();
        let mut expected = BTreeMap::new();
        (0..budgets_met)
            .for_each(|number| *expected.entry(budget(number).coarse()).or_insert(0) += 1);
        let found =
            table.by_level().iter().map(|level_sums| (level_sums.epsilon, level_sums.count));
        assert!(found.eq(expected), "{budgets_met}");
    }
}

/// Files in which all rows are good but one, wherever it is.
#[test]
fn no_refusal_says_where_a_record_is() {
    let by_budget = add_remove(Scan::new(budgets("e"), value("v")));
    let by_tier = add_remove(Scan::new(tiers("e", "1=1"), value("v")));
    let by_label = add_remove(Scan::new(budgets("e"), labels("v", "1,2", None, None)));
    let cases = [
        (&by_budget, "x,1", "column e: not a privacy budget"),
        (&by_budget, ",1", "column e: missing privacy choice"),
        (&by_budget, "1,", "column v: missing value"),
        (&by_budget, "1,x", "column v: not a number"),
        (&by_budget, "1", "the record does not have as many cells as the header"),
        (&by_budget, "1,1,1", "the record does not have as many cells as the header"),
        (&by_tier, "2,1", "column e: the tier is not declared"),
        (&by_label, "1,3", "column v: the value is not a declared category"),
    ];
    for (scan, bad, message) in cases {
        let folder = tempfile::tempdir().unwrap();
        for place in 0..9 {
            for file in 0..3 {
                let rows: String = (3 * file..3 * file + 3)
                    .map(|row| if row == place { format!("{bad}\n") } else { "1,1\n".to_owned() })
                    .collect();
                fs::write(
                    folder.path().join(format!("{SECRET}{file}.csv")),
                    format!("e,v\n{rows}"),
                )
                .unwrap();
            }
            let refused = scan_path(folder.path(), scan).unwrap_err();
            assert_eq!((refused.kind(), refused.to_string().as_str()), (ErrorKind::Data, message));
            let table = scan_path(folder.path(), &Scan { add_remove: None, ..like(scan) });
            assert!(
                table.unwrap_err().to_string().contains(", row ")
                    || message.starts_with("the record")
            );
            if scan.value == value("v") {
                let column = UnboundedColumn { column: "v".into(), missing: None, cells: None };
                let kept = Scan { value: Some(Value::Unbounded(column)), ..like(scan) };
                assert_eq!(from_path(folder.path(), &kept).unwrap_err(), refused);
            }
        }
    }
    let quote = "e,v\n1,1\n1,\"1\n";
    let refused = scan_csv(quote.as_bytes(), &by_budget, &Progress::default()).unwrap_err();
    assert_eq!(refused.to_string(), "a double quote is opened and never closed");
}

#[test]
fn no_refusal_says_where_a_record_of_parquet_is() {
    let scan = add_remove(Scan::new(budgets("e"), value("v")));
    let good = || ("1".to_owned(), "1".to_owned());
    for (bad, message) in
        [(("x", "1"), "column e: not a privacy budget"), (("1", ""), "column v: missing value")]
    {
        let folder = tempfile::tempdir().unwrap();
        for place in 0..10 {
            let mut records: Vec<Record> = (0..10).map(|_| good()).collect();
            records[place] = (bad.0.to_owned(), bad.1.to_owned());
            let (first, second) = records.split_at(4);
            parquet(&folder.path().join("a.parquet"), first);
            parquet(&folder.path().join("b.parquet"), second);
            assert_eq!(scan_path(folder.path(), &scan).unwrap_err().to_string(), message);
        }
    }
}

/// A fault of a file as a whole is still reported with the file's name.
#[test]
fn files_are_named_where_no_record_is_at_fault() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.csv");
    let scan = add_remove(Scan::new(budgets("e"), value("v")));
    for text in ["", "e,x\n1,1\n", "e,e,v\n1,1,1\n"] {
        fs::write(&path, text).unwrap();
        let refused = scan_path(&path, &scan).unwrap_err();
        assert_eq!(Err(refused), scan_path(&path, &Scan { add_remove: None, ..like(&scan) }));
    }
}

fn grouped(path: &Path, add_remove: Option<DeclaredBudgets>) -> Result<Groups> {
    let groups = CategoryRule::labels(vec!["1".into(), "2".into(), "3".into()], None).unwrap();
    let group = Some(Grouping::one("v", groups));
    let scan = Scan { group, add_remove, ..Scan::new(budgets("e"), value("v")) };
    scan_groups(&Source::parse(path.to_str().unwrap()).unwrap(), &scan, &Progress::default())
}

#[test]
fn groups_without_records_have_an_empty_table() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.csv");
    for (records, expected) in [(&[][..], [0, 0, 0]), (&["2"], [0, 1, 0]), (&["2", "1"], [1, 1, 0])]
    {
        let records: Vec<Record> =
            records.iter().map(|value| ("1".to_owned(), (*value).to_owned())).collect();
        csv(&path, &records);
        let groups = grouped(&path, Some(range("0.01,1"))).unwrap();
        let found: Vec<u64> =
            groups.each.iter().map(|(_, table)| table.as_ref().unwrap().records()).collect();
        assert_eq!(found, expected);
        assert_eq!(grouped(&path, None).is_err(), records.is_empty());
    }
}

#[test]
fn limits_are_decided_from_declared_numbers() {
    let numbers = |steps: u32| {
        let cells = Some(Cells::new(steps).unwrap());
        let numbers = Numbers { grid: Grid::new(Bounds::UNIT), squares: false, cells };
        Some(Value::Number(ValueColumn { column: "v".into(), numbers, missing: None }))
    };
    let range = range("0.01,1");
    let most = (1 << 26) / range.most_levels() as u32;
    let scan = |value| Scan { add_remove: Some(range.clone()), ..Scan::new(budgets("e"), value) };
    // No file is looked at, and one with a record would do.
    let read = |text: &str, scan: &Scan| scan_csv(text.as_bytes(), scan, &Progress::default());
    for text in ["", "e,v\n1,1\n"] {
        let refused = read(text, &scan(numbers(most))).unwrap_err();
        assert_eq!(
            (refused.kind(), refused.to_string().as_str()),
            (
                ErrorKind::Request,
                "there may be more than 67108864 pairs of a budget and a candidate"
            )
        );
        assert_eq!(
            refused.fix().map(ToString::to_string).as_deref(),
            Some("lower cells, or narrow the range of budgets")
        );
    }
    assert!(read("e,v\n1,1\n", &scan(numbers(most - 1))).is_ok());

    let names: Vec<String> = (0..65_536).map(|name| name.to_string()).collect();
    let names = names.join(",");
    let refused = read("", &scan(labels("v", &names, None, None))).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "there may be more than 67108864 pairs of a budget and a category"
    );
    let few =
        Scan { add_remove: Some(self::range("0.5,0.75")), ..scan(labels("v", &names, None, None)) };
    assert!(read("e,v\n1,1\n", &few).is_ok());

    let by_tier: Vec<String> = (0..100).map(|tier| format!("t{tier}=1")).collect();
    let by_tier: PrivacyColumn = tiers("e", &by_tier.join(","));
    let many = Scan { privacy: by_tier, ..scan(numbers(1 << 20)) };
    let refused = read("", &many).unwrap_err();
    assert_eq!(refused.to_string(), "there are more than 67108864 pairs of a tier and a candidate");
    assert_eq!(
        refused.fix().map(ToString::to_string).as_deref(),
        Some("lower cells, or declare fewer tiers")
    );
    let public = Scan { add_remove: None, ..many };
    assert!(read("e,v\nt1,1\n", &public).is_ok(), "what is met decides where that is public");
}
