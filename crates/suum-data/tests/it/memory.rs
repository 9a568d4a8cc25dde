//! Batches and slices in memory: the same records give the same table as a file.

use std::collections::BTreeMap;
use std::sync::Arc;

use arrow_array::types::{Int8Type, UInt16Type};
use arrow_array::{
    ArrayRef, DictionaryArray, Float64Array, Int8Array, LargeStringArray, NullArray, RecordBatch,
    StringArray, StringViewArray, cast::AsArray, types::Float64Type,
};
use proptest::prelude::*;
use suum_core::{Error, ErrorKind, FloatOrder, Key, LevelTable, PersonValue, Records, Result};
use suum_data::{
    Progress, Scan, Slice, Slices, UnboundedColumn, Value, keep_batches, keep_csv, keep_slices,
    scan_batches, scan_csv, scan_groups_batches, scan_groups_slices, scan_slices,
};
use suum_testing::Extent;

use crate::common::{SECRET, bins, budgets, labels, like, sums, tiers, value, value_or};
use crate::rows::{TIERS, columns, csv, expected, numbers, rows, settled, sites};

fn batch(columns: Vec<(&str, ArrayRef)>) -> RecordBatch {
    let columns = columns.into_iter().map(|(name, array)| (name, array, true));
    RecordBatch::try_from_iter_with_nullable(columns).unwrap()
}

fn scanned(batches: Vec<RecordBatch>, what: &Scan) -> Result<LevelTable> {
    scan_batches(batches.into_iter().map(Ok), what, &Progress::default())
}

/// Copy of text or numbers in another Arrow layout.
fn relaid(column: &ArrayRef, style: u8) -> ArrayRef {
    if let Some(text) = column.as_string_opt::<i32>() {
        return match style % 5 {
            0 => Arc::clone(column),
            1 => Arc::new(text.iter().collect::<LargeStringArray>()),
            2 => Arc::new(text.iter().collect::<StringViewArray>()),
            3 => Arc::new(text.iter().collect::<DictionaryArray<Int8Type>>()),
            _ => Arc::new(text.iter().collect::<DictionaryArray<UInt16Type>>()),
        };
    }
    match column.as_primitive_opt::<Float64Type>() {
        Some(numbers) if style & 8 > 0 => {
            let mut entries: Vec<f64> = numbers.values().to_vec();
            entries.sort_by(f64::total_cmp);
            entries.dedup();
            let key = |value: &f64| entries.iter().position(|entry| entry == value).unwrap() as i8;
            let keys: Int8Array = numbers.values().iter().map(|value| Some(key(value))).collect();
            Arc::new(DictionaryArray::new(keys, Arc::new(Float64Array::from(entries))))
        }
        _ => Arc::clone(column),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(Extent::get().cases(150)))]

    #[test]
    fn layouts_and_cuts_do_not_matter(
        rows in rows(12),
        styles in prop::collection::vec(any::<u8>(), 1..4),
        cuts in prop::collection::vec(0usize..80, 3),
        with_persons: bool,
    ) {
        let rows = if with_persons { settled(rows) } else { rows };
        let mut batches = Vec::new();
        let mut rest = rows.as_slice();
        for (number, style) in styles.iter().enumerate() {
            let cut =
                if number + 1 == styles.len() { rest.len() } else { cuts[number].min(rest.len()) };
            let (shard, others) = rest.split_at(cut);
            rest = others;
            let columns = columns(shard, *style);
            batches.push(batch(
                columns.iter().map(|(name, array)| (*name, relaid(array, *style))).collect(),
            ));
        }
        for privacy in [budgets("epsilon"), tiers("tier", TIERS)] {
            for value in [
                None,
                numbers(false, None),
                numbers(true, None),
                labels("health", "good,fair,poor", None, None),
            ] {
                let what = Scan {
                    person: with_persons.then(|| "person".into()),
                    ..Scan::new(privacy.clone(), value)
                };
                let numbers = with_persons && matches!(what.value, Some(Value::Number(_)));
                let person_value = match styles[0] & 112 {
                    16 if numbers => PersonValue::Total,
                    32 if numbers => PersonValue::Median,
                    48 if numbers => PersonValue::Min,
                    64 if numbers => PersonValue::Max,
                    80 if numbers => PersonValue::Mean,
                    96 if numbers => PersonValue::Last,
                    16 | 48 if with_persons && matches!(what.value, Some(Value::Category(_))) => {
                        PersonValue::Mode
                    }
                    _ => PersonValue::Rows,
                };
                let is_last = person_value == PersonValue::Last;
                let person_time = is_last.then(|| "epsilon".to_owned());
                let what = Scan { person_value, person_time, ..what };
                let table = scanned(batches.clone(), &what).unwrap();
                prop_assert_eq!(&table, &expected(&rows, &what)[""]);
                let grouped = Scan { group: sites(Some("others")), ..like(&what) };
                let groups = scan_groups_batches(
                    batches.iter().cloned().map(Ok),
                    &grouped,
                    &Progress::default(),
                );
                let groups: BTreeMap<_, _> = groups
                    .unwrap()
                    .each
                    .into_iter()
                    .filter_map(|(name, table)| Some((name.to_string(), table?)))
                    .collect();
                prop_assert_eq!(groups, expected(&rows, &grouped));
            }
        }
        let kept = Scan::new(
            budgets("epsilon"),
            Some(Value::Unbounded(UnboundedColumn {
                column: "value".into(),
                missing: None,
                cells: None,
            })),
        );
        let mut buffer =
            keep_batches(batches.iter().cloned().map(Ok), &kept, &Progress::default()).unwrap();
        let mut text =
            keep_csv(csv(&rows, false).as_bytes(), &kept, &Progress::default()).unwrap();
        prop_assert_eq!(buffer.budgets(), text.budgets());
        let levels = buffer.budgets().len();
        let cuts: Vec<u64> = (-400..400).map(|at| FloatOrder::key(f64::from(at) / 4.0)).collect();
        for level in 0..levels {
            let alone: Vec<u64> = (0..levels).map(|other| u64::from(other == level)).collect();
            prop_assert_eq!(
                buffer.weigh(Key::Value, &cuts, &alone).unwrap(),
                text.weigh(Key::Value, &cuts, &alone).unwrap()
            );
        }
    }
}

/// Rows for several pieces of work, as two slices.
fn many() -> (Vec<f64>, Vec<f64>) {
    let epsilon = |row: u32| [0.1, 0.5, 1.0, f64::INFINITY][(row % 7 % 4) as usize];
    let rows = 0..300_000_u32;
    (rows.clone().map(epsilon).collect(), rows.map(|row| f64::from(row % 1000) / 100.0).collect())
}

#[test]
fn large_batches_are_shared_among_threads() {
    let (epsilons, values) = many();
    let text: String = epsilons.iter().zip(&values).map(|(e, v)| format!("{e},{v}\n")).collect();
    let text = format!("e,v\n{text}");
    for what in [
        Scan::new(budgets("e"), value("v")),
        Scan::new(budgets("e"), bins("v", "0,1,5,10", None, None)),
        Scan::new(budgets("v"), value("e")),
    ] {
        let expected = scan_csv(text.as_bytes(), &what, &Progress::default()).unwrap();
        let whole = batch(vec![
            ("e", Arc::new(Float64Array::from(epsilons.clone()))),
            ("v", Arc::new(Float64Array::from(values.clone()))),
        ]);
        assert_eq!(
            scanned(vec![whole.slice(7, 299_993), whole.slice(0, 7)], &what).unwrap(),
            expected
        );
        let slices = Slices::new().with("e", Slice::Numbers(&epsilons)).unwrap();
        let slices = slices.with(" v ", Slice::Numbers(&values)).unwrap();
        let progress = Progress::default();
        assert_eq!(scan_slices(&slices, &what, &progress).unwrap(), expected);
        assert_eq!(progress.bytes(), 16 * 300_000);
    }
}

#[test]
fn positions_stand_for_labels() {
    let slices = Slices::new().with("tier", Slice::Positions(&[0, 1, 1, 0])).unwrap();
    let slices = slices.with("v", Slice::Numbers(&[1.0, f64::NAN, 8.0, 2.0])).unwrap();
    let slices = slices.with("site", Slice::Positions(&[1, 0, 1, 1])).unwrap();
    let privacy = || tiers("tier", "a=0.5,b=inf");
    let table =
        scan_slices(&slices, &Scan::new(privacy(), value_or("v", 4.0)), &Progress::default())
            .unwrap();
    assert_eq!(sums(&table), [[3 << 27], [12 << 27]]);
    let health = labels("site", "good,fair,poor", None, None);
    let table = scan_slices(&slices, &Scan::new(privacy(), health), &Progress::default()).unwrap();
    assert_eq!(sums(&table), [[0, 2, 0], [1, 1, 0]]);
    let grouped = Scan { group: sites(None), ..Scan::new(privacy(), None) };
    let grouped = Scan {
        group: grouped
            .group
            .map(|g| suum_data::Grouping::one("site", g.columns()[0].groups.clone())),
        ..grouped
    };
    let groups = scan_groups_slices(&slices, &grouped, &Progress::default()).unwrap();
    let records: Vec<_> =
        groups.each.iter().map(|(_, table)| table.as_ref().map(LevelTable::records)).collect();
    assert_eq!(records, [Some(1), Some(3), None]);
    let numbers = labels("v", "1,2,8,none", None, Some("none"));
    let table = scan_slices(&slices, &Scan::new(privacy(), numbers), &Progress::default()).unwrap();
    assert_eq!(sums(&table), [[1, 1, 0, 0], [0, 0, 1, 1]]);
    let kept = Some(Value::Unbounded(UnboundedColumn {
        column: "v".into(),
        missing: Some(0.0),
        cells: None,
    }));
    let buffer = keep_slices(&slices, &Scan::new(privacy(), kept), &Progress::default()).unwrap();
    assert_eq!(buffer.records(), 4);

    // More tiers than there are codes of one byte.
    let names: Vec<String> = (0..300).map(|tier| format!("t{tier}=1")).collect();
    let positions: Vec<u32> = (0..300).chain([299]).collect();
    let slices = Slices::new().with("tier", Slice::Positions(&positions)).unwrap();
    let table = scan_slices(
        &slices,
        &Scan::new(tiers("tier", &names.join(",")), None),
        &Progress::default(),
    )
    .unwrap();
    let last =
        table.by_level().iter().find(|level_sums| level_sums.label.as_deref() == Some("t299"));
    assert_eq!(last.map(|level_sums| level_sums.count), Some(2));
    assert_eq!(table.records(), 301);
}

#[test]
fn faults_name_column_and_row_over_all_batches() {
    let column = |numbers: Vec<f64>| Arc::new(Float64Array::from(numbers)) as ArrayRef;
    let good = || batch(vec![("e", column(vec![1.0; 70_000])), ("v", column(vec![1.0; 70_000]))]);
    let with =
        |e: f64, v: f64| batch(vec![("e", column(vec![1.0, e])), ("v", column(vec![1.0, v]))]);
    let what = Scan::new(budgets("e"), value("v"));
    let failed = |batches: Vec<Result<RecordBatch>>| {
        scan_batches(batches, &what, &Progress::default()).unwrap_err()
    };
    let broken = || Err(Error::io((), "the connection is gone"));
    for (batches, message) in [
        (
            vec![Ok(good()), Ok(with(-1.0, 1.0)), Ok(with(1.0, f64::NAN))],
            "column e, row 70002: not a privacy budget",
        ),
        (
            vec![Ok(good()), Ok(with(f64::NAN, f64::NAN))],
            "column e, row 70002: missing privacy choice",
        ),
        (
            vec![Ok(with(1.0, f64::NAN)), broken(), Ok(with(-1.0, 1.0))],
            "column v, row 2: missing value",
        ),
        (vec![Ok(good()), broken(), Ok(with(-1.0, 1.0))], "the connection is gone"),
        (
            vec![Ok(good()), Ok(batch(vec![("e", column(vec![1.0]))]))],
            "column v: there is no such column among the 1 column",
        ),
        (
            vec![Ok(batch(vec![("e", column(vec![])), (SECRET, column(vec![]))]))],
            "column v: there is no such column among the 2 columns",
        ),
        (vec![Ok(good().slice(0, 0))], "the data have no records"),
        (vec![], "the data have no records"),
    ] {
        for _ in 0..5 {
            let refused = failed(batches.clone());
            assert!(refused.to_string().starts_with(message), "{refused}");
            assert!(!refused.to_string().contains(SECRET));
        }
    }
}

#[test]
fn dictionaries_are_at_fault_only_where_rows_are() {
    let entries: ArrayRef =
        Arc::new(StringArray::from(vec![Some("a"), Some(SECRET), None, Some(" b ")]));
    let label = |keys: Vec<Option<i8>>| {
        Arc::new(DictionaryArray::new(Int8Array::from(keys), Arc::clone(&entries))) as ArrayRef
    };
    let what = Scan::new(tiers("t", "a=1,b=2"), None);
    let good = label(vec![Some(0), Some(3), Some(0)]);
    let table = scanned(vec![batch(vec![("t", Arc::clone(&good))])], &what).unwrap();
    assert_eq!(table.profile().unwrap().to_string(), "1:2,2:1");
    for (last, message) in [
        (Some(1), "column t, row 5: the tier is not declared"),
        (Some(2), "column t, row 5: missing privacy choice"),
        (None, "column t, row 5: missing privacy choice"),
    ] {
        let bad = label(vec![Some(3), last]);
        let refused =
            scanned(vec![batch(vec![("t", Arc::clone(&good))]), batch(vec![("t", bad)])], &what)
                .unwrap_err();
        assert!(refused.to_string().starts_with(message), "{refused}");
    }
}

#[test]
fn columns_of_nothing_have_only_missing_cells() {
    let columns = || {
        vec![
            ("e", Arc::new(Float64Array::from(vec![1.0, 2.0])) as ArrayRef),
            ("v", Arc::new(NullArray::new(2))),
        ]
    };
    let table =
        scanned(vec![batch(columns())], &Scan::new(budgets("e"), value_or("v", 4.0))).unwrap();
    assert_eq!(sums(&table), [[1 << 29], [1 << 29]]);
    let refused =
        scanned(vec![batch(columns())], &Scan::new(budgets("e"), value("v"))).unwrap_err();
    assert!(refused.to_string().starts_with("column v, row 1: missing value"), "{refused}");
}

#[test]
fn slices_that_make_no_table_are_refused() {
    let slices = || Slices::new().with("e", Slice::Numbers(&[1.0, 2.0])).unwrap();
    let uneven = slices().with("v", Slice::Numbers(&[1.0])).unwrap_err();
    assert_eq!(uneven.to_string(), "column v: it has not as many rows as the others");
    assert_eq!(uneven.kind(), ErrorKind::Data);
    let scan = |slices: Slices, what: &Scan| {
        scan_slices(&slices, what, &Progress::default()).unwrap_err().to_string()
    };
    let by_budget = |value| Scan::new(budgets("e"), value);
    let both = |column| slices().with("v", column).unwrap();
    assert!(
        scan(slices(), &by_budget(value("v"))).starts_with("column v: there is no such column")
    );
    assert!(
        scan(both(Slice::Positions(&[0, 1])), &by_budget(value("v")))
            .contains("does not hold numbers")
    );
    assert!(
        scan(both(Slice::Positions(&[0, 1])), &Scan::new(budgets("v"), None))
            .contains("does not hold budgets")
    );
    assert!(
        scan(slices(), &Scan::new(tiers("e", "a=1"), None))
            .starts_with("column e, row 1: the tier is not declared")
    );
    assert!(
        scan(both(Slice::Positions(&[0, 1])), &Scan::new(tiers("v", "a=1"), None))
            .starts_with("column v, row 2: the tier is not declared")
    );
    let health = labels("v", "good,fair", None, None);
    assert!(
        scan(both(Slice::Positions(&[1, 2])), &by_budget(health.clone()))
            .starts_with("column v, row 2: the value is not a declared category")
    );
    assert!(
        scan(both(Slice::Numbers(&[1.0, 2.0])), &by_budget(health))
            .starts_with("column v, row 1: the value is not a declared category")
    );
    let person = Scan { person: Some("v".into()), ..by_budget(None) };
    assert!(scan(both(Slice::Positions(&[0, 1])), &person).contains("does not hold identifiers"));
    assert!(
        scan(slices().with("e", Slice::Positions(&[0, 0])).unwrap(), &by_budget(None))
            .contains("more than once")
    );
    let secret = [1234.5, 2.0];
    assert!(!format!("{:?}", both(Slice::Numbers(&secret))).contains("1234"));
}
