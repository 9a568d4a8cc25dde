//! A spool holds the same records as a scan reads, and refuses the same data.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use arrow_array::{ArrayRef, Float64Array, StringArray};
use proptest::prelude::*;
use suum_core::{Bounds, ErrorKind, Grid, Key, Lattice, Places, Result};
use suum_data::{
    Classes, GroupColumn, PrivacyColumn, Progress, Scan, Source, Spool, UnboundedColumn, Value,
    scan_csv, scan_groups_csv, spool, spool_csv,
};
use suum_testing::Extent;

use crate::common::{
    SECRET, budgets, labels, like, scan_path, tiers, value, value_or, write_parquet,
};

fn unbounded(privacy: PrivacyColumn, missing: Option<f64>) -> Scan {
    Scan::new(privacy, Some(Value::Unbounded(UnboundedColumn { column: "v".into(), missing })))
}

fn from_path(path: &Path, scan: &Scan) -> Result<Spool> {
    spool(&Source::parse(path.to_str().unwrap())?, scan, &Progress::default())
}

fn from_text(text: &str, scan: &Scan) -> Result<Spool> {
    spool_csv(text.as_bytes(), scan, &Progress::default())
}

/// How many records of each level are at each of these values, and between them.
fn everybody(spool: &mut Spool, values: impl Iterator<Item = f64>) -> Vec<Vec<u128>> {
    let keys: BTreeSet<u64> =
        values.flat_map(|value| [Lattice::key(value), Lattice::key(value) + 1]).collect();
    let keys: Vec<u64> = keys.into_iter().collect();
    let levels = spool.budgets().len();
    let alone = |level| (0..levels).map(|other| u64::from(other == level)).collect::<Vec<_>>();
    (0..levels).map(|level| spool.weigh(Key::Value, &keys, &alone(level)).unwrap()).collect()
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
        cuts in prop::collection::btree_set((-30.0..30.0_f64).prop_map(Lattice::key), 0..20),
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
        prop_assert_eq!(sharded.table(grid).unwrap(), table);
    }
}

#[test]
fn tiers_of_equal_budget_are_one_level_and_two_rows() {
    let text = "e,v\nb,1\na,2\nc,-3\nb,4\n";
    let privacy = tiers("e", "a=1,b=1,c=inf,d=0.5");
    let mut spool = from_text(text, &unbounded(privacy.clone(), None)).unwrap();
    assert_eq!(spool.profile().unwrap().to_string(), "1:3,inf:1");
    assert_eq!(spool.weigh(Key::Value, &[Lattice::key(0.0)], &[5, 7]).unwrap(), [7, 15]);
    let table =
        scan_csv(text.as_bytes(), &Scan::new(privacy, value("v")), &Progress::default()).unwrap();
    assert_eq!(spool.table(Grid::new(Bounds::new(0.0, 8.0).unwrap())).unwrap(), table);
    assert_eq!(table.cohorts().len(), 3);
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
    let text = UnboundedColumn { column: "text".into(), missing: None };
    let refused =
        from_path(&path, &Scan::new(budgets("e"), Some(Value::Unbounded(text)))).unwrap_err();
    assert_eq!(refused, scan_path(&path, &Scan::new(budgets("e"), value("text"))).unwrap_err());
}

#[test]
fn refuses_what_cannot_be_kept() {
    let plain = unbounded(budgets("e"), None);
    let groups = || Classes::labels(vec!["a".into(), "b".into()], None).unwrap();
    let group = || Some(GroupColumn { column: "g".into(), groups: groups() });
    for (scan, kind, message) in [
        (Scan { person: Some("p".into()), ..like(&plain) }, ErrorKind::Request, "person: "),
        (Scan { group: group(), ..like(&plain) }, ErrorKind::Request, "group: "),
        (Scan { value: None, ..like(&plain) }, ErrorKind::Request, "value: a spool keeps"),
        (Scan { value: value("v"), ..like(&plain) }, ErrorKind::Request, "value: a spool keeps"),
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
        assert!(refused.hint().is_some());
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
