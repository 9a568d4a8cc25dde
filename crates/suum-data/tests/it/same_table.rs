//! Equal records give equal tables: in any order, in any files, in either format.

use std::path::Path;
use std::sync::Arc;

use arrow_array::{ArrayRef, BooleanArray, Float64Array, Int64Array, RecordBatch, StringArray};
use parquet::file::properties::{WriterProperties, WriterVersion};
use proptest::prelude::*;
use suum_core::{LevelTable, Result};
use suum_data::{Progress, Scan, Value, scan_csv};
use suum_testing::Extent;

use crate::common::{
    bins, budgets, labels, scan_path, sums, tiers, value_or, write_parquet, write_with,
};

/// One record as it stands in the data.
#[derive(Debug, Clone)]
struct Record {
    tier: &'static str,
    epsilon: f64,
    value: Option<f64>,
    health: Option<&'static str>,
    district: i64,
    insured: Option<bool>,
}

fn records() -> impl Strategy<Value = Vec<Record>> {
    let tier = prop::sample::select(vec!["strict", "relaxed", "public"]);
    let epsilon =
        prop::sample::select(vec![0.0, 0.01, 0.1, 0.3, 1.0, 1e-100, 1e100, f64::INFINITY]);
    let value =
        prop::option::weighted(0.9, prop_oneof![-2.0..10.0_f64, Just(f64::INFINITY), Just(3.0)]);
    let health = prop::sample::select(vec![
        "good",
        "fair",
        "Good",
        "a label longer than a view holds inline",
    ]);
    let health = prop::option::weighted(0.9, health);
    let district = prop::sample::select(vec![0, -7, 1, i64::MIN]);
    let insured = prop::option::weighted(0.9, any::<bool>());
    let record = (tier, epsilon, value, health, district, insured).prop_map(
        |(tier, epsilon, value, health, district, insured)| Record {
            tier,
            epsilon,
            value,
            health,
            district,
            insured,
        },
    );
    prop::collection::vec(record, 1..60)
}

/// Form of a file, which must not affect the result.
#[derive(Debug, Clone, Copy)]
struct Style {
    parquet: bool,
    quoted: bool,
    crlf: bool,
    reversed: bool,
    padded: bool,
}

fn style() -> impl Strategy<Value = Style> {
    any::<(bool, bool, bool, bool, bool)>().prop_map(|(parquet, quoted, crlf, reversed, padded)| {
        Style { parquet, quoted, crlf, reversed, padded }
    })
}

fn csv(records: &[Record], style: Style) -> String {
    let cell = |text: &str| {
        let text = if style.padded { format!("  {text} ") } else { text.to_owned() };
        if style.quoted { format!("\"{text}\"") } else { text }
    };
    let line = |mut cells: Vec<String>| {
        if style.reversed {
            cells.reverse();
        }
        cells.join(",") + if style.crlf { "\r\n" } else { "\n" }
    };
    let header =
        ["tier", "epsilon", "note", "value", "health", "district", "insured"].map(cell).to_vec();
    let rows = records.iter().map(|record| {
        let value = record.value.map_or(String::new(), |value| format!("{value:?}"));
        let note = if style.quoted { "\"a,\n\"\"b\"\"\"".to_owned() } else { "a\"b".to_owned() };
        let health = cell(record.health.unwrap_or_default());
        let insured = record.insured.map_or(String::new(), |insured| insured.to_string());
        let (district, insured) = (cell(&record.district.to_string()), cell(&insured));
        line(vec![
            cell(record.tier),
            cell(&record.epsilon.to_string()),
            note,
            cell(&value),
            health,
            district,
            insured,
        ])
    });
    let rows: String = rows.collect();
    line(header) + &rows
}

fn parquet(path: &Path, records: &[Record], style: Style) {
    let tier: StringArray = records.iter().map(|record| Some(record.tier)).collect();
    let epsilon: Float64Array = records.iter().map(|record| Some(record.epsilon)).collect();
    let missing = if style.quoted { None } else { Some(f64::NAN) };
    let value: Float64Array = records.iter().map(|record| record.value.or(missing)).collect();
    let padded = |text: &str| if style.padded { format!(" {text}  ") } else { text.to_owned() };
    let health: StringArray = records.iter().map(|record| record.health.map(padded)).collect();
    let district: Int64Array = records.iter().map(|record| Some(record.district)).collect();
    let insured: BooleanArray = records.iter().map(|record| record.insured).collect();
    let mut columns: Vec<(&str, ArrayRef)> = vec![
        ("tier", Arc::new(tier)),
        ("epsilon", Arc::new(epsilon)),
        ("value", Arc::new(value)),
        ("health", Arc::new(health)),
        ("district", Arc::new(district)),
        ("insured", Arc::new(insured)),
    ];
    if style.reversed {
        columns.reverse();
    }
    let batch = RecordBatch::try_from_iter_with_nullable(
        columns.into_iter().map(|(name, column)| (name, column, true)),
    );
    let version =
        if style.padded { WriterVersion::PARQUET_2_0 } else { WriterVersion::PARQUET_1_0 };
    let properties = WriterProperties::builder()
        .set_max_row_group_row_count(Some(if style.crlf { 13 } else { 1000 }))
        .set_writer_version(version)
        .set_dictionary_enabled(style.quoted)
        .set_data_page_row_count_limit(if style.reversed { 5 } else { 20_000 })
        .set_write_batch_size(5);
    write_with(path, &batch.unwrap(), properties.build());
}

fn assert_all_same(
    scan: &Scan,
    records: &[Record],
    shards: &[(Vec<Record>, Style)],
) -> Result<LevelTable> {
    let plain =
        Style { parquet: false, quoted: false, crlf: false, reversed: false, padded: false };
    let expected = scan_csv(csv(records, plain).as_bytes(), scan, &Progress::default());

    let folder = tempfile::tempdir().unwrap();
    for (number, (shard, style)) in shards.iter().enumerate() {
        if style.parquet {
            parquet(&folder.path().join(format!("{number}.PARQUET")), shard, *style);
        } else {
            std::fs::write(folder.path().join(format!("{number}.csv")), csv(shard, *style))
                .unwrap();
        }
    }
    assert_eq!(scan_path(folder.path(), scan), expected, "folder");
    assert_eq!(scan_path(&folder.path().join("[0-9]*"), scan), expected, "glob");
    expected
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(Extent::get().cases(150)))]

    #[test]
    fn order_files_and_format_do_not_matter(
        (records, shuffled) in records()
            .prop_flat_map(|r| (Just(r.clone()), Just(r).prop_shuffle())),
        styles in prop::collection::vec(style(), 1..5),
        cuts in prop::collection::vec(0usize..60, 4),
    ) {
        let mut rest = shuffled;
        let mut shards: Vec<(Vec<Record>, Style)> = Vec::new();
        for (style, cut) in styles.iter().zip(&cuts).skip(1) {
            let shard = rest.split_off(rest.len() - (*cut).min(rest.len()));
            shards.push((shard, *style));
        }
        shards.push((rest, styles[0]));

        let labels = tiers("tier", "public=inf,relaxed=1,strict=0.01");
        for privacy in [budgets("epsilon"), labels] {
            let both = Scan::new(privacy.clone(), value_or("value", 2.5));
            let table = assert_all_same(&both, &records, &shards).unwrap();
            prop_assert_eq!(table.records(), records.len() as u64);
            for value in categories() {
                let both = Scan::new(privacy.clone(), value);
                let table = assert_all_same(&both, &records, &shards).unwrap();
                let counted: i128 = sums(&table).iter().flatten().sum();
                prop_assert_eq!(counted, records.len() as i128);
                prop_assert!(table.categories().is_some());
            }
            let only = Scan::new(privacy, None);
            let table = assert_all_same(&only, &records, &shards).unwrap();
            prop_assert!(table.grid().is_none());
            prop_assert!(
                table
                    .by_level()
                    .iter()
                    .all(|level_sums| level_sums.sums.is_empty())
            );
        }
    }
}

/// Columns of categories in which each record has a place.
fn categories() -> Vec<Option<Value>> {
    vec![
        labels(
            "health",
            "good,fair,a label longer than a view holds inline",
            Some("other"),
            Some("fair"),
        ),
        labels("district", "0,-7,18446744073709551615", Some("other"), None),
        labels("insured", "true,false", None, Some("false")),
        bins("value", "-2,0,3,10", Some("outside"), Some("[0, 3)")),
        bins("district", "-7,1", Some("outside"), None),
    ]
}

#[test]
fn one_column_may_serve_as_budget_and_value() {
    let scan = Scan::new(budgets("e"), value_or("e", 0.0));
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("a.csv"), "x,e\n7,1\n7,2\n").unwrap();
    let e: ArrayRef = Arc::new(Float64Array::from(vec![1.0, 2.0]));
    write_parquet(&folder.path().join("b.parquet"), &[("x", Arc::clone(&e)), ("e", e)], 10);
    let csv = scan_path(&folder.path().join("a.csv"), &scan).unwrap();
    assert_eq!(csv, scan_path(&folder.path().join("b.parquet"), &scan).unwrap());
    assert_eq!(csv.by_level()[1].sums[0].expose_raw(), 1 << 28);
}

/// Numbers are read from pages until one is missing; the rest is read another way.
#[test]
fn a_value_that_is_missing_far_behind_is_read_as_in_csv() {
    let scan = Scan::new(budgets("e"), value_or("x", 2.5));
    let folder = tempfile::tempdir().unwrap();
    let value = |row: i64| (row != 4_500).then_some(row % 9);
    let budget = |row: i64| [0.5, 1.0, 3.0][(row / 7 % 3) as usize];
    let line =
        |row| format!("{},{}\n", value(row).map_or(String::new(), |x| x.to_string()), budget(row));
    let csv: String = (0..6_000).map(line).collect();
    let expected = scan_csv(format!("x,e\n{csv}").as_bytes(), &scan, &Progress::default()).unwrap();

    let x: ArrayRef = Arc::new((0..6_000).map(value).collect::<Int64Array>());
    let path = folder.path().join("a.parquet");
    for bad in [None, Some(5_999), Some(2_100)] {
        let budget = |row| if Some(row) == bad { -1.0 } else { budget(row) };
        let e: ArrayRef =
            Arc::new((0..6_000).map(|row| Some(budget(row))).collect::<Float64Array>());
        let batch = RecordBatch::try_from_iter([("x", Arc::clone(&x)), ("e", e)]).unwrap();
        let properties = WriterProperties::builder().set_data_page_row_count_limit(500);
        write_with(&path, &batch, properties.set_write_batch_size(100).build());
        let found = scan_path(&path, &scan);
        match bad {
            None => assert_eq!(found.unwrap(), expected),
            Some(row) => {
                let message = found.unwrap_err().to_string();
                assert!(message.contains(&format!("row {}", row + 1)), "{message}");
            }
        }
    }
}
