//! Every refusal: its kind, its place, its way out, and that it repeats nothing of the data.

use std::fs;
use std::sync::Arc;

use arrow_array::{
    ArrayRef, BinaryArray, BooleanArray, Date32Array, Float64Array, Int32Array, RecordBatch,
    StringArray,
};
use arrow_schema::{DataType, Field, Schema};
use suum_core::{Epsilon, Error, ErrorKind, Result};
use suum_data::{PrivacyColumn, Progress, Scan, Tiers, scan_csv};

use crate::common::{
    SECRET, bins, budgets, labels, scan_path, sums, tiers, value, value_or, write_batch,
    write_parquet,
};

#[track_caller]
fn check<T: std::fmt::Debug>(refused: Result<T>, kind: ErrorKind, message: &str) -> Error {
    let refused = refused.unwrap_err();
    assert_eq!(refused.to_string(), message);
    assert_eq!(refused.kind(), kind, "{refused}");
    assert!(
        refused.fix().map(ToString::to_string).is_some_and(|hint| !hint.is_empty()),
        "{refused}"
    );
    let all = format!("{refused:?}");
    assert!(!all.contains(SECRET) && !all.contains("SECRET"), "{all}");
    refused
}

fn by_budget() -> Scan {
    Scan::new(budgets("e"), value("v"))
}

fn by_tier() -> Scan {
    Scan::new(tiers("e", "a=1,b=inf"), value("v"))
}

#[test]
fn faults_of_csv_rows() {
    let budget = by_budget();
    let tier = by_tier();
    let only = Scan::new(budgets("e"), None);
    let rows: Vec<(&Scan, Vec<u8>, &str)> = vec![
        (&budget, b"1,2\n1,SECRET123\n".to_vec(), "column v, row 2: not a number"),
        (&budget, b"1,2\n1,2.5SECRET123\n".to_vec(), "column v, row 2: not a number"),
        (&budget, b"1,1\n1,\n".to_vec(), "column v, row 2: missing value"),
        (&budget, b"1,  \n".to_vec(), "column v, row 1: missing value"),
        (&budget, b"1,NaN\n".to_vec(), "column v, row 1: missing value"),
        (&budget, b"1,-nan\n".to_vec(), "column v, row 1: missing value"),
        (&budget, b"SECRET123,1\n".to_vec(), "column e, row 1: not a privacy budget"),
        (&budget, b"nan,1\n".to_vec(), "column e, row 1: not a privacy budget"),
        (&budget, b"-1,1\n".to_vec(), "column e, row 1: not a privacy budget"),
        (&budget, b"-inf,1\n".to_vec(), "column e, row 1: not a privacy budget"),
        (&budget, b"1e101,1\n".to_vec(), "column e, row 1: not a privacy budget"),
        (&budget, b"1e-101,1\n".to_vec(), "column e, row 1: not a privacy budget"),
        (&budget, b",1\n".to_vec(), "column e, row 1: missing privacy choice"),
        (&budget, b"\xFFSECRET123,1\n".to_vec(), "column e, row 1: the cell is not UTF-8"),
        (&budget, b"1,\xFFSECRET123\n".to_vec(), "column v, row 1: the cell is not UTF-8"),
        (
            &budget,
            b"1,1\nSECRET123\n".to_vec(),
            "row 2: the record does not have as many cells as the header",
        ),
        (
            &budget,
            b"1,1,SECRET123\n".to_vec(),
            "row 1: the record does not have as many cells as the header",
        ),
        (
            &budget,
            b"1,1,SECRET123,\n".to_vec(),
            "row 1: the record does not have as many cells as the header",
        ),
        (
            &budget,
            b"1,1\n \n".to_vec(),
            "row 2: the record does not have as many cells as the header",
        ),
        (
            &budget,
            b"1,1\n1,\"1\nSECRET123,1".to_vec(),
            "row 2: a double quote is opened and never closed",
        ),
        (&tier, b"a,1\nSECRET123,1\n".to_vec(), "column e, row 2: the tier is not declared"),
        (&tier, b"A,1\n".to_vec(), "column e, row 1: the tier is not declared"),
        (&tier, b"\"\",1\n".to_vec(), "column e, row 1: missing privacy choice"),
        (&tier, b"\xFF,1\n".to_vec(), "column e, row 1: the cell is not UTF-8"),
        // The privacy column comes first, wherever it stands.
        (&tier, b"SECRET123,SECRET123\n".to_vec(), "column e, row 1: the tier is not declared"),
        (&only, b",SECRET123\n".to_vec(), "column e, row 1: missing privacy choice"),
    ];
    for (scan, rows, message) in rows {
        let text = [b"e,v\n".as_slice(), &rows].concat();
        check(scan_csv(text.as_slice(), scan, &Progress::default()), ErrorKind::Data, message);
    }
}

#[test]
fn faults_of_categories() {
    let by_label =
        |other, missing| Scan { value: labels("v", "a,b,1", other, missing), ..by_budget() };
    let by_bin = |other, missing| Scan { value: bins("v", "0,1,2", other, missing), ..by_budget() };
    let undeclared = "column v, row 2: the value is not a declared category";
    let outside = "column v, row 2: the value is outside the bins";
    let missing = "column v, row 2: missing value";
    let not_text = "column v, row 2: the cell is not UTF-8";
    let not_a_number = "column v, row 2: not a number";
    for (scan, cell, message, hint) in [
        (by_label(None, None), &b"SECRET123"[..], undeclared, "other=NAME"),
        (by_label(None, Some("a")), b"A", undeclared, "categories"),
        (by_label(None, None), b" ", missing, "missing=NAME"),
        (by_label(Some("c"), None), b"\"\"", missing, "missing=NAME"),
        (by_label(None, None), b"\xFFSECRET123", not_text, "UTF-8"),
        (by_label(Some("c"), Some("a")), b"\xFFSECRET123", not_text, "UTF-8"),
        (by_bin(None, None), b"2.000000001", outside, "bins"),
        (by_bin(None, Some("[0, 1)")), b"-0.5", outside, "other=NAME"),
        (by_bin(None, None), b"inf", outside, "bins"),
        (by_bin(None, None), b"-inf", outside, "bins"),
        (by_bin(Some("c"), None), b"SECRET123", not_a_number, "a column of numbers"),
        (by_bin(Some("c"), None), b"", missing, "missing=NAME"),
        (by_bin(Some("c"), None), b"nan", missing, "missing=NAME"),
    ] {
        let text = [b"e,v\n1,1\n1,", cell, b"\n"].concat();
        let refused =
            check(scan_csv(text.as_slice(), &scan, &Progress::default()), ErrorKind::Data, message);
        assert!(refused.fix().unwrap().to_string().contains(hint), "{refused:?}");
    }
    let text = &b"e,v\n1,\n1,NaN\n1,3\n1,2\n1,-0\n"[..];
    let table = scan_csv(text, &by_bin(Some("c"), Some(" [1, 2] ")), &Progress::default()).unwrap();
    assert_eq!(sums(&table), [[1, 3, 1]]);
    let table = scan_csv(text, &by_label(Some("c"), Some("b")), &Progress::default()).unwrap();
    assert_eq!(sums(&table), [[0, 1, 0, 4]], "to labels, NaN is a text as any other");
}

#[test]
fn categories_of_parquet_columns() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.parquet");
    let name = path.display().to_string();
    let e: ArrayRef = Arc::new(Float64Array::from(vec![1.0; 3]));
    let text: ArrayRef = Arc::new(StringArray::from(vec![Some("1"), Some(SECRET), None]));
    let integers: ArrayRef = Arc::new(Int32Array::from(vec![Some(1), Some(-4711), None]));
    let floats: ArrayRef = Arc::new(Float64Array::from(vec![Some(1.0), None, Some(4711.0)]));
    let bytes: ArrayRef = Arc::new(BinaryArray::from(vec![&b"1"[..]; 3]));
    let truth: ArrayRef = Arc::new(BooleanArray::from(vec![Some(true), None, Some(false)]));
    let date: ArrayRef = Arc::new(Date32Array::from(vec![1, 2, 3]));
    let by_label = || labels("v", "1,true", None, None);
    let by_bin = || bins("v", "0,1,2", None, None);
    for (v, value, message, hint) in [
        (&text, by_label(), ", row 2: the value is not a declared category", "other"),
        (&text, labels("v", "1,2", Some("c"), None), ", row 3: missing value", "missing=NAME"),
        (&integers, by_label(), ", row 2: the value is not a declared category", "other"),
        (&integers, labels("v", "1,2", Some("c"), None), ", row 3: missing value", "missing=NAME"),
        (&truth, by_label(), ", row 2: missing value", "missing=NAME"),
        (
            &truth,
            labels("v", "1,true", None, Some("1")),
            ", row 3: the value is not a declared category",
            "other",
        ),
        (&bytes, by_label(), ": the column does not hold labels", "bins"),
        (&floats, by_label(), ", row 2: missing value", "missing=NAME"),
        (
            &floats,
            labels("v", "1,2", None, Some("1")),
            ", row 3: the value is not a declared category",
            "other",
        ),
        (&date, by_label(), ", row 1: the value is not a declared category", "other"),
        (&text, by_bin(), ": the column does not hold numbers", "convert"),
        (&integers, by_bin(), ", row 2: the value is outside the bins", "bins"),
        (&floats, by_bin(), ", row 2: missing value", "missing=NAME"),
        (
            &floats,
            bins("v", "0,1,2", None, Some("[1, 2]")),
            ", row 3: the value is outside the bins",
            "other",
        ),
    ] {
        for rows_per_group in [1, 5] {
            write_parquet(&path, &[("e", Arc::clone(&e)), ("v", Arc::clone(v))], rows_per_group);
            let scan = Scan::new(budgets("e"), value.clone());
            let refused = check(
                scan_path(&path, &scan),
                ErrorKind::Data,
                &format!("{name}: column v{message}"),
            );
            assert!(
                refused.fix().unwrap().to_string().contains(hint)
                    && !format!("{refused:?}").contains("4711")
            );
        }
    }
}

#[test]
fn too_many_counters_are_refused() {
    let names: Vec<String> = (0..65_536).map(|name| name.to_string()).collect();
    let value = labels("v", &names.join(","), None, None);
    let budgets: String = (1..=1025).map(|budget| format!("{budget},1\n")).collect();
    let scan = Scan { value: value.clone(), ..by_budget() };
    let message = "there are more than 67108864 pairs of a budget and a category";
    let text = format!("e,v\n{budgets}");
    check(scan_csv(text.as_bytes(), &scan, &Progress::default()), ErrorKind::Data, message);
    let text = format!("e,v\n{budgets}SECRET123,1\n");
    let message = "column e, row 1026: not a privacy budget";
    check(scan_csv(text.as_bytes(), &scan, &Progress::default()), ErrorKind::Data, message);

    let tier = |tier: u32| (format!("t{tier}"), Epsilon::new(f64::from(tier)).unwrap());
    let tiers = Tiers::new((1..=1025).map(tier)).unwrap();
    let scan = Scan::new(PrivacyColumn::Tiers { column: "e".into(), tiers }, value);
    let message = "there are more than 67108864 pairs of a tier and a category";
    check(scan_csv(&b""[..], &scan, &Progress::default()), ErrorKind::Request, message);
}

#[test]
fn blank_lines_of_a_single_column_are_missing_cells() {
    let scan = Scan::new(budgets("e"), None);
    for (text, row) in [
        ("e\n1\n\n2\n", 2),
        ("e\r\n1\r\n\r\n", 2),
        ("e\n\n1\n", 1),
        ("e\r1\r\r", 2),
        ("e\n1\n \n", 2),
    ] {
        let message = format!("column e, row {row}: missing privacy choice");
        check(scan_csv(text.as_bytes(), &scan, &Progress::default()), ErrorKind::Data, &message);
    }
    assert!(scan_csv(&b"\n\ne\r\n1\r\n2"[..], &scan, &Progress::default()).is_ok());
    let two =
        scan_csv(&b"e,v\n\n1,2\n\r\n\n1,3\n\n"[..], &by_budget(), &Progress::default()).unwrap();
    assert_eq!(two.records(), 2, "between records of several cells blank lines mean nothing");
}

#[test]
fn missing_values_are_replaced_where_a_constant_is_declared() {
    let scan = Scan::new(budgets("e"), value_or("v", 2.0));
    let table =
        scan_csv(&b"e,v\n1,\n1,nan\n1, NAN \n1,2\n"[..], &scan, &Progress::default()).unwrap();
    assert_eq!(table.by_level()[0].sums[0].expose_raw(), 4 << 28);
    let refused = scan_csv(&b"e,v\n,1\n"[..], &scan, &Progress::default());
    check(refused, ErrorKind::Data, "column e, row 1: missing privacy choice");
    let refused = scan_csv(&b"e,v\n1,\n"[..], &by_budget(), &Progress::default());
    let refused = check(refused, ErrorKind::Data, "column v, row 1: missing value");
    assert!(
        refused.fix().unwrap().to_string().contains("missing=VALUE")
            && refused.fix().unwrap().to_string().contains("reveal")
    );
}

#[test]
fn faults_of_csv_headers() {
    let no_records = "the data have no records";
    for (text, message) in [
        (
            &b"e,SECRET123,x\n1,1,1\n"[..],
            "column v: there is no such column among the 3 columns of the header",
        ),
        (b"SECRET123\n1\n", "column e: there is no such column among the 1 column of the header"),
        (b"E,v\n1,1\n", "column e: there is no such column among the 2 columns of the header"),
        // Perhaps a record: the other column is not in it.
        (
            b"E,SECRET123\n1,1\n",
            "column e: there is no such column among the 2 columns of the header; the name of \
             column 1 is nearly this one",
        ),
        (b"e;v\n1;1\n", "column e: there is no such column among the 1 column of the header"),
        (b"e,v,SECRET123,v\n1,1,1,1\n", "column v: the header has this column more than once"),
        (b"e,\" v\",v,e\n1,1,1,1\n", "column e: the header has this column more than once"),
        (b"e,v,\xFFSECRET123\n1,1,1\n", "the header is not UTF-8"),
        (b"e,\"v\n1,SECRET123\n", "a double quote is opened and never closed"),
        (b"", "the file is empty"),
        (b"\xEF\xBB\xBF", "the file is empty"),
        (b"\n\r\n\n", "the file is empty"),
        (b"e,v", no_records),
        (b"e,v\n\n", no_records),
    ] {
        check(scan_csv(text, &by_budget(), &Progress::default()), ErrorKind::Data, message);
    }
    let wide = "SECRET123,".repeat((1 << 20) + 1);
    let refused = scan_csv(wide.as_bytes(), &by_budget(), &Progress::default());
    check(refused, ErrorKind::Data, "the header has more than a million columns");
}

#[test]
fn parameters() {
    let text = || &b"e,v\n1,1\n"[..];
    for constant in [f64::NAN, f64::INFINITY] {
        let scan = Scan::new(budgets("e"), value_or("v", constant));
        let message = "missing: the constant for missing cells must be a finite number";
        check(scan_csv(text(), &scan, &Progress::default()), ErrorKind::Parameter, message);
    }
    let scan = Scan::new(budgets(" "), None);
    let message = "privacy: the name of the column is empty";
    check(scan_csv(text(), &scan, &Progress::default()), ErrorKind::Parameter, message);
    for value in [labels("v", "a,b", None, Some("c")), bins("v", "0,1,2", None, Some("[0, 1]"))] {
        let scan = Scan::new(budgets("e"), value);
        let message = "missing: the category for missing cells is not declared";
        check(scan_csv(text(), &scan, &Progress::default()), ErrorKind::Parameter, message);
    }
    let scan = Scan::new(budgets("e"), value(""));
    let message = "value: the name of the column is empty";
    check(scan_csv(text(), &scan, &Progress::default()), ErrorKind::Parameter, message);
}

#[test]
fn files_are_named_and_rows_counted_within_each() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::write(at("a.csv"), "e,v\n1,1\n1,2\n").unwrap();
    fs::write(at("b.csv"), "v,e\n").unwrap();
    fs::write(at("c.csv"), "v,e\n1,1\nSECRET123,1\n").unwrap();
    let place = at("c.csv").display().to_string();
    let message = format!("{place}: column v, row 2: not a number");
    check(scan_path(folder.path(), &by_budget()), ErrorKind::Data, &message);

    fs::write(at("c.csv"), "").unwrap();
    check(
        scan_path(folder.path(), &by_budget()),
        ErrorKind::Data,
        &format!("{place}: the file is empty"),
    );
    fs::write(at("a.csv"), "e,v\n1,1\n1,\n").unwrap();
    let message = format!("{}: column v, row 2: missing value", at("a.csv").display());
    check(scan_path(folder.path(), &by_budget()), ErrorKind::Data, &message);

    for name in ["a.csv", "c.csv"] {
        fs::remove_file(at(name)).unwrap();
    }
    check(scan_path(folder.path(), &by_budget()), ErrorKind::Data, "the data have no records");
}

#[test]
fn faults_of_parquet_rows() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.parquet");
    let name = path.display().to_string();
    let numbers =
        |numbers: [Option<f64>; 5]| -> ArrayRef { Arc::new(Float64Array::from_iter(numbers)) };
    let texts = |texts: [Option<&str>; 5]| -> ArrayRef { Arc::new(StringArray::from_iter(texts)) };
    let good = || numbers([Some(1.0); 5]);
    let tiers = [Some("a"), Some("b"), Some("a"), Some(SECRET), None];
    let budgets = [Some("1"), Some("0"), Some("1"), Some(SECRET), None];
    for (scan, e, v, message) in [
        (
            by_budget(),
            numbers([Some(1.0), Some(0.0), None, Some(-1.0), None]),
            good(),
            "e, row 3: missing privacy choice",
        ),
        (
            by_budget(),
            numbers([Some(1.0), Some(0.0), Some(f64::NAN), None, None]),
            good(),
            "e, row 3: missing privacy choice",
        ),
        (
            by_budget(),
            numbers([Some(1.0), Some(0.0), Some(-123.0), None, None]),
            good(),
            "e, row 3: not a privacy budget",
        ),
        (by_budget(), texts(budgets), good(), "e, row 4: not a privacy budget"),
        (by_tier(), texts(tiers), good(), "e, row 4: the tier is not declared"),
        (
            by_tier(),
            texts([Some("a"), Some("b"), Some(" "), None, None]),
            good(),
            "e, row 3: missing privacy choice",
        ),
        (
            by_tier(),
            texts([Some("a"), Some("b"), None, None, None]),
            good(),
            "e, row 3: missing privacy choice",
        ),
        (
            by_budget(),
            good(),
            numbers([Some(1.0), Some(2.0), Some(3.0), Some(1.0), None]),
            "v, row 5: missing value",
        ),
        (
            by_budget(),
            good(),
            numbers([Some(f64::NAN), Some(2.0), None, None, None]),
            "v, row 1: missing value",
        ),
        // The first row with a fault, and in it the privacy column.
        (
            by_tier(),
            texts(tiers),
            numbers([Some(1.0), None, None, None, None]),
            "v, row 2: missing value",
        ),
        (
            by_tier(),
            texts(tiers),
            numbers([Some(1.0), Some(1.0), Some(1.0), None, None]),
            "e, row 4: the tier is not declared",
        ),
        (
            by_budget(),
            texts(budgets),
            numbers([Some(1.0), None, None, None, None]),
            "v, row 2: missing value",
        ),
        (
            by_budget(),
            texts(budgets),
            numbers([Some(1.0), Some(1.0), Some(1.0), None, None]),
            "e, row 4: not a privacy budget",
        ),
    ] {
        for rows_per_group in [1, 2, 5] {
            write_parquet(&path, &[("e", Arc::clone(&e)), ("v", Arc::clone(&v))], rows_per_group);
            check(scan_path(&path, &scan), ErrorKind::Data, &format!("{name}: column {message}"));
        }
    }
}

#[test]
fn faults_of_parquet_files() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.parquet");
    let name = path.display().to_string();
    let one: ArrayRef = Arc::new(Float64Array::from(vec![1.0]));

    write_parquet(&path, &[("e", Arc::clone(&one)), (SECRET, Arc::clone(&one))], 5);
    let message = format!("{name}: column v: there is no such column among the 2 columns");
    check(scan_path(&path, &by_budget()), ErrorKind::Data, &message);

    let number = |name: &str| Field::new(name, DataType::Float64, false);
    let schema = Schema::new(vec![number("e"), number("v"), number("v")]);
    let twice = RecordBatch::try_new(
        Arc::new(schema),
        vec![Arc::clone(&one), Arc::clone(&one), Arc::clone(&one)],
    );
    write_batch(&path, &twice.unwrap(), 5);
    let message = format!("{name}: column v: the header has this column more than once");
    check(scan_path(&path, &by_budget()), ErrorKind::Data, &message);

    let none: ArrayRef = Arc::new(Float64Array::from(Vec::<f64>::new()));
    write_parquet(&path, &[("e", Arc::clone(&none)), ("v", none)], 5);
    check(scan_path(&path, &by_budget()), ErrorKind::Data, "the data have no records");

    fs::write(&path, "").unwrap();
    check(scan_path(&path, &by_budget()), ErrorKind::Data, &format!("{name}: the file is empty"));
    write_parquet(&path, &[("e", Arc::clone(&one)), ("v", one)], 5);
    let bytes = fs::read(&path).unwrap();
    for cut in [1, 4, 8, 12, 50, bytes.len() / 2, bytes.len() - 4] {
        fs::write(&path, &bytes[..bytes.len() - cut]).unwrap();
        check(
            scan_path(&path, &by_budget()),
            ErrorKind::Io,
            &format!("{name}: not a readable Parquet file"),
        );
    }
}

#[test]
fn hints_name_the_cause() {
    let folder = tempfile::tempdir().unwrap();
    let hive = folder.path().join("e=0.5");
    fs::create_dir(&hive).unwrap();
    let values: ArrayRef = Arc::new(Int32Array::from(vec![1, 2]));
    write_parquet(&hive.join("a.parquet"), &[("v", values)], 2);
    fs::write(hive.join("a.csv"), "v\n1\n").unwrap();
    for name in ["a.parquet", "a.csv"] {
        let refused = scan_path(&hive.join(name), &by_budget()).unwrap_err();
        assert!(refused.to_string().contains("column e: there is no such column"), "{refused}");
        assert!(refused.fix().unwrap().to_string().starts_with("it is in the name of a folder"));
    }
    let hint = |text: &str| {
        let refused = scan_csv(text.as_bytes(), &by_budget(), &Progress::default()).unwrap_err();
        refused.fix().unwrap().to_string().to_owned()
    };
    assert!(hint("sep=,\ne,v\n1,2\n").starts_with("remove the first line, sep=…"));
    assert!(hint("e,v\n1,NA\n").contains("null=NA"));
    assert!(!hint("v\n1\n").contains("folder"));
}
