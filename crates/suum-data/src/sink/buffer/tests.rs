//! Records that are kept count as they do one by one, wherever they are kept.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::io;

use proptest::prelude::*;
use suum_core::{
    Bounds, Cells, Epsilon, ErrorKind, FloatOrder, Grid, Key, LevelTable, Numbers, Records, Result,
};
use suum_testing::Extent;

use super::RecordBuffer;
use super::chunk::Location;
use crate::cells::level_key::EXACT;
use crate::read::csv::{self, Input};
use crate::read::passes::scan_csv;
use crate::read::progress::Progress;
use crate::scan::value::{UnboundedColumn, Value, ValueColumn};
use crate::scan::{PrivacyColumn, Scan};
use crate::sink::job::{Job, Limits};

fn by_budget() -> PrivacyColumn {
    PrivacyColumn::Budgets { column: "e".into() }
}

fn by_tier() -> PrivacyColumn {
    PrivacyColumn::Tiers {
        column: "e".into(),
        tiers: "0.5=2,1=0.25,2=inf,3=2,7=1".parse().unwrap(),
    }
}

fn unbounded(privacy: PrivacyColumn) -> Scan {
    let column = UnboundedColumn { column: "v".into(), missing: Some(2.5), cells: None };
    Scan::new(privacy, Some(Value::Unbounded(column)))
}

fn bounded(privacy: PrivacyColumn, grid: Grid) -> Scan {
    let column = ValueColumn { column: "v".into(), numbers: grid.into(), missing: Some(2.5) };
    Scan::new(privacy, Some(Value::Number(column)))
}

fn keep(text: &str, scan: &Scan, buffer_bytes: usize, block_bytes: usize) -> Result<RecordBuffer> {
    let job = Job::with_limits(scan, Limits { buffer_bytes, ..Limits::default() });
    let inputs = vec![Input::reader(None, Box::new(text.as_bytes()))];
    let collected = csv::scan_one(inputs, &job, &Progress::default(), block_bytes)?;
    Ok(collected.finish(&job)?.into_buffers(&job)?.remove(0).unwrap())
}

/// Keeps the records with this number of threads.
fn buffer_on(
    threads: usize,
    text: &str,
    scan: &Scan,
    buffer_bytes: usize,
    block_bytes: usize,
) -> RecordBuffer {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    pool.install(|| keep(text, scan, buffer_bytes, block_bytes)).unwrap()
}

fn scanned(text: &str, scan: &Scan) -> LevelTable {
    scan_csv(text.as_bytes(), scan, &Progress::default()).unwrap()
}

/// Budget of a record, for either kind of column.
fn budget(cell: &str, privacy: &PrivacyColumn) -> Epsilon {
    match privacy {
        PrivacyColumn::Budgets { .. } => cell.parse().unwrap(),
        PrivacyColumn::Tiers { tiers, .. } => {
            tiers.iter().find(|(label, _)| *label == cell).unwrap().1
        }
    }
}

fn value() -> impl Strategy<Value = f64> {
    let special = vec![0.0, -0.0, 5e-324, f64::MAX, f64::INFINITY, f64::NEG_INFINITY, 2.5];
    prop_oneof![-10.0..10.0_f64, any::<f64>(), prop::sample::select(special)]
}

fn record() -> impl Strategy<Value = (&'static str, f64)> {
    (prop::sample::select(vec!["0.5", "1", "2", "3"]), value())
}

fn text(records: &[(&str, f64)]) -> String {
    let mut text = String::from("e,v\n");
    for (choice, value) in records {
        writeln!(
            text,
            "{choice},{}",
            if value.is_nan() { String::new() } else { format!("{value:?}") }
        )
        .unwrap();
    }
    text
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(Extent::get().cases(300)))]

    #[test]
    fn counts_are_those_of_each_record(
        records in prop::collection::vec(record(), 1..200),
        cuts in prop::collection::btree_set(
            prop_oneof![value().prop_map(FloatOrder::key), any::<u64>()],
            0..50,
        ),
        centre in -10.0..10.0_f64,
        weights in prop::collection::vec(0u64..=1 << 51, 4),
        limit in prop::sample::select(vec![0, 100, 1000, 1 << 20]),
        block_bytes in 10usize..300,
        threads in 1usize..5,
    ) {
        let text = text(&records);
        let cuts: Vec<u64> = cuts.into_iter().collect();
        for privacy in [by_budget(), by_tier()] {
            let of_records: Vec<(Epsilon, f64)> = records
                .iter()
                .map(|(choice, value)| {
                    (budget(choice, &privacy), if value.is_nan() { 2.5 } else { *value })
                })
                .collect();
            let levels: BTreeSet<Epsilon> = of_records.iter().map(|record| record.0).collect();
            let levels: Vec<Epsilon> = levels.into_iter().collect();
            let mut buffer =
                buffer_on(threads, &text, &unbounded(privacy.clone()), limit, block_bytes);
            prop_assert_eq!(buffer.budgets(), &levels);
            prop_assert_eq!(buffer.records(), records.len() as u64);
            let in_file = buffer.chunks.iter().any(|c| matches!(c.location, Location::File(..)));
            // 8 bytes a record, and 8 for each of its chunk that have the same choice.
            prop_assert!(in_file || 8 * records.len() <= limit);
            prop_assert!(!in_file || 16 * records.len() > limit);

            let weights = &weights[..levels.len()];
            for key in [Key::Value, Key::Distance(centre)] {
                let mut expected = vec![0; cuts.len() + 1];
                for (epsilon, value) in &of_records {
                    let level = levels.iter().position(|level| level == epsilon).unwrap();
                    let cell = cuts.iter().filter(|cut| **cut <= key.evaluate(*value)).count();
                    expected[cell] += u128::from(weights[level]);
                }
                prop_assert_eq!(buffer.weigh(key, &cuts, weights).unwrap(), expected);
            }

            // Each level at each place where there is a record, and between them.
            let keys: BTreeSet<u64> = of_records
                .iter()
                .map(|(_, value)| Key::Value.evaluate(*value))
                .flat_map(|key| [key, key + 1])
                .collect();
            let keys: Vec<u64> = keys.into_iter().collect();
            for level in 0..levels.len() {
                let alone: Vec<u64> =
                    (0..levels.len()).map(|other| u64::from(other == level)).collect();
                let mut expected = vec![0; keys.len() + 1];
                for (_, value) in of_records.iter().filter(|(epsilon, _)| *epsilon == levels[level])
                {
                    expected[keys.partition_point(|key| *key <= Key::Value.evaluate(*value))] += 1;
                }
                prop_assert_eq!(buffer.weigh(Key::Value, &keys, &alone).unwrap(), expected);
            }
        }
    }

    #[test]
    fn the_table_is_that_of_a_scan(
        records in prop::collection::vec(record(), 1..200),
        (lower, width) in (-20.0..20.0_f64, 0.1..30.0_f64),
        limit in prop::sample::select(vec![0, 1000, 1 << 20]),
        block_bytes in 10usize..300,
    ) {
        let text = text(&records);
        let grid = Grid::new(Bounds::new(lower, lower + width).unwrap());
        for privacy in [by_budget(), by_tier()] {
            let buffer = keep(&text, &unbounded(privacy.clone()), limit, block_bytes).unwrap();
            let expected = scanned(&text, &bounded(privacy, grid));
            prop_assert_eq!(buffer.profile().unwrap(), expected.profile().unwrap());
            prop_assert_eq!(buffer.table(grid.into()).unwrap(), expected);
        }
    }
}

/// Records of `budgets` distinct budgets, none of them coarse but the first, in two orders.
fn many(budgets: usize) -> [String; 2] {
    let row = |number: usize| format!("{},{number}\n", 1.0 + number as f64 / 16_777_216.0);
    let forwards: String = (0..budgets).chain(0..10).map(row).collect();
    let backwards: String = (0..10).chain((0..budgets).rev()).map(row).collect();
    [forwards, backwards].map(|rows| format!("e,v\n{rows}"))
}

#[test]
#[ignore = "takes seconds"]
fn too_many_budgets_are_coarse_as_in_a_scan() {
    let grid = Grid::new(Bounds::new(0.0, 1000.0).unwrap());
    for (budgets, levels) in [(EXACT, EXACT), (EXACT + 1, 5)] {
        for text in many(budgets) {
            let expected = scanned(&text, &bounded(by_budget(), grid));
            for (limit, block_bytes) in [(1 << 30, csv::BLOCK_BYTES), (1 << 16, 1 << 14)] {
                let mut buffer = buffer_on(4, &text, &unbounded(by_budget()), limit, block_bytes);
                assert_eq!(buffer.budgets().len(), levels);
                assert_eq!(buffer.table(grid.into()).unwrap(), expected);
                let counts: Vec<u128> = expected
                    .by_level()
                    .iter()
                    .map(|level_sums| u128::from(level_sums.count))
                    .collect();
                for level in [0, 3, levels - 1] {
                    let weights: Vec<u64> =
                        (0..levels).map(|other| u64::from(other == level)).collect();
                    assert_eq!(buffer.weigh(Key::Value, &[], &weights).unwrap(), [counts[level]]);
                }
            }
        }
    }
}

#[test]
fn records_of_large_chunks_are_all_there() {
    let rows = 200_000;
    let body: String = (0..rows).map(|row| format!("1,{row}\n")).collect();
    let text = format!("e,v\n{body}");
    for (threads, limit, block_bytes) in
        [(1, 1 << 30, csv::BLOCK_BYTES), (4, 1 << 20, 1 << 14), (4, 1 << 20, 1 << 21)]
    {
        let mut buffer = buffer_on(threads, &text, &unbounded(by_budget()), limit, block_bytes);
        let cuts: Vec<u64> = (0..rows).step_by(10).map(|row| FloatOrder::key(row.into())).collect();
        let sums = buffer.weigh(Key::Value, &cuts, &[1]).unwrap();
        assert_eq!((sums[0], sums.len()), (0, 1 + cuts.len()));
        assert!(sums[1..].iter().all(|sum| *sum == 10));
    }
}

#[test]
fn refuses_questions_that_do_not_fit() {
    let mut buffer = keep("e,v\n1,2\n", &unbounded(by_budget()), 0, 100).unwrap();
    for (cuts, weights, message) in [
        (&[2, 1][..], &[1][..], "cuts: are not in ascending order"),
        (&[1, 1], &[1], "cuts: are not in ascending order"),
        (&[1], &[], "weights: are not as many as levels"),
        (&[1], &[1, 1], "weights: are not as many as levels"),
    ] {
        let refused = buffer.weigh(Key::Value, cuts, weights).unwrap_err();
        assert_eq!((refused.to_string().as_str(), refused.fix().is_some()), (message, true));
    }
    // Nothing has a NaN as its place but what is infinitely far from infinity.
    assert_eq!(buffer.weigh(Key::Distance(f64::NAN), &[1], &[3]).unwrap(), [0, 3]);
}

#[test]
fn a_failed_temporary_file_comes_after_the_faults_of_rows() {
    let scan = unbounded(by_budget());
    for (text, kind, message) in [
        ("e,v\n1,1\n", ErrorKind::Io, "values: a temporary file failed (no storage space)"),
        ("e,v\n1,1\n1,x\n", ErrorKind::Data, "column v, row 2: not a number"),
    ] {
        let job = Job::new(&scan);
        job.chunk_store().unwrap().fail(io::ErrorKind::StorageFull);
        let inputs = vec![Input::reader(None, Box::new(text.as_bytes()))];
        let refused = csv::scan_one(inputs, &job, &Progress::default(), csv::BLOCK_BYTES)
            .and_then(|collected| {
                Ok(collected.finish(&job)?.into_buffers(&job)?.remove(0).unwrap())
            })
            .unwrap_err();
        assert_eq!((refused.kind(), refused.to_string().as_str()), (kind, message));
        assert!(refused.fix().is_some());
    }
}

/// Candidates that could not be counted are refused before anything is drawn, by public numbers
/// alone.
#[test]
fn too_many_candidates_are_refused_beforehand() {
    let rows: String = (0..200).map(|row| format!("{},{row}\n", 1 + row % 2)).collect();
    let (text, scan) = (format!("e,v\n{rows}"), unbounded(by_budget()));
    let grid = Grid::new(Bounds::new(0.0, 8.0).unwrap());
    for (counters, steps, fits) in [(100, 49, true), (100, 50, false), (200, 1000, true)] {
        let job = Job::with_limits(&scan, Limits { counters, ..Limits::default() });
        let inputs = vec![Input::reader(None, Box::new(text.as_bytes()))];
        let collected =
            csv::scan_one(inputs, &job, &Progress::default(), csv::BLOCK_BYTES).unwrap();
        let kept = collected.finish(&job).unwrap().into_buffers(&job).unwrap().remove(0).unwrap();
        let cells = Some(Cells::new(steps).unwrap());
        let numbers = Numbers { grid, squares: false, cells };
        let (checked, table) = (kept.check(&numbers), kept.table(numbers));
        assert_eq!((checked.is_ok(), table.is_ok()), (fits, fits), "{counters} {steps}");
        if let Err(refused) = checked {
            let said = "there could be more than 100 pairs of a level and a candidate";
            assert_eq!((refused.to_string().as_str(), refused.fix().is_some()), (said, true));
        }
    }
}

/// A private number of records causes no refusal.
#[test]
fn nothing_is_refused_by_hidden_numbers() {
    let rows: String = (0..200).map(|row| format!("{},{row}\n", 1 + row % 2)).collect();
    let (text, add_remove) = (format!("e,v\n{rows}"), Some("1,2".parse().unwrap()));
    let scan = Scan { add_remove, ..unbounded(by_budget()) };
    let job = Job::with_limits(&scan, Limits { counters: 100, ..Limits::default() });
    let inputs = vec![Input::reader(None, Box::new(text.as_bytes()))];
    let collected = csv::scan_one(inputs, &job, &Progress::default(), csv::BLOCK_BYTES).unwrap();
    let kept = collected.finish(&job).unwrap().into_buffers(&job).unwrap().remove(0).unwrap();
    let grid = Grid::new(Bounds::new(0.0, 8.0).unwrap());
    let numbers = Numbers { grid, squares: false, cells: Some(Cells::new(1000).unwrap()) };
    assert!(kept.check(&numbers).is_ok());
    assert_eq!(kept.table(numbers).unwrap().records(), 200);
}

#[test]
fn debug_shows_no_value() {
    let buffer = keep("e,v\n0.125,1234567\n", &unbounded(by_budget()), 0, 100).unwrap();
    assert_eq!(format!("{buffer:?}"), "RecordBuffer { column: \"v\", .. }");
}
