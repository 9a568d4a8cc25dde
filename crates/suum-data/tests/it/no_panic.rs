//! No input makes the crate panic.

use std::fs;
use std::sync::Arc;

use arrow_array::{ArrayRef, Float64Array, Int64Array, StringArray};
use proptest::prelude::*;
use suum_core::{
    Bounds, Cells, ErrorKind, FloatOrder, Grid, Key, Numbers, PersonValue, Records, Result,
};
use suum_data::{
    CategoryRule, Grouping, Progress, RecordBuffer, Scan, Source, UnboundedColumn, Value,
    ValueColumn, keep, keep_csv, read_counted, read_counted_of_anybody, read_levels, scan_csv,
    scan_groups, scan_groups_csv, write_counted, write_levels,
};
use suum_testing::Extent;

use crate::common::{bins, budgets, labels, scan_path, tiers, value, value_or, write_parquet};

fn scans() -> Vec<Scan> {
    vec![
        Scan::new(budgets("e"), value("v")),
        Scan::new(tiers("t", "a=1,b=inf"), value_or("v", 1.0)),
        Scan::new(tiers("t", "a=1,b=inf"), None),
        Scan::new(budgets("e"), labels("t", "a,c", Some("other"), Some("c"))),
        Scan::new(budgets("e"), bins("v", "0,10,59", None, None)),
        Scan { person: Some("p".into()), ..Scan::new(budgets("e"), moments(3)) },
        Scan {
            person: Some("p".into()),
            person_value: PersonValue::Total,
            ..Scan::new(budgets("e"), value_or("v", 1.0))
        },
        Scan { person: Some("t".into()), ..Scan::new(tiers("t", "a=1,b=inf"), None) },
        Scan::new(budgets("e"), moments(1)),
    ]
}

/// Counts what a buffer takes.
fn weigh(kept: Result<RecordBuffer>) -> Result<()> {
    let mut buffer = kept?;
    let weights = vec![3; buffer.budgets().len()];
    let counts =
        buffer.weigh(Key::Value, &[FloatOrder::key(0.0), FloatOrder::key(1.0)], &weights)?;
    assert_eq!(counts.iter().sum::<u128>(), 3 * u128::from(buffer.records()));
    Ok(())
}

fn unbounded() -> Scan {
    let column = UnboundedColumn { column: "v".into(), missing: Some(1.0), cells: None };
    Scan::new(budgets("e"), Some(Value::Unbounded(column)))
}

fn moments(rows: u32) -> Option<Value> {
    let grid = Grid::new(Bounds::new(0.0, 8.0).unwrap());
    let cells = Some(Cells::new(10).unwrap().with_rows(rows).unwrap());
    let numbers = Numbers { grid, squares: true, cells };
    Some(Value::Number(ValueColumn { column: "v".into(), numbers, missing: Some(1.0) }))
}

fn grouped() -> Vec<Scan> {
    let group = |other| {
        let groups = CategoryRule::labels(vec!["a".into(), "b".into()], other).unwrap();
        Some(Grouping::one("t", groups))
    };
    vec![
        Scan { group: group(None), ..Scan::new(budgets("e"), moments(1)) },
        Scan {
            group: group(Some("c")),
            person: Some("p".into()),
            ..Scan::new(tiers("t", "a=1,b=inf"), moments(2))
        },
    ]
}

fn parquet_file() -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.parquet");
    let rows = 60;
    let e: ArrayRef =
        Arc::new(Float64Array::from_iter_values((0..rows).map(|row| f64::from(row % 3))));
    let t: ArrayRef =
        Arc::new(StringArray::from_iter_values((0..rows).map(|row| ["a", "b"][row as usize % 2])));
    let v: ArrayRef = Arc::new(Float64Array::from_iter_values((0..rows).map(f64::from)));
    let p: ArrayRef = Arc::new(Int64Array::from_iter_values(
        (0..rows).map(|row| i64::from(row / 4 * 2 + row % 2)),
    ));
    write_parquet(&path, &[("e", e), ("t", t), ("v", v), ("p", p)], 25);
    fs::read(path).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(Extent::get().cases(1000)))]

    #[test]
    fn random_bytes_as_csv(bytes: Vec<u8>, header: bool) {
        let text = if header { [b"e,t,v,p\n", bytes.as_slice()].concat() } else { bytes };
        for scan in scans() {
            let _ = scan_csv(text.as_slice(), &scan, &Progress::default());
        }
        let _ = weigh(keep_csv(text.as_slice(), &unbounded(), &Progress::default()));
        for scan in grouped() {
            let _ = scan_groups_csv(text.as_slice(), &scan, &Progress::default());
        }
    }

    #[test]
    fn random_bytes_as_level_table(bytes: Vec<u8>) {
        let _ = read_levels(bytes.as_slice());
    }

    #[test]
    fn broken_tables_of_categories(at in 0usize..220, byte: u8) {
        let mut text = br#"{"format":"suum-levels","version":1,"column":"v","categories":["x","y"],
            "records":7,"levels":[{"level":"a","epsilon":0.5,"count":3,"counts":["1","2"]},
            {"epsilon":"inf","count":4,"counts":[4,0]}]}"#
            .to_vec();
        let length = text.len();
        text[at % length] = byte;
        if let Ok(table) = read_levels(text.as_slice()) {
            let mut again = Vec::new();
            write_levels(&table, &mut again).unwrap();
            prop_assert_eq!(read_levels(again.as_slice()).unwrap(), table);
        }
    }

    #[test]
    fn broken_level_tables(at in 0usize..220, byte: u8) {
        let mut text = br#"{"format":"suum-levels","version":1,"column":"v","bounds":[0,8],
            "grid":1048576,"records":7,
            "levels":[{"level":"a","epsilon":0.5,"count":3,"sum":"3145728"},
            {"epsilon":"inf","count":4,"sum":17}]}"#
            .to_vec();
        let length = text.len();
        text[at % length] = byte;
        if let Ok(table) = read_levels(text.as_slice()) {
            let mut again = Vec::new();
            write_levels(&table, &mut again).unwrap();
            prop_assert_eq!(read_levels(again.as_slice()).unwrap(), table);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(Extent::get().cases(2000)))]

    #[test]
    fn broken_tables_of_moments(at in 0usize..300, byte: u8) {
        let mut text = br#"{"format":"suum-levels","version":1,"column":"v","bounds":[0,8],
            "grid":1048576,"squares":true,"cells":8,"rows":2,"person":"id","records":2,
            "levels":[{"epsilon":0.5,"count":2,"sum":"1048576","squares":"10",
            "cells":[[3,1],[5,"3"]]}]}"#
            .to_vec();
        let length = text.len();
        text[at % length] = byte;
        if let Ok(table) = read_levels(text.as_slice()) {
            let mut again = Vec::new();
            write_levels(&table, &mut again).unwrap();
            prop_assert_eq!(read_levels(again.as_slice()).unwrap(), table);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(Extent::get().cases(4000)))]

    #[test]
    fn broken_tables_of_groups(at in 0usize..500, byte: u8) {
        let mut text = br#"{"format":"suum-levels","version":1,"column":"v","bounds":[0,8],
            "grid":1048576,"squares":true,"cells":8,"cell_sums":true,
            "group_by":"g","groups":["a,b","c","d"],"records":3,"levels":[
            {"group":"a,b","epsilon":0.5,"count":1,"sum":"1048576","squares":"1099511627776"},
            {"group":"c","epsilon":0.5,"count":2,"sum":"0","squares":"2199023255552",
            "cells":[[0,2]],"cell_sums":[["0","2199023255552"]]}]}"#
            .to_vec();
        let length = text.len();
        text[at % length] = byte;
        for anybody in [false, true] {
            let read = |text: &[u8]| match anybody {
                false => read_counted(text),
                true => read_counted_of_anybody(text),
            };
            if let Ok(counted) = read(text.as_slice()) {
                let mut again = Vec::new();
                write_counted(&counted, &mut again).unwrap();
                prop_assert_eq!(read(again.as_slice()).unwrap(), counted);
            }
        }
    }
}

/// Reads a possibly damaged Parquet file through all entry points.
struct ParquetReader {
    good: Vec<u8>,
    folder: tempfile::TempDir,
}

impl ParquetReader {
    fn new() -> Self {
        Self { good: parquet_file(), folder: tempfile::tempdir().unwrap() }
    }

    fn read(&self, bytes: &[u8]) -> Vec<Result<()>> {
        let path = self.folder.path().join("x.parquet");
        fs::write(&path, bytes).unwrap();
        let source = Source::parse(path.to_str().unwrap()).unwrap();
        let grouped = grouped();
        let of_groups =
            grouped.iter().map(|scan| scan_groups(&source, scan, &Progress::default()).map(|_| ()));
        let kept = weigh(keep(&source, &unbounded(), &Progress::default()));
        let tables = scans().into_iter().map(|scan| scan_path(&path, &scan).map(|_| ()));
        tables.chain(of_groups).chain([kept]).collect()
    }

    /// Changes every byte in this way, one at a time.
    fn with_each_byte(&self, change: u8) {
        let mut broken = 0;
        for at in 0..self.good.len() {
            let mut bytes = self.good.clone();
            bytes[at] ^= change;
            for refused in self.read(&bytes).into_iter().filter_map(Result::err) {
                assert!(refused.fix().is_some(), "{refused}");
                broken += usize::from(refused.kind() == ErrorKind::Io);
            }
        }
        assert!(broken > 300, "most damage is found: {broken}");
    }
}

#[test]
fn parquet_that_ends_early() {
    let reader = ParquetReader::new();
    assert!(reader.read(&reader.good).iter().all(Result::is_ok));
    for length in (0..reader.good.len()).step_by(7) {
        assert!(reader.read(&reader.good[..length]).iter().all(Result::is_err));
    }
}

// Each takes a minute; as tests of their own they share the cores.

#[test]
#[ignore = "takes seconds"]
fn parquet_with_a_low_bit_changed() {
    ParquetReader::new().with_each_byte(0x01);
}

#[test]
#[ignore = "takes seconds"]
fn parquet_with_a_high_bit_changed() {
    ParquetReader::new().with_each_byte(0x80);
}

#[test]
#[ignore = "takes seconds"]
fn parquet_with_all_bits_changed() {
    ParquetReader::new().with_each_byte(0xFF);
}
