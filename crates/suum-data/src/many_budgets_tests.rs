//! Many records with their budgets are counted as one by one, however many budgets there are.

use proptest::prelude::*;
use suum_core::{Bounds, Epsilon, Grid, LevelTable, Numbers};
use suum_testing::Extent;

use crate::cells::level_key::{EXACT, LevelKey, LevelKeys};
use crate::scan::value::{Value, ValueColumn};
use crate::scan::{PrivacyColumn, Scan};
use crate::sink::accumulator::Accumulator;
use crate::sink::job::Job;

fn scan(points: u64, squares: bool) -> Scan {
    let grid = Grid::with_points(Bounds::UNIT, points).unwrap();
    let numbers = Numbers { grid, squares, cells: None };
    let value = ValueColumn { column: "v".into(), numbers, missing: None };
    Scan::new(PrivacyColumn::Budgets { column: "e".into() }, Some(Value::Number(value)))
}

/// Budget by its number; those at both ends of the range are among them, and none are near each
/// other.
fn budget(number: u64) -> Epsilon {
    let of = |epsilon| Epsilon::new(epsilon).unwrap();
    match number {
        0 => Epsilon::UNUSED,
        1 => Epsilon::PUBLIC,
        2 => of(Epsilon::MIN),
        3 => of(Epsilon::MAX),
        _ => of(0.001 * 1.000_1_f64.powf(number as f64)),
    }
}

fn one_by_one(records: &[(Epsilon, u64)], job: &Job) -> LevelTable {
    let mut all = Accumulator::new(job);
    for (epsilon, index) in records {
        all.add(LevelKey::Budget(*epsilon), *index);
    }
    all.into_table(job).unwrap()
}

/// Level table of records that are added `at_once` at a time in `parts` accumulators, which are
/// then merged.
fn many(records: &[(Epsilon, u64)], job: &Job, parts: usize, at_once: usize) -> LevelTable {
    let mut all = Accumulator::new(job);
    for part in records.chunks(records.len().div_ceil(parts)) {
        let mut some = Accumulator::new(job);
        for records in part.chunks(at_once) {
            let (epsilons, indices) = records.iter().copied().unzip();
            let indices: Vec<u64> = indices;
            some.add_all(&LevelKeys::Budgets(epsilons), &indices);
        }
        all.merge(some);
    }
    all.into_table(job).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(Extent::get().cases(40)))]

    #[test]
    fn many_are_added_as_one_by_one(
        distinct in prop::sample::select(vec![3, 300, EXACT, EXACT + 1, 3 * EXACT]),
        rows in 1..5 * EXACT,
        points in prop::sample::select(vec![1u64 << 20, 1 << 31, 1 << 40]),
        squares: bool,
        parts in 1usize..4,
        at_once in 1usize..3000,
    ) {
        // No squares of a grid of more than 2^31 steps.
        let scan = scan(points, squares && points <= 1 << 31);
        let job = Job::new(&scan);
        let record = |row: usize| {
            let mixed = (row as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15);
            (budget((mixed >> 20) % distinct as u64), (mixed >> 3) % (points + 1))
        };
        let records: Vec<(Epsilon, u64)> = (0..rows).map(record).collect();
        prop_assert_eq!(many(&records, &job, parts, at_once), one_by_one(&records, &job));
    }
}

#[test]
fn levels_of_very_many_records_have_all_of_them() {
    for squares in [false, true] {
        let scan = scan(1 << 31, squares);
        let job = Job::new(&scan);
        // The most that a record can bring, and far more records than there is room for in brief.
        let common = Epsilon::new(0.5).unwrap();
        let mut records = vec![(common, 1 << 31); 40_000];
        records.extend((4..2 * EXACT as u64).map(|number| (budget(number), 1 << 31)));
        records.extend(vec![(common, 1 << 31); 40_000]);
        assert_eq!(many(&records, &job, 1, 2048), one_by_one(&records, &job), "{squares}");
    }
}
