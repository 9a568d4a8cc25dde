//! Frequencies: unbiased, with the noise that the plan states, published as asked for.

use serde_json::Value;
use suum_core::{
    Bounds, Categories, Choice, Epsilon, ErrorKind, Estimator, ExactSum, Grid, LevelSums,
    LevelTable, Loss, Measure, Method, Options, PostProcessing, Procedure, Randomness, Release,
    Statistic, Target, WeightedPlan, WeightedRequest,
};

/// One level: ε and how many records of each category it has.
type Row = (f64, Vec<i128>);

fn named(k: usize) -> Categories {
    Categories::new((0..k).map(|category| format!("category {category}")).collect()).unwrap()
}

fn table(rows: &[Row]) -> LevelTable {
    let by_level = rows.iter().map(|(epsilon, counts)| LevelSums {
        label: None,
        epsilon: Epsilon::new(*epsilon).unwrap(),
        count: counts.iter().sum::<i128>() as u64,
        sums: counts.iter().copied().map(ExactSum::from_raw).collect(),
        cells: Default::default(),
    });
    LevelTable::new(
        Some("answer".into()),
        Measure::Categories(named(rows[0].1.len())),
        by_level.collect(),
    )
    .unwrap()
}

fn plan(rows: &[Row], options: Options) -> WeightedPlan {
    let profile = table(rows).profile().unwrap();
    WeightedRequest::frequency(named(rows[0].1.len()), options).unwrap().plan(profile).unwrap()
}

fn by(estimator: Estimator, post: PostProcessing) -> Options {
    Options { estimator: Choice::Named(estimator), post, ..Options::default() }
}

fn release(plan: &WeightedPlan, rows: &[Row], seed: u64) -> Release {
    plan.clone().release(table(rows), &mut Randomness::insecure(seed)).unwrap()
}

fn estimates(release: &Release) -> Vec<f64> {
    release.estimates.iter().map(|frequency| frequency.estimate).collect()
}

/// Two levels of a thousand people over k categories, the first of them the rarest.
fn spread(k: usize, epsilons: [f64; 2]) -> Vec<Row> {
    let counts = |more: i128| (0..k as i128).map(|category| 20 + more * category).collect();
    vec![(epsilons[0], counts(30)), (epsilons[1], counts(10))]
}

/// The shares that a plan's weights make of the rows: floats, no code of the release.
fn weighted_shares(plan: &WeightedPlan, rows: &[Row]) -> Vec<f64> {
    let weights = plan.chosen().design.weights.per_level();
    let mut shares = vec![0.0; rows[0].1.len()];
    for (epsilon, counts) in rows {
        let position = plan.setting().profile.position(Epsilon::new(*epsilon).unwrap()).unwrap();
        for (share, count) in shares.iter_mut().zip(counts) {
            *share += weights[position] * *count as f64;
        }
    }
    shares
}

/// What the errors of many releases look like.
struct Errors {
    trials: f64,
    /// Per category: the mean and the mean square.
    moments: Vec<(f64, f64)>,
    /// The mean of the largest square over the categories, and its standard error.
    largest: (f64, f64),
}

fn errors(plan: &WeightedPlan, rows: &[Row], trials: u32) -> Errors {
    let (truth, table) = (weighted_shares(plan, rows), table(rows));
    let mut moments = vec![(0.0, 0.0); truth.len()];
    let (mut largest, mut fourth) = (0.0, 0.0);
    for seed in 0..trials {
        let randomness = &mut Randomness::insecure(u64::from(seed));
        let noisy = estimates(&plan.clone().release(table.clone(), randomness).unwrap());
        let mut worst: f64 = 0.0;
        for ((moment, noisy), truth) in moments.iter_mut().zip(&noisy).zip(&truth) {
            let error = noisy - truth;
            moment.0 += error / f64::from(trials);
            moment.1 += error * error / f64::from(trials);
            worst = worst.max(error * error);
        }
        largest += worst / f64::from(trials);
        fourth += worst * worst / f64::from(trials);
    }
    let trials = f64::from(trials);
    Errors { trials, moments, largest: (largest, ((fourth - largest * largest) / trials).sqrt()) }
}

impl Errors {
    /// Whether every component is unbiased with this variance and relative fourth moment (6 for
    /// Laplace noise), within five standard errors: a false alarm in 870 000 checks.
    fn look_like(&self, variance: f64, kurtosis: f64) -> bool {
        self.moments.iter().all(|(mean, second)| {
            mean.abs() <= 5.0 * (variance / self.trials).sqrt()
                && (second / variance - 1.0).abs() <= 5.0 * ((kurtosis - 1.0) / self.trials).sqrt()
        })
    }

    /// Whether the largest squared noise is `stated` on average, within five standard errors and
    /// `accuracy`.
    fn largest_is(&self, stated: f64, accuracy: f64) -> bool {
        (self.largest.0 - stated).abs() <= 5.0 * self.largest.1 + accuracy * stated
    }
}

/// The variance of the noise of one component, from budgets, counts and weights.
fn variance(plan: &WeightedPlan, rows: &[Row]) -> f64 {
    let weights = plan.chosen().design.weights.per_level();
    let levels = || {
        plan.setting()
            .profile
            .levels()
            .iter()
            .zip(weights)
            .filter(|(l, w)| **w > 0.0 && !l.epsilon.is_public())
    };
    assert_eq!(rows.len(), plan.setting().profile.levels().len());
    match &plan.chosen().design.method {
        // Noise that adds up to zero, of scale max w/ε.
        Method::WeightedSum => {
            let scale = levels().map(|(level, w)| w / level.epsilon.get()).fold(0.0, f64::max);
            let k = rows[0].1.len() as f64;
            4.0 * scale * scale * (k - 1.0) * (2.0 * k - 1.0) / (k * (k + 1.0))
        }
        // One noise of scale 2/ε for a level; its sum counts β/n = w.
        Method::LevelLaplace { .. } => {
            levels().map(|(level, w)| 2.0 * (2.0 * w / level.epsilon.get()).powi(2)).sum()
        }
        // A bit that is flipped with probability f, times coth(ε/4): f(1 − f)·coth².
        Method::Local => levels()
            .map(|(level, w)| {
                let epsilon = level.epsilon.get();
                let flip = 1.0 / (1.0 + (epsilon / 2.0).exp());
                level.count as f64 * (w / (epsilon / 4.0).tanh()).powi(2) * flip * (1.0 - flip)
            })
            .sum(),
        other => panic!("{other:?}"),
    }
}

/// An estimator whose noise is simulated: rows, number of releases, and how accurate the stated
/// moment is.
type Case = (Estimator, Vec<Row>, u32, f64);

/// Budgets at which noise is many records wide.
const TIGHT: [f64; 2] = [0.05, 0.2];

/// The simulated errors of a case, the variance that each component should have, and the stated
/// largest square.
fn simulated((estimator, rows, trials, _): &Case) -> (Errors, f64, f64) {
    let plan = plan(rows, by(*estimator, PostProcessing::None));
    (errors(&plan, rows, *trials), variance(&plan, rows), plan.chosen().risk.noise)
}

/// What is wrong with the errors of a case; `None` if all is well.
fn fault(case: &Case, (errors, variance, stated): &(Errors, f64, f64)) -> Option<String> {
    if errors.look_like(*variance, 6.0) && errors.largest_is(*stated, case.3) {
        return None;
    }
    let seconds: Vec<f64> = errors.moments.iter().map(|(_, second)| second / variance).collect();
    let (name, k) = (case.0, case.1[0].1.len());
    Some(format!(
        "{name} k = {k}: variances × {seconds:?}, largest × {}",
        errors.largest.0 / stated
    ))
}

/// Checks a case, and that the checks can fail.
fn holds(case: Case) {
    let mut simulated = simulated(&case);
    assert_eq!(fault(&case, &simulated), None);
    // The same checks must not accept a bias of a tenth of the noise, or a tenth more noise or
    // less.
    let place = format!("{} k = {}", case.0, case.1[0].1.len());
    let (errors, variance, stated) = &mut simulated;
    for factor in [0.9, 1.1] {
        let (ratio, error) = (errors.largest.0 / *stated, errors.largest.1 / *stated);
        let accepts = errors.largest_is(factor * *stated, case.3);
        assert!(!accepts, "{place}: {ratio} ± {error} passes as {factor}");
    }
    assert!(!errors.look_like(1.3 * *variance, 6.0) && !errors.look_like(0.7 * *variance, 6.0));
    errors.moments[1].0 += 0.1 * variance.sqrt();
    assert!(!errors.look_like(*variance, 6.0), "{place} accepts a bias");
}

#[test]
#[ignore = "takes seconds"]
fn affine_components_are_unbiased_with_the_noise_of_the_plan() {
    holds((Estimator::Affine, spread(3, [0.05, f64::INFINITY]), 20_000, 1e-8));
    holds((Estimator::Affine, spread(5, TIGHT), 16_000, 1e-8));
    holds((Estimator::Affine, spread(20, TIGHT), 8_000, 1e-8));
}

#[test]
#[ignore = "takes seconds"]
fn mixed_components_are_unbiased_with_the_noise_of_the_plan() {
    holds((Estimator::Mixed, spread(2, TIGHT), 20_000, 3e-3));
    holds((Estimator::Mixed, spread(5, TIGHT), 12_000, 3e-3));
}

/// Sums of a hundred flipped bits are close to the normal distribution that their moment is
/// computed for.
#[test]
#[ignore = "takes seconds"]
fn local_components_are_unbiased_with_the_noise_of_the_plan() {
    let rows = vec![(1.0, vec![20; 3]), (3.0, vec![5, 15, 25])];
    holds((Estimator::Local, rows, 12_000, 6e-3));
}

/// Budgets of one and more, for which a count moves by as much as its noise is wide: the integers
/// must still be fine enough for the noise that the plan states.
#[test]
#[ignore = "takes seconds"]
fn noise_for_generous_budgets_is_what_the_plan_states() {
    let rows = |epsilons: [f64; 2]| -> Vec<Row> {
        epsilons.into_iter().map(|epsilon| (epsilon, vec![30, 20, 10])).collect()
    };
    let cases = [
        (Estimator::Affine, rows([1.5, 7.0]), 20_000, 3e-3),
        (Estimator::Mixed, rows([1.5, 7.0]), 20_000, 3e-3),
        (Estimator::Mixed, rows([3.0, f64::INFINITY]), 20_000, 3e-3),
    ];
    let faults: Vec<String> =
        cases.iter().filter_map(|case| fault(case, &simulated(case))).collect();
    assert!(faults.is_empty(), "{faults:#?}");
}

#[test]
fn publishes_the_projection_the_clamp_or_the_noisy_shares() {
    let rows = spread(6, [0.01, 0.02]);
    let (mut outside, mut unlike) = (0, 0);
    for seed in 0..200 {
        let published = |post| {
            let plan = plan(&rows, by(Estimator::Affine, post));
            let release = release(&plan, &rows, seed);
            for frequency in &release.estimates {
                let interval = frequency.interval.unwrap();
                assert!(
                    interval.lower <= frequency.estimate && frequency.estimate <= interval.upper
                );
            }
            estimates(&release)
        };
        let noisy = published(PostProcessing::None);
        outside += noisy.iter().filter(|share| !(0.0..=1.0).contains(*share)).count();

        let clamped: Vec<f64> = noisy.iter().map(|share| share.clamp(0.0, 1.0)).collect();
        assert_eq!(published(PostProcessing::Clamp), clamped);

        // The nearest point of the simplex: all positive shares moved alike, the others not above
        // that.
        let projected = published(PostProcessing::Simplex);
        assert!((projected.iter().sum::<f64>() - 1.0).abs() < 1e-12);
        let sensitivity =
            projected.iter().zip(&noisy).filter(|(share, _)| **share > 0.0).map(|(p, y)| y - p);
        let theta = sensitivity.clone().fold(f64::NEG_INFINITY, f64::max);
        assert!(sensitivity.clone().all(|moved| (moved - theta).abs() < 1e-12));
        assert!(
            projected
                .iter()
                .zip(&noisy)
                .all(|(p, y)| *p > 0.0 || (*p == 0.0 && *y <= theta + 1e-12))
        );
        unlike += u32::from(projected != clamped);
    }
    assert!(outside > 50 && unlike > 50, "nothing to post-process: {outside} {unlike}");
    assert_eq!(Options::default().post, PostProcessing::Simplex);
}

#[test]
fn seeds_reproduce_and_differ() {
    let rows = spread(4, [0.1, 1.0]);
    for estimator in [Estimator::Affine, Estimator::Mixed, Estimator::Local] {
        let plan = plan(&rows, by(estimator, PostProcessing::None));
        assert_eq!(release(&plan, &rows, 3), release(&plan, &rows, 3));
        let (one, other) =
            (estimates(&release(&plan, &rows, 3)), estimates(&release(&plan, &rows, 4)));
        assert!(
            one.iter().zip(&other).all(|(one, other)| one != other),
            "{estimator}: {one:?} {other:?}"
        );
        assert!(!release(&plan, &rows, 3).private);
        // Categories do not share their noise, though it can add up to zero.
        let errors: Vec<f64> =
            one.iter().zip(weighted_shares(&plan, &rows)).map(|(y, x)| y - x).collect();
        let sum = errors.iter().sum::<f64>().abs();
        assert_eq!(sum < 1e-12, estimator == Estimator::Affine, "{estimator}: {sum}");
        assert!(
            errors.windows(2).all(|pair| (pair[0] - pair[1]).abs() > 1e-12),
            "{estimator}: {errors:?}"
        );
    }
}

#[test]
fn levels_shards_and_order_do_not_matter() {
    let rows = spread(4, [0.1, 1.0]);
    let whole = release(&plan(&rows, Options::default()), &rows, 9);
    // The stricter level in two tiers, and the other level first.
    let level_sums = |label: &str, epsilon: f64, counts: Vec<i128>| LevelSums {
        label: Some(label.into()),
        epsilon: Epsilon::new(epsilon).unwrap(),
        count: counts.iter().sum::<i128>() as u64,
        sums: counts.into_iter().map(ExactSum::from_raw).collect(),
        cells: Default::default(),
    };
    let part: Vec<i128> = rows[0].1.iter().map(|count| count / 3).collect();
    let rest: Vec<i128> = rows[0].1.iter().zip(&part).map(|(count, part)| count - part).collect();
    let by_level = vec![
        level_sums("open", 1.0, rows[1].1.clone()),
        level_sums("b", 0.1, rest),
        level_sums("a", 0.1, part),
    ];
    let tiers = LevelTable::new(None, Measure::Categories(named(4)), by_level).unwrap();
    let plan = plan(&rows, Options::default());
    let release = plan.release(tiers, &mut Randomness::insecure(9)).unwrap();
    assert_eq!(release.estimates, whole.estimates);
    assert_eq!(release.privacy.len(), 3);
}

#[test]
fn public_records_alone_are_published_exactly() {
    let rows: Vec<Row> = vec![(0.0, vec![50, 50]), (f64::INFINITY, vec![2, 6])];
    for estimator in [Estimator::Affine, Estimator::Mixed, Estimator::Local] {
        let release = release(&plan(&rows, by(estimator, PostProcessing::None)), &rows, 1);
        assert_eq!(estimates(&release), [0.25, 0.75], "{estimator}: unused records do not count");
        assert_eq!(
            (&release.privacy[0].spent, &release.privacy[1].spent),
            (&Loss::ZERO, &Loss::Unlimited)
        );
    }
}

#[test]
fn refuses_other_categories_and_other_statistics() {
    let rows = spread(3, [0.1, 1.0]);
    let plan = plan(&rows, Options::default());
    let with = |measure: Measure| {
        let sums = |counts: &Vec<i128>| match measure.sums() {
            1 => vec![0],
            _ => counts.clone(),
        };
        let by_level = rows.iter().map(|(epsilon, counts)| LevelSums {
            label: None,
            epsilon: Epsilon::new(*epsilon).unwrap(),
            count: counts.iter().sum::<i128>() as u64,
            sums: sums(counts).into_iter().map(ExactSum::from_raw).collect(),
            cells: Default::default(),
        });
        LevelTable::new(None, measure.clone(), by_level.collect()).unwrap()
    };
    let mut turned = named(3).names().to_vec();
    turned.rotate_left(1);
    let sums = with(Measure::Numbers(Grid::new(Bounds::UNIT).into()));
    let mut more = rows.clone();
    more[0].1[0] += 1;
    for other in [
        with(Measure::Categories(Categories::new(turned).unwrap())),
        with(Measure::Categories("red,green,blue".parse().unwrap())),
        table(&spread(4, [0.1, 1.0])),
        table(&spread(3, [0.1, 2.0])),
        table(&more),
        sums.clone(),
    ] {
        let refused = plan.clone().release(other, &mut Randomness::insecure(1)).unwrap_err();
        assert_eq!(refused.kind(), ErrorKind::Table);
        assert!(!refused.to_string().chars().any(|c| c.is_ascii_digit()), "{refused}");
    }
    // A plan for frequencies releases no mean, and one for a mean no frequencies.
    assert!(plan.release(sums.clone(), &mut Randomness::insecure(1)).is_err());
    let mean = WeightedRequest::new(Statistic::Mean, Bounds::UNIT, Options::default()).unwrap();
    let mean = mean.plan(sums.profile().unwrap()).unwrap();
    assert!(mean.release(table(&rows), &mut Randomness::insecure(1)).is_err());
    // And no request is made of parts that do not belong together.
    assert!(WeightedRequest::new(Statistic::Frequency, Bounds::UNIT, Options::default()).is_err());
    for options in [
        Options { shrink: true, ..Options::default() },
        Options { variance: Some(0.1), ..Options::default() },
        Options { estimator: Choice::Named(Estimator::Sample), ..Options::default() },
        Options { estimator: Choice::Named(Estimator::Stretch), ..Options::default() },
        Options { estimator: Choice::Named("hpm-cp".parse().unwrap()), ..Options::default() },
    ] {
        assert!(WeightedRequest::frequency(named(3), options).is_err());
    }
}

#[test]
fn json_has_the_documented_keys() {
    let rows = spread(3, [0.1, 1.0]);
    for (target, name) in [(Target::Population, "population"), (Target::Dataset, "dataset")] {
        let options =
            Options { target, confidence: 0.9, post: PostProcessing::Clamp, ..Options::default() };
        let release = release(&plan(&rows, options), &rows, 6);
        let json: Value = serde_json::from_str(&serde_json::to_string(&release).unwrap()).unwrap();
        let keys: Vec<&str> = json.as_object().unwrap().keys().map(String::as_str).collect();
        let mut expected = [
            "statistic",
            "column",
            "frequencies",
            "post",
            "simultaneous",
            "protects",
            "assumes",
            "uninformative",
            "error",
            "estimator",
            "target",
            "neighbors",
            "privacy",
            "measurements",
            "noise",
            "compared",
            "private",
        ];
        expected.sort_unstable();
        assert_eq!(keys, expected);
        assert_eq!((&json["statistic"], &json["column"]), (&"frequency".into(), &"answer".into()));
        assert_eq!((&json["post"], &json["target"]), (&"clamp".into(), &name.into()));
        assert_eq!(
            (&json["estimator"]["name"], &json["private"]),
            (&"affine".into(), &false.into())
        );
        let frequencies = json["frequencies"].as_array().unwrap();
        assert_eq!(frequencies.len(), 3);
        for (line, frequency) in frequencies.iter().zip(&release.estimates) {
            assert_eq!(
                line.as_object().unwrap().keys().collect::<Vec<_>>(),
                ["category", "estimate", "interval", "sensitivity"]
            );
            assert_eq!(line["category"], frequency.of.to_string());
            assert_eq!(line["estimate"], frequency.estimate);
            let interval = line["interval"].as_object().unwrap();
            assert_eq!(interval.keys().collect::<Vec<_>>(), ["confidence", "lower", "upper"]);
            assert_eq!(line["interval"]["confidence"], 0.9);
            let ends = frequency.interval.unwrap();
            // The reader rounds, too.
            let near =
                |name: &str, end: f64| (interval[name].as_f64().unwrap() - end).abs() < 1e-15;
            assert!(near("lower", ends.lower) && near("upper", ends.upper));
        }
        for key in ["noise_sd", "sampling_sd", "rmse"] {
            assert!(json["error"][key].is_f64(), "{key}");
        }
        // Nothing of the data but the noisy shares: a table of other values gives the same public
        // part.
        let Procedure::Weighted(followed) = &release.procedure else { panic!("{release:?}") };
        let other: Vec<Row> =
            rows.iter().map(|(e, c)| (*e, c.iter().rev().copied().collect())).collect();
        let other = serde_json::to_string(&self::release(followed, &other, 6)).unwrap();
        let mut other: Value = serde_json::from_str(&other).unwrap();
        other["frequencies"] = json["frequencies"].clone();
        assert_eq!(other, json);
    }
}

/// Two categories are a mean of ones and zeros: the same weights, noise, risk and losses, and the
/// same interval but for half a step of the grid.
#[test]
fn two_categories_are_the_mean_of_ones_and_zeros() {
    let rows: Vec<Row> = vec![(0.03, vec![700, 300]), (0.8, vec![250, 150]), (6.0, vec![9, 31])];
    for target in [Target::Population, Target::Dataset, Target::DatasetCorrelated] {
        let options = Options {
            target,
            post: PostProcessing::None,
            ..by(Estimator::Affine, PostProcessing::None)
        };
        let shares = plan(&rows, options.clone());
        let profile = table(&rows).profile().unwrap();
        let request = WeightedRequest::new(Statistic::Mean, Bounds::UNIT, options).unwrap();
        let mean = WeightedPlan::new(&request, profile, Grid::new(Bounds::UNIT)).unwrap();
        let (one, other) = (shares.chosen(), mean.chosen());
        assert_eq!(one.design, other.design, "{target:?}: weights and τ");
        assert_eq!(one.risk, other.risk, "{target:?}");
        let scale = |plan: &WeightedPlan| plan.chosen().design.noise_scale(plan.setting());
        assert_eq!(scale(&shares), scale(&mean), "{target:?}");
        for (one, other) in shares.losses().zip(mean.losses()) {
            let ratio = one.rounded_up() / other.rounded_up();
            assert!((ratio - 1.0).abs() < 1e-9, "{target:?}: {one} {other}");
        }
        assert!((shares.half_width() / mean.half_width() - 1.0).abs() < 1e-12, "{target:?}");
        // Simultaneous or not: the two intervals say the same.
        for simultaneous in [false, true] {
            let options = Options { simultaneous, ..shares.request().options().clone() };
            let released = release(&plan(&rows, options), &rows, 3);
            let [one, other] = &released.estimates[..] else { panic!("{released:?}") };
            assert!((one.estimate + other.estimate - 1.0).abs() < 1e-12);
            let (ends, others) = (one.interval.unwrap(), other.interval.unwrap());
            assert!((ends.lower + others.upper - 1.0).abs() < 1e-9, "{ends:?} {others:?}");
            let half_width = shares.half_width();
            let half = (ends.upper - ends.lower) / 2.0;
            // A share near one half has nearly the largest variance.
            assert!(
                half <= half_width * (1.0 + 1e-9) && half > 0.95 * half_width,
                "{half} {half_width}"
            );
        }
    }
}

#[test]
fn simultaneous_intervals_are_longer_and_of_shares_alone() {
    let rows = spread(7, [0.1, 1.0]);
    for target in [Target::Population, Target::Dataset, Target::DatasetCorrelated] {
        let released = |simultaneous| {
            let options = Options { target, simultaneous, ..Options::default() };
            release(&plan(&rows, options), &rows, 2)
        };
        let (alone, together) = (released(false), released(true));
        assert!(together.is_simultaneous() && !alone.is_simultaneous());
        for (one, other) in alone.estimates.iter().zip(&together.estimates) {
            assert_eq!((&one.of, one.estimate), (&other.of, other.estimate));
            let (one, other) = (one.interval.unwrap(), other.interval.unwrap());
            assert!(other.lower < one.lower || one.lower == 0.0, "{one:?} {other:?}");
            assert!(other.upper > one.upper && other.confidence == 0.95, "{one:?} {other:?}");
        }
    }
    let options = Options { simultaneous: true, ..Options::default() };
    let refused = WeightedRequest::new(Statistic::Mean, Bounds::UNIT, options).unwrap_err();
    assert!(refused.to_string().starts_with("simultaneous:"), "{refused}");
}

/// Noise carries these shares far beyond what is possible. Without care an interval would be the
/// one possible share next to it, in every twentieth release.
#[test]
fn no_interval_is_a_point_however_large_the_noise() {
    let rows = vec![(0.001, vec![30, 10, 5, 4])];
    for target in [Target::Population, Target::Dataset, Target::DatasetCorrelated] {
        let plan = plan(&rows, Options { target, ..Options::default() });
        for seed in 0..100 {
            for one in release(&plan, &rows, seed).estimates {
                let interval = one.interval.unwrap();
                assert_eq!([interval.lower, interval.upper], [0.0, 1.0], "{target:?}, {seed}");
            }
        }
    }
}
