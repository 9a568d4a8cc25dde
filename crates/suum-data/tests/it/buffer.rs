//! A buffer holds the same records as a scan reads, and refuses the same data.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use arrow_array::{ArrayRef, Float64Array, StringArray};
use proptest::prelude::*;
use suum_core::{Bounds, Cells, ErrorKind, FloatOrder, Grid, Key, Numbers, Records, Result};
use suum_data::{
    CategoryRule, Grouping, PrivacyColumn, Progress, RecordBuffer, Scan, Source, UnboundedColumn,
    Value, ValueColumn, keep, keep_csv, keep_groups_csv, scan_csv, scan_groups_csv,
};
use suum_testing::Extent;

use crate::common::{
    SECRET, budgets, labels, like, scan_path, tiers, value, value_or, write_parquet,
};

fn unbounded(privacy: PrivacyColumn, missing: Option<f64>) -> Scan {
    Scan::new(
        privacy,
        Some(Value::Unbounded(UnboundedColumn { column: "v".into(), missing, cells: None })),
    )
}

fn from_path(path: &Path, scan: &Scan) -> Result<RecordBuffer> {
    keep(&Source::parse(path.to_str().unwrap())?, scan, &Progress::default())
}

fn from_text(text: &str, scan: &Scan) -> Result<RecordBuffer> {
    keep_csv(text.as_bytes(), scan, &Progress::default())
}

/// Number of records of each level at each of these values, and between them.
fn everybody(buffer: &mut RecordBuffer, values: impl Iterator<Item = f64>) -> Vec<Vec<u128>> {
    let keys: BTreeSet<u64> =
        values.flat_map(|value| [FloatOrder::key(value), FloatOrder::key(value) + 1]).collect();
    let keys: Vec<u64> = keys.into_iter().collect();
    let levels = buffer.budgets().len();
    let alone = |level| (0..levels).map(|other| u64::from(other == level)).collect::<Vec<_>>();
    (0..levels).map(|level| buffer.weigh(Key::Value, &keys, &alone(level)).unwrap()).collect()
}

type Record = (f64, Option<f64>);

fn csv(records: &[Record]) -> String {
    let cell = |value: &Option<f64>| value.map_or(String::new(), |value| format!("{value:?}"));
    let rows = records.iter().map(|(budget, value)| format!("{budget},{}\n", cell(value)));
    format!("e,v\n{}", rows.collect::<String>())
}

fn parquet(path: &Path, records: &[Record], rows_per_group: usize) {
    let e: ArrayRef =
        Arc::new(Float64Array::from_iter_values(records.iter().map(|record| record.0)));
    let v: ArrayRef = Arc::new(records.iter().map(|record| record.1).collect::<Float64Array>());
    write_parquet(path, &[("e", e), ("v", v)], rows_per_group);
}

fn record() -> impl Strategy<Value = Record> {
    let budget = prop::sample::select(vec![0.0, 0.01, 0.1, 1.0, 1e100, f64::INFINITY]);
    let value =
        prop_oneof![-20.0..20.0_f64, Just(f64::INFINITY), Just(f64::NEG_INFINITY), Just(-0.0)];
    (budget, prop::option::weighted(0.9, value))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(Extent::get().cases(100)))]

    #[test]
    fn files_and_format_do_not_matter(
        shards in prop::collection::vec(
            (prop::collection::vec(record(), 0..40), any::<bool>(), 1usize..20),
            1..6,
        ),
        cuts in prop::collection::btree_set((-30.0..30.0_f64).prop_map(FloatOrder::key), 0..20),
        weights in prop::collection::vec(0u64..1 << 51, 6),
    ) {
        let records: Vec<Record> = shards.iter().flat_map(|shard| shard.0.clone()).collect();
        prop_assume!(!records.is_empty());
        let folder = tempfile::tempdir().unwrap();
        for (number, (shard, is_csv, rows_per_group)) in shards.iter().enumerate() {
            if *is_csv {
                fs::write(folder.path().join(format!("{number}.csv")), csv(shard)).unwrap();
            } else {
                parquet(&folder.path().join(format!("{number}.parquet")), shard, *rows_per_group);
            }
        }
        let scan = unbounded(budgets("e"), Some(2.5));
        let mut whole = from_text(&csv(&records), &scan).unwrap();
        let mut sharded = from_path(folder.path(), &scan).unwrap();
        prop_assert_eq!((sharded.column(), sharded.records()), ("v", records.len() as u64));
        prop_assert_eq!(sharded.budgets(), whole.budgets());
        let values = || records.iter().map(|(_, value)| value.unwrap_or(2.5));
        prop_assert_eq!(everybody(&mut sharded, values()), everybody(&mut whole, values()));
        let cuts: Vec<u64> = cuts.into_iter().collect();
        let weights = &weights[..whole.budgets().len()];
        for key in [Key::Value, Key::Distance(3.0)] {
            prop_assert_eq!(
                sharded.weigh(key, &cuts, weights).unwrap(),
                whole.weigh(key, &cuts, weights).unwrap()
            );
        }
        let with_bounds = Scan::new(budgets("e"), value_or("v", 2.5));
        let table = scan_path(folder.path(), &with_bounds).unwrap();
        prop_assert_eq!(sharded.profile().unwrap(), table.profile().unwrap());
        let grid = *table.grid().unwrap();
        prop_assert_eq!(sharded.table(grid.into()).unwrap(), table);
    }
}

/// A row of somebody: what it allows, a value on the grid, its group and its person.
type Row = (&'static str, u32, &'static str, u8);

fn row() -> impl Strategy<Value = Row> {
    let groups = prop::sample::select(vec!["a", "b", "c"]);
    (prop::sample::select(vec!["0.1", "1", "inf"]), 0u32..=8, groups, 0u8..12)
}

fn rows_of(rows: &[Row]) -> String {
    let rows = rows.iter().map(|(e, v, g, p)| format!("{e},{v},{g},p{p}\n"));
    format!("e,v,g,p\n{}", rows.collect::<String>())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(Extent::get().cases(100)))]

    /// Kept records of groups and of persons make the tables that a scan makes, with squares and
    /// with rows at candidates. All values are whole, so that no mean of few lies between two steps
    /// of the grid.
    #[test]
    fn groups_and_persons_make_the_tables_of_a_scan(
        rows in prop::collection::vec(row(), 1..60),
        persons: bool,
        grouped: bool,
        by_tiers: bool,
        add_remove: bool,
        of_each in 1u32..4,
    ) {
        let privacy = if by_tiers { tiers("e", "0.1=0.1,1=1,inf=inf") } else { budgets("e") };
        let cells = Cells::new(32).unwrap();
        let cells = if persons { cells.with_rows(of_each).unwrap() } else { cells };
        let grid = Grid::new(Bounds::new(0.0, 8.0).unwrap());
        let numbers = Numbers { grid, squares: true, cells: Some(cells) };
        let names = ["a", "b", "c", "nobody"].map(str::to_owned).to_vec();
        let scan = |value| Scan {
            person: persons.then(|| "p".into()),
            group: grouped.then(|| {
                Grouping::one("g", CategoryRule::labels(names.clone(), None).unwrap())
            }),
            add_remove: add_remove.then(|| "0.1,inf".parse().unwrap()),
            ..Scan::new(privacy.clone(), Some(value))
        };
        let bounded = ValueColumn { column: "v".into(), numbers, missing: None };
        let unbounded =
            UnboundedColumn { column: "v".into(), missing: None, cells: Some(cells) };
        let (bounded, unbounded) =
            (scan(Value::Number(bounded)), scan(Value::Unbounded(unbounded)));
        let (text, progress) = (rows_of(&rows), Progress::default());
        let text = text.as_bytes();
        if !grouped {
            let expected = scan_csv(text, &bounded, &progress).unwrap();
            let buffer = keep_csv(text, &unbounded, &progress).unwrap();
            prop_assert_eq!(buffer.records(), expected.records());
            prop_assert_eq!(buffer.table(numbers).unwrap(), expected);
            return Ok(());
        }
        let expected = scan_groups_csv(text, &bounded, &progress);
        let kept = keep_groups_csv(text, &unbounded, &progress);
        let (expected, kept) = match (expected, kept) {
            (Ok(expected), Ok(kept)) => (expected, kept),
            // Somebody is in two groups, which nobody may know where participation is hidden.
            (expected, kept) => {
                prop_assert!(persons && !add_remove);
                prop_assert_eq!(kept.unwrap_err(), expected.unwrap_err());
                return Ok(());
            }
        };
        prop_assert_eq!(kept.column.as_str(), "g");
        for ((name, buffer), (group, table)) in kept.each.into_iter().zip(expected.each) {
            prop_assert_eq!(name, group);
            prop_assert_eq!(buffer.map(|buffer| buffer.table(numbers).unwrap()), table);
        }
    }
}

/// Under hidden participation, a person with rows in several groups counts in the first of them
/// alone: whoever joins changes one table.
#[test]
fn nobody_hidden_is_in_two_groups() {
    let names = vec!["a".to_owned(), "b".to_owned()];
    let scan = Scan {
        person: Some("p".into()),
        group: Some(Grouping::one("g", CategoryRule::labels(names, None).unwrap())),
        add_remove: Some("0.1,1".parse().unwrap()),
        ..Scan::new(budgets("e"), value("v"))
    };
    let text = "e,v,g,p\n1,8,b,ann\n0.5,2,a,ann\n1,4,a,ann\n1,8,b,bob\n";
    let groups = scan_groups_csv(text.as_bytes(), &scan, &Progress::default()).unwrap();
    let shown: Vec<String> = groups
        .each
        .iter()
        .map(|(name, table)| format!("{name} {}", table.as_ref().unwrap().profile().unwrap()))
        .collect();
    assert_eq!(shown, ["a 0.5:1", "b 1:1"]);
}

/// Candidates that might be too many are refused before anything is read, if the number of records
/// is private.
#[test]
fn candidates_of_hidden_people_are_counted_beforehand() {
    let groups: Vec<String> = (0..50).map(|group| format!("g{group}")).collect();
    let scan = |steps, add_remove: bool| Scan {
        group: Some(Grouping::one("g", CategoryRule::labels(groups.clone(), None).unwrap())),
        add_remove: add_remove.then(|| "0.1,1".parse().unwrap()),
        ..Scan::new(
            tiers("e", "a=0.1,b=1"),
            Some(Value::Unbounded(UnboundedColumn {
                column: "v".into(),
                missing: None,
                cells: Some(Cells::new(steps).unwrap()),
            })),
        )
    };
    let read =
        |scan: Scan| keep_groups_csv("e,v,g\na,1,g3\n".as_bytes(), &scan, &Progress::default());
    assert!(read(scan(1_000_000, false)).is_ok() && read(scan(600_000, true)).is_ok());
    let refused = read(scan(1_000_000, true)).unwrap_err();
    assert!(refused.to_string().contains("pairs of a tier and a candidate"), "{refused}");
}

#[test]
fn candidates_of_other_rows_are_refused() {
    let mut buffer = from_text("e,v\n1,2\n", &unbounded(budgets("e"), None)).unwrap();
    let cells = Cells::new(8).unwrap().with_rows(2).unwrap();
    let grid = Grid::new(Bounds::new(0.0, 8.0).unwrap());
    let numbers = Numbers { grid, squares: false, cells: Some(cells) };
    for refused in [buffer.check(&numbers), Records::table(&mut buffer, numbers).map(|_| ())] {
        assert!(refused.unwrap_err().to_string().starts_with("rows: "));
    }
}

#[test]
fn tiers_of_equal_budget_are_one_level_and_two_rows() {
    let text = "e,v\nb,1\na,2\nc,-3\nb,4\n";
    let privacy = tiers("e", "a=1,b=1,c=inf,d=0.5");
    let mut buffer = from_text(text, &unbounded(privacy.clone(), None)).unwrap();
    assert_eq!(buffer.profile().unwrap().to_string(), "1:3,inf:1");
    assert_eq!(buffer.weigh(Key::Value, &[FloatOrder::key(0.0)], &[5, 7]).unwrap(), [7, 15]);
    let table =
        scan_csv(text.as_bytes(), &Scan::new(privacy, value("v")), &Progress::default()).unwrap();
    assert_eq!(buffer.table(Grid::new(Bounds::new(0.0, 8.0).unwrap()).into()).unwrap(), table);
    assert_eq!(table.by_level().len(), 3);
}

/// The data that a scan with bounds refuses, and the same words.
#[test]
fn refuses_what_a_scan_refuses() {
    let texts = [
        "",
        "e,v\n",
        "e,x\n1,1\n",
        "v,v,e\n1,1,1\n",
        "e,v\n1,1\n1,SECRET123\n",
        "e,v\n1,1\n1,\n",
        "e,v\n1,NaN\n",
        "e,v\nSECRET123,SECRET123\n",
        "e,v\n,1\n",
        "e,v\n1\n",
        "e,v\n1,\"1\n",
    ];
    for text in texts {
        let with_bounds =
            scan_csv(text.as_bytes(), &Scan::new(budgets("e"), value("v")), &Progress::default());
        let refused = from_text(text, &unbounded(budgets("e"), None)).unwrap_err();
        assert_eq!(refused, with_bounds.unwrap_err());
        assert!(!format!("{refused:?}").contains(SECRET));
    }

    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.parquet");
    let e: ArrayRef = Arc::new(StringArray::from(vec!["1", "1", SECRET]));
    let v: ArrayRef = Arc::new(Float64Array::from(vec![Some(1.0), None, None]));
    write_parquet(&path, &[("e", Arc::clone(&e)), ("v", v), ("text", e)], 2);
    for privacy in [budgets("e"), tiers("e", "1=1")] {
        let refused = from_path(&path, &unbounded(privacy.clone(), None)).unwrap_err();
        assert_eq!(refused, scan_path(&path, &Scan::new(privacy.clone(), value("v"))).unwrap_err());
        let refused = from_path(&path, &unbounded(privacy.clone(), Some(0.0))).unwrap_err();
        assert_eq!(refused, scan_path(&path, &Scan::new(privacy, value_or("v", 0.0))).unwrap_err());
    }
    let text = UnboundedColumn { column: "text".into(), missing: None, cells: None };
    let refused =
        from_path(&path, &Scan::new(budgets("e"), Some(Value::Unbounded(text)))).unwrap_err();
    assert_eq!(refused, scan_path(&path, &Scan::new(budgets("e"), value("text"))).unwrap_err());
}

#[test]
fn refuses_what_cannot_be_kept() {
    let plain = unbounded(budgets("e"), None);
    let groups = || CategoryRule::labels(vec!["a".into(), "b".into()], None).unwrap();
    let group = || Some(Grouping::one("g", groups()));
    for (scan, kind, message) in [
        (
            Scan {
                value: Some(Value::Unbounded(UnboundedColumn {
                    column: "v".into(),
                    missing: None,
                    cells: Some(Cells::new(8).unwrap().with_rows(2).unwrap()),
                })),
                ..like(&plain)
            },
            ErrorKind::Request,
            "rows: ",
        ),
        (Scan { group: group(), ..like(&plain) }, ErrorKind::Request, "group: "),
        (Scan { value: None, ..like(&plain) }, ErrorKind::Request, "value: a buffer keeps"),
        (Scan { value: value("v"), ..like(&plain) }, ErrorKind::Request, "value: a buffer keeps"),
        (
            Scan { value: labels("v", "a,b", None, None), ..like(&plain) },
            ErrorKind::Request,
            "value: ",
        ),
        (unbounded(budgets("e"), Some(f64::INFINITY)), ErrorKind::Parameter, "missing: "),
        (unbounded(budgets(" "), None), ErrorKind::Parameter, "privacy: "),
    ] {
        let refused = from_text("e,v\n1,1\n", &scan).unwrap_err();
        assert!(refused.kind() == kind && refused.to_string().starts_with(message), "{refused}");
        assert!(refused.fix().is_some());
    }
    for refused in [
        scan_csv(&b"e,v\n1,1\n"[..], &plain, &Progress::default()).map(|_| ()),
        scan_groups_csv(
            &b"e,v\n1,1\n"[..],
            &Scan { group: group(), ..plain },
            &Progress::default(),
        )
        .map(|_| ()),
    ] {
        assert_eq!(
            refused.unwrap_err().to_string(),
            "value: numbers without bounds cannot be added up"
        );
    }
}
