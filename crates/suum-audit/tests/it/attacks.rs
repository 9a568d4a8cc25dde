//! Attacks that have worked on other systems, tried on this one.

use std::collections::BTreeSet;

use dashu_int::{IBig, UBig};
use proptest::prelude::*;
use suum_core::{
    Bounds, CellCounts, Cells, DiscreteLaplace, Epsilon, Error, ExactSum, Grid, LevelSums,
    LevelTable, Measure, MemoryRecords, Numbers, Options, PostProcessing, Profile, QuantileRequest,
    Randomness, Rank, Release, Statistic, Target, VarianceRequest, WeightedPlan, WeightedRequest,
};
use suum_testing::Extent;

fn epsilon(value: f64) -> Epsilon {
    Epsilon::new(value).unwrap()
}

/// One level of people with these values in the unit interval.
fn table(budget: f64, values: &[f64]) -> LevelTable {
    let grid = Grid::new(Bounds::UNIT);
    let mut sum = ExactSum::default();
    values.iter().for_each(|value| sum.add(grid.index(*value).unwrap()));
    level_sums(budget, values.len() as u64, sum, grid)
}

fn level_sums(budget: f64, count: u64, sum: ExactSum, grid: Grid) -> LevelTable {
    let cells = CellCounts::default();
    let level_sums =
        LevelSums { label: None, epsilon: epsilon(budget), count, sums: vec![sum], cells };
    LevelTable::new(None, Measure::Numbers(grid.into()), vec![level_sums]).unwrap()
}

fn mean(table: LevelTable, seed: u64) -> Release {
    let request = WeightedRequest::new(Statistic::Mean, Bounds::UNIT, Options::default()).unwrap();
    let plan = WeightedPlan::new(&request, table.profile().unwrap(), *table.numbers().unwrap());
    plan.unwrap().release(table, &mut Randomness::insecure(seed)).unwrap()
}

/// Mironov 2012: which doubles textbook noise can reach depends on the data. Here whatever comes
/// out is a step of one public lattice, rounded once: near zero, where doubles are much finer than
/// the lattice, nothing is between its steps.
#[test]
fn what_comes_out_is_on_one_lattice_whatever_the_data() {
    // One record whose weight is 2^40 on a grid of 2^20 steps, with noise of 2^-12 of the bounds.
    let grid = Grid::with_points(Bounds::UNIT, 1 << 20).unwrap();
    let request = WeightedRequest::new(Statistic::Mean, Bounds::UNIT, Options::default()).unwrap();
    let on_lattice = |number: f64| (number * 2f64.powi(60)).fract() == 0.0;
    for index in [0, 5, 77] {
        let mut small = 0;
        for seed in 0..2000 {
            let table = level_sums(4096.0, 1, ExactSum::from_raw(index), grid);
            let plan = WeightedPlan::new(&request, table.profile().unwrap(), grid).unwrap();
            let estimate = plan.release(table, &mut Randomness::insecure(seed)).unwrap().estimate();
            assert!(on_lattice(estimate), "{index} {seed}");
            small += u32::from(estimate > 0.0 && estimate < 2f64.powi(-9));
        }
        assert!(small > 500, "{small}: too few numbers are so small that it says anything");
    }
    // Textbook noise is hardly ever there.
    let textbook = |at: u32| -2f64.powi(-12) * (f64::from(at) / 2001.0).ln();
    assert!((1..2001).filter(|at| on_lattice(textbook(*at))).count() < 200);
}

/// Casacuberta and others 2022: float sums change by more than one record's value, for their order
/// or their rounding. Exact sums of grid indices change by exactly that, in any order and any
/// number of shards.
#[test]
fn a_record_moves_a_sum_by_itself_and_no_more() {
    let small = 0.51 / 2048.0;
    let values = |first: f64| -> Vec<f64> {
        [first].into_iter().chain([1.0; 4095]).chain([small; 4096]).collect()
    };
    // As single floats: twice as much.
    let float = |values: Vec<f64>| values.iter().fold(0f32, |sum, value| sum + *value as f32);
    assert_eq!(float(values(1.0)) - float(values(0.0)), 2.0);
    let sum = |values: &[f64]| table(1.0, values).by_level()[0].sums[0].expose_raw();
    let points = i128::from(Grid::new(Bounds::UNIT).points());
    assert_eq!(sum(&values(1.0)) - sum(&values(0.0)), points);
    let mut backwards = values(1.0);
    backwards.reverse();
    assert_eq!(sum(&backwards), sum(&values(1.0)));
    let shards: i128 = values(1.0).chunks(7).map(sum).sum();
    assert_eq!(shards, sum(&values(1.0)));
}

/// The most that can be: 2^63 − 1 records at the upper end of the finest grid. Nothing overflows,
/// wraps or panics, and the noise is still there.
#[test]
fn the_largest_sums_are_released_like_any_other() {
    let grid = Grid::with_points(Bounds::UNIT, 1 << 50).unwrap();
    let count = i64::MAX as u64;
    for budget in [1e-12, 1.0, 1e12] {
        let request =
            WeightedRequest::new(Statistic::Mean, Bounds::UNIT, Options::default()).unwrap();
        let released = |sum: i128| {
            let table = level_sums(budget, count, ExactSum::from_raw(sum), grid);
            let plan = WeightedPlan::new(&request, table.profile().unwrap(), grid).unwrap();
            let scale = plan.mechanism().largest_scale();
            assert!(scale > UBig::ONE);
            plan.release(table, &mut Randomness::insecure(1)).unwrap().estimate()
        };
        let (most, none) = (released(i128::from(count) << 50), released(0));
        assert!(most > 0.999 && none < 0.001, "{budget}: {most} {none}");
    }
    // One more would not be possible for so many people, and is refused.
    let sum = ExactSum::from_raw((i128::from(count) << 50) + 1);
    let cells = CellCounts::default();
    let level_sums =
        LevelSums { label: None, epsilon: epsilon(1.0), count, sums: vec![sum], cells };
    assert!(LevelTable::new(None, Measure::Numbers(grid.into()), vec![level_sums]).is_err());
}

/// Noise can be subtracted by anyone who knows the seed: with the same seed the difference of two
/// releases is that of the data. Such a release says that it is not private; a secret seed has 256
/// bits, and no two draws from one source are the same.
#[test]
fn a_known_seed_gives_everything_away_and_is_marked() {
    let people = |value: f64| table(0.01, &[&[0.5; 999][..], &[value]].concat());
    let (one, other) = (mean(people(0.4), 7), mean(people(0.6), 7));
    assert!(((other.estimate() - one.estimate()) * 1000.0 - 0.2).abs() < 1e-6, "the value is out");
    assert!(!one.private && !other.private);
    let different = mean(people(0.6), 8);
    assert!((different.estimate() - one.estimate()).abs() > 1e-3, "another seed hides it");

    let secret = Randomness::from_entropy([7; 32]);
    assert!(secret.is_private() && secret.fork(1).is_private());
    let noise = DiscreteLaplace::new(UBig::ONE << 200);
    let mut draws: Vec<IBig> = (0..200).map(|fork| noise.sample(&mut secret.fork(fork))).collect();
    let mut parent = Randomness::from_entropy([7; 32]);
    draws.extend((0..200).map(|_| noise.sample(&mut parent)));
    draws.extend((0..200).map(|_| noise.sample(&mut parent.spawn())));
    draws.extend(
        (0..200).map(|fork| noise.sample(&mut Randomness::from_entropy([8; 32]).fork(fork))),
    );
    let different: BTreeSet<&IBig> = draws.iter().collect();
    assert_eq!(different.len(), draws.len(), "noise was used twice");
}

/// A value that is found in no other number, and how it could be written.
const SENTINEL: f64 = 0.739_184_625_313;

fn leaks(text: &str) -> bool {
    let index = Grid::new(Bounds::UNIT).index(SENTINEL).unwrap();
    let centred = 2 * i128::from(index) - (1 << 30);
    text.contains("7391846")
        || text.contains(&index.to_string())
        || text.contains(&(centred * centred).to_string())
}

/// Everything that a release, a refusal or a log could say about people who are all at the
/// sentinel.
fn collect_outputs(budget: f64, count: u64, wrong: u8) -> Vec<String> {
    let grid = Grid::new(Bounds::UNIT);
    let cells = Cells::new(1 << 20).unwrap();
    let index = grid.index(SENTINEL).unwrap();
    let centred = 2 * i128::from(index) - i128::from(grid.points());
    let raw = |one: i128| ExactSum::from_raw(one * i128::from(count));
    let numbers = Numbers { grid, squares: true, cells: Some(cells) };
    // Wrong counts, wrong sums or none: refusals of every kind.
    let sums = match wrong % 4 {
        1 => vec![raw(i128::from(index) << 40), raw(centred * centred)],
        2 => vec![raw(i128::from(index))],
        _ => vec![raw(i128::from(index)), raw(centred * centred)],
    };
    let counted = CellCounts::from_raw(vec![(
        cells.nearest_candidate(&grid, index),
        count + u64::from(wrong % 4 == 3),
    )]);
    let level_sums =
        LevelSums { label: None, epsilon: epsilon(budget), count, sums, cells: counted };
    let mut said = vec![format!("{level_sums:?}")];
    let table =
        match LevelTable::new(Some("value".into()), Measure::Numbers(numbers), vec![level_sums]) {
            Ok(table) => table,
            Err(refused) => return [said, words(&refused)].concat(),
        };
    said.push(format!("{table:?}"));
    let records: Vec<(Epsilon, f64)> =
        (0..count.min(50)).map(|_| (epsilon(budget), SENTINEL)).collect();
    said.push(format!("{:?}", MemoryRecords::new(records).unwrap()));

    // Plans of other people, or of other bounds, refuse the table; the right ones release it.
    let profile: Profile =
        format!("{budget}:{}", count + u64::from(wrong & 4 != 0)).parse().unwrap();
    let bounds = if wrong & 8 != 0 { Bounds::new(0.0, 2.0).unwrap() } else { Bounds::UNIT };
    let options =
        Options { target: Target::Dataset, post: PostProcessing::None, ..Options::default() };
    let randomness = &mut Randomness::insecure(3);
    let request = WeightedRequest::new(Statistic::Mean, bounds, options).unwrap();
    said.extend(
        match request.plan(profile.clone()).and_then(|plan| plan.release(table.clone(), randomness))
        {
            Ok(release) => vec![format!("{release:?}"), serde_json::to_string(&release).unwrap()],
            Err(refused) => words(&refused),
        },
    );
    let request = VarianceRequest::new(bounds, Options::default()).unwrap();
    said.extend(
        match request.plan(profile.clone()).and_then(|plan| plan.release(table.clone(), randomness))
        {
            Ok(release) => vec![format!("{release:?}"), serde_json::to_string(&release).unwrap()],
            Err(refused) => words(&refused),
        },
    );
    let request =
        QuantileRequest::new(bounds, cells, vec![Rank::MEDIAN], Options::default()).unwrap();
    said.extend(match request.plan(profile).and_then(|plan| plan.release(table, randomness)) {
        Ok(release) => vec![format!("{release:?}"), serde_json::to_string(&release).unwrap()],
        Err(refused) => words(&refused),
    });
    said
}

fn words(error: &Error) -> Vec<String> {
    vec![
        error.to_string(),
        format!("{error:?}"),
        error.fix().map(ToString::to_string).unwrap_or_default().to_owned(),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: Extent::get().cases(60),
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    /// Neither refusals nor releases, as text, JSON or for a log, repeat what is in the data.
    /// Budgets are so small that an answer near the value would be a leak.
    #[test]
    fn nothing_that_is_said_repeats_a_value(
        budget in 1e-9..1e-5_f64,
        count in 2u64..3000,
        wrong in 0u8..16,
    ) {
        for text in collect_outputs(budget, count, wrong) {
            prop_assert!(!leaks(&text), "{text}");
        }
    }
}

/// The test above can fail.
#[test]
fn a_leak_would_be_noticed() {
    assert!(leaks(&format!("refused: {SENTINEL}")));
    assert!(leaks(&format!("{}", Grid::new(Bounds::UNIT).index(SENTINEL).unwrap())));
    assert!(collect_outputs(1e-6, 10, 0).len() > 5 && collect_outputs(1e-6, 10, 1).len() > 2);
}
