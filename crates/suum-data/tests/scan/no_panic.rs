//! No input makes the crate panic.

use std::fs;
use std::sync::Arc;

use arrow_array::{ArrayRef, Float64Array, StringArray};
use proptest::prelude::*;
use suum_core::ErrorKind;
use suum_data::{Progress, Scan, read_levels, scan_csv, write_levels};

use crate::common::{bins, budgets, labels, scan_path, tiers, value, value_or, write_parquet};

fn scans() -> Vec<Scan> {
    vec![
        Scan { privacy: budgets("e"), value: value("v"), sample: None },
        Scan { privacy: tiers("t", "a=1,b=inf"), value: value_or("v", 1.0), sample: None },
        Scan { privacy: tiers("t", "a=1,b=inf"), value: None, sample: None },
        Scan { privacy: budgets("e"), value: labels("t", "a,c", Some("other"), Some("c")), sample: None },
        Scan { privacy: budgets("e"), value: bins("v", "0,10,59", None, None), sample: None },
    ]
}

fn parquet_file() -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.parquet");
    let rows = 60;
    let e: ArrayRef = Arc::new(Float64Array::from_iter_values((0..rows).map(|row| f64::from(row % 3))));
    let t: ArrayRef =
        Arc::new(StringArray::from_iter_values((0..rows).map(|row| ["a", "b"][row as usize % 2])));
    let v: ArrayRef = Arc::new(Float64Array::from_iter_values((0..rows).map(f64::from)));
    write_parquet(&path, &[("e", e), ("t", t), ("v", v)], 25);
    fs::read(path).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn random_bytes_as_csv(bytes: Vec<u8>, header: bool) {
        let text = if header { [b"e,t,v\n", bytes.as_slice()].concat() } else { bytes };
        for scan in scans() {
            let _ = scan_csv(text.as_slice(), &scan, &Progress::default());
        }
    }

    #[test]
    fn random_bytes_as_level_table(bytes: Vec<u8>) {
        let _ = read_levels(bytes.as_slice());
    }

    #[test]
    fn broken_tables_of_categories(at in 0usize..220, byte: u8) {
        let mut text = br#"{"format":"suum-levels","version":1,"column":"v","categories":["x","y"],"records":7,"levels":[{"level":"a","epsilon":0.5,"count":3,"counts":["1","2"]},{"epsilon":"inf","count":4,"counts":[4,0]}]}"#.to_vec();
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
        let mut text = br#"{"format":"suum-levels","version":1,"column":"v","bounds":[0,8],"grid":1048576,"records":7,"levels":[{"level":"a","epsilon":0.5,"count":3,"sum":"3145728"},{"epsilon":"inf","count":4,"sum":17}]}"#.to_vec();
        let length = text.len();
        text[at % length] = byte;
        if let Ok(table) = read_levels(text.as_slice()) {
            let mut again = Vec::new();
            write_levels(&table, &mut again).unwrap();
            prop_assert_eq!(read_levels(again.as_slice()).unwrap(), table);
        }
    }
}

#[test]
fn damaged_parquet() {
    let good = parquet_file();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.parquet");
    let read = |bytes: &[u8]| {
        fs::write(&path, bytes).unwrap();
        scans().iter().map(|scan| scan_path(&path, scan)).collect::<Vec<_>>()
    };
    let whole = read(&good);
    assert!(whole.iter().all(Result::is_ok));
    for length in (0..good.len()).step_by(7) {
        for refused in read(&good[..length]) {
            assert!(refused.is_err());
        }
    }
    let mut broken = 0;
    for at in 0..good.len() {
        for change in [0x01, 0x80, 0xFF] {
            let mut bytes = good.clone();
            bytes[at] ^= change;
            for refused in read(&bytes).into_iter().filter_map(Result::err) {
                assert!(refused.hint().is_some(), "{refused}");
                broken += usize::from(refused.kind() == ErrorKind::Io);
            }
        }
    }
    assert!(broken > 1000, "most damage is found: {broken}");
}
