//! Integers that no double holds keep their places between bounds that are close to each other.

use std::sync::Arc;

use arrow_array::{ArrayRef, Decimal128Array, Int64Array, RecordBatch, StringArray, UInt64Array};
use suum_core::{Bounds, ErrorKind, Grid, LevelTable, PersonValue, Result};
use suum_data::{
    Nulls, Progress, Scan, Slice, Slices, Value, ValueColumn, scan_batches, scan_csv, scan_slices,
};

use crate::common::{scan_path, sums, tiers, write_parquet};

/// The least integer, of a size of its own, next to which there is one without a double.
const LARGE: i64 = 1 << 53;

fn scan(lower: f64, upper: f64) -> Scan {
    let grid = Grid::new(Bounds::new(lower, upper).unwrap());
    let value = ValueColumn { column: "v".into(), numbers: grid.into(), missing: None };
    Scan::new(tiers("t", "p=1"), Some(Value::Number(value)))
}

fn forms(values: &[i64]) -> Vec<ArrayRef> {
    let decimals = Decimal128Array::from_iter_values(values.iter().copied().map(i128::from));
    let mut forms: Vec<ArrayRef> = vec![
        Arc::new(Int64Array::from(values.to_vec())),
        Arc::new(decimals.with_precision_and_scale(38, 0).unwrap()),
    ];
    if values.iter().all(|value| *value >= 0) {
        let unsigned = values.iter().map(|value| value.unsigned_abs());
        forms.push(Arc::new(UInt64Array::from_iter_values(unsigned)));
    }
    forms
}

/// Table of the values from each entry point of this crate.
fn doors(values: &[i64], what: &Scan) -> Vec<Result<LevelTable>> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("data.parquet");
    let progress = Progress::default();
    let lines: String = values.iter().map(|value| format!("{value},p\n")).collect();
    let mut found = vec![scan_csv(format!("v,t\n{lines}").as_bytes(), what, &progress)];
    for form in forms(values) {
        let label: ArrayRef = Arc::new(StringArray::from(vec!["p"; values.len()]));
        let columns = [("v", form), ("t", label)];
        write_parquet(&path, &columns, 3);
        found.push(scan_path(&path, what));
        let columns = columns.map(|(name, column)| (name, column, true));
        let batch = RecordBatch::try_from_iter_with_nullable(columns).unwrap();
        found.push(scan_batches([Ok(batch)], what, &progress));
    }
    let doubles: Vec<f64> = values.iter().map(|value| *value as f64).collect();
    let positions = vec![0; values.len()];
    let slices = Slices::new().with("v", Slice::Numbers(&doubles)).unwrap();
    let slices = slices.with("t", Slice::Positions(&positions)).unwrap();
    found.push(scan_slices(&slices, what, &progress));
    found
}

#[test]
fn large_integers_keep_their_places_between_narrow_bounds() {
    let large = LARGE as f64;
    for (lower, upper) in [
        (large, large + 8.0),
        (-large - 8.0, -large),
        (large - 6.0, large + 2.0),
        (1e18, 1e18 + 1024.0),
        (-1e18 - 1024.0, -1e18),
    ] {
        let eighth = (upper - lower) as i64 / 8;
        let at = |eighths: i64| lower as i64 + eighths * eighth;
        // Those beyond the bounds are clamped.
        for (values, expected) in [
            (vec![at(1), at(3)], 4),
            (vec![at(0), at(8), at(5), at(7)], 20),
            (vec![i64::MIN, i64::MAX, at(-1), at(9), 0], 16 + if at(0) < 0 { 8 } else { 0 }),
        ] {
            for (found, door) in doors(&values, &scan(lower, upper)).into_iter().zip(0..) {
                let are_doubles = values.iter().all(|value| *value as f64 as i64 == *value);
                // The last door is one of doubles.
                if door < forms(&values).len() * 2 + 1 || are_doubles {
                    assert_eq!(
                        sums(&found.unwrap()),
                        [[expected << 27]],
                        "{lower} {values:?} {door}"
                    );
                }
            }
        }
    }
}

/// With few points doubles are fine enough, with many they are not.
#[test]
fn decimals_are_rounded_once_at_every_door() {
    let scan = scan(LARGE as f64, LARGE as f64 + 8.0);
    let texts = ["9007199254740993.25", "9007199254740998.750", "9007199254740991.5"];
    let csv: String = texts.iter().map(|text| format!("{text},p\n")).collect();
    let csv = format!("v,t\n{csv}");
    let expected = (5 << 25) + (27 << 25);
    let table = scan_csv(csv.as_bytes(), &scan, &Progress::default()).unwrap();
    assert_eq!(sums(&table), [[expected]]);
    let cells = [900_719_925_474_099_325, 900_719_925_474_099_875, 900_719_925_474_099_150];
    let column = Decimal128Array::from(cells.to_vec()).with_precision_and_scale(38, 2).unwrap();
    let label: ArrayRef = Arc::new(StringArray::from(vec!["p"; 3]));
    let columns = [("v", Arc::new(column) as ArrayRef, true), ("t", label, true)];
    let batch = RecordBatch::try_from_iter_with_nullable(columns).unwrap();
    let table = scan_batches([Ok(batch)], &scan, &Progress::default()).unwrap();
    assert_eq!(sums(&table), [[expected]]);
}

#[test]
fn missing_and_null_cells_are_told_from_large_integers() {
    let lower = LARGE as f64;
    let mut what = scan(lower, lower + 8.0);
    what.nulls = Nulls::new(["-99", "9007199254740993"]).unwrap();
    let Some(Value::Number(column)) = &mut what.value else { unreachable!() };
    column.missing = Some(lower + 2.0);
    // Next to the nulls are numbers that no double tells from them.
    let values = [LARGE, LARGE + 1, LARGE + 2, -99, -100];
    let expected = (2 + 2 + 2) << 27;
    for (found, door) in doors(&values, &what).into_iter().zip(0..5) {
        assert_eq!(sums(&found.unwrap()), [[expected]], "{door}");
    }
    let csv = format!("v,t\n,p\nNaN,p\n{LARGE},p\n-99.0,p\n");
    let table = scan_csv(csv.as_bytes(), &what, &Progress::default()).unwrap();
    assert_eq!(sums(&table), [[6 << 27]]);
    let refused = scan_csv(&b"v,t\nx,p\n"[..], &what, &Progress::default()).unwrap_err();
    assert!(refused.to_string().contains("row 1: not a number"), "{refused}");
}

/// Totals are sums of doubles, and offsets have at most 128 bits.
#[test]
fn refuses_narrow_bounds_where_values_are_not_subtracted_from() {
    let large = LARGE as f64;
    let totals = Scan {
        person: Some("p".into()),
        person_value: PersonValue::Total,
        ..scan(large, large + 8.0)
    };
    let huge = 2f64.powi(130);
    for what in [totals, scan(huge, huge.next_up())] {
        for found in doors(&[LARGE + 1], &what).into_iter() {
            let refused = found.unwrap_err();
            assert_eq!(refused.kind(), ErrorKind::Parameter);
            assert!(refused.to_string().starts_with("bounds: "), "{refused}");
            assert!(refused.fix().is_some());
        }
    }
}

/// Within 2^53, and where doubles are no further apart than points of the grid, nothing is lost.
#[test]
fn places_integers_exactly_within_other_bounds() {
    let large = LARGE as f64;
    let moments = |values: &[i64], lower: f64, upper: f64| {
        let found = doors(values, &scan(lower, upper));
        let found: Vec<_> = found.into_iter().map(|found| sums(&found.unwrap())).collect();
        assert!(found.iter().all(|sums| *sums == found[0]), "{found:?}");
        found[0][0][0]
    };
    // 2 of 8 and 8 of 8, on 2^30 steps.
    let below = moments(&[LARGE - 6, LARGE], large - 8.0, large);
    assert_eq!(below, 10 << 27);
    // Integers beyond are clamped.
    let beyond = moments(&[LARGE + 1, i64::MAX, LARGE - 8], large - 8.0, large);
    assert_eq!(beyond, 2 << 30);
    assert_eq!(moments(&[i64::MAX, i64::MIN, -LARGE - 1], 0.0, 8.0), 1 << 30);
    // Wide bounds, of which a step is far longer than a double is away from the next one.
    let wide = moments(&[(1 << 60) + 1, (1 << 61) - 1], 0.0, (1i64 << 61) as f64);
    assert_eq!(wide, 3 << 29);
}

/// Engines hand over decimals of 128 bits that have more digits than their type says.
#[test]
fn reads_all_digits_of_a_decimal() {
    let number = i128::MAX;
    let column = Decimal128Array::from(vec![number]).with_precision_and_scale(38, 0).unwrap();
    let label: ArrayRef = Arc::new(StringArray::from(vec!["p"]));
    let columns = [("v", Arc::new(column) as ArrayRef, true), ("t", label, true)];
    let batch = RecordBatch::try_from_iter_with_nullable(columns).unwrap();
    let what = scan(0.0, 2f64.powi(127));
    let found = scan_batches([Ok(batch)], &what, &Progress::default()).unwrap();
    let csv = format!("v,t\n{number},p\n");
    assert_eq!(found, scan_csv(csv.as_bytes(), &what, &Progress::default()).unwrap());
    assert_eq!(sums(&found), [[1 << 30]]);
}
