//! Limits of memory decide nothing but where rows wait, and refuse the same data in any order.

use std::fmt::Write;
use std::io;

use proptest::prelude::*;
use suum_core::{Bounds, Cells, ErrorKind, Grid, LevelTable, Numbers, Result};
use suum_testing::Extent;

use crate::count::moments::PARTS_OF_SUMS;
use crate::read::csv::{self, Input};
use crate::read::progress::Progress;
use crate::scan::value::{Value, ValueColumn};
use crate::scan::{PrivacyColumn, Scan};
use crate::sink::job::{Job, Limits};
use crate::sink::row_sink::RowSink;
use crate::{CategoryRule, Grouping};

fn scan(privacy: PrivacyColumn, squares: bool, steps: u32) -> Scan {
    let cells = Some(Cells::new(steps).unwrap());
    let numbers = Numbers { grid: Grid::new(Bounds::new(0.0, 8.0).unwrap()), squares, cells };
    Scan::new(
        privacy,
        Some(Value::Number(ValueColumn { column: "v".into(), numbers, missing: None })),
    )
}

fn by_budget() -> PrivacyColumn {
    PrivacyColumn::Budgets { column: "e".into() }
}

fn by_tier() -> PrivacyColumn {
    PrivacyColumn::Tiers { column: "e".into(), tiers: "1=0.5,2=inf,3=0.5".parse().unwrap() }
}

/// Scan with sums in cells.
fn summed(privacy: PrivacyColumn, steps: u32) -> Scan {
    let mut scan = scan(privacy, true, steps);
    if let Some(Value::Number(column)) = &mut scan.value {
        column.numbers.cells = column.numbers.cells.map(|cells| cells.with_sums(true));
    }
    scan
}

/// The tables of all groups, or the one table.
fn tables(text: &str, job: &Job, block_bytes: usize) -> Result<Vec<Option<LevelTable>>> {
    let inputs = vec![Input::reader(None, Box::new(text.as_bytes()))];
    let collected = csv::scan_one(inputs, job, &Progress::default(), block_bytes)?;
    collected.finish(job)?.into_tables(job)
}

fn limited(
    text: &str,
    scan: &Scan,
    limits: Limits,
    block_bytes: usize,
) -> Result<Vec<Option<LevelTable>>> {
    tables(text, &Job::with_limits(scan, limits), block_bytes)
}

fn counters(counters: usize) -> Limits {
    Limits { counters, ..Limits::default() }
}

fn text(rows: &[(u32, u32, u32, u32)]) -> String {
    let mut text = String::from("e,v,p,g\n");
    for (e, v, p, g) in rows {
        writeln!(text, "{e},{},{p},{g}", f64::from(*v) / 4.0).unwrap();
    }
    text
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(Extent::get().cases(200)))]

    #[test]
    fn files_hold_rows_as_memory_does(
        rows in prop::collection::vec((1u32..4, 0u32..32, 0u32..20), 1..200),
        limit in prop::sample::select(vec![0, 40, 1000, 4000]),
        grouped: bool,
        block_bytes in 10usize..200,
    ) {
        let rows: Vec<_> = rows.into_iter().map(|(e, v, p)| (e, v, p, p % 3)).collect();
        let text = text(&rows);
        let names = ["0", "1", "2"].map(str::to_owned).to_vec();
        let group =
            Grouping::one("g", CategoryRule::labels(names, None).unwrap());
        for privacy in [by_budget(), by_tier()] {
            let scan = Scan {
                person: Some("p".into()),
                group: grouped.then(|| group.clone()),
                ..scan(privacy, true, 16)
            };
            let memory = tables(&text, &Job::new(&scan), csv::BLOCK_BYTES).unwrap();
            let limits = Limits { row_bytes: limit, ..Limits::default() };
            let job = Job::with_limits(&scan, limits);
            let inputs = vec![Input::reader(None, Box::new(text.as_bytes()))];
            let mut collected =
                csv::scan_one(inputs, &job, &Progress::default(), block_bytes).unwrap();
            // Rows that are still with the worker go to the store too.
            let last = std::mem::replace(&mut collected, RowSink::new(&job));
            collected.merge(last);
            let spilled = job.store().unwrap().spilled();
            prop_assert_eq!(
                collected.finish(&job).unwrap().into_tables(&job).unwrap(),
                memory
            );
            prop_assert!(limit > 0 || spilled == rows.len(), "{} of {} rows", spilled, rows.len());
        }
    }

    #[test]
    fn sparse_is_dense(
        rows in prop::collection::vec((1u32..4, 0u32..32, 0u32..20, 0u32..1), 1..60),
        block_bytes in 10usize..200,
    ) {
        let text = text(&rows);
        for privacy in [by_budget(), by_tier()] {
            let scan = scan(privacy, false, 16);
            let dense = tables(&text, &Job::new(&scan), csv::BLOCK_BYTES).unwrap();
            let levels = match scan.privacy {
                PrivacyColumn::Budgets { .. } => dense[0].as_ref().unwrap().by_level().len(),
                // Declared ones, whether they have records or not.
                PrivacyColumn::Tiers { .. } => 3,
            };
            let least = rows.len().min(levels * 17);
            prop_assert_eq!(
                &limited(&text, &scan, counters(least), block_bytes),
                &Ok(dense.clone())
            );
            let refused = limited(&text, &scan, counters(least - 1), block_bytes).unwrap_err();
            let expected = format!("there could be more than {} pairs of a ", least - 1);
            prop_assert!(refused.to_string().starts_with(&expected) && refused.fix().is_some());
        }
    }

    #[test]
    fn persons_of_groups_are_refused_by_public_numbers(
        rows in prop::collection::vec((1u32..4, 0u32..32, 0u32..20), 1..100),
        parts in 1u32..4,
        limit in 0usize..120,
        block_bytes in 10usize..200,
    ) {
        let rows: Vec<_> = rows.into_iter().map(|(e, v, p)| (e, v, p, p % 2)).collect();
        let text = text(&rows);
        let names = ["0", "1"].map(str::to_owned).to_vec();
        let group =
            Grouping::one("g", CategoryRule::labels(names, None).unwrap());
        for privacy in [by_budget(), by_tier()] {
            let mut scan = Scan {
                person: Some("p".into()),
                group: Some(group.clone()),
                ..scan(privacy, false, 16)
            };
            if let Some(Value::Number(column)) = &mut scan.value {
                column.numbers.cells = Some(Cells::new(16).unwrap().with_rows(parts).unwrap());
            }
            let whole = tables(&text, &Job::new(&scan), csv::BLOCK_BYTES).unwrap();
            let crowded = |table: &LevelTable| {
                let levels = match scan.privacy {
                    PrivacyColumn::Budgets { .. } => table.by_level().len(),
                    PrivacyColumn::Tiers { .. } => 3,
                };
                levels * 17 > limit && table.records() as usize * parts as usize > limit
            };
            // Each group has half of the limit.
            let limited = limited(&text, &scan, counters(2 * limit), block_bytes);
            match whole.iter().flatten().any(crowded) {
                true => prop_assert!(limited.is_err()),
                false => prop_assert_eq!(limited, Ok(whole)),
            }
        }
    }
}

#[test]
fn no_value_decides_whether_there_could_be_too_many_pairs() {
    for privacy in [by_budget(), by_tier()] {
        let scan = scan(privacy, false, 16);
        let rows = |value: fn(u32) -> u32| {
            text(&(0..60).map(|row| (row % 3 + 1, value(row), 0, 0)).collect::<Vec<_>>())
        };
        for text in [rows(|_| 8), rows(|row| row % 32)] {
            for limit in 40..=60 {
                let limited = limited(&text, &scan, counters(limit), csv::BLOCK_BYTES);
                // 60 rows, and three levels of 17 candidates.
                assert_eq!(limited.is_err(), limit < 51, "{limit}");
            }
        }
    }
}

/// Rows of `budgets` distinct budgets at two candidates each, in three orders.
fn orders(budgets: u32) -> [String; 3] {
    let row = |(budget, value): (u32, u32)| {
        format!("{},{value}\n", 1.0 + f64::from(budget) / 16_777_216.0)
    };
    let adjacent: String =
        (0..budgets).flat_map(|budget| [(budget, 0), (budget, 8)]).map(row).collect();
    let apart: String =
        [0, 8].iter().flat_map(|v| (0..budgets).map(|b| (b, *v))).map(row).collect();
    let backwards: String = (0..budgets).rev().flat_map(|b| [(b, 8), (b, 0)]).map(row).collect();
    [adjacent, apart, backwards].map(|rows| format!("e,v\n{rows}"))
}

#[test]
#[ignore = "takes seconds"]
fn no_order_decides_whether_there_are_too_many_pairs() {
    let scan = scan(by_budget(), false, 2);
    let exact = crate::cells::level_key::EXACT as u32;
    // Twice as many pairs and rows as the limit of counters, but few coarse budgets.
    for text in orders(exact) {
        for block_bytes in [1 << 14, csv::BLOCK_BYTES] {
            let refused = limited(&text, &scan, counters(70_000), block_bytes).unwrap_err();
            assert_eq!(
                refused.to_string(),
                "there could be more than 70000 pairs of a budget and a candidate",
                "all budgets are exact"
            );
        }
    }
    let orders = orders(exact + 1);
    let whole = limited(&orders[1], &scan, counters(1 << 20), csv::BLOCK_BYTES).unwrap();
    assert_eq!(whole[0].as_ref().unwrap().by_level().len(), 5);
    for text in &orders {
        for block_bytes in [1 << 14, csv::BLOCK_BYTES] {
            // Five coarse budgets of three candidates.
            for limit in [15, 70_000] {
                assert_eq!(limited(text, &scan, counters(limit), block_bytes).unwrap(), whole);
            }
            assert!(
                limited(text, &scan, counters(14), block_bytes).is_err(),
                "coarse ones are too many as well"
            );
        }
    }
}

/// A crowded part is coarse early. Its coarse budgets are not among those of the data, and must not
/// make them seem more than can be exact.
#[test]
#[ignore = "takes seconds"]
fn coarse_budgets_are_not_taken_for_those_of_the_data() {
    let scan = scan(by_budget(), false, 2);
    let exact = crate::cells::level_key::EXACT as u32;
    let text = |budgets: u32| {
        // Odd numerators: none of these is a coarse budget.
        let budget = |number: u32| 1.0 + f64::from(2 * number + 1) / 16_777_216.0;
        let rows =
            (0..budgets).flat_map(|number| [0, 8].map(|v| format!("{},{v}\n", budget(number))));
        format!("e,v\n{}", rows.collect::<String>())
    };
    let (few, many) = (text(exact), text(exact + 1));
    // Nine coarse budgets of three candidates.
    for limit in [27, 20_000, 70_000] {
        for block_bytes in [1 << 14, csv::BLOCK_BYTES] {
            assert!(
                limited(&few, &scan, counters(limit), block_bytes).is_err(),
                "{limit} {block_bytes}"
            );
            let tables = limited(&many, &scan, counters(limit), block_bytes).unwrap();
            assert_eq!(tables[0].as_ref().unwrap().by_level().len(), 9, "{limit} {block_bytes}");
        }
    }
}

#[test]
fn rows_are_still_checked_when_there_are_too_many_pairs() {
    for privacy in [by_budget(), by_tier()] {
        let scan = scan(privacy, false, 16);
        let text = "e,v\n1,1\n1,2\n2,3\n3,x\n";
        let refused = limited(text, &scan, counters(1), csv::BLOCK_BYTES).unwrap_err();
        assert_eq!(refused.to_string(), "column v, row 4: not a number");
    }
}

#[test]
fn a_failed_temporary_file_comes_after_the_faults_of_rows() {
    let scan = Scan { person: Some("p".into()), ..scan(by_budget(), false, 16) };
    for (text, kind, message) in [
        (
            "e,v,p\n1,1,SECRET123\n",
            ErrorKind::Io,
            "person: a temporary file failed (no storage space)",
        ),
        ("e,v,p\n1,1,SECRET123\n1,1,\n", ErrorKind::Data, "column p, row 2: missing identifier"),
    ] {
        let job = Job::new(&scan);
        job.store().unwrap().fail(io::ErrorKind::StorageFull);
        let refused = tables(text, &job, csv::BLOCK_BYTES).unwrap_err();
        assert_eq!((refused.kind(), refused.to_string().as_str()), (kind, message));
        assert!(refused.fix().is_some());
    }
}

proptest! {
    /// Sums in cells are left out where there could be too many, by public numbers alone: whatever
    /// the values, the order of the records and their blocks. Nothing else changes.
    #[test]
    fn sums_in_cells_are_left_out_by_public_numbers(
        rows in prop::collection::vec((1u32..4, 0u32..40, Just(0u32), Just(0u32)), 1..60),
        tiers: bool,
        limit in prop::sample::select(vec![0usize, 170, 280, 407, 408, 1000, 3000]),
        block_bytes in 5usize..200,
    ) {
        let text = text(&rows);
        let scan = summed(if tiers { by_tier() } else { by_budget() }, 16);
        let whole = tables(&text, &Job::new(&scan), csv::BLOCK_BYTES).unwrap().remove(0).unwrap();
        let levels = if tiers { 3 } else { whole.by_level().len() };
        let fits = !PARTS_OF_SUMS.is_exceeded(limit, levels, 17, rows.len() as u64);
        let limits = counters(limit);
        let limited = limited(&text, &scan, limits, block_bytes).unwrap().remove(0).unwrap();
        if fits {
            prop_assert_eq!(limited, whole);
        } else {
            prop_assert!(limited.numbers().unwrap().cells.is_none());
            for (limited, whole) in limited.by_level().iter().zip(whole.by_level()) {
                prop_assert_eq!((&limited.sums, limited.count), (&whole.sums, whole.count));
                prop_assert!(limited.cells.expose_raw().next().is_none());
            }
        }
    }
}
