//! The table of data whose records without a value are left out is that of the other records.

use std::sync::Arc;

use arrow_array::types::Int8Type;
use arrow_array::{ArrayRef, DictionaryArray, Float64Array, RecordBatch, StringArray};
use proptest::prelude::*;
use suum_core::{
    Bounds, Cells, Grid, Key, LevelTable, Numbers, PersonValue, Records, Replacement, Result,
};
use suum_data::{
    CategoryRule, GroupColumn, Progress, Scan, Slice, Slices, UnboundedColumn, Value, ValueColumn,
    keep_csv, scan_batches, scan_csv, scan_groups_batches, scan_groups_csv, scan_slices,
};
use suum_testing::Extent;

use crate::common::{bins, budgets, labels, like, scan_path, tiers, value, write_batch};

const TIERS: [&str; 3] = ["strict", "relaxed", "public"];
const DECLARED: &str = "strict=0.1,relaxed=1,public=inf";
const LABELS: [&str; 2] = ["good", "fair"];

/// One row of the data.
#[derive(Debug, Clone)]
struct Row {
    tier: usize,
    epsilon: f64,
    value: Option<f64>,
    label: Option<usize>,
    site: usize,
    id: u8,
}

fn rows() -> impl Strategy<Value = Vec<Row>> {
    let row = (
        0..TIERS.len(),
        prop::sample::select(vec![0.0, 0.01, 0.1, 0.3, 1.0, f64::INFINITY]),
        prop::option::weighted(0.7, prop_oneof![-2.0..10.0_f64, Just(f64::INFINITY), Just(3.0)]),
        prop::option::weighted(0.7, 0..LABELS.len()),
        0..2usize,
        0u8..9,
    );
    let row = row.prop_map(|(tier, epsilon, value, label, site, id)| Row {
        tier,
        epsilon,
        value,
        label,
        site,
        id,
    });
    prop::collection::vec(row, 0..80)
}

fn csv(rows: &[Row], quoted: bool) -> String {
    let mut text = "note,tier,epsilon,x,label,site,id\n".to_owned();
    for row in rows {
        // Both spellings of what is missing.
        let missing = if row.id % 2 == 0 { "" } else { "NaN" };
        let x = row.value.map_or(missing.to_owned(), |value| format!("{value:?}"));
        let label = row.label.map_or(" ", |label| LABELS[label]);
        let note = if quoted { "\"a,b\"" } else { "a" };
        let (tier, site) = (TIERS[row.tier], ["north", "south"][row.site]);
        text += &format!("{note},{tier},{:?},{x},{label},{site},p{}\n", row.epsilon, row.id);
    }
    text
}

/// The rows in Arrow; of missing numbers some are null and some NaN.
fn batch(rows: &[Row], dictionaries: bool) -> RecordBatch {
    let missing = |row: &Row| row.id.is_multiple_of(2).then_some(f64::NAN);
    let x: Float64Array = rows.iter().map(|row| row.value.or(missing(row))).collect();
    let texts = |cell: &dyn Fn(&Row) -> Option<String>| -> ArrayRef {
        let cells: Vec<Option<String>> = rows.iter().map(cell).collect();
        match dictionaries {
            true => {
                let cells = cells.iter().map(Option::as_deref);
                Arc::new(cells.collect::<DictionaryArray<Int8Type>>())
            }
            false => Arc::new(StringArray::from(cells)),
        }
    };
    let epsilon: Float64Array = rows.iter().map(|row| Some(row.epsilon)).collect();
    let columns: Vec<(&str, ArrayRef, bool)> = vec![
        ("tier", texts(&|row| Some(TIERS[row.tier].to_owned())), true),
        ("epsilon", Arc::new(epsilon), true),
        ("x", Arc::new(x), true),
        ("label", texts(&|row| row.label.map(|label| LABELS[label].to_owned())), true),
        ("site", texts(&|row| Some(["north", "south"][row.site].to_owned())), true),
        ("id", texts(&|row| Some(format!("p{}", row.id))), true),
    ];
    RecordBatch::try_from_iter_with_nullable(columns).unwrap()
}

/// The rows that have the value which is read, at the least budget of all rows of their person, if
/// persons have many.
fn present(rows: &[Row], scan: &Scan) -> Vec<Row> {
    let of_labels = scan.value.as_ref().is_some_and(Value::is_label);
    let there = |row: &&Row| if of_labels { row.label.is_some() } else { row.value.is_some() };
    let at_least_budget = |row: &Row| {
        let of_person = || rows.iter().filter(|other| other.id == row.id);
        let mut row = row.clone();
        if scan.person.is_some() {
            row.epsilon = of_person().map(|other| other.epsilon).fold(f64::INFINITY, f64::min);
            row.tier = of_person().map(|other| other.tier).min().unwrap();
        }
        row
    };
    rows.iter().filter(there).map(at_least_budget).collect()
}

/// Copy of the scan for data without missing values.
fn without_missing(scan: &Scan) -> Scan {
    Scan { leaves_out_missing: false, ..like(scan) }
}

fn values() -> Vec<Value> {
    let grid = Grid::new(Bounds::new(0.0, 8.0).unwrap());
    let numbers = |cells| Numbers { grid, squares: true, cells: Some(cells) };
    let number = |cells| {
        Value::Number(ValueColumn { column: "x".into(), numbers: numbers(cells), missing: None })
    };
    vec![
        value("x").unwrap(),
        number(Cells::new(5).unwrap()),
        number(Cells::for_sums()),
        labels("label", "good,fair", None, None).unwrap(),
        labels("label", "good", Some("else"), None).unwrap(),
        bins("x", "0,3,8", Some("else"), None).unwrap(),
    ]
}

/// Scans of all kinds that leave records without a value out.
fn scans(of_persons: bool) -> Vec<Scan> {
    let mut scans = Vec::new();
    for value in values() {
        for privacy in [tiers("tier", DECLARED), budgets("epsilon")] {
            for add_remove in [false, true] {
                // Which sums in cells there are is no question where budgets are declared.
                if add_remove
                    && matches!(&value, Value::Number(column)
                    if column.numbers.cells.is_some_and(|cells| cells.has_sums()))
                {
                    continue;
                }
                scans.push(Scan {
                    person: of_persons.then(|| "id".into()),
                    leaves_out_missing: true,
                    add_remove: add_remove.then(|| "0.05,2".parse().unwrap()),
                    ..Scan::new(privacy.clone(), Some(value.clone()))
                });
            }
        }
    }
    scans
}

/// The levels, and what is said of missing values.
fn levels_and_missing(
    table: Result<LevelTable>,
) -> (Vec<suum_core::LevelSums>, Option<Replacement>) {
    let table = table.unwrap();
    (table.by_level().to_vec(), table.missing().cloned())
}

/// The levels of the records that are there; none where there are none.
fn expected(rows: &[Row], scan: &Scan) -> (Vec<suum_core::LevelSums>, Option<Replacement>) {
    let rows = present(rows, scan);
    let by_level = match rows.is_empty() {
        true => Vec::new(),
        false => {
            let text = csv(&rows, false);
            let table = scan_csv(text.as_bytes(), &without_missing(scan), &Progress::default());
            table.unwrap().by_level().to_vec()
        }
    };
    (by_level, Some(Replacement::Excluded))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(Extent::get().cases(48)))]

    #[test]
    fn it_is_the_table_of_the_others(rows in rows(), persons: bool) {
        let progress = Progress::default();
        for scan in scans(persons) {
            let expected = expected(&rows, &scan);
            for quoted in [false, true] {
                let found = scan_csv(csv(&rows, quoted).as_bytes(), &scan, &progress);
                prop_assert_eq!(&levels_and_missing(found), &expected, "{:?}", scan);
            }
            for dictionaries in [false, true] {
                let found = scan_batches([Ok(batch(&rows, dictionaries))], &scan, &progress);
                prop_assert_eq!(&levels_and_missing(found), &expected, "{:?}", scan);
            }
        }
    }

    #[test]
    fn each_group_has_that_of_its_others(mut rows in rows(), persons: bool) {
        if persons {
            rows.iter_mut().for_each(|row| row.site = usize::from(row.id % 2));
        }
        let groups = CategoryRule::labels(vec!["north".into(), "south".into()], None).unwrap();
        let group = GroupColumn { column: "site".into(), groups };
        for scan in scans(persons) {
            let grouped = Scan { group: Some(group.clone().into()), ..like(&scan) };
            let progress = Progress::default();
            let text = csv(&rows, false);
            let found = [
                scan_groups_csv(text.as_bytes(), &grouped, &progress).unwrap(),
                scan_groups_batches([Ok(batch(&rows, true))], &grouped, &progress).unwrap(),
            ];
            for groups in found {
                for (site, (_, table)) in groups.each.into_iter().enumerate() {
                    let of_site: Vec<Row> =
                        rows.iter().filter(|row| row.site == site).cloned().collect();
                    // Whether anybody of a group has a value shows nowhere.
                    let found = levels_and_missing(Ok(table.unwrap()));
                    prop_assert_eq!(found, expected(&of_site, &scan));
                }
            }
        }
    }

    #[test]
    fn totals_and_kept_records_are_those_of_the_others(rows in rows(), persons: bool) {
        let unbounded = UnboundedColumn { column: "x".into(), missing: None, cells: None };
        let scan = Scan {
            person: persons.then(|| "id".into()),
            person_value: if persons { PersonValue::Total } else { PersonValue::Rows },
            leaves_out_missing: true,
            add_remove: Some("0.05,2".parse().unwrap()),
            ..Scan::new(budgets("epsilon"), Some(Value::Unbounded(unbounded)))
        };
        let (progress, others) = (Progress::default(), present(&rows, &scan));
        let (all, others) = (csv(&rows, false), csv(&others, false));
        let mut found = keep_csv(all.as_bytes(), &scan, &progress).unwrap();
        let mut expected = keep_csv(others.as_bytes(), &without_missing(&scan), &progress).unwrap();
        prop_assert_eq!(found.budgets(), expected.budgets());
        let weights: Vec<u64> = (1..).take(found.budgets().len()).collect();
        let cuts: Vec<u64> = [0.0, 1.0, 3.0, 6.0].map(suum_core::FloatOrder::key).to_vec();
        prop_assert_eq!(
            found.weigh(Key::Value, &cuts, &weights).unwrap(),
            expected.weigh(Key::Value, &cuts, &weights).unwrap()
        );
        let table = found.table(Grid::new(Bounds::new(0.0, 8.0).unwrap()).into()).unwrap();
        prop_assert_eq!(table.missing(), Some(&Replacement::Excluded));
        if persons {
            let bounded = Scan { value: value("x"), ..like(&scan) };
            let found = scan_csv(all.as_bytes(), &bounded, &progress);
            prop_assert_eq!(levels_and_missing(found).0, table.by_level());
        }
    }
}

#[test]
fn files_and_slices_leave_out_missing_values() {
    let row = |tier, value, label| Row { tier, epsilon: 1.0, value, label, site: 0, id: 1 };
    let rows = [
        row(0, Some(3.0), None),
        row(1, None, Some(1)),
        row(1, Some(8.0), Some(0)),
        row(2, None, None),
    ];
    let scan = Scan { leaves_out_missing: true, ..Scan::new(tiers("tier", DECLARED), value("x")) };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("people.parquet");
    write_batch(&path, &batch(&rows, false), 3);
    let expected_numbers = expected(&rows, &scan);
    assert_eq!(expected_numbers.0.len(), 2);
    assert_eq!(levels_and_missing(scan_path(&path, &scan)), expected_numbers);
    let x: Vec<f64> = rows.iter().map(|row| row.value.unwrap_or(f64::NAN)).collect();
    let positions: Vec<u32> = rows.iter().map(|row| row.tier as u32).collect();
    let absent = |label: Option<usize>| label.map_or(u32::MAX, |label| label as u32);
    let label: Vec<u32> = rows.iter().map(|row| absent(row.label)).collect();
    let slices = Slices::new()
        .with("tier", Slice::Positions(&positions))
        .and_then(|slices| slices.with("x", Slice::Numbers(&x)))
        .and_then(|slices| slices.with("label", Slice::Positions(&label)))
        .unwrap();
    assert_eq!(
        levels_and_missing(scan_slices(&slices, &scan, &Progress::default())),
        expected_numbers
    );
    let of_labels = Scan { value: labels("label", "good,fair", None, None), ..like(&scan) };
    let found = scan_slices(&slices, &of_labels, &Progress::default());
    assert_eq!(levels_and_missing(found), expected(&rows, &of_labels));
    let refused =
        scan_slices(&slices, &without_missing(&of_labels), &Progress::default()).unwrap_err();
    assert!(refused.to_string().contains("missing value"), "{refused}");
}

#[test]
fn what_is_wrong_with_a_record_that_is_left_out_is_refused() {
    let scan = Scan { leaves_out_missing: true, ..Scan::new(tiers("tier", DECLARED), value("x")) };
    for text in ["tier,x\nstrict,1\nother,\n", "tier,x\nstrict,1\n,\n"] {
        let refused = scan_csv(text.as_bytes(), &scan, &Progress::default()).unwrap_err();
        assert!(refused.to_string().starts_with("column tier, row 2: "), "{refused}");
    }
}

#[test]
fn nothing_else_becomes_of_missing_values() {
    let leaving =
        |value| Scan { leaves_out_missing: true, ..Scan::new(tiers("tier", DECLARED), value) };
    let unbounded = UnboundedColumn { column: "x".into(), missing: None, cells: None };
    let text = "tier,x\nstrict,1\n";
    let progress = Progress::default();
    for scan in [
        leaving(None),
        leaving(crate::common::value_or("x", 3.0)),
        leaving(labels("x", "a,b", None, Some("a"))),
        Scan::new(tiers("tier", DECLARED), labels("x", "exclude,b", None, Some("exclude"))),
    ] {
        let refused = scan_csv(text.as_bytes(), &scan, &progress).unwrap_err();
        assert!(refused.to_string().starts_with("missing: "), "{refused}");
    }
    let refused = keep_csv(text.as_bytes(), &leaving(Some(Value::Unbounded(unbounded))), &progress)
        .unwrap_err();
    assert_eq!(
        refused.to_string(),
        "missing: to leave records without a value out would reveal who has none"
    );
}
