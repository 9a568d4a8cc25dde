//! Intervals of quantiles cover whatever the data: ties, gaps, round values and clusters.
//!
//! Every trial is a real release. With coverage of at least 0.95 a check fails by chance with a
//! probability of 3e-5 at most (four standard errors below), each of 77, if draws change. Power: a
//! coverage of 83 % passes once in a hundred times in 200 trials, one of 75 % in 80.

use suum_core::{
    Bounds, CellCounts, Cells, Epsilon, ExactSum, Grid, Interval, LevelSums, LevelTable, Measure,
    MemoryRecords, Neighbors, Numbers, Options, Profile, QuantileEstimator, QuantileMethod,
    QuantilePlan, QuantileRequest, Randomness, Rank, Request, Target, UnboundedPlan,
};
use suum_testing::Extent;

use crate::common::least_share;
use crate::dice::Dice;

/// Trials for every kind of data: 200, or 80 outside of `ci` and `long`.
fn trials() -> u32 {
    Extent::get().trials(200)
}

/// 6366 years of marriage as people report them (R. C. Fair, Redbook survey, 1974).
const YEARS_MARRIED: [(f64, usize); 7] =
    [(0.5, 370), (2.5, 2034), (6.0, 1141), (9.0, 602), (13.0, 590), (16.5, 818), (23.0, 811)];

/// A list of values, and the bounds that are declared for it.
struct Data {
    name: &'static str,
    values: Vec<f64>,
    bounds: (f64, f64),
}

/// So many values, each made from two uniform numbers.
fn draw_values(n: usize, seed: u64, value: impl Fn(f64, f64) -> f64) -> Vec<f64> {
    let mut dice = Dice(seed);
    (0..n).map(|_| value(dice.roll(), dice.roll())).collect()
}

fn normal(one: f64, other: f64) -> f64 {
    (-2.0 * (1.0 - one).ln()).sqrt() * (std::f64::consts::TAU * other).cos()
}

/// The first column of the example, doctor visits.
fn visits() -> Vec<f64> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/randhie.csv");
    let text = std::fs::read_to_string(path).unwrap();
    let first = |line: &str| line.split(',').next().unwrap().parse().unwrap();
    text.lines().skip(1).step_by(10).map(first).collect()
}

fn all() -> Vec<Data> {
    let married = YEARS_MARRIED.iter().flat_map(|(years, n)| std::iter::repeat_n(*years, n / 3));
    vec![
        Data { name: "normal", values: draw_values(2000, 1, normal), bounds: (-8.0, 8.0) },
        Data { name: "years married", values: married.collect(), bounds: (0.0, 50.0) },
        Data { name: "doctor visits", values: visits(), bounds: (0.0, 100.0) },
        // Nobody is between 1 and 9: a quarter, half or three quarters are at most 1.
        Data {
            name: "a gap",
            values: draw_values(2000, 2, |one, other| if one < 0.5 { other } else { 9.0 + other }),
            bounds: (0.0, 10.0),
        },
        Data {
            name: "round pay",
            values: draw_values(2000, 3, |one, other| {
                (normal(one, other).exp() * 4.0).round() * 500.0
            }),
            bounds: (0.0, 100_000.0),
        },
        Data {
            name: "clusters",
            values: draw_values(2000, 4, |one, other| (one * 8.0).floor() * 10.0 + other * 0.01),
            bounds: (-100.0, 200.0),
        },
        Data { name: "one value", values: vec![3.0; 2000], bounds: (0.0, 10.0) },
    ]
}

/// The least and the largest q-quantile of a list.
fn quantiles(values: &[f64], q: f64) -> (f64, f64) {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let rank = q * sorted.len() as f64;
    let least = sorted[(rank.ceil() as usize).max(1) - 1];
    // Where q·n is a whole number, everything up to the next value is a quantile.
    let most = sorted[(rank.floor() as usize).min(sorted.len() - 1)];
    (least, most)
}

/// Budgets in tiers for so many people, most of them strict, a handful public.
fn profile(n: usize) -> Profile {
    let (strict, middle, public) = (n / 4, n / 3, 5);
    let relaxed = n - strict - middle - public;
    format!("0.1:{strict},0.5:{middle},1:{relaxed},inf:{public}").parse().unwrap()
}

/// The table of values in the order of budgets.
fn table(profile: &Profile, numbers: Numbers, values: impl IntoIterator<Item = f64>) -> LevelTable {
    let (grid, cells) = (numbers.grid, numbers.cells.unwrap());
    let mut values = values.into_iter();
    let by_level = profile.levels().iter().map(|level| {
        let mut sum = ExactSum::default();
        let candidates = values.by_ref().take(level.count as usize).map(|value| {
            let index = grid.index(value).unwrap();
            sum.add(index);
            (cells.nearest_candidate(&grid, index), 1)
        });
        let counts = CellCounts::from_raw(candidates.collect());
        LevelSums {
            label: None,
            epsilon: level.epsilon,
            count: level.count,
            sums: vec![sum],
            cells: counts,
        }
    });
    let by_level = by_level.collect();
    LevelTable::new(None, Measure::Numbers(numbers), by_level).unwrap()
}

fn numbers(data: &Data) -> Numbers {
    let bounds = Bounds::new(data.bounds.0, data.bounds.1).unwrap();
    Numbers { grid: Grid::new(bounds), squares: false, cells: Some(Cells::new(4096).unwrap()) }
}

fn shuffle(values: &mut [f64], dice: &mut Dice) {
    for last in (1..values.len()).rev() {
        values.swap(last, dice.pick(last + 1));
    }
}

/// What became of all trials for one quantile.
#[derive(Default)]
struct Tally {
    covered: u32,
    /// Intervals, and how much of the bounds they take up.
    given: u32,
    width: f64,
}

impl Tally {
    fn add(&mut self, data: &Data, q: f64, interval: Option<Interval>) {
        let (least, most) = quantiles(&data.values, q);
        let covers = |interval: Interval| interval.lower <= least && most <= interval.upper;
        self.covered += u32::from(interval.is_none_or(covers));
        if let Some(interval) = interval {
            self.given += 1;
            self.width += (interval.upper - interval.lower) / (data.bounds.1 - data.bounds.0);
        }
    }

    fn check(&self, name: &str) {
        let share = f64::from(self.covered) / f64::from(trials());
        let width = self.width / f64::from(self.given.max(1));
        assert!(share >= least_share(trials()), "{name}: {share}, {width:.3} of the bounds");
    }
}

#[test]
#[ignore = "takes seconds"]
fn quantiles_of_any_data_are_covered() {
    let mut given = 0;
    for (number, data) in (0..).zip(all()) {
        let (profile, numbers) = (profile(data.values.len()), numbers(&data));
        for (target, q) in [
            (Target::Population, "0.75"),
            (Target::Population, "0.5"),
            (Target::Dataset, "0.25"),
            (Target::DatasetCorrelated, "0.75"),
        ] {
            let rank: Rank = q.parse().unwrap();
            let options = Options { target, interval_share: Some(0.5), ..Default::default() };
            let cells = numbers.cells.unwrap();
            let request =
                QuantileRequest::new(numbers.grid.bounds(), cells, vec![rank], options).unwrap();
            let plan = request.plan(profile.clone()).unwrap();
            let (mut dice, mut tally) = (Dice(number), Tally::default());
            let mut values = data.values.clone();
            values.sort_by(f64::total_cmp);
            for trial in 0..trials() {
                // The strictest have the least values, where budgets may depend on values.
                match target {
                    Target::Population => {
                        let n = values.len();
                        values = (0..n).map(|_| data.values[dice.pick(n)]).collect();
                    }
                    Target::Dataset => shuffle(&mut values, &mut dice),
                    Target::DatasetCorrelated => {}
                }
                let table = table(&profile, numbers, values.iter().copied());
                let mut randomness = Randomness::insecure(u64::from(trial));
                let release = plan.clone().release(table, &mut randomness).unwrap();
                tally.add(&data, rank.get(), release.interval());
            }
            tally.check(&format!("{} {target:?} {q}", data.name));
            given += tally.given;
        }
    }
    assert!(given > 15 * trials(), "{given} intervals of {}", 28 * trials());
}

/// Few people, and quantiles near the ends of the data, in whichever way the plan asks for them.
#[test]
#[ignore = "takes seconds"]
fn quantiles_of_few_people_are_covered() {
    let mut given = 0;
    for (number, data) in (0..).zip(all()) {
        let numbers = numbers(&data);
        for (profile, q) in
            [("2:150", "0.9"), ("1:400", "0.5"), ("0.5:300,inf:40", "0.2"), ("1:300,3:200", "0.05")]
        {
            let (profile, rank): (Profile, Rank) = (profile.parse().unwrap(), q.parse().unwrap());
            let (bounds, cells) = (numbers.grid.bounds(), numbers.cells.unwrap());
            let options = Options::default();
            let request = QuantileRequest::new(bounds, cells, vec![rank], options).unwrap();
            let plan = request.plan(profile.clone()).unwrap();
            let (mut dice, mut tally) = (Dice(number), Tally::default());
            for trial in 0..trials() {
                let n = data.values.len();
                let values = (0..profile.records()).map(|_| data.values[dice.pick(n)]);
                let table = table(&profile, numbers, values.collect::<Vec<f64>>());
                let mut randomness = Randomness::insecure(u64::from(trial));
                let release = plan.clone().release(table, &mut randomness).unwrap();
                tally.add(&data, rank.get(), release.interval());
            }
            tally.check(&format!("{} of {profile:?} {q}", data.name));
            given += tally.given;
        }
    }
    assert!(given > 14 * trials(), "{given} intervals of {}", 28 * trials());
}

/// Intervals that are read off a histogram, for people who do not care about privacy much and for
/// few of them; those of all quantiles together, too.
#[test]
#[ignore = "takes seconds"]
fn quantiles_of_a_histogram_are_covered() {
    let all_q = ["0.1", "0.25", "0.5", "0.75", "0.9"];
    let ranks: Vec<Rank> = all_q.iter().map(|q| q.parse().unwrap()).collect();
    for (number, data) in (0..).zip(all()) {
        let (profile, numbers) = (profile(data.values.len()), numbers(&data));
        let plan = |simultaneous| {
            let options = Options {
                method: Some(QuantileMethod::Histogram),
                simultaneous,
                ..Default::default()
            };
            let (bounds, cells) = (numbers.grid.bounds(), numbers.cells.unwrap());
            let request = QuantileRequest::new(bounds, cells, ranks.clone(), options).unwrap();
            request.plan(profile.clone()).unwrap()
        };
        let (single, together) = (plan(false), plan(true));
        let mut dice = Dice(number);
        let mut tallies: Vec<Tally> = ranks.iter().map(|_| Tally::default()).collect();
        let mut all = 0;
        for trial in 0..trials() {
            let n = data.values.len();
            let values: Vec<f64> = (0..n).map(|_| data.values[dice.pick(n)]).collect();
            let table = table(&profile, numbers, values);
            let release = |plan: &QuantilePlan| {
                let mut randomness = Randomness::insecure(u64::from(trial));
                plan.clone().release(table.clone(), &mut randomness).unwrap().estimates
            };
            for ((tally, rank), one) in tallies.iter_mut().zip(&ranks).zip(release(&single)) {
                tally.add(&data, rank.get(), one.interval);
            }
            let mut own = Tally::default();
            for (rank, one) in ranks.iter().zip(release(&together)) {
                own.add(&data, rank.get(), one.interval);
            }
            all += u32::from(own.covered == ranks.len() as u32);
        }
        for (tally, q) in tallies.iter().zip(all_q) {
            tally.check(&format!("{} {q}", data.name));
        }
        Tally { covered: all, ..Tally::default() }.check(&format!("{} together", data.name));
    }
}

/// Bounds are found first, in the same records: the intervals hold inside the range.
#[test]
#[ignore = "takes seconds"]
fn quantiles_inside_a_found_range_are_covered() {
    let mut given = 0;
    for (number, data) in (0..).zip(all()) {
        let profile = profile(data.values.len());
        let budgets: Vec<Epsilon> = profile
            .levels()
            .iter()
            .flat_map(|level| (0..level.count).map(|_| level.epsilon))
            .collect();
        let rank: Rank = "0.75".parse().unwrap();
        let options = Options { interval_share: Some(0.5), ..Default::default() };
        let (ranks, cells) = (vec![rank], Cells::new(4096).unwrap());
        let request = Request::quantiles(cells, ranks, options);
        let plan = UnboundedPlan::new(request, profile).unwrap();
        let (mut dice, mut tally) = (Dice(number), Tally::default());
        for trial in 0..trials() {
            let n = data.values.len();
            let people = budgets.iter().map(|budget| (*budget, data.values[dice.pick(n)]));
            let mut records = MemoryRecords::new(people.collect()).unwrap();
            let mut randomness = Randomness::insecure(u64::from(trial));
            // Data without a spread are refused.
            let Ok(release) = plan.release(&mut records, &mut randomness) else {
                tally.covered += 1;
                continue;
            };
            tally.add(&data, rank.get(), release.interval());
        }
        tally.check(data.name);
        given += tally.given;
    }
    assert!(given > 4 * trials(), "{given} intervals of {}", all().len() as u32 * trials());
}

/// The number of people is private: it is bounded from noisy numbers.
#[test]
#[ignore = "takes seconds"]
fn quantiles_of_hidden_people_are_covered() {
    let mut given = 0;
    for (number, data) in (0..).zip(all()) {
        let (profile, numbers) = (profile(data.values.len()), numbers(&data));
        let questions = Options { interval_share: Some(0.5), ..Options::add_remove() };
        let method = Some(QuantileMethod::Histogram);
        let histogram = Options { method, ..Options::add_remove() };
        let both = Options { neighbors: Neighbors::Both, ..histogram.clone() };
        for (budgets, q, options) in [
            ("0.1,1", "0.75", questions.clone()),
            ("0.1,inf", "0.5", questions),
            ("0.1,1", "0.75", histogram.clone()),
            ("0.1,inf", "0.5", both),
        ] {
            let rank: Rank = q.parse().unwrap();
            let request = Request::quantiles(numbers.cells.unwrap(), vec![rank], options.clone())
                .add_remove(numbers.grid.bounds(), budgets.parse().unwrap());
            let (request, mut dice, mut tally) = (request.unwrap(), Dice(number), Tally::default());
            for trial in 0..trials() {
                let n = data.values.len();
                let values: Vec<f64> = (0..n).map(|_| data.values[dice.pick(n)]).collect();
                let table = table(&profile, numbers, values);
                let mut randomness = Randomness::insecure(u64::from(trial));
                let release = request.release(table, &mut randomness).unwrap();
                tally.add(&data, rank.get(), release.interval());
            }
            tally.check(&format!("{} hidden in {budgets} {q} {:?}", data.name, options.method));
            given += tally.given;
        }
    }
    assert!(given > 20 * trials(), "{given} intervals of {}", 28 * trials());
}

#[test]
fn a_quantile_without_an_interval_says_why() {
    let data = &all()[0];
    let numbers = numbers(data);
    let why = |profile: &str, estimator: &str, interval_share| {
        let estimator = QuantileEstimator::choice(estimator).unwrap();
        let options = Options { estimator, interval_share, ..Default::default() };
        let cells = numbers.cells.unwrap();
        let request =
            QuantileRequest::new(numbers.grid.bounds(), cells, vec![Rank::MEDIAN], options);
        let profile: Profile = profile.parse().unwrap();
        let plan = request.unwrap().plan(profile.clone()).unwrap();
        let why = plan.no_interval();
        let split: Vec<(f64, f64)> = plan.split().map(|one| (one.estimate, one.interval)).collect();
        let values = data.values.iter().cycle().copied().take(profile.records() as usize);
        let table = table(&profile, numbers, values.collect::<Vec<f64>>());
        let release = plan.release(table, &mut Randomness::insecure(1)).unwrap();
        assert_eq!(release.interval().is_none(), why.is_some());
        let json = serde_json::to_value(&release).unwrap();
        assert_eq!(json["no_interval"].as_str(), why);
        assert_eq!(json["quantiles"][0]["interval"].is_null(), why.is_some());
        // What buys no interval buys the estimate.
        assert_eq!(split[0] == (1.0, 0.0), why.is_some());
        why.unwrap_or_default()
    };
    assert_eq!(why("1:9000", "auto", Some(0.2)), "");
    assert!(why("1:9000", "auto", Some(0.0)).contains("no part of the budget"));
    assert!(why("0.1:300", "auto", Some(0.5)).contains("too few people"));
    assert!(why("0.1:300", "auto", None).contains("a larger interval share"));
    assert!(why("1:9000", "mixed", Some(0.5)).contains("mixed"));
}
