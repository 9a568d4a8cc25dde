//! Every type a Parquet column of numbers or labels may have.

use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use arrow_array::types::{Float16Type, Int32Type};
use arrow_array::{
    Array, ArrayRef, BinaryArray, BooleanArray, Date32Array, Decimal32Array, Decimal64Array,
    Decimal128Array, Decimal256Array, DictionaryArray, Float16Array, Float32Array, Float64Array,
    Int8Array, Int16Array, Int32Array, Int64Array, LargeStringArray, StringArray, StringViewArray,
    StructArray, UInt8Array, UInt16Array, UInt32Array, UInt64Array,
};
use suum_core::{Bounds, ErrorKind, Grid};
use suum_data::{Progress, Scan, Source, Value, ValueColumn, scan, scan_csv};

use crate::common::{budgets, labels, scan_path, sums, tiers, value, write_parquet};

/// Writes the column under its name beside a column `tier` of label `a`.
fn file(folder: &Path, name: &str, column: &ArrayRef) -> std::path::PathBuf {
    let path = folder.join("data.parquet");
    let label: ArrayRef = Arc::new(StringArray::from(vec!["a"; column.len()]));
    write_parquet(&path, &[("tier", label), (name, Arc::clone(column))], 2);
    path
}

fn numeric() -> Vec<ArrayRef> {
    let half = <Float16Type as arrow_array::types::ArrowPrimitiveType>::Native::from_f32;
    vec![
        Arc::new(Int8Array::from(vec![1, 0, 4])),
        Arc::new(Int16Array::from(vec![1, 0, 4])),
        Arc::new(Int32Array::from(vec![1, 0, 4])),
        Arc::new(Int64Array::from(vec![1, 0, 4])),
        Arc::new(UInt8Array::from(vec![1, 0, 4])),
        Arc::new(UInt16Array::from(vec![1, 0, 4])),
        Arc::new(UInt32Array::from(vec![1, 0, 4])),
        Arc::new(UInt64Array::from(vec![1, 0, 4])),
        Arc::new(Float16Array::from(vec![half(1.0), half(0.0), half(4.0)])),
        Arc::new(Float32Array::from(vec![1.0, 0.0, 4.0])),
        Arc::new(Float64Array::from(vec![1.0, 0.0, 4.0])),
        Arc::new(Decimal32Array::from(vec![100, 0, 400]).with_precision_and_scale(9, 2).unwrap()),
        Arc::new(Decimal64Array::from(vec![100, 0, 400]).with_precision_and_scale(18, 2).unwrap()),
        Arc::new(Decimal128Array::from(vec![100, 0, 400]).with_precision_and_scale(38, 2).unwrap()),
        Arc::new(
            Decimal256Array::from_iter_values([100.into(), 0.into(), 400.into()])
                .with_precision_and_scale(76, 2)
                .unwrap(),
        ),
    ]
}

#[test]
fn integers_are_known_by_their_type_in_every_file() {
    let folder = tempfile::tempdir().unwrap();
    let columns = numeric();
    let has = |path: &Path, column: &str| {
        Source::parse(path.to_str().unwrap()).unwrap().has_integers(column)
    };
    for column in &columns {
        let path = file(folder.path(), "x", column);
        assert_eq!(has(&path, "x"), column.data_type().is_integer(), "{:?}", column.data_type());
        assert!(!has(&path, "y") && !has(&path, "tier"));
    }
    let path = file(folder.path(), "x", &columns[3]);
    // No record need be there to know it.
    std::fs::create_dir(folder.path().join("all")).unwrap();
    std::fs::copy(path, folder.path().join("all/a.parquet")).unwrap();
    let empty = folder.path().join("all/b.parquet");
    let nobody: ArrayRef = Arc::new(Int8Array::from(Vec::<i8>::new()));
    write_parquet(&empty, &[("x", nobody)], 2);
    let all = folder.path().join("all");
    assert!(has(&empty, "x") && has(&all, "x"));
    // One file without types is enough, and so is one that cannot be read.
    for (name, bytes) in [("c.csv", "tier,x\na,1\n"), ("c.parquet", "PAR1 and nothing else")] {
        let other = folder.path().join("all").join(name);
        std::fs::write(&other, bytes).unwrap();
        assert!(!has(&all, "x"), "{name}");
        std::fs::remove_file(other).unwrap();
    }
}

#[test]
fn numbers_of_every_type_are_read() {
    let folder = tempfile::tempdir().unwrap();
    let expected = |what: &Scan| {
        scan_csv(&b"tier,x\na,1\na,0\na,4\n"[..], what, &Progress::default()).unwrap()
    };
    for column in numeric() {
        let path = file(folder.path(), "x", &column);
        for what in [
            Scan::new(tiers("tier", "a=1"), value("x")),
            Scan::new(budgets("x"), None),
            Scan::new(budgets("x"), value("x")),
        ] {
            assert_eq!(scan_path(&path, &what).unwrap(), expected(&what), "{}", column.data_type());
        }
    }
}

#[test]
fn truth_values_are_one_and_zero() {
    let folder = tempfile::tempdir().unwrap();
    let column: ArrayRef = Arc::new(BooleanArray::from(vec![true, false, true, true]));
    let path = file(folder.path(), "x", &column);
    let table = scan_path(&path, &Scan::new(tiers("tier", "a=1"), value("x"))).unwrap();
    assert_eq!(table.by_level()[0].sums[0].expose_raw(), 3 << 27);
    let table = scan_path(&path, &Scan::new(budgets("x"), None)).unwrap();
    assert_eq!(table.profile().unwrap().to_string(), "0:1,1:3");
}

#[test]
fn decimals_are_rounded_once() {
    // 0.3 is not 3 · 0.1 in doubles, and 2^53 + 1 tenths is not a quotient of doubles.
    let folder = tempfile::tempdir().unwrap();
    let column = Decimal128Array::from(vec![3, 9_007_199_254_740_993, 7])
        .with_precision_and_scale(30, 1)
        .unwrap();
    let column: ArrayRef = Arc::new(column);
    let what = Scan::new(budgets("x"), None);
    let table = scan_path(&file(folder.path(), "x", &column), &what).unwrap();
    let text = &b"x\n0.3\n900719925474099.3\n0.7\n"[..];
    assert_eq!(table, scan_csv(text, &what, &Progress::default()).unwrap());
}

#[test]
fn labels_of_every_type_are_read() {
    let labels = vec!["a", " a ", "a label longer than a view holds inline", "b", "a"];
    let dictionary: DictionaryArray<Int32Type> = labels.clone().into_iter().collect();
    let columns: Vec<ArrayRef> = vec![
        Arc::new(StringArray::from(labels.clone())),
        Arc::new(LargeStringArray::from(labels.clone())),
        Arc::new(StringViewArray::from(labels.clone())),
        Arc::new(dictionary),
    ];
    let folder = tempfile::tempdir().unwrap();
    let privacy = tiers("label", "a=0.1,b=inf,a label longer than a view holds inline=1");
    for column in columns {
        let path = file(folder.path(), "label", &column);
        let table = scan_path(&path, &Scan::new(privacy.clone(), None)).unwrap();
        let counts: Vec<u64> = table.by_level().iter().map(|level_sums| level_sums.count).collect();
        assert_eq!(counts, [3, 1, 1], "{}", column.data_type());
    }
}

#[test]
fn tiers_may_be_numbered() {
    let folder = tempfile::tempdir().unwrap();
    let numbered: Vec<ArrayRef> = vec![
        Arc::new(Int32Array::from(vec![0, 1, 0])),
        Arc::new(StringArray::from(vec!["0", "1", "0"])),
        Arc::new(Float32Array::from(vec![0.0, 1.0, -0.0])),
        Arc::new(Decimal64Array::from(vec![0, 100, 0]).with_precision_and_scale(18, 2).unwrap()),
    ];
    for column in numbered {
        let path = file(folder.path(), "wave", &column);
        let table = scan_path(&path, &Scan::new(tiers("wave", "0=0.1,1=inf"), None)).unwrap();
        assert_eq!(table.profile().unwrap().to_string(), "0.1:2,inf:1", "{}", column.data_type());
        let refused = scan_path(&path, &Scan::new(tiers("wave", "0=0.1"), None)).unwrap_err();
        assert!(
            refused.to_string().ends_with("column wave, row 2: the tier is not declared"),
            "{refused}"
        );
    }
}

/// Numbers that count in one statistic can be labels of another.
#[test]
fn numbers_of_every_type_are_labels() {
    let folder = tempfile::tempdir().unwrap();
    let (privacy, csv) = (tiers("tier", "a=1"), &b"tier,x\na,1\na,0\na,4\n"[..]);
    let counted = Scan::new(privacy.clone(), labels("x", "0,1,4", None, None));
    let persons = Scan { person: Some("x".into()), ..Scan::new(privacy, None) };
    for column in numeric() {
        let path = file(folder.path(), "x", &column);
        for what in [&counted, &persons] {
            let expected = scan_csv(csv, what, &Progress::default()).unwrap();
            assert_eq!(scan_path(&path, what).unwrap(), expected, "{}", column.data_type());
        }
    }
}

/// Labels of floating-point numbers have the fewest digits that tell them apart; NaN is missing.
#[test]
fn numbers_with_a_point_are_labels_in_few_digits() {
    let half = <Float16Type as arrow_array::types::ArrowPrimitiveType>::Native::from_f32;
    let columns: Vec<ArrayRef> = vec![
        Arc::new(Float16Array::from(vec![half(0.5), half(-0.0), half(1.25), half(f32::NAN)])),
        Arc::new(Float32Array::from(vec![Some(0.5), Some(-0.0), Some(1.25), None])),
        Arc::new(Float64Array::from(vec![0.5, -0.0, 1.25, f64::NAN])),
        Arc::new(
            Decimal128Array::from(vec![Some(500), Some(0), Some(1250), None])
                .with_precision_and_scale(38, 3)
                .unwrap(),
        ),
    ];
    let folder = tempfile::tempdir().unwrap();
    let value = labels("x", "0,0.5,1.25,none", None, Some("none"));
    let what = Scan::new(tiers("tier", "a=1"), value);
    for column in columns {
        let table = scan_path(&file(folder.path(), "x", &column), &what).unwrap();
        assert_eq!(sums(&table), [[1, 1, 1, 1]], "{}", column.data_type());
    }
    // As the double that it is.
    let tenth: ArrayRef = Arc::new(Float32Array::from(vec![0.1]));
    let value = labels("x", "0.10000000149011612,0.1", None, None);
    let what = Scan::new(tiers("tier", "a=1"), value);
    assert_eq!(sums(&scan_path(&file(folder.path(), "x", &tenth), &what).unwrap()), [[1, 0]]);
}

#[test]
fn budgets_may_be_text() {
    let folder = tempfile::tempdir().unwrap();
    let column: ArrayRef = Arc::new(StringArray::from(vec!["0.1", " inf", "0.1 ", "0"]));
    let path = file(folder.path(), "e", &column);
    let table = scan_path(&path, &Scan::new(budgets("e"), None)).unwrap();
    assert_eq!(table.profile().unwrap().to_string(), "0:1,0.1:2,inf:1");
}

#[test]
fn other_types_are_refused() {
    let inner: ArrayRef = Arc::new(Int32Array::from(vec![1]));
    let field = Arc::new(arrow_schema::Field::new("y", arrow_schema::DataType::Int32, false));
    let nested: ArrayRef = Arc::new(StructArray::from(vec![(field, inner)]));
    let date: ArrayRef = Arc::new(Date32Array::from(vec![1]));
    let text: ArrayRef = Arc::new(StringArray::from(vec!["1"]));
    let bytes: ArrayRef = Arc::new(BinaryArray::from(vec![&b"a"[..]]));
    let folder = tempfile::tempdir().unwrap();
    let as_value = Scan::new(tiers("tier", "a=1"), value("x"));
    let as_budget = Scan::new(budgets("x"), None);
    let as_tier = Scan::new(tiers("x", "a=1"), None);
    for (column, what, message) in [
        (&nested, &as_value, "nested"),
        (&nested, &as_tier, "nested"),
        (&date, &as_value, "does not hold numbers"),
        (&text, &as_value, "does not hold numbers"),
        (&date, &as_budget, "does not hold budgets"),
        (&bytes, &as_tier, "does not hold labels"),
    ] {
        let refused = scan_path(&file(folder.path(), "x", column), what).unwrap_err();
        assert_eq!(refused.kind(), ErrorKind::Data);
        assert!(
            refused.to_string().contains("column x: ") && refused.to_string().contains(message),
            "{refused}"
        );
        assert!(refused.fix().is_some());
    }
}

#[test]
fn all_bytes_of_a_file_are_counted_as_progress() {
    let folder = tempfile::tempdir().unwrap();
    let column: ArrayRef = Arc::new(Float64Array::from_iter_values((0..5000).map(f64::from)));
    let path = folder.path().join("data.parquet");
    let label: ArrayRef = Arc::new(StringArray::from(vec!["a"; column.len()]));
    write_parquet(&path, &[("tier", label), ("x", column)], 1000);
    std::fs::write(folder.path().join("more.csv"), "tier,x\na,1\n").unwrap();
    let source = Source::parse(folder.path().to_str().unwrap()).unwrap();
    let progress = Progress::default();
    let grid = Grid::new(Bounds::new(0.0, 4.0).unwrap());
    let value = Some(Value::Number(ValueColumn {
        column: "x".into(),
        numbers: grid.into(),
        missing: None,
    }));
    scan(&source, &Scan::new(tiers("tier", "a=1"), value), &progress).unwrap();
    assert_eq!(Some(progress.bytes()), source.total_bytes());
    assert!(progress.bytes() > File::open(path).unwrap().metadata().unwrap().len());
}

#[test]
#[ignore = "takes seconds"]
fn a_large_row_group_is_read_in_stretches() {
    // A quarter more than a stretch has.
    let rows = 1_310_720_u32;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("data.parquet");
    let label = |row: u32| if row.is_multiple_of(3) { "a" } else { "b" };
    let write = |wrong: Option<u32>| {
        let labels: ArrayRef =
            Arc::new((0..rows).map(|row| Some(label(row))).collect::<StringArray>());
        let value = |row: u32| (Some(row) != wrong).then(|| f64::from(row % 9));
        let values: ArrayRef = Arc::new((0..rows).map(value).collect::<Float64Array>());
        write_parquet(&path, &[("tier", labels), ("x", values)], rows as usize);
    };
    let what = Scan::new(tiers("tier", "a=1,b=2"), value("x"));
    write(None);
    let source = Source::parse(path.to_str().unwrap()).unwrap();
    let progress = Progress::default();
    let table = scan(&source, &what, &progress).unwrap();
    assert_eq!(Some(progress.bytes()), source.total_bytes());
    let sum = |wanted: &str| {
        (0..rows).filter(|row| label(*row) == wanted).map(|row| i128::from(row % 9) << 27).sum()
    };
    let expected: Vec<i128> = vec![sum("a"), sum("b")];
    let found: Vec<i128> =
        table.by_level().iter().map(|level_sums| level_sums.sums[0].expose_raw()).collect();
    assert_eq!(found, expected);
    for wrong in [3, 655_359, 655_360, rows - 1] {
        write(Some(wrong));
        let refused = scan_path(&path, &what).unwrap_err();
        assert!(
            refused.to_string().ends_with(&format!("column x, row {}: missing value", wrong + 1)),
            "{refused}"
        );
    }
}
