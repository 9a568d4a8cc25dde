//! Confidence intervals cover what they claim to cover, at least as often as they claim.
//!
//! Every trial is a real release: simulated values on the grid, exact sums, integer noise. A
//! coverage passes if it is at least confidence − 4·√(c(1−c)/trials). An interval of exactly the
//! stated confidence misses that with probability 3.2e-5, so the 1500 or so checks together raise a
//! false alarm with probability 5 % at most whenever seeds or draws change; with the fixed seeds a
//! test that has passed fails only when the code changes. Power, at 95 % and 600 trials: one
//! interval that covers 88.5 % is caught with probability 0.98, one of 87 % with 0.999; at 240
//! trials one of 85 % with 0.97.

use crate::common::{people, slack};
use crate::dice::Dice;
use suum_core::{
    Bounds, Categories, Choice, Crosstab, Estimator, ExactSum, Grid, Interval, LevelSums,
    LevelTable, Measure, Numbers, Options, Profile, Randomness, Statistic, Target, WeightedPlan,
    WeightedRequest,
};
use suum_testing::Extent;

/// Trials for every combination.
const TRIALS: u32 = 600;

/// All of them, or two of five outside of `ci` and `long`.
fn trials() -> u32 {
    Extent::get().trials(TRIALS)
}
const CONFIDENCES: [f64; 3] = [0.5, 0.8, 0.95];

const PROFILES: [&str; 8] = [
    "1:50",
    "0.01:500,1:500,inf:5",
    "inf:40",
    "inf:3,0.001:1000",
    "0.1:500,5:5",
    "1e-6:1,1:299",
    "0:60,0.5:40,2:10",
    "inf:2",
];

/// How one value is drawn.
#[derive(Debug, Clone, Copy)]
enum Values {
    /// 1 with this probability, else 0.
    Bernoulli(f64),
    Uniform,
    /// The fifth power of a uniform number: Beta(1/5, 1), most values near 0.
    Skewed,
    Constant(f64),
    /// Two values around the middle, equally likely.
    TwoPoints(f64, f64),
    /// Most values from 0.02 to 0.04, and one in a hundred at 0.9.
    Lump,
    /// A Pareto variable with shape 5/2 from 1/200 on, cut off at 1.
    Heavy,
    /// An exponential variable in steps of 1/60, cut off at 1: many equal values.
    Counts,
}

const VALUES: [Values; 6] = [
    Values::Bernoulli(0.5),
    Values::Bernoulli(0.03),
    Values::Uniform,
    Values::Skewed,
    Values::Constant(0.3),
    Values::TwoPoints(0.4, 0.6),
];

/// The three of them that are hardest to cover, for estimators that are slow or that have no
/// rounding of their own.
const HARDEST: [Values; 3] = [Values::Bernoulli(0.5), Values::Bernoulli(0.03), Values::Skewed];

impl Values {
    fn draw(self, dice: &mut Dice) -> f64 {
        let u = dice.roll();
        match self {
            Values::Bernoulli(p) => f64::from(u < p),
            Values::Uniform => u,
            Values::Skewed => u * u * u * u * u,
            Values::Constant(value) => value,
            Values::Lump => {
                if u < 0.01 {
                    0.9
                } else {
                    0.02 + 0.02 * (u - 0.01) / 0.99
                }
            }
            Values::Heavy => ((1.0 - u).powf(-0.4) / 200.0).min(1.0),
            Values::Counts => (((1.0 - u).ln() * -4.0).floor() / 60.0).min(1.0),
            Values::TwoPoints(low, high) => {
                if u < 0.5 {
                    low
                } else {
                    high
                }
            }
        }
    }

    fn mean(self) -> f64 {
        match self {
            Values::Bernoulli(p) => p,
            Values::Uniform => 0.5,
            Values::Skewed => 1.0 / 6.0,
            Values::Constant(value) => value,
            Values::Lump => 0.01 * 0.9 + 0.99 * 0.03,
            // ∫ P(X > x) dx: 1/200, and (1/200)^{5/2}·x^{-5/2} from there to 1.
            Values::Heavy => (1.0 - 0.4 * 200f64.powf(-1.5)) / 0.6 / 200.0,
            // Σ P(X ≥ k)/60 with P(X ≥ k) = e^{-k/4}, for k up to 60.
            Values::Counts => (1..=60).map(|k| (-f64::from(k) / 4.0).exp()).sum::<f64>() / 60.0,
            Values::TwoPoints(low, high) => (low + high) / 2.0,
        }
    }

    fn variance(self) -> f64 {
        match self {
            Values::Bernoulli(p) => p * (1.0 - p),
            Values::Uniform => 1.0 / 12.0,
            Values::Skewed => 1.0 / 11.0 - 1.0 / 36.0,
            Values::Constant(_) => 0.0,
            Values::TwoPoints(low, high) => (high - low) * (high - low) / 4.0,
            Values::Lump | Values::Heavy | Values::Counts => f64::NAN,
        }
    }
}

/// The mean and the variance of a list.
fn moments(list: &[f64]) -> (f64, f64) {
    let n = list.len() as f64;
    let mean = list.iter().sum::<f64>() / n;
    (mean, list.iter().map(|value| (value - mean) * (value - mean)).sum::<f64>() / n)
}

/// One profile and target, planned for every confidence.
struct Scene {
    profile: Profile,
    plans: Vec<WeightedPlan>,
}

impl Scene {
    fn new(profile: &str, target: Target) -> Self {
        Self::with(profile, Options { target, ..Options::default() })
    }

    fn with_variance(profile: &str, target: Target, variance: Option<f64>) -> Self {
        Self::with(profile, Options { target, variance, ..Options::default() })
    }

    /// The plans for all confidences; they differ in nothing else.
    fn with(profile: &str, options: Options) -> Self {
        let profile: Profile = profile.parse().unwrap();
        let plan = |confidence| {
            let options = Options { confidence, ..options.clone() };
            WeightedRequest::new(Statistic::Mean, Bounds::UNIT, options)
                .unwrap()
                .plan(profile.clone())
                .unwrap()
        };
        Self { plans: CONFIDENCES.map(plan).to_vec(), profile }
    }

    fn records(&self) -> usize {
        self.profile.records() as usize
    }

    /// The level table of values listed in ascending order of their budgets.
    fn table(&self, value: impl FnMut() -> f64) -> LevelTable {
        let numbers = Numbers { grid: Grid::new(Bounds::UNIT), squares: true, cells: None };
        people::table(&self.profile, numbers, value)
    }

    /// The share of trials in which the interval, after `change`, covers the estimand, per
    /// confidence.
    fn coverage(
        &self,
        seed: u64,
        change: impl Fn(f64, Interval) -> Interval,
        trial: impl FnMut(&mut Dice) -> (LevelTable, f64),
    ) -> [f64; 3] {
        self.coverage_in(trials(), seed, change, trial)
    }

    fn coverage_in(
        &self,
        trials: u32,
        seed: u64,
        change: impl Fn(f64, Interval) -> Interval,
        mut trial: impl FnMut(&mut Dice) -> (LevelTable, f64),
    ) -> [f64; 3] {
        let mut dice = Dice(seed);
        let mut covered = [0u32; 3];
        for number in 0..trials {
            let (table, estimand) = trial(&mut dice);
            for (plan, covered) in self.plans.iter().zip(&mut covered) {
                let mut randomness =
                    Randomness::insecure(seed.wrapping_mul(1 << 20) + u64::from(number));
                let release = plan.clone().release(table.clone(), &mut randomness).unwrap();
                let interval = change(release.estimate(), release.interval().unwrap());
                *covered += u32::from(interval.lower <= estimand && estimand <= interval.upper);
            }
        }
        covered.map(|covered| f64::from(covered) / f64::from(trials))
    }
}

/// The checks that failed, as lines of text.
fn too_low(place: &str, coverage: [f64; 3]) -> Vec<String> {
    too_low_in(trials(), place, coverage)
}

/// The checks that failed of coverages in so many trials.
fn too_low_in(trials: u32, place: &str, coverage: [f64; 3]) -> Vec<String> {
    CONFIDENCES
        .into_iter()
        .zip(coverage)
        .filter(|(confidence, coverage)| *coverage < confidence - slack(*confidence, trials))
        .map(|(confidence, coverage)| format!("{place}: {coverage} at {confidence}"))
        .collect()
}

fn unchanged(_: f64, interval: Interval) -> Interval {
    interval
}

/// Fixed values, as many as there are records.
fn fixed(values: Values, n: usize, seed: u64) -> Vec<f64> {
    let mut dice = Dice(seed);
    (0..n).map(|_| values.draw(&mut dice)).collect()
}

/// A random permutation of the values over the records.
fn permuted(scene: &Scene, seed: u64, mut list: Vec<f64>) -> [f64; 3] {
    let (mean, _) = moments(&list);
    scene.coverage(seed, unchanged, |dice| {
        for last in (1..list.len()).rev() {
            list.swap(last, dice.pick(last + 1));
        }
        let mut next = list.iter().copied();
        (scene.table(|| next.next().unwrap()), mean)
    })
}

/// The same values for the same records in every trial: only the noise is random.
fn assigned(scene: &Scene, seed: u64, list: &[f64]) -> [f64; 3] {
    let (mean, _) = moments(list);
    let mut next = list.iter().copied();
    let table = scene.table(|| next.next().unwrap());
    scene.coverage(seed, unchanged, |_| (table.clone(), mean))
}

#[test]
#[ignore = "takes seconds"]
fn population_intervals_cover_the_mean_of_the_distribution() {
    let mut failures = Vec::new();
    for (i, profile) in PROFILES.into_iter().enumerate() {
        let scene = Scene::new(profile, Target::Population);
        for (j, values) in VALUES.into_iter().enumerate() {
            let coverage = scene.coverage((10 * i + j) as u64, unchanged, |dice| {
                (scene.table(|| values.draw(dice)), values.mean())
            });
            failures.extend(too_low(&format!("population {profile} {values:?}"), coverage));
        }
    }
    assert!(failures.is_empty(), "{failures:#?}");
}

/// Rare values, of which hardly any or none is among the records; and skewed ones.
#[test]
#[ignore = "takes seconds"]
fn intervals_of_measured_spreads_cover_rare_and_skewed_values() {
    let profiles = ["inf:700", "5:400", "0.01:200,0.1:300,1:100"];
    let values = [
        Values::Bernoulli(0.002),
        Values::Bernoulli(0.01),
        Values::Lump,
        Values::Heavy,
        Values::Counts,
    ];
    let mut failures = Vec::new();
    for (i, profile) in profiles.into_iter().enumerate() {
        for (j, values) in values.into_iter().enumerate() {
            let seed = (400 + 10 * i + j) as u64;
            let scene = Scene::new(profile, Target::Population);
            let coverage = scene.coverage(seed, unchanged, |dice| {
                (scene.table(|| values.draw(dice)), values.mean())
            });
            failures.extend(too_low(&format!("population {profile} {values:?}"), coverage));
            // With equal weights there is nothing but noise.
            if profile.contains(',') {
                let scene = Scene::new(profile, Target::Dataset);
                let coverage = permuted(&scene, seed, fixed(values, scene.records(), seed));
                failures.extend(too_low(&format!("dataset {profile} {values:?}"), coverage));
            }
        }
    }
    assert!(failures.is_empty(), "{failures:#?}");
}

#[test]
#[ignore = "takes seconds"]
fn dataset_intervals_cover_the_mean_of_the_values() {
    let mut failures = Vec::new();
    for (i, profile) in PROFILES.into_iter().enumerate() {
        let scene = Scene::new(profile, Target::Dataset);
        for (j, values) in VALUES.into_iter().enumerate() {
            let seed = (100 + 10 * i + j) as u64;
            let coverage = permuted(&scene, seed, fixed(values, scene.records(), seed));
            failures.extend(too_low(&format!("dataset {profile} {values:?}"), coverage));
        }
    }
    assert!(failures.is_empty(), "{failures:#?}");
}

/// With a declared variance the interval has no reserve left: the values have just that variance.
#[test]
#[ignore = "takes seconds"]
fn intervals_for_a_declared_variance_cover() {
    let mut failures = Vec::new();
    for (i, profile) in PROFILES.into_iter().enumerate() {
        for (j, values) in VALUES.into_iter().enumerate() {
            let seed = (300 + 10 * i + j) as u64;
            if values.variance() > 0.0 {
                let scene =
                    Scene::with_variance(profile, Target::Population, Some(values.variance()));
                let coverage = scene.coverage(seed, unchanged, |dice| {
                    (scene.table(|| values.draw(dice)), values.mean())
                });
                failures.extend(too_low(&format!("population {profile} {values:?}"), coverage));
            }
            let n = profile.parse::<Profile>().unwrap().records() as usize;
            let list = fixed(values, n, seed);
            let (_, variance) = moments(&list);
            if variance > 1e-20 {
                let scene = Scene::with_variance(profile, Target::Dataset, Some(variance));
                let coverage = permuted(&scene, seed, list);
                failures.extend(too_low(&format!("dataset {profile} {values:?}"), coverage));
            }
        }
    }
    assert!(failures.is_empty(), "{failures:#?}");
}

#[test]
#[ignore = "takes seconds"]
fn correlated_intervals_cover_the_mean_whatever_the_assignment() {
    let mut failures = Vec::new();
    for (i, profile) in PROFILES.into_iter().enumerate() {
        let scene = Scene::new(profile, Target::DatasetCorrelated);
        let n = scene.records();
        for (j, values) in VALUES.into_iter().enumerate() {
            let seed = (200 + 10 * i + j) as u64;
            let mut check = |how: &str, coverage| {
                failures
                    .extend(too_low(&format!("correlated {profile} {values:?} {how}"), coverage));
            };
            let mut list = fixed(values, n, seed);
            check("permuted", permuted(&scene, seed, list.clone()));
            // Budgets ascend: the most public people have the largest values, or the smallest.
            list.sort_by(f64::total_cmp);
            check("ascending", assigned(&scene, seed, &list));
            list.reverse();
            check("descending", assigned(&scene, seed, &list));
        }
        // The worst assignment there is: the upper bound exactly where the weight is above 1/n.
        let weights = scene.plans[0].chosen().design.weights.per_level();
        let worst = |high: f64, low: f64| -> Vec<f64> {
            let levels = scene.profile.levels().iter().zip(weights);
            levels
                .flat_map(|(level, weight)| {
                    let value = if *weight > 1.0 / n as f64 { high } else { low };
                    std::iter::repeat_n(value, level.count as usize)
                })
                .collect()
        };
        for list in [worst(1.0, 0.0), worst(0.0, 1.0)] {
            let coverage = assigned(&scene, 290 + i as u64, &list);
            failures.extend(too_low(&format!("correlated {profile} worst"), coverage));
        }
    }
    assert!(failures.is_empty(), "{failures:#?}");
}

fn by(estimator: Estimator, target: Target) -> Options {
    Options { target, estimator: Choice::Named(estimator), ..Options::default() }
}

/// Estimators with noise of other shapes: one for each level, or for each record.
#[test]
#[ignore = "takes seconds"]
fn intervals_of_other_estimators_cover() {
    let mut failures = Vec::new();
    for (i, (estimator, profile)) in [
        (Estimator::Mixed, "0.01:500,1:500,inf:5"),
        (Estimator::Mixed, "0.2:200,0.4:100"),
        (Estimator::Threshold, "0.01:500,1:500,inf:5"),
        (Estimator::Threshold, "0.1:2000,5:20"),
        (Estimator::Local, "1:50"),
        (Estimator::Local, "0:60,4:40,8:10,inf:2"),
        (Estimator::Uniform, "0.2:100,1:50"),
    ]
    .into_iter()
    .enumerate()
    {
        for (j, values) in HARDEST.into_iter().enumerate() {
            let seed = (500 + 10 * i + j) as u64;
            let scene = Scene::with(profile, by(estimator, Target::Population));
            let coverage = scene.coverage(seed, unchanged, |dice| {
                (scene.table(|| values.draw(dice)), values.mean())
            });
            failures.extend(too_low(&format!("{estimator} {profile} {values:?}"), coverage));
            let list = fixed(values, scene.records(), seed);
            let scene = Scene::with(profile, by(estimator, Target::Dataset));
            let coverage = permuted(&scene, seed, list.clone());
            failures
                .extend(too_low(&format!("dataset {estimator} {profile} {values:?}"), coverage));
            let scene = Scene::with(profile, by(estimator, Target::DatasetCorrelated));
            let coverage = assigned(&scene, seed, &list);
            failures
                .extend(too_low(&format!("correlated {estimator} {profile} {values:?}"), coverage));
        }
    }
    assert!(failures.is_empty(), "{failures:#?}");
}

/// How often intervals at confidence 0.99 cover `estimand` when a population has this declared
/// variance.
fn at_99(profile: &str, values: Values, trials: u32, seed: u64) -> f64 {
    let options =
        Options { confidence: 0.99, variance: Some(values.variance()), ..Options::default() };
    let request = WeightedRequest::new(Statistic::Mean, Bounds::UNIT, options).unwrap();
    let plan = request.plan(profile.parse().unwrap()).unwrap();
    let scene = Scene { profile: profile.parse().unwrap(), plans: vec![plan.clone()] };
    let mut dice = Dice(seed);
    let covered = (0..trials).filter(|trial| {
        let table = scene.table(|| values.draw(&mut dice));
        let mut randomness = Randomness::insecure((seed << 32) + u64::from(*trial));
        let interval = plan.clone().release(table, &mut randomness).unwrap().interval().unwrap();
        interval.lower <= values.mean() && values.mean() <= interval.upper
    });
    covered.count() as f64 / f64::from(trials)
}

/// A few records that weigh much, with rare values: the sum of the values is far from normal, and
/// one step of its lattice is wider than the normal approximation reaches.
#[test]
#[ignore = "takes seconds"]
fn intervals_for_a_declared_variance_of_rare_values_cover_at_99() {
    for (i, (profile, rare)) in [
        ("inf:3", 0.01),
        ("inf:1000", 2.9e-5),
        ("inf:100", 1e-3),
        ("inf:10,0.01:100", 3e-3),
        ("inf:2", 0.05),
    ]
    .into_iter()
    .enumerate()
    {
        let trials = if profile == "inf:1000" { 4000 } else { 10_000 };
        let coverage = at_99(profile, Values::Bernoulli(rare), trials, 800 + i as u64);
        let least = 0.99 - 4.0 * (0.99 * 0.01 / f64::from(trials)).sqrt();
        assert!(coverage >= least, "{profile} {rare}: {coverage}");
    }
}

/// Noises that are Laplace for each level or record, and not normal: two or three of them have
/// longer tails. With a normal variable of their variance in place of the others 1.4 to 1.9 % would
/// be missed. A true miss of 1 % fails with a probability of 3e-5.
#[test]
#[ignore = "takes seconds"]
fn intervals_with_several_noises_cover_at_99() {
    for (number, (estimator, profile)) in
        (0..).zip([(Estimator::Local, "20:3"), (Estimator::Mixed, "20:2,20.001:2")])
    {
        let trials = 30_000;
        let options = Options { confidence: 0.99, ..by(estimator, Target::DatasetCorrelated) };
        let request = WeightedRequest::new(Statistic::Mean, Bounds::UNIT, options).unwrap();
        let plan = request.plan(profile.parse().unwrap()).unwrap();
        // Everybody at the middle: there is no other error than noise.
        let table = Scene::with(profile, by(estimator, Target::DatasetCorrelated)).table(|| 0.5);
        let mut randomness = Randomness::insecure(number);
        let missed = (0..trials)
            .filter(|_| {
                let release = plan.clone().release(table.clone(), &mut randomness).unwrap();
                let interval = release.interval().unwrap();
                !(interval.lower..=interval.upper).contains(&0.5)
            })
            .count();
        let most = 0.01 + 4.0 * (0.01 * 0.99 / f64::from(trials)).sqrt();
        let share = missed as f64 / f64::from(trials);
        println!("{estimator} {profile}: {share} missed");
        assert!(share <= most, "{estimator} {profile}: {share} missed");
        // And not much too wide.
        assert!(share > 0.005, "{estimator} {profile}: only {share} missed");
    }
}

/// How often the interval of each category covers its share, per confidence; `trial` gives every
/// record's category and the shares to be covered.
fn frequency_coverage(
    profile: &str,
    options: Options,
    seed: u64,
    mut trial: impl FnMut(&mut Dice) -> (Vec<usize>, [f64; 3]),
) -> [[f64; 3]; 3] {
    let profile: Profile = profile.parse().unwrap();
    let categories: Categories = "a,b,c".parse().unwrap();
    let plans = CONFIDENCES.map(|confidence| {
        let options = Options { confidence, ..options.clone() };
        WeightedRequest::frequency(categories.clone(), options)
            .unwrap()
            .plan(profile.clone())
            .unwrap()
    });
    let (mut dice, mut covered) = (Dice(seed), [[0u32; 3]; 3]);
    for number in 0..trials() {
        let (list, shares) = trial(&mut dice);
        let mut next = list.into_iter();
        let by_level = profile.levels().iter().map(|level| {
            let mut sums = vec![ExactSum::default(); 3];
            next.by_ref().take(level.count as usize).for_each(|category| sums[category].add(1));
            LevelSums {
                label: None,
                epsilon: level.epsilon,
                count: level.count,
                sums,
                cells: Default::default(),
            }
        });
        let table =
            LevelTable::new(None, Measure::Categories(categories.clone()), by_level.collect())
                .unwrap();
        for (plan, covered) in plans.iter().zip(&mut covered) {
            let mut randomness = Randomness::insecure((seed << 32) + u64::from(number));
            let release = plan.clone().release(table.clone(), &mut randomness).unwrap();
            for ((line, share), covered) in release.estimates.iter().zip(shares).zip(covered) {
                let interval = line.interval.unwrap();
                *covered += u32::from(interval.lower <= share && share <= interval.upper);
            }
        }
    }
    covered.map(|row| row.map(|covered| f64::from(covered) / f64::from(trials())))
}

#[test]
#[ignore = "takes seconds"]
fn every_category_is_covered() {
    let mut failures = Vec::new();
    let shares = [[0.5, 0.3, 0.2], [0.96, 0.03, 0.01], [1.0, 0.0, 0.0]];
    let rare = [[0.9945, 0.004, 0.0015]];
    for (i, (profile, estimator)) in [
        ("1:50", Estimator::Affine),
        ("0.1:500,1:300,inf:5", Estimator::Affine),
        ("inf:40", Estimator::Affine),
        ("inf:600", Estimator::Affine),
        ("0.01:400", Estimator::Affine),
        ("0.1:300,0.5:100", Estimator::Mixed),
        // Ample budgets for few records: the noise is less than one of them.
        ("8:3,20:2", Estimator::Mixed),
        ("2:60,4:30", Estimator::Local),
    ]
    .into_iter()
    .enumerate()
    {
        for target in [Target::Population, Target::Dataset] {
            let options = by(estimator, target);
            let shares = if profile == "inf:600" { &rare[..] } else { &shares };
            for (j, shares) in shares.iter().copied().enumerate() {
                let seed = (900 + 10 * i + j) as u64;
                let n = profile.parse::<Profile>().unwrap().records() as usize;
                let draw = |dice: &mut Dice| -> Vec<usize> {
                    let category = |u: f64| {
                        usize::from(u >= shares[0]) + usize::from(u >= shares[0] + shares[1])
                    };
                    (0..n).map(|_| category(dice.roll())).collect()
                };
                let mut list = draw(&mut Dice(seed));
                let of =
                    |category| list.iter().filter(|c| **c == category).count() as f64 / n as f64;
                let drawn = [of(0), of(1), of(2)];
                let coverage = frequency_coverage(profile, options.clone(), seed, |dice| {
                    if target == Target::Population {
                        return (draw(dice), shares);
                    }
                    for last in (1..n).rev() {
                        list.swap(last, dice.pick(last + 1));
                    }
                    (list.clone(), drawn)
                });
                for category in 0..3 {
                    let place =
                        format!("{target:?} {estimator} {profile} {shares:?} category {category}");
                    let coverage = coverage.map(|row| row[category]);
                    failures.extend(too_low_in(trials(), &place, coverage));
                }
            }
        }
    }
    assert!(failures.is_empty(), "{failures:#?}");
}

/// How often the intervals of both margins of a table hold, and those of its cells.
fn margin_coverage(profile: &str, options: &Options, seed: u64) -> [[f64; 3]; 8] {
    let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
    let labels = [names(&["a", "b"]), names(&["u", "v", "w", "x", "y", "z"])];
    let table = Crosstab::new(["one".into(), "other".into()], labels).unwrap();
    let categories = Categories::crossed(table).unwrap();
    let profile: Profile = profile.parse().unwrap();
    let plans = CONFIDENCES.map(|confidence| {
        let options = Options { confidence, ..options.clone() };
        WeightedRequest::frequency(categories.clone(), options)
            .unwrap()
            .plan(profile.clone())
            .unwrap()
    });
    let (mut dice, mut covered) = (Dice(seed), [[0u32; 3]; 8]);
    // A row of 4 % and one of 96 %, in columns of different sizes.
    let rows = [0.04, 0.96];
    let columns = [0.5, 0.3, 0.1, 0.05, 0.04, 0.01];
    let n = profile.records();
    let draw = |dice: &mut Dice| {
        let (row, mut u) = (usize::from(dice.roll() >= rows[0]), dice.roll());
        let column = columns.iter().position(|share| {
            u -= share;
            u < 0.0
        });
        6 * row + column.unwrap_or(5)
    };
    let fixed: Vec<usize> = (0..n).map(|_| draw(&mut dice)).collect();
    for number in 0..trials() {
        let mut cells = match options.target {
            Target::Population => (0..n).map(|_| draw(&mut dice)).collect(),
            _ => fixed.clone(),
        };
        for last in (1..cells.len()).rev() {
            cells.swap(last, dice.pick(last + 1));
        }
        let share = |of: &dyn Fn(usize) -> bool| {
            fixed.iter().filter(|cell| of(**cell)).count() as f64 / n as f64
        };
        let truth: Vec<f64> = match options.target {
            Target::Population => rows.into_iter().chain(columns).collect(),
            _ => {
                let of_rows = (0..2).map(|row| share(&|cell| cell / 6 == row));
                of_rows.chain((0..6).map(|column| share(&|cell| cell % 6 == column))).collect()
            }
        };
        let mut next = cells.into_iter();
        let by_level = profile.levels().iter().map(|level| {
            let mut sums = vec![ExactSum::default(); 12];
            next.by_ref().take(level.count as usize).for_each(|cell| sums[cell].add(1));
            let (label, cells) = (None, Default::default());
            LevelSums { label, epsilon: level.epsilon, count: level.count, sums, cells }
        });
        let measure = Measure::Categories(categories.clone());
        let table = LevelTable::new(None, measure, by_level.collect()).unwrap();
        for (at, plan) in plans.iter().enumerate() {
            let mut randomness = Randomness::insecure((seed << 32) + u64::from(number));
            let release = plan.clone().release(table.clone(), &mut randomness).unwrap();
            let margins = release.margins.iter().flat_map(|margin| &margin.shares);
            for ((one, truth), covered) in margins.zip(&truth).zip(&mut covered) {
                let interval = one.interval.unwrap();
                let holds = (interval.lower..=interval.upper).contains(truth);
                covered[at] += u32::from(holds);
            }
        }
    }
    covered.map(|row| row.map(|covered| f64::from(covered) / f64::from(trials())))
}

#[test]
#[ignore = "takes seconds"]
fn every_margin_is_covered() {
    let mut failures = Vec::new();
    for (at, (profile, estimator)) in [
        ("0.1:500,1:300,inf:5", Estimator::Affine),
        ("0.02:400", Estimator::Affine),
        ("0.1:300,0.5:100", Estimator::Mixed),
        ("2:60,4:30", Estimator::Local),
        ("0.5:400", Estimator::Affine),
    ]
    .into_iter()
    .enumerate()
    {
        for target in [Target::Population, Target::Dataset, Target::DatasetCorrelated] {
            let coverage = margin_coverage(profile, &by(estimator, target), 4000 + at as u64);
            for (margin, coverage) in coverage.into_iter().enumerate() {
                let place = format!("{target:?} {estimator} {profile} margin {margin}");
                failures.extend(too_low_in(trials(), &place, coverage));
                // Where noise is all there is, has an exact law, and hardly leaves what is
                // possible, no more than is stated.
                if at == 4 && target == Target::Dataset && margin == 1 {
                    for (confidence, coverage) in CONFIDENCES.into_iter().zip(coverage).take(2) {
                        let most = confidence + 1.25 * slack(confidence, trials());
                        assert!(coverage < most, "{place}: {coverage} at {confidence}");
                    }
                }
            }
        }
    }
    assert!(failures.is_empty(), "{failures:#?}");
}

/// How often all intervals of skewed shares hold at once at 95 %, and those made for each alone;
/// `counts` draws how many records of each level have each category.
fn together(
    profile: &str,
    shares: &[f64],
    trials: u32,
    mut counts: impl FnMut(u64) -> Vec<usize>,
) -> [f64; 2] {
    let profile: Profile = profile.parse().unwrap();
    let names = (0..shares.len()).map(|category| category.to_string()).collect();
    let categories = Categories::new(names).unwrap();
    let plans = [true, false].map(|simultaneous| {
        let options = Options { simultaneous, ..Options::default() };
        WeightedRequest::frequency(categories.clone(), options)
            .unwrap()
            .plan(profile.clone())
            .unwrap()
    });
    let mut held = [0u32; 2];
    for number in 0..trials {
        let by_level = profile.levels().iter().map(|level| {
            let mut sums = vec![ExactSum::default(); shares.len()];
            counts(level.count).into_iter().for_each(|category| sums[category].add(1));
            LevelSums {
                label: None,
                epsilon: level.epsilon,
                count: level.count,
                sums,
                cells: Default::default(),
            }
        });
        let table =
            LevelTable::new(None, Measure::Categories(categories.clone()), by_level.collect())
                .unwrap();
        for (plan, held) in plans.iter().zip(&mut held) {
            let mut randomness = Randomness::insecure(7_000_000 + u64::from(number));
            let release = plan.clone().release(table.clone(), &mut randomness).unwrap();
            let holds = release.estimates.iter().zip(shares).all(|(one, share)| {
                let interval = one.interval.unwrap();
                interval.lower <= *share && *share <= interval.upper
            });
            *held += u32::from(holds);
        }
    }
    held.map(|held| f64::from(held) / f64::from(trials))
}

/// Shares of one frequent category and many rare ones, of which each record of 400 has about one in
/// all; without noise and with it, and with records of unequal weight. Where noise or
/// sampling is close to its law, intervals that are made for each category alone do not hold all at
/// once: the check can fail. (With few records in a category each alone covers more than it says.)
#[test]
#[ignore = "takes seconds"]
fn simultaneous_intervals_hold_all_at_once() {
    let skewed = |rare: f64, many: usize| -> Vec<f64> {
        std::iter::once(1.0 - rare * many as f64).chain(vec![rare; many]).collect()
    };
    let equal = vec![0.1; 10];
    for (profile, shares, alone_fails, seed) in [
        ("inf:400", skewed(0.0025, 40), false, 1),
        ("2:400", skewed(0.0025, 40), false, 2),
        ("0.05:400", skewed(0.0025, 40), true, 3),
        ("0.5:300,3:100,inf:4", skewed(0.005, 30), false, 4),
        ("0.1:400", equal.clone(), true, 5),
        ("inf:400", equal, true, 6),
    ] {
        let mut dice = Dice(seed);
        let draw = |count: u64| -> Vec<usize> {
            let category = |u: f64| {
                let mut sum = 0.0;
                let within = shares.iter().position(|share| {
                    sum += share;
                    u < sum
                });
                within.unwrap_or(shares.len() - 1)
            };
            (0..count).map(|_| category(dice.roll())).collect()
        };
        let [held, alone] = together(profile, &shares, 300, draw);
        let place = format!("{profile} {} categories: {held}, alone {alone}", shares.len());
        // Four standard deviations of 1.26 %.
        assert!(held >= 0.95 - 0.05, "{place}");
        assert!(!alone_fails || alone < 0.95 - 0.05, "{place}");
    }
}

/// Half as wide is not wide enough, and the check sees it, wherever noise is what matters.
#[test]
fn intervals_of_half_the_width_fail() {
    let halved = |estimate: f64, interval: Interval| Interval {
        lower: (estimate + interval.lower) / 2.0,
        upper: (estimate + interval.upper) / 2.0,
        ..interval
    };
    for (target, seed) in
        [(Target::Population, 401), (Target::Dataset, 402), (Target::DatasetCorrelated, 403)]
    {
        let scene = Scene::new("0.05:1000", target);
        let coverage = scene.coverage_in(TRIALS, seed, halved, |_| (scene.table(|| 0.5), 0.5));
        for (confidence, coverage) in CONFIDENCES.into_iter().zip(coverage) {
            assert!(
                coverage < confidence - slack(confidence, TRIALS),
                "{target:?}: {coverage} at {confidence}"
            );
        }
        assert!(
            too_low("whole", scene.coverage(seed, unchanged, |_| (scene.table(|| 0.5), 0.5)))
                .is_empty()
        );
    }
}
