//! Choices in a file of their own give the table of choices beside the values.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow_array::{ArrayRef, Float64Array, Int64Array, StringArray};
use suum_core::{LevelTable, Result};
use suum_data::{Consent, PrivacyColumn, Progress, Scan, Source, read_consent, scan_csv};

use crate::common::{budgets, scan_path, tiers, value, write_parquet};

fn column(kind: &str) -> PrivacyColumn {
    if kind == "tiers" { tiers("c", "strict=0.1,open=1") } else { budgets("c") }
}

fn read(file: &Path, kind: &str, missing: Option<&str>) -> Result<Consent> {
    let choices = Scan {
        person: Some("id".into()),
        missing_choice: missing.map(str::to_owned),
        ..Scan::new(column(kind), None)
    };
    let source = Source::parse(file.to_str().unwrap())?;
    read_consent(&source, &choices, "who", &Progress::default())
}

fn scan(consent: Consent, kind: &str, missing: Option<&str>) -> Scan {
    Scan {
        missing_choice: missing.map(str::to_owned),
        consent: Some(Arc::new(consent)),
        ..Scan::new(column(kind), value("v"))
    }
}

fn scan_text(text: &str, what: &Scan) -> Result<LevelTable> {
    scan_csv(text.as_bytes(), what, &Progress::default())
}

fn write(folder: &tempfile::TempDir, text: &str) -> PathBuf {
    let path = folder.path().join("consent.csv");
    fs::write(&path, text).unwrap();
    path
}

#[test]
fn a_choice_is_found_by_its_key_whatever_the_files() {
    let folder = tempfile::tempdir().unwrap();
    for (kind, choices) in [("tiers", ["strict", "open"]), ("budgets", ["0.25", "3"])] {
        let [one, other] = choices;
        let beside = format!("v,c\n1,{one}\n2,{other}\n3,{one}\n");
        let expected = scan_text(&beside, &Scan::new(column(kind), value("v"))).unwrap();
        let csv = write(&folder, &format!("c,id\n{one},7\n{other},8\n{one},9\n"));
        let parquet = folder.path().join("consent.parquet");
        let numbers: ArrayRef = match kind {
            "tiers" => Arc::new(StringArray::from(vec![one, other, one])),
            _ => Arc::new(Float64Array::from(vec![0.25, 3.0, 0.25])),
        };
        let keys: ArrayRef = Arc::new(Int64Array::from(vec![7, 8, 9]));
        write_parquet(&parquet, &[("id", keys), ("c", numbers)], 2);
        for file in [csv, parquet] {
            let what = scan(read(&file, kind, None).unwrap(), kind, None);
            assert_eq!(scan_text("v,who\n1,7\n2, 8\n3,9\n", &what).unwrap(), expected);
            assert_eq!(scan_text("v,who\n1,7\n2,\"8\"\n3,9\n", &what).unwrap(), expected);
            let data = folder.path().join("data.parquet");
            let keys: ArrayRef = Arc::new(Int64Array::from(vec![7, 8, 9]));
            let values: ArrayRef = Arc::new(Float64Array::from(vec![1.0, 2.0, 3.0]));
            write_parquet(&data, &[("who", keys), ("v", values)], 2);
            assert_eq!(scan_path(&data, &what).unwrap(), expected);
            assert_eq!(format!("{:?}", what.consent), "Some(Consent { key: \"who\", .. })");
        }
    }
}

/// Keys that are budgets, too, but those of others.
#[test]
fn keys_are_no_budgets_however_many_there_are() {
    let folder = tempfile::tempdir().unwrap();
    let file = write(&folder, "id,c\n1,2\n2,1\n");
    let what = scan(read(&file, "budgets", None).unwrap(), "budgets", None);
    let data = folder.path().join("data.parquet");
    let keys = (0..10_000).map(|row| if row % 10 > 0 { 1 } else { 2 });
    let integers: ArrayRef = Arc::new(Int64Array::from_iter_values(keys.clone()));
    let numbers: ArrayRef = Arc::new(Float64Array::from_iter_values(keys.map(|key| key as f64)));
    let values: ArrayRef = Arc::new(Float64Array::from(vec![0.0; 10_000]));
    for keys in [integers, numbers] {
        write_parquet(&data, &[("who", keys), ("v", Arc::clone(&values))], 10_000);
        let profile = scan_path(&data, &what).unwrap().profile().unwrap();
        assert_eq!(profile.to_string(), "1:1000,2:9000");
    }
}

#[test]
fn a_key_that_is_not_there_counts_as_missing() {
    let folder = tempfile::tempdir().unwrap();
    let file = write(&folder, "id,c\nann,open\nbob,\n");
    let refused = read(&file, "tiers", None).unwrap_err();
    assert!(refused.to_string().ends_with("column c, row 2: missing privacy choice"), "{refused}");
    let what = scan(read(&file, "tiers", Some("strict")).unwrap(), "tiers", Some("strict"));
    let table = scan_text("who,v\nann,1\nbob,1\ncid,1\n,1\n", &what).unwrap();
    assert_eq!(table.profile().unwrap().to_string(), "0.1:3,1:1");
    let file = write(&folder, "id,c\nann,0.5\n");
    let what = scan(read(&file, "budgets", None).unwrap(), "budgets", None);
    let refused = scan_text("who,v\nann,1\ncid,1\n", &what).unwrap_err();
    assert_eq!(refused.to_string(), "column who, row 2: the key is not in the consent file");
    assert!(refused.fix().unwrap().to_string().contains("missing_consent"));
    let refused = scan_text("who,v\n,1\n", &what).unwrap_err();
    assert_eq!(refused.to_string(), "column who, row 1: missing privacy choice");
}

#[test]
fn a_key_that_is_there_twice_is_refused_by_its_row() {
    let folder = tempfile::tempdir().unwrap();
    let many: String = (0..300_000).map(|id| format!("{id},0.5\n")).collect();
    for (text, row) in [("1,1\n2,1\n1,1\n".to_owned(), 3), (format!("{many}7,0.5\n"), 300_001)] {
        let file = write(&folder, &format!("id,c\n{text}"));
        let refused = read(&file, "budgets", None).unwrap_err().to_string();
        let expected = format!("column id, row {row}: the key is in an earlier row, too");
        assert!(refused.ends_with(&expected), "{refused}");
    }
    let file = write(&folder, "id,c\n,1\n");
    let refused = read(&file, "budgets", None).unwrap_err().to_string();
    assert!(refused.ends_with("column id, row 1: missing identifier"), "{refused}");
    let file = write(&folder, "id,c\n1,x\n");
    let refused = read(&file, "budgets", None).unwrap_err().to_string();
    assert!(refused.ends_with("column c, row 1: not a privacy budget"), "{refused}");
}
