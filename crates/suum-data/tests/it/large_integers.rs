//! Integers that no double holds: bounds between which they would become others are refused.

use std::sync::Arc;

use arrow_array::{ArrayRef, Decimal128Array, Int64Array, RecordBatch, StringArray, UInt64Array};
use suum_core::{Bounds, ErrorKind, Grid, LevelTable, Result};
use suum_data::{
    Progress, Scan, Slice, Slices, Value, ValueColumn, scan_batches, scan_csv, scan_slices,
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

/// What each door of this crate makes of the values.
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
fn refuses_bounds_between_which_integers_become_others() {
    let large = LARGE as f64;
    for (lower, upper) in [
        (large, large + 10.0),
        (-large - 10.0, -large),
        (large - 10.0, large + 2.0),
        (1e18, 1e18 + 1e9),
    ] {
        let values = [lower as i64 + 1, lower as i64 + 3];
        for found in doors(&values, &scan(lower, upper)) {
            let refused = found.unwrap_err();
            assert_eq!(refused.kind(), ErrorKind::Parameter);
            assert!(refused.to_string().starts_with("bounds: "), "{refused}");
            assert!(refused.hint().is_some());
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
