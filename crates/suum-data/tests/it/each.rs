//! Several scans in one pass: each gives what it would by itself, and what is refused is what the
//! first of them would refuse.

use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use arrow_array::{ArrayRef, Float64Array, RecordBatch, StringArray};
use proptest::prelude::*;
use suum_core::{Bounds, Error, Grid, LevelTable, Numbers, Result};
use suum_data::{
    CategoryRule, GroupColumn, Groups, Progress, Reading, RecordBuffer, Refusal, Scan, Source,
    UnboundedColumn, Value, keep, keep_batches, keep_groups, keep_groups_batches, scan,
    scan_batches, scan_each, scan_each_batches, scan_groups, scan_groups_batches,
};
use suum_testing::Extent;

use crate::common::{budgets, labels, value, value_or, write_batch};

/// Cells as a file has them; an empty one is missing.
#[derive(Debug, Clone)]
struct Row {
    epsilon: f64,
    v: &'static str,
    w: &'static str,
    group: &'static str,
    person: u8,
}

/// Rows of one file, how it is written, and whether it has the column `w`.
type File = (Vec<Row>, bool, bool);

fn rows(faults: u32) -> impl Strategy<Value = Vec<Row>> {
    let numbers = move || {
        let bad = prop::sample::select(vec!["", "x"]);
        prop_oneof![40 => prop::sample::select(vec!["1", "2.5", "7"]), faults => bad]
    };
    let group = prop_oneof![
        40 => prop::sample::select(vec!["a", "b"]),
        faults => prop::sample::select(vec!["", "z"]),
    ];
    let epsilon = prop_oneof![40 => prop::sample::select(vec![0.1, 1.0]), faults => Just(-1.0)];
    let row = (epsilon, numbers(), numbers(), group, 0..9_u8);
    let row = row.prop_map(|(epsilon, v, w, group, person)| Row { epsilon, v, w, group, person });
    prop::collection::vec(row, 1..12)
}

fn files() -> impl Strategy<Value = Vec<File>> {
    prop_oneof![Just(0), Just(1)].prop_flat_map(|faults| {
        prop::collection::vec((rows(faults), any::<bool>(), prop::bool::weighted(0.9)), 1..5)
    })
}

fn batch(rows: &[Row], has_w: bool) -> RecordBatch {
    let number = |text: &str| text.parse::<f64>().ok();
    let text = |text: &'static str| Some(text).filter(|text| !text.is_empty());
    let mut columns: Vec<(&str, ArrayRef, bool)> = vec![
        ("e", Arc::new(rows.iter().map(|row| Some(row.epsilon)).collect::<Float64Array>()), true),
        ("v", Arc::new(rows.iter().map(|row| number(row.v)).collect::<Float64Array>()), true),
        ("g", Arc::new(rows.iter().map(|row| text(row.group)).collect::<StringArray>()), true),
    ];
    let person = rows.iter().map(|row| Some(format!("p{}", row.person)));
    columns.push(("id", Arc::new(person.collect::<StringArray>()), true));
    if has_w {
        let w = rows.iter().map(|row| number(row.w)).collect::<Float64Array>();
        columns.push(("w", Arc::new(w), true));
    }
    RecordBatch::try_from_iter_with_nullable(columns).unwrap()
}

fn write(path: &Path, (rows, parquet, has_w): &File) {
    if *parquet {
        return write_batch(&path.with_extension("parquet"), &batch(rows, *has_w), 3);
    }
    let mut csv = String::from(if *has_w { "id,e,v,g,w\n" } else { "id,e,v,g\n" });
    for Row { epsilon, v, w, group, person } in rows {
        let w = if *has_w { format!(",{w}") } else { String::new() };
        writeln!(csv, "p{person},{epsilon},{v},{group}{w}").unwrap();
    }
    fs::write(path.with_extension("csv"), csv).unwrap();
}

const KINDS: usize = 8;

fn scan_of(kind: usize) -> Scan {
    let groups = CategoryRule::labels(vec!["a".into(), "b".into()], None).unwrap();
    let group = || Some(GroupColumn { column: "g".into(), groups: groups.clone() }.into());
    let unbounded = |missing| UnboundedColumn { column: "w".into(), missing, cells: None };
    let (of, person) = (|value| Scan::new(budgets("e"), value), Some("id".to_owned()));
    match kind {
        0 => of(value("v")),
        1 => of(value_or("w", 1.0)),
        2 => Scan { group: group(), ..of(value_or("v", 0.0)) },
        3 => of(labels("g", "a,b", Some("other"), None)),
        4 => of(None),
        5 => of(Some(Value::Unbounded(unbounded(None)))),
        6 => Scan { group: group(), ..of(Some(Value::Unbounded(unbounded(Some(2.0))))) },
        _ => Scan { person, ..of(value_or("v", 3.0)) },
    }
}

/// Result of a scan in a form that can be compared.
#[derive(Debug, PartialEq)]
enum Seen {
    Table(LevelTable),
    Groups(Groups),
}

fn count_records(records: RecordBuffer) -> Result<LevelTable> {
    records.table(Numbers::from(Grid::new(Bounds::new(0.0, 8.0).unwrap())))
}

fn count_groups(groups: Groups<RecordBuffer>) -> Result<Seen> {
    let Groups { column, each } = groups;
    let each = each.into_iter().map(|(name, one)| Ok((name, one.map(count_records).transpose()?)));
    Ok(Seen::Groups(Groups { column, each: each.collect::<Result<_>>()? }))
}

fn seen(reading: Reading) -> Result<Seen> {
    match reading {
        Reading::Table(table) => Ok(Seen::Table(table)),
        Reading::Groups(groups) => Ok(Seen::Groups(groups)),
        Reading::Records(records) => count_records(records).map(Seen::Table),
        Reading::GroupRecords(groups) => count_groups(groups),
    }
}

/// Results of all scans, or the refusal with its index.
type All = std::result::Result<Vec<Seen>, (usize, Error)>;

fn together(each: std::result::Result<Vec<Reading>, Refusal>) -> All {
    let each = each.map_err(|refusal| (refusal.scan, refusal.error))?;
    Ok(each.into_iter().map(|one| seen(one).unwrap()).collect())
}

fn alone(kinds: &[usize], see: impl Fn(usize, &Scan) -> Result<Seen>) -> All {
    let each = kinds.iter().enumerate();
    each.map(|(at, kind)| see(*kind, &scan_of(*kind)).map_err(|error| (at, error))).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(Extent::get().cases(200)))]

    #[test]
    fn each_of_several_scans_is_as_if_it_were_alone(
        files in files(), kinds in prop::collection::vec(0..KINDS, 1..5),
    ) {
        let folder = tempfile::tempdir().unwrap();
        for (at, file) in files.iter().enumerate() {
            write(&folder.path().join(format!("part-{at}")), file);
        }
        let source = Source::parse(folder.path().to_str().unwrap()).unwrap();
        let progress = Progress::default();
        let scans: Vec<Scan> = kinds.iter().map(|kind| scan_of(*kind)).collect();
        let expected = alone(&kinds, |kind, one| match kind {
            2 => scan_groups(&source, one, &progress).map(Seen::Groups),
            5 => keep(&source, one, &progress).and_then(count_records).map(Seen::Table),
            6 => keep_groups(&source, one, &progress).and_then(count_groups),
            _ => scan(&source, one, &progress).map(Seen::Table),
        });
        prop_assert_eq!(together(scan_each(&source, &scans, &progress, || Ok(()))), expected);
    }

    #[test]
    fn so_are_those_of_batches_which_are_asked_for_once(
        files in files(), kinds in prop::collection::vec(0..KINDS, 1..5),
    ) {
        let progress = Progress::default();
        let batches = || files.iter().map(|(rows, _, has_w)| Ok(batch(rows, *has_w)));
        let scans: Vec<Scan> = kinds.iter().map(|kind| scan_of(*kind)).collect();
        let expected = alone(&kinds, |kind, one| match kind {
            2 => scan_groups_batches(batches(), one, &progress).map(Seen::Groups),
            5 => keep_batches(batches(), one, &progress).and_then(count_records).map(Seen::Table),
            6 => keep_groups_batches(batches(), one, &progress).and_then(count_groups),
            _ => scan_batches(batches(), one, &progress).map(Seen::Table),
        });
        let asked = AtomicUsize::new(0);
        let counted = batches().inspect(|_| {
            asked.fetch_add(1, Ordering::Relaxed);
        });
        let each = together(scan_each_batches(counted, &scans, &progress, || Ok(())));
        prop_assert!(asked.into_inner() <= files.len());
        prop_assert_eq!(each, expected);
    }
}

#[test]
fn scans_that_differ_in_how_cells_are_read_are_refused_and_so_is_what_done_refuses() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("people.csv");
    fs::write(&path, "e,v\n1,2\n0.1,NA\n").unwrap();
    let source = Source::parse(path.to_str().unwrap()).unwrap();
    let progress = Progress::default();
    let nulls = suum_data::Nulls::new(["NA"]).unwrap();
    let scans = [scan_of(4), Scan { nulls, ..scan_of(4) }];
    let refused = scan_each(&source, &scans, &progress, || Ok(())).unwrap_err();
    assert_eq!(refused.scan, 1);
    assert!(refused.error.to_string().starts_with("scans: ") && refused.error.fix().is_some());
    let scans = [scan_of(4), scan_of(4)];
    let mut calls = 0;
    let refused = scan_each(&source, &scans, &progress, || {
        calls += 1;
        if calls == 2 { Err(Error::data((), "no").with_fix("none")) } else { Ok(()) }
    });
    assert_eq!(refused.unwrap_err().scan, 1);
}
