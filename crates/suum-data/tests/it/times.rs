//! Dates and times: every form in which they can be stored gives the same table.

use std::sync::Arc;

use arrow_array::types::{Int8Type, TimestampSecondType};
use arrow_array::{
    Array, ArrayRef, Date32Array, Date64Array, DictionaryArray, DurationMicrosecondArray,
    DurationMillisecondArray, DurationNanosecondArray, DurationSecondArray, Float64Array,
    Int8Array, Int64Array, PrimitiveArray, RecordBatch, StringArray, Time32SecondArray,
    Time64MicrosecondArray, TimestampMicrosecondArray, TimestampMillisecondArray,
    TimestampNanosecondArray, TimestampSecondArray,
};
use parquet::data_type::{DoubleType, Int96, Int96Type};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;
use suum_core::{Bounds, Grid, LevelTable, Result};
use suum_data::{
    CategoryRule, Grouping, Nulls, Progress, Scan, Source, Value, ValueColumn, read_levels,
    scan_batches, scan_csv, scan_groups, scan_groups_batches, write_levels,
};

use crate::common::{bins, budgets, labels, sums, write_parquet};

fn dates(bounds: &str, missing: Option<f64>) -> Option<Value> {
    let bounds: Bounds = bounds.parse().unwrap();
    let numbers = Grid::new(bounds).into();
    Some(Value::Number(ValueColumn { column: "v".into(), numbers, missing }))
}

fn scan(value: Option<Value>) -> Scan {
    Scan::new(budgets("e"), value)
}

fn scan_array(values: ArrayRef, what: &Scan) -> Result<LevelTable> {
    let budgets: ArrayRef = Arc::new(Float64Array::from(vec![1.0; values.len()]));
    let columns = [("e", budgets, true), ("v", values, true)];
    let batch = RecordBatch::try_from_iter_with_nullable(columns).unwrap();
    scan_batches([Ok(batch)], what, &Progress::default())
}

fn scan_cells(cells: &[&str], what: &Scan) -> Result<LevelTable> {
    let rows: String = cells.iter().map(|cell| format!("1,{cell}\n")).collect();
    scan_csv(format!("e,v\n{rows}").as_bytes(), what, &Progress::default())
}

#[test]
fn every_form_of_a_date_is_the_same_number() {
    let (days, seconds) =
        ([18_262, 18_292, 20_000], [18_262 * 86_400, 18_292 * 86_400, 1_728_000_000]);
    let text = ["2020-01-01", "2020-01-31", "2024-10-04"];
    let scaled = |by: i64| seconds.iter().map(|second| second * by).collect::<Vec<i64>>();
    let keys = Int8Array::from(vec![0, 1, 2]);
    let forms: Vec<ArrayRef> = vec![
        Arc::new(StringArray::from(text.to_vec())),
        Arc::new(Date32Array::from(days.to_vec())),
        Arc::new(Date64Array::from(scaled(1000))),
        Arc::new(TimestampSecondArray::from(scaled(1))),
        Arc::new(TimestampMillisecondArray::from(scaled(1000)).with_timezone("Europe/Vienna")),
        Arc::new(TimestampMicrosecondArray::from(scaled(1_000_000))),
        Arc::new(TimestampNanosecondArray::from(scaled(1_000_000_000))),
        Arc::new(text.into_iter().collect::<DictionaryArray<Int8Type>>()),
        Arc::new(DictionaryArray::new(keys, Arc::new(Date32Array::from(days.to_vec())))),
    ];
    for bounds in ["2020-01-01,2024-12-31", "2020-01-01T00:00,2024-12-31T12:00"] {
        let what = scan(dates(bounds, None));
        let expected = scan_cells(&text, &what).unwrap();
        for form in &forms {
            let found = scan_array(Arc::clone(form), &what).unwrap();
            assert_eq!(found, expected, "{bounds} {:?}", form.data_type());
        }
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("d.parquet");
        let budgets: ArrayRef = Arc::new(Float64Array::from(vec![1.0; 3]));
        write_parquet(&path, &[("e", budgets), ("v", Arc::clone(&forms[1]))], 2);
        assert_eq!(crate::common::scan_path(&path, &what).unwrap(), expected);
    }
}

#[test]
fn times_with_a_zone_are_read_in_utc() {
    let what = scan(dates("2020-01-01T00:00,2020-01-02T00:00", None));
    let expected = scan_cells(&["2020-01-01T10:30:00.25"], &what).unwrap();
    for text in
        ["2020-01-01 10:30:00.250", "2020-01-01T12:30:00.25+02:00", "2020-01-01T10:30:00.25Z"]
    {
        assert_eq!(scan_cells(&[text], &what).unwrap(), expected, "{text}");
    }
    let micros = TimestampMicrosecondArray::from(vec![1_577_874_600_250_000]);
    assert_eq!(scan_array(Arc::new(micros), &what).unwrap(), expected);
}

#[test]
fn times_of_day_are_a_scale_of_their_own() {
    let what = scan(dates("00:00,24:00", None));
    let expected = scan_cells(&["07:30", "23:59:59"], &what).unwrap();
    let seconds = Time32SecondArray::from(vec![27_000, 86_399]);
    assert_eq!(scan_array(Arc::new(seconds), &what).unwrap(), expected);
    let micros = Time64MicrosecondArray::from(vec![27_000_000_000, 86_399_000_000]);
    assert_eq!(scan_array(Arc::new(micros), &what).unwrap(), expected);
    let refused = scan_array(Arc::new(Date32Array::from(vec![1])), &what).unwrap_err();
    assert!(refused.to_string().contains("does not hold dates or times like the bounds"));
}

#[test]
fn values_beyond_the_bounds_are_clamped_and_missing_ones_replaced() {
    let what = scan(dates("1970-01-01,1970-01-03", Some(1.0)));
    let table = scan_cells(&["1969-01-01", "2020-01-01", "", "1970-01-02"], &what).unwrap();
    assert_eq!(sums(&table)[0][0], 2 << 30);
    let array = Date32Array::from(vec![Some(-5), Some(500), None, Some(1)]);
    assert_eq!(scan_array(Arc::new(array), &what).unwrap(), table);
    // A text for an empty cell stands for the same date, however that is stored.
    let nulls = Nulls::new(["1900-01-01", "-99"]).unwrap();
    let what = Scan { nulls, ..scan(dates("1970-01-01,1970-01-03", Some(1.0))) };
    let missing = scan_cells(&["1900-01-01", "1970-01-03"], &what).unwrap();
    let array = Date32Array::from(vec![-25_567, 2]);
    assert_eq!(scan_array(Arc::new(array), &what).unwrap(), missing);
    assert_eq!(sums(&missing)[0][0], 3 << 29);
    let text = StringArray::from(vec!["1900-01-01", "1970-01-03"]);
    assert_eq!(scan_array(Arc::new(text), &what).unwrap(), missing);
}

#[test]
fn dates_fall_into_bins_and_are_labels() {
    let what = scan(bins("v", "2020-01-01,2021-01-01,2022-01-01", Some("later"), None));
    let table =
        scan_cells(&["2020-05-05", "2021-01-01", "2022-01-01", "2022-01-02"], &what).unwrap();
    let names = table.categories().unwrap().names();
    assert_eq!(names, ["[2020-01-01, 2021-01-01)", "[2021-01-01, 2022-01-01]", "later"]);
    let days = Date32Array::from(vec![18_387, 18_628, 18_993, 18_994]);
    assert_eq!(scan_array(Arc::new(days), &what).unwrap(), table);

    let what = scan(labels("v", "2020-01-31,2020-01-31 07:30:00", None, None));
    let table = scan_cells(&["2020-01-31", "2020-01-31 07:30:00"], &what).unwrap();
    let seconds: PrimitiveArray<TimestampSecondType> = vec![1_580_428_800, 1_580_455_800].into();
    assert_eq!(scan_array(Arc::new(seconds), &what).unwrap(), table);
    let what = scan(labels("v", "07:30:00,08:00:00", None, None));
    let table = scan_cells(&["07:30:00", "08:00:00"], &what).unwrap();
    let seconds = Time32SecondArray::from(vec![27_000, 28_800]);
    assert_eq!(scan_array(Arc::new(seconds), &what).unwrap(), table);
}

#[test]
fn refusals_name_the_row_and_never_the_value() {
    let what = scan(dates("2020-01-01,2024-12-31", None));
    for wrong in ["31.01.2020", "18262", "2021-02-29", "07:30"] {
        let csv = scan_cells(&["2020-01-01", wrong], &what).unwrap_err();
        let text = StringArray::from(vec!["2020-01-01", wrong]);
        let array = scan_array(Arc::new(text), &what).unwrap_err();
        for refused in [csv, array] {
            let said = refused.to_string();
            assert!(said.ends_with("column v, row 2: not a date or time"), "{said}");
            let hint = refused.fix().unwrap().to_string();
            assert!(!said.contains(wrong) && !hint.contains("29") && !hint.contains("18262"));
        }
    }
    let numbers: ArrayRef = Arc::new(Int64Array::from(vec![18_262]));
    let refused = scan_array(numbers, &what).unwrap_err();
    assert!(refused.to_string().starts_with("column v: the column does not hold dates"));
    let dated: ArrayRef = Arc::new(Date32Array::from(vec![1]));
    let refused = scan_array(dated, &scan(crate::common::value("v"))).unwrap_err();
    assert!(refused.fix().unwrap().to_string().contains("bounds"), "{refused}");
}

#[test]
fn a_level_table_keeps_what_its_numbers_count() {
    let table = scan_cells(&["2020-01-01"], &scan(dates("2020-01-01,2024-12-31", None))).unwrap();
    let mut file = Vec::new();
    write_levels(&table, &mut file).unwrap();
    let text = String::from_utf8(file.clone()).unwrap();
    assert!(text.contains("\"unit\":\"days since 1970-01-01\""), "{text}");
    assert_eq!(read_levels(file.as_slice()).unwrap(), table);
    let other = text.replace("days since", "weeks since");
    assert!(read_levels(other.as_bytes()).is_err());
}

/// Writes times of 96 bits, each a day counted from 1970 and nanoseconds, beside budgets of 1.
fn write_int96(path: &std::path::Path, times: &[(i32, i64)]) {
    let schema = "message m { required double e; required int96 v; }";
    let schema = Arc::new(parse_message_type(schema).unwrap());
    let file = std::fs::File::create(path).unwrap();
    let mut writer = SerializedFileWriter::new(file, schema, Default::default()).unwrap();
    let mut group = writer.next_row_group().unwrap();
    let mut column = group.next_column().unwrap().unwrap();
    column.typed::<DoubleType>().write_batch(&vec![1.0; times.len()], None, None).unwrap();
    column.close().unwrap();
    let mut column = group.next_column().unwrap().unwrap();
    let of = |(days, nanos): &(i32, i64)| {
        let mut number = Int96::new();
        let julian_day = 2_440_588 + days;
        number.set_data(*nanos as u32, (*nanos >> 32) as u32, julian_day as u32);
        number
    };
    let numbers: Vec<Int96> = times.iter().map(of).collect();
    column.typed::<Int96Type>().write_batch(&numbers, None, None).unwrap();
    column.close().unwrap();
    group.close().unwrap();
    writer.close().unwrap();
}

#[test]
fn reads_times_of_96_bits_of_every_year() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("d.parquet");
    let half_past_seven = (7 * 3600 + 1800) * 1_000_000_000 + 250_000_000;
    write_int96(
        &path,
        &[(741_807, 0), (-719_162, 0), (18_292, half_past_seven), (-1, 86_399_999_999_000)],
    );
    let text =
        ["4000-12-31", "0001-01-01", "2020-01-31 07:30:00.250", "1969-12-31 23:59:59.999999"];
    for bounds in ["0001-01-01,5000-01-01", "0001-01-01T00:00,5000-01-01T00:00"] {
        let what = scan(dates(bounds, None));
        let found = crate::common::scan_path(&path, &what).unwrap();
        assert_eq!(found, scan_cells(&text, &what).unwrap(), "{bounds}");
    }
    let what = scan(labels("v", &text.join(","), None, None));
    assert_eq!(sums(&crate::common::scan_path(&path, &what).unwrap()), [[1, 1, 1, 1]]);
}

/// Parquet stores these as bare integers, and the schema of the writer says what they are.
#[test]
fn reads_times_that_parquet_stores_as_integers() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("d.parquet");
    let seconds = [18_262 * 86_400, 18_292 * 86_400];
    let forms: Vec<ArrayRef> = vec![
        Arc::new(TimestampSecondArray::from(seconds.to_vec())),
        Arc::new(Date64Array::from(seconds.map(|second| second * 1000).to_vec())),
    ];
    let what = scan(dates("2020-01-01,2024-12-31", None));
    let expected = scan_cells(&["2020-01-01", "2020-01-31"], &what).unwrap();
    let numbers = scan(crate::common::value("v"));
    let counted = scan(labels("v", "2020-01-01,2020-01-31", None, None));
    for form in forms {
        let budgets: ArrayRef = Arc::new(Float64Array::from(vec![1.0; 2]));
        write_parquet(&path, &[("e", budgets), ("v", Arc::clone(&form))], 2);
        let kind = form.data_type().clone();
        assert_eq!(crate::common::scan_path(&path, &what).unwrap(), expected, "{kind}");
        assert_eq!(sums(&crate::common::scan_path(&path, &counted).unwrap()), [[1, 1]], "{kind}");
        let refused = crate::common::scan_path(&path, &numbers).unwrap_err().to_string();
        assert!(refused.ends_with("column v: the column does not hold numbers"), "{refused}");
        assert!(scan_array(form, &numbers).is_err(), "{kind}");
    }
}

#[test]
fn refuses_durations_as_whatever_they_are_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("d.parquet");
    let columns: Vec<ArrayRef> = vec![
        Arc::new(DurationSecondArray::from(vec![60, 120])),
        Arc::new(DurationMillisecondArray::from(vec![60, 120])),
        Arc::new(DurationMicrosecondArray::from(vec![60, 120])),
        Arc::new(DurationNanosecondArray::from(vec![60, 120])),
    ];
    let groups = CategoryRule::labels(vec!["60".into(), "120".into()], None).unwrap();
    let group = Some(Grouping::one("v", groups));
    let roles = [
        scan(crate::common::value("v")),
        scan(dates("2020-01-01,2024-12-31", None)),
        scan(labels("v", "60,120", None, None)),
        scan(bins("v", "0,100,200", None, None)),
        Scan::new(budgets("v"), None),
        Scan::new(crate::common::tiers("v", "60=1,120=2"), None),
        Scan { person: Some("v".into()), ..scan(None) },
        Scan { group, ..scan(None) },
    ];
    for column in columns {
        let budgets: ArrayRef = Arc::new(Float64Array::from(vec![1.0; 2]));
        write_parquet(&path, &[("e", Arc::clone(&budgets)), ("v", Arc::clone(&column))], 2);
        let columns = [("e", budgets, true), ("v", Arc::clone(&column), true)];
        let batch = RecordBatch::try_from_iter_with_nullable(columns).unwrap();
        let source = Source::parse(path.to_str().unwrap()).unwrap();
        assert!(!source.has_integers("v"));
        for role in &roles {
            let (batches, progress) = ([Ok(batch.clone())], Progress::default());
            let refusals = match role.group {
                None => [
                    scan_batches(batches, role, &progress).unwrap_err(),
                    suum_data::scan(&source, role, &progress).unwrap_err(),
                ],
                Some(_) => [
                    scan_groups_batches(batches, role, &progress).unwrap_err(),
                    scan_groups(&source, role, &progress).unwrap_err(),
                ],
            };
            for refused in refusals {
                assert!(refused.to_string().ends_with("column v: it holds durations"), "{refused}");
                assert!(refused.fix().is_some());
            }
        }
    }
}
