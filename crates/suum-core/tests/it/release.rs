//! Releases: reproducible for tests, honest about their noise, silent about the data.

use crate::dice::Dice;
use suum_core::{
    Bounds, Choice, Epsilon, ErrorKind, Estimator, ExactSum, Grid, LevelSums, LevelTable, Loss,
    Measure, Mechanism, Method, Numbers, Options, Procedure, Randomness, Release, Statistic,
    Target, WeightedPlan, WeightedRequest,
};

/// Levels as (label, ε, count, mean in units of the range).
type Row = (Option<&'static str>, f64, u64, f64);

const VISITS: [Row; 4] = [
    (Some("strict"), 0.2, 3000, 0.30),
    (Some("usual"), 1.0, 2000, 0.40),
    (Some("also usual"), 1.0, 1000, 0.55),
    (Some("open"), f64::INFINITY, 20, 0.70),
];

fn bounds() -> Bounds {
    Bounds::new(-20.0, 180.0).unwrap()
}

fn level_sums((label, epsilon, count, mean): Row) -> LevelSums {
    let points = Grid::new(bounds()).points();
    let sum = (mean * count as f64 * points as f64) as i128;
    // All alike, but for rounding.
    let centred = 2 * sum - i128::from(count) * i128::from(points);
    let squares = (centred * centred + i128::from(count) - 1) / i128::from(count);
    LevelSums {
        label: label.map(str::to_owned),
        epsilon: Epsilon::new(epsilon).unwrap(),
        count,
        sums: [sum, squares].map(ExactSum::from_raw).to_vec(),
        cells: Default::default(),
    }
}

fn table(rows: impl IntoIterator<Item = Row>) -> LevelTable {
    let numbers = Numbers { grid: Grid::new(bounds()), squares: true, cells: None };
    let measure = Measure::Numbers(numbers);
    LevelTable::new(Some("visits".into()), measure, rows.into_iter().map(level_sums).collect())
        .unwrap()
}

fn plan_of(table: &LevelTable, statistic: Statistic, options: Options) -> WeightedPlan {
    WeightedRequest::new(statistic, bounds(), options)
        .unwrap()
        .plan(table.profile().unwrap())
        .unwrap()
}

fn release(table: &LevelTable, options: Options, seed: u64) -> Release {
    plan_of(table, Statistic::Mean, options)
        .release(table.clone(), &mut Randomness::insecure(seed))
        .unwrap()
}

/// The plan that was followed.
fn followed(release: &Release) -> &WeightedPlan {
    match &release.procedure {
        Procedure::Weighted(plan) => plan,
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_order_of_levels_and_shards_does_not_matter() {
    let whole = release(&table(VISITS), Options::default(), 7);
    let mut dice = Dice(1);
    for _ in 0..24 {
        // Each level is cut into shards, which are merged in random order; then the levels are
        // shuffled.
        let mut by_level: Vec<LevelSums> = VISITS
            .iter()
            .map(|row| {
                let whole = level_sums(*row);
                let mut merged = |whole: &ExactSum| {
                    let mut rest = whole.expose_raw();
                    let mut shards = Vec::new();
                    for _ in 0..5 {
                        let part = (dice.roll() * rest as f64) as i128;
                        rest -= part;
                        shards.insert(dice.pick(shards.len() + 1), ExactSum::from_raw(part));
                    }
                    shards.insert(dice.pick(shards.len() + 1), ExactSum::from_raw(rest));
                    let mut sum = ExactSum::default();
                    shards.iter().for_each(|shard| sum.merge(shard));
                    sum
                };
                LevelSums { sums: whole.sums.iter().map(&mut merged).collect(), ..whole }
            })
            .collect();
        for last in (1..by_level.len()).rev() {
            by_level.swap(last, dice.pick(last + 1));
        }
        let measure = table(VISITS).measure().clone();
        let merged = LevelTable::new(Some("visits".into()), measure, by_level).unwrap();
        assert_eq!(merged, table(VISITS));
        assert_eq!(release(&merged, Options::default(), 7), whole);
    }
    assert_ne!(release(&table(VISITS), Options::default(), 8).estimate(), whole.estimate());
}

/// What many releases of one table look like, in units of the range.
struct Errors {
    trials: f64,
    mean: f64,
    second: f64,
    absolute: f64,
    truth: f64,
    eta: f64,
}

fn errors(target: Target, estimator: Estimator, trials: u64) -> Errors {
    let table = table(VISITS);
    let options = Options { target, estimator: Choice::Named(estimator), ..Options::default() };
    let plan = plan_of(&table, Statistic::Mean, options);
    let (bounds, width) = (bounds(), bounds().width());
    // The truth from the plan's weights and the rows: floats, no code of the release.
    let weights = plan.chosen().design.weights.per_level();
    let truth: f64 = VISITS
        .iter()
        .map(|(_, epsilon, count, mean)| {
            let position =
                plan.setting().profile.position(Epsilon::new(*epsilon).unwrap()).unwrap();
            weights[position] * *count as f64 * mean
        })
        .sum();
    let eta = (plan.chosen().risk.noise / 2.0).sqrt() / width;
    let mut errors =
        Errors { trials: trials as f64, mean: 0.0, second: 0.0, absolute: 0.0, truth, eta };
    for seed in 0..trials {
        let release = plan.clone().release(table.clone(), &mut Randomness::insecure(seed)).unwrap();
        assert!(
            release.estimate() > bounds.lower() && release.estimate() < bounds.upper(),
            "not clamped here"
        );
        let error = (release.estimate() - bounds.lower()) / width - truth;
        errors.mean += error / errors.trials;
        errors.second += error * error / errors.trials;
        errors.absolute += error.abs() / errors.trials;
    }
    errors
}

impl Errors {
    /// Whether the errors look like Laplace noise of scale `eta` around zero.
    ///
    /// Each of three moments within five standard errors: a false alarm in 600 000 runs for a right
    /// release. For Laplace noise the error has variance 2η², its square 20η⁴ and its absolute
    /// value η².
    fn look_like(&self, eta: f64) -> bool {
        let root = self.trials.sqrt();
        let unbiased = self.mean.abs() <= 5.0 * eta * 2f64.sqrt() / root;
        let variance =
            (self.second - 2.0 * eta * eta).abs() <= 5.0 * eta * eta * 20f64.sqrt() / root;
        let absolute = (self.absolute - eta).abs() <= 5.0 * eta / root;
        unbiased && variance && absolute
    }
}

#[test]
#[ignore = "takes seconds"]
fn errors_are_unbiased_laplace_noise_of_the_planned_scale() {
    for (target, estimator) in [
        (Target::Population, Estimator::Affine),
        (Target::DatasetCorrelated, Estimator::Affine),
        (Target::Population, Estimator::Uniform),
    ] {
        let errors = errors(target, estimator, 20_000);
        let ratio = errors.second / (2.0 * errors.eta * errors.eta);
        let place = format!("{target:?} {estimator}: variance × {ratio}, truth {}", errors.truth);
        assert!(errors.look_like(errors.eta), "{place}");
        // The same check must not accept a scale that is five percent off.
        assert!(!errors.look_like(0.95 * errors.eta), "{place}");
        assert!(!errors.look_like(1.05 * errors.eta), "{place}");
    }
}

/// Levels without public records, few enough people for noise on every record, values far from the
/// bounds.
const NO_PUBLIC: [Row; 3] = [(None, 4.0, 40, 0.35), (None, 8.0, 30, 0.60), (None, 16.0, 10, 0.75)];

/// The same with public records.
const SOME_PUBLIC: [Row; 3] =
    [(None, 4.0, 40, 0.35), (None, 8.0, 30, 0.60), (None, f64::INFINITY, 5, 0.75)];

/// What an estimator must do on rows in which all values of a level are equal, in units of the
/// range: derived from budgets, counts and weights, with no code of the release.
struct Prediction {
    mean: f64,
    variance: f64,
    /// The fourth cumulant of the errors: 12s⁴ for every Laplace variable of scale s.
    fourth: f64,
}

/// Errors of all methods but the single weighted sum.
fn predict(plan: &WeightedPlan, rows: &[Row]) -> Prediction {
    let design = &plan.chosen().design;
    let weight = |epsilon: f64| {
        let position = plan.setting().profile.position(Epsilon::new(epsilon).unwrap()).unwrap();
        design.weights.per_level()[position]
    };
    // Scales of Laplace variables, and how many there are of each.
    let mut scales: Vec<(f64, u64)> = Vec::new();
    let mut mean = 0.0;
    match &design.method {
        Method::LevelLaplace { .. } | Method::Local => {
            for (_, epsilon, count, x) in rows {
                mean += weight(*epsilon) * *count as f64 * x;
                let alone = matches!(design.method, Method::Local);
                scales.push((weight(*epsilon) / epsilon, if alone { *count } else { 1 }));
            }
        }
        Method::WeightedSum => unreachable!("has a test of its own"),
        Method::IndependentNoise | Method::Sample { .. } | Method::Stretch => {
            unreachable!("nothing is released by them")
        }
    }
    let moment =
        |power: i32| scales.iter().map(|(s, times)| *times as f64 * s.powi(power)).sum::<f64>();
    Prediction { mean, variance: 2.0 * moment(2), fourth: 12.0 * moment(4) }
}

/// The mean and the mean squared error of many releases around `centre`, in units of the range.
fn simulated(plan: &WeightedPlan, rows: &[Row], centre: f64, trials: u32) -> (f64, f64) {
    let (mut mean, mut second) = (0.0, 0.0);
    for seed in 0..trials {
        let table = table(rows.iter().copied());
        let release =
            plan.clone().release(table, &mut Randomness::insecure(u64::from(seed))).unwrap();
        assert!(
            release.estimate() > bounds().lower() && release.estimate() < bounds().upper(),
            "not clamped"
        );
        let error = (release.estimate() - bounds().lower()) / bounds().width() - centre;
        mean += error / f64::from(trials);
        second += error * error / f64::from(trials);
    }
    (mean, second)
}

impl Prediction {
    /// Whether mean and variance are within five standard errors: a false alarm in 870 000 checks.
    fn fits(&self, (mean, second): (f64, f64), trials: u32) -> bool {
        let trials = f64::from(trials);
        let variance_of_square = self.fourth + 2.0 * self.variance * self.variance;
        mean.abs() <= 5.0 * (self.variance / trials).sqrt()
            && (second - self.variance).abs() <= 5.0 * (variance_of_square / trials).sqrt()
    }
}

#[test]
#[ignore = "takes seconds"]
fn every_method_is_unbiased_with_the_noise_of_its_plan() {
    for (estimator, rows) in [
        (Estimator::Mixed, NO_PUBLIC),
        (Estimator::Mixed, SOME_PUBLIC),
        (Estimator::Local, NO_PUBLIC),
        (Estimator::Local, SOME_PUBLIC),
    ] {
        // The sum of many small noises is close to normal, and slow.
        let trials = if estimator == Estimator::Local { 4_000 } else { 10_000 };
        for target in [Target::Population, Target::DatasetCorrelated] {
            let options =
                Options { target, estimator: Choice::Named(estimator), ..Options::default() };
            let plan = plan_of(&table(rows), Statistic::Mean, options);
            let predicted = predict(&plan, &rows);
            let place = format!("{target:?} {estimator}");
            let planned = plan.chosen().risk.noise / bounds().width().powi(2);
            assert!(
                (planned / predicted.variance - 1.0).abs() < 1e-6,
                "{place}: {planned:e} {:e}",
                predicted.variance
            );

            let errors = simulated(&plan, &rows, predicted.mean, trials);
            let off = (errors.0 / predicted.variance.sqrt(), errors.1 / predicted.variance);
            assert!(
                predicted.fits(errors, trials),
                "{place}: mean and variance are off by {off:?}"
            );
            // The same check must not accept a tenth more or less of spread, nor a bias of a tenth
            // of it.
            for factor in [0.81, 1.21] {
                let wrong = Prediction {
                    variance: predicted.variance * factor,
                    fourth: predicted.fourth * factor * factor,
                    ..predicted
                };
                assert!(!wrong.fits(errors, trials), "{place}: accepts × {factor}");
            }
            assert!(
                !predicted.fits((errors.0 + 0.1 * predicted.variance.sqrt(), errors.1), trials),
                "{place}"
            );
        }
    }
}

/// The one scale in the integers of the mechanism, in units of the data.
fn realised_scale(plan: &WeightedPlan) -> Option<f64> {
    let points = plan.grid().points() as f64;
    let float = |integer: &dashu_int::UBig| integer.to_f64().value();
    let sum = match plan.mechanism() {
        Mechanism::Totals(sum) => sum,
        _ => return None,
    };
    Some(float(sum.scale()) / (float(sum.total_weight()) * points) * bounds().width())
}

#[test]
fn the_mechanism_has_the_scale_that_the_plan_states() {
    let mut checked = 0;
    for (rows, tolerance) in [(&VISITS[..], 1e-8), (&NO_PUBLIC[..], 1e-7)] {
        for estimator in Estimator::ALL {
            let options = Options { estimator: Choice::Named(estimator), ..Options::default() };
            let table = table(rows.iter().copied());
            let Ok(request) = WeightedRequest::new(Statistic::Mean, bounds(), options) else {
                continue;
            };
            let Ok(plan) = request.plan(table.profile().unwrap()) else { continue };
            let Some(scale) = realised_scale(&plan) else { continue };
            let planned =
                bounds().width() * plan.chosen().design.noise_scale(plan.setting()).unwrap();
            assert!(
                (scale - planned).abs() <= tolerance * planned,
                "{estimator}: {scale} {planned}"
            );
            let noise_sd = plan.chosen().risk.noise_sd();
            assert!((2f64.sqrt() * scale - noise_sd).abs() <= tolerance * noise_sd, "{estimator}");
            checked += 1;
        }
    }
    // 18 for means, without mixed and local, and without those for study.
    assert_eq!(checked, 28);
}

#[test]
fn public_records_alone_are_published_exactly() {
    let rows = [(None, f64::INFINITY, 8, 0.25), (None, 0.0, 100, 1.0)];
    let release = release(&table(rows), Options::default(), 3);
    assert_eq!(release.estimate(), -20.0 + 200.0 * 0.25, "unused records do not count");
    assert_eq!(release.privacy[0].spent, Loss::ZERO);
    assert_eq!(release.privacy[1].spent, Loss::Unlimited);
}

#[test]
fn estimates_and_intervals_stay_inside_the_bounds() {
    let mut ends = (0, 0);
    for (row, low) in [((None, 0.01, 10, 0.0), true), ((None, 0.01, 10, 1.0), false)] {
        let table = table([row]);
        for seed in 0..200 {
            let release = release(&table, Options::default(), seed);
            let interval = release.interval().unwrap();
            for value in [release.estimate(), interval.lower, interval.upper] {
                assert!((bounds().lower()..=bounds().upper()).contains(&value));
            }
            assert!(interval.lower <= release.estimate() && release.estimate() <= interval.upper);
            // Noise ten times the range: about half of the estimates end at either bound.
            ends.0 += u32::from(low && release.estimate() == bounds().lower());
            ends.1 += u32::from(!low && release.estimate() == bounds().upper());
        }
    }
    assert!(ends.0 > 60 && ends.1 > 60, "{ends:?}");
}

#[test]
fn a_sum_is_the_number_of_records_times_the_mean() {
    let table = table(VISITS);
    for shrink in [false, true] {
        let options = Options { shrink, ..Options::default() };
        let released = |statistic| {
            let plan = plan_of(&table, statistic, options.clone());
            plan.release(table.clone(), &mut Randomness::insecure(5)).unwrap()
        };
        let (mean, sum) = (released(Statistic::Mean), released(Statistic::Sum));
        let n = table.records() as f64;
        assert_eq!(sum.estimate(), n * mean.estimate());
        let (of_sum, of_mean) = (sum.interval().unwrap(), mean.interval().unwrap());
        assert_eq!(of_sum.lower, n * of_mean.lower);
        assert_eq!(of_sum.upper, n * of_mean.upper);
        assert_eq!(sum.error.unwrap().rmse, n * mean.error.unwrap().rmse);
        assert_eq!(
            sum.privacy, mean.privacy,
            "the units of the answer do not change what it costs"
        );
    }
}

#[test]
fn a_count_is_exact_and_free() {
    let count = Release::count(&table(VISITS), &Options::default()).unwrap();
    assert_eq!(count.estimate(), 6020.0);
    let interval = count.interval().unwrap();
    assert_eq!((interval.lower, interval.upper), (6020.0, 6020.0));
    assert_eq!(count.error.unwrap().rmse, 0.0);
    assert_eq!(count.privacy.len(), VISITS.len());
    assert!(count.privacy.iter().all(|line| line.spent == Loss::ZERO));
}

#[test]
fn shrinking_moves_the_same_estimate_towards_the_middle() {
    let mut outside = 0;
    let table = table([(None, 0.05, 60, 0.9), (None, 0.5, 20, 0.8)]);
    let middle = bounds().midpoint();
    for target in [Target::Population, Target::Dataset, Target::DatasetCorrelated] {
        for seed in 0..50 {
            // Little confidence, so that some estimates are shrunk out of their intervals.
            let options = Options { target, confidence: 0.2, ..Options::default() };
            let plain = release(&table, options.clone(), seed);
            let shrunk = release(&table, Options { shrink: true, ..options }, seed);
            let factor = followed(&shrunk).shrinkage().unwrap().factor;
            assert!(factor > 0.0 && factor < 0.95, "{factor}");
            assert_eq!(shrunk.estimate(), middle + factor * (plain.estimate() - middle));
            // The interval is that of the unbiased estimate, widened where the shrunk one lies
            // outside.
            let (ends, plain_ends) = (shrunk.interval().unwrap(), plain.interval().unwrap());
            assert_eq!(ends.lower, plain_ends.lower.min(shrunk.estimate()));
            assert_eq!(ends.upper, plain_ends.upper.max(shrunk.estimate()));
            outside += u32::from(shrunk.interval() != plain.interval());
            assert_eq!(shrunk.privacy, plain.privacy);
            assert!(followed(&plain).shrinkage().is_none());
        }
    }
    assert!(outside > 0, "no estimate was shrunk out of its interval");
}

#[test]
fn refuses_a_table_that_is_not_the_plans() {
    let plan = plan_of(&table(VISITS), Statistic::Mean, Options::default());
    let mut more = VISITS;
    more[0].2 += 1;
    let mut stricter = VISITS;
    stricter[0].1 = 0.1;
    let grid = |bounds, points| Measure::Numbers(Grid::with_points(bounds, points).unwrap().into());
    let with = |sums: Vec<ExactSum>| -> Vec<LevelSums> {
        VISITS.into_iter().map(|row| LevelSums { sums: sums.clone(), ..level_sums(row) }).collect()
    };
    let rows = || with(vec![ExactSum::default()]);
    let counted = VISITS.map(|row| LevelSums {
        sums: [0, row.2.into()].map(ExactSum::from_raw).to_vec(),
        ..level_sums(row)
    });
    let points = Grid::new(bounds()).points();
    let others = [
        table(more),
        table(stricter),
        table(VISITS[..3].iter().copied()),
        LevelTable::new(None, Measure::Nothing, with(Vec::new())).unwrap(),
        LevelTable::new(None, Measure::Categories("a,b".parse().unwrap()), counted.to_vec())
            .unwrap(),
        LevelTable::new(None, grid(Bounds::UNIT, points), rows()).unwrap(),
        LevelTable::new(None, grid(bounds(), points * 2), rows()).unwrap(),
    ];
    for other in others {
        let refused = plan.clone().release(other, &mut Randomness::insecure(1)).unwrap_err();
        assert_eq!(refused.kind(), ErrorKind::Table);
        assert!(!refused.to_string().chars().any(|c| c.is_ascii_digit()), "{refused}");
    }
    // The names of column and tiers play no part.
    let unnamed = VISITS.map(|(_, epsilon, count, mean)| (None, epsilon, count, mean));
    let merged = [unnamed[0], (None, 1.0, 3000, 0.45), unnamed[3]];
    assert!(plan.release(table(merged), &mut Randomness::insecure(1)).is_ok());
}

#[test]
fn only_secret_entropy_makes_a_release_private() {
    let table = table(VISITS);
    let plan = plan_of(&table, Statistic::Mean, Options::default());
    let seeded = plan.clone().release(table.clone(), &mut Randomness::insecure(1)).unwrap();
    let secret = plan.release(table, &mut Randomness::from_entropy([7; 32])).unwrap();
    assert!(!seeded.private);
    assert!(secret.private);
}

#[test]
fn debug_output_leaks_no_number() {
    let digits = |text: &str| -> Vec<String> {
        let parts = text.split(|c: char| !c.is_ascii_digit()).filter(|part| !part.is_empty());
        parts.map(str::to_owned).collect()
    };
    let sum = ExactSum::from_raw(123_456_789);
    assert!(digits(&format!("{sum:?} {sum:#?}")).is_empty());
    let randomness = Randomness::from_entropy([42; 32]);
    assert!(digits(&format!("{randomness:?} {randomness:#?}")).is_empty());
    // A table shows counts, budgets and its grid, which are public, but not one of its sums.
    let table = table(VISITS);
    let text = format!("{table:?} {table:#?}");
    for level_sums in table.by_level() {
        assert!(!digits(&text).contains(&level_sums.sums[0].expose_raw().to_string()));
    }
    // In two forms: both sums of each level, and its counts at candidates.
    assert_eq!(text.matches("redacted").count(), 6 * VISITS.len());
    // Two tables that differ in their values only look the same.
    let mut others = VISITS;
    others.iter_mut().for_each(|row| row.3 /= 2.0);
    assert_eq!(format!("{table:?}"), format!("{:?}", self::table(others)));
}
