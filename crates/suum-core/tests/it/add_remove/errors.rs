//! Errors are what releases and plans say they are.

use suum_core::{
    Bounds, Choice, Epsilon, Estimator, ExactSum, Grid, Level, LevelSums, LevelTable, Measure,
    Neighbors, Options, Profile, Randomness, Rank, Request, Statistic, Target, WeightedPlan,
    WeightedRequest,
};

use super::people::{Asked, categories, declared};
use crate::dice::Dice;

/// (budget, people) by level.
type Counts = [(f64, u64)];

const TIERS: &str = "a=0.05,b=0.4,c=2";
const CROWD: [(f64, u64); 3] = [(0.05, 3000), (0.4, 700), (2.0, 60)];

fn profile(counts: &Counts) -> Profile {
    let level = |(epsilon, count): &(f64, u64)| Level {
        epsilon: Epsilon::new(*epsilon).unwrap(),
        count: *count,
    };
    Profile::new(counts.iter().map(level)).unwrap()
}

/// A table of numbers, each drawn by `value`.
fn numbers(counts: &Counts, bounds: Bounds, value: &mut dyn FnMut() -> f64) -> LevelTable {
    let grid = Grid::new(bounds);
    let level_sums = |(epsilon, count): &(f64, u64)| {
        let mut sum = ExactSum::default();
        (0..*count).for_each(|_| sum.add(grid.index(value()).unwrap()));
        LevelSums {
            label: None,
            epsilon: Epsilon::new(*epsilon).unwrap(),
            count: *count,
            sums: vec![sum],
            cells: Default::default(),
        }
    };
    let by_level = counts.iter().map(level_sums).collect();
    LevelTable::possibly_empty(None, Measure::Numbers(grid.into()), by_level).unwrap()
}

/// A table of categories, each drawn by `category`.
fn categorised(counts: &Counts, category: &mut dyn FnMut() -> usize) -> LevelTable {
    let level_sums = |(epsilon, count): &(f64, u64)| {
        let mut counts = [0i128; 3];
        (0..*count).for_each(|_| counts[category()] += 1);
        LevelSums {
            label: None,
            epsilon: Epsilon::new(*epsilon).unwrap(),
            count: *count,
            sums: counts.map(ExactSum::from_raw).to_vec(),
            cells: Default::default(),
        }
    };
    let by_level = counts.iter().map(level_sums).collect();
    LevelTable::possibly_empty(None, Measure::Categories(categories()), by_level).unwrap()
}

/// Mean error, mean squared error, and the mean of what releases said of their variance.
struct Errors {
    bias: f64,
    square: f64,
    stated: f64,
    trials: f64,
}

fn errors(trials: u32, mut trial: impl FnMut() -> (f64, f64)) -> Errors {
    let (mut sum, mut square, mut stated) = (0.0, 0.0, 0.0);
    for _ in 0..trials {
        let (error, said) = trial();
        sum += error;
        square += error * error;
        stated += said * said;
    }
    let trials = f64::from(trials);
    Errors { bias: sum / trials, square: square / trials, stated: stated / trials, trials }
}

impl Errors {
    /// Whether the mean squared error is `variance`, up to five standard deviations for a kurtosis
    /// of at most 6 (that of a Laplace distribution): a false alarm in a million runs.
    fn fits(&self, variance: f64) -> bool {
        (self.square / variance - 1.0).abs() < 5.0 * (5.0 / self.trials).sqrt()
    }

    fn unbiased(&self) -> bool {
        self.bias.abs() < 5.0 * (self.square / self.trials).sqrt()
    }

    /// Noise as stated fits; a tenth less or more of it does not.
    fn check(&self, stated: f64, name: &str) {
        assert!(self.unbiased(), "{name}: bias {}", self.bias);
        let ratio = (self.square / stated).sqrt();
        assert!(self.fits(stated), "{name}: {ratio} of the error");
        assert!(
            !self.fits(stated * 1.21) && !self.fits(stated * 0.81),
            "{name}: {ratio}, and nothing is told apart"
        );
    }
}

const TRIALS: u32 = 10_000;

/// Everybody has the same value, so that there is nothing but noise.
#[test]
#[ignore = "takes seconds"]
fn noise_of_means_is_as_stated_and_no_tenth_more_or_less() {
    for (seed, value) in [(1, 0.5), (2, 0.8)] {
        for estimator in [Estimator::Affine, Estimator::Uniform, Estimator::Proportional] {
            let options = Options { estimator: Choice::Named(estimator), ..Options::add_remove() };
            let request = Asked::Mean.request(TIERS, options);
            let table = numbers(&CROWD, Bounds::UNIT, &mut || value);
            let mut randomness = Randomness::insecure(seed);
            let errors = errors(TRIALS, || {
                let release = request.release(table.clone(), &mut randomness).unwrap();
                (release.estimate() - value, release.error.unwrap().noise_sd)
            });
            errors.check(errors.stated, &format!("{estimator} at {value}"));
        }
    }
}

#[test]
fn means_of_a_population_have_the_error_of_the_plan() {
    let request = Asked::Mean.request(TIERS, Options::add_remove());
    let plan = request.expected(profile(&CROWD)).unwrap();
    let (mut dice, mut randomness) = (Dice(3), Randomness::insecure(3));
    let errors = errors(3000, || {
        // The worst case: two values at the bounds, equally likely.
        let table = numbers(&CROWD, Bounds::UNIT, &mut || f64::from(dice.roll() < 0.5));
        let release = request.release(table, &mut randomness).unwrap();
        (release.estimate() - 0.5, release.error.unwrap().rmse)
    });
    assert!(errors.unbiased(), "{}", errors.bias);
    let (planned, stated) = (plan.chosen().error.rmse, errors.stated.sqrt());
    let found = errors.square.sqrt();
    // 3000 trials know a root of a normal mean square to 1.3 %; τ is not quite that of the plan.
    assert!((found / planned - 1.0).abs() < 0.06, "{found} for {planned}");
    assert!((found / stated - 1.0).abs() < 0.08, "{found}, stated {stated}");
}

/// Where all weigh the same, the dataset's own mean is hit but for noise.
#[test]
fn a_dataset_has_no_sampling_error_with_equal_weights() {
    let mut dice = Dice(4);
    let values: Vec<f64> = (0..3760).map(|_| dice.roll()).collect();
    let mean = values.iter().sum::<f64>() / values.len() as f64;
    let mut next = values.iter().cycle();
    let table = numbers(&CROWD, Bounds::UNIT, &mut || *next.next().unwrap());
    let options = Options {
        target: Target::Dataset,
        estimator: Choice::Named(Estimator::Uniform),
        ..Options::add_remove()
    };
    let request = Asked::Mean.request(TIERS, options);
    let mut randomness = Randomness::insecure(4);
    let errors = errors(TRIALS, || {
        let release = request.release(table.clone(), &mut randomness).unwrap();
        assert_eq!(release.error.unwrap().sampling_sd, 0.0);
        (release.estimate() - mean, release.error.unwrap().rmse)
    });
    errors.check(errors.stated, "dataset");
}

#[test]
fn counts_have_the_noise_of_the_least_budget() {
    let request = Asked::Count.request(TIERS, Options::add_remove());
    let table = numbers(&CROWD, Bounds::UNIT, &mut || 0.5);
    let mut randomness = Randomness::insecure(5);
    let errors = errors(TRIALS, || {
        let release = request.release(table.clone(), &mut randomness).unwrap();
        (release.estimate() - 3760.0, release.error.unwrap().noise_sd)
    });
    assert!((errors.stated.sqrt() - 2f64.sqrt() / 0.05).abs() < 1e-9);
    errors.check(errors.stated, "count");
}

/// However far outside the possible values noise carries an estimate, half of what it reaches
/// stays.
#[test]
fn no_interval_of_few_people_is_one_point() {
    let few = [(0.01, 4)];
    let mut outside = 0;
    for neighbors in [Neighbors::AddRemove, Neighbors::Both] {
        for (asked, bounds) in [
            (Asked::Count, Bounds::UNIT),
            (Asked::Sum, Bounds::UNIT),
            (Asked::Sum, Bounds::new(-10.0, 0.0).unwrap()),
            (Asked::Mean, Bounds::UNIT),
            (Asked::Variance, Bounds::UNIT),
        ] {
            let options = Options { neighbors, ..Options::default() };
            let request = match asked {
                Asked::Sum => Request::sum(options).add_remove(bounds, declared("a=0.01")).unwrap(),
                asked => asked.request("a=0.01", options),
            };
            let people = [(0.01, 0.5); 4];
            let table = match asked {
                Asked::Sum => numbers(&few, bounds, &mut || bounds.midpoint()),
                asked => asked.table(&people),
            };
            let mut randomness = Randomness::insecure(8);
            for _ in 0..300 {
                let release = request.release(table.clone(), &mut randomness).unwrap();
                let interval = release.interval().unwrap();
                let length = interval.upper - interval.lower;
                let error = release.error.unwrap().noise_sd;
                assert!(length > 0.1 * error.min(1.0), "{asked:?} {bounds:?}: {interval:?}");
                outside += u32::from(asked == Asked::Count && release.estimate() == 0.0);
                let is_possible = |end: f64| match asked {
                    Asked::Sum => end * bounds.midpoint() >= 0.0,
                    _ => end >= 0.0,
                };
                assert!(is_possible(interval.lower) && is_possible(interval.upper));
            }
        }
    }
    assert!(outside > 100, "{outside} counts below zero");
}

#[test]
#[ignore = "takes seconds"]
fn sums_have_the_noise_that_is_stated() {
    for (estimator, value) in
        [(Estimator::Affine, 3.0), (Estimator::Affine, -1.0), (Estimator::Uniform, 3.0)]
    {
        let bounds = Bounds::new(-2.0, 8.0).unwrap();
        let options = Options {
            target: Target::Dataset,
            estimator: Choice::Named(estimator),
            ..Options::add_remove()
        };
        let request = Request::sum(options).add_remove(bounds, declared(TIERS)).unwrap();
        let table = numbers(&CROWD, bounds, &mut || value);
        let mut randomness = Randomness::insecure(6);
        let errors = errors(TRIALS, || {
            let release = request.release(table.clone(), &mut randomness).unwrap();
            (release.estimate() - 3760.0 * value, release.error.unwrap().noise_sd)
        });
        errors.check(errors.stated, &format!("{estimator} sum of {value}"));
    }
}

#[test]
fn sums_of_a_population_have_at_most_the_error_of_the_plan() {
    for estimator in [Estimator::Affine, Estimator::Uniform] {
        let options = Options { estimator: Choice::Named(estimator), ..Options::add_remove() };
        let request = Asked::Sum.request(TIERS, options);
        let plan = request.expected(profile(&CROWD)).unwrap();
        let (mut dice, mut randomness) = (Dice(7), Randomness::insecure(7));
        let errors = errors(1000, || {
            let table = numbers(&CROWD, Bounds::UNIT, &mut || f64::from(dice.roll() < 0.9));
            let release = request.release(table, &mut randomness).unwrap();
            (release.estimate() - 3760.0 * 0.9, release.error.unwrap().rmse)
        });
        let (found, planned) = (errors.square.sqrt(), plan.chosen().error.rmse);
        // 1000 trials know it to 3 %. The worst mean is near 1, with less sampling error than is
        // allowed for.
        assert!(
            errors.unbiased() && found < 1.1 * planned && found > 0.7 * planned,
            "{found} for {planned}"
        );
    }
}

/// Two categories have the noise of a mean; of three, the largest error is stated.
#[test]
#[ignore = "takes seconds"]
fn frequencies_have_the_largest_error_that_is_stated() {
    let options = Options {
        post: suum_core::PostProcessing::None,
        target: Target::Dataset,
        ..Options::add_remove()
    };
    for (seed, shares) in [(8, [1.0 / 3.0, 1.0 / 3.0, 1.0 / 3.0]), (9, [0.1, 0.7, 0.2])] {
        let request = Asked::Frequency.request("a=0.05,b=0.05", options.clone());
        // The same shares at every level, up to one record: nothing but noise.
        let mut at = 0u32;
        let table = categorised(&[(0.05, 6000)], &mut || {
            at += 1;
            let place = f64::from(at) / 6001.0;
            usize::from(place > shares[0]) + usize::from(place > shares[0] + shares[1])
        });
        let mut randomness = Randomness::insecure(seed);
        let errors = errors(4000, || {
            let release = request.release(table.clone(), &mut randomness).unwrap();
            let errors = release.estimates.iter().zip(shares);
            let largest =
                errors.map(|(found, share)| (found.estimate - share).abs()).fold(0.0, f64::max);
            (largest, release.error.unwrap().noise_sd)
        });
        let ratio = (errors.square / errors.stated).sqrt();
        // 4000 trials know the root to 1.6 %, and the formula is good to a few per cent: a tenth
        // more or less noise is found with a probability of 0.99.
        assert!((ratio - 1.0).abs() < 0.06, "{shares:?}: {ratio}");
    }
}

#[test]
fn frequencies_of_a_population_have_the_error_of_the_plan() {
    let options = Options { post: suum_core::PostProcessing::None, ..Options::add_remove() };
    let budgets = declared(TIERS);
    let two = "yes,no".parse().unwrap();
    let request = Request::frequency(two, options).add_remove(Bounds::UNIT, budgets).unwrap();
    let plan = request.expected(profile(&CROWD)).unwrap();
    let (mut dice, mut randomness) = (Dice(10), Randomness::insecure(10));
    let errors = errors(2000, || {
        let level_sums = |(epsilon, count): &(f64, u64)| {
            let yes = (0..*count).filter(|_| dice.roll() < 0.5).count() as i128;
            LevelSums {
                label: None,
                epsilon: Epsilon::new(*epsilon).unwrap(),
                count: *count,
                sums: [yes, i128::from(*count) - yes].map(ExactSum::from_raw).to_vec(),
                cells: Default::default(),
            }
        };
        let measure = Measure::Categories("yes,no".parse().unwrap());
        let table =
            LevelTable::possibly_empty(None, measure, CROWD.iter().map(level_sums).collect())
                .unwrap();
        let release = request.release(table, &mut randomness).unwrap();
        (release.estimate() - 0.5, release.error.unwrap().rmse)
    });
    let (found, planned) = (errors.square.sqrt(), plan.chosen().error.rmse);
    assert!(errors.unbiased() && (found / planned - 1.0).abs() < 0.08, "{found} for {planned}");
}

/// Uniform values, whose ranks are themselves: the rank error is that of the estimate.
#[test]
fn quantiles_have_the_rank_error_that_is_planned() {
    for (q, seed) in [("0.5", 11), ("0.9", 12)] {
        let rank: Rank = q.parse().unwrap();
        let fine = suum_core::Cells::new(500).unwrap();
        let options =
            Options { interval_share: Some(0.0), target: Target::Dataset, ..Options::add_remove() };
        let request = Request::quantiles(fine, vec![rank], options)
            .add_remove(Bounds::UNIT, declared("a=0.1,b=0.1"))
            .unwrap();
        let grid = Grid::new(Bounds::UNIT);
        // 5000 people, ten at every candidate.
        let count = 5010;
        let counts = (0..=500).map(|candidate| (candidate, 10)).collect();
        let sum = ExactSum::from_raw(i128::from(grid.points()) * count / 2);
        let level_sums = LevelSums {
            label: None,
            epsilon: Epsilon::new(0.1).unwrap(),
            count: count as u64,
            sums: vec![sum],
            cells: suum_core::CellCounts::from_raw(counts),
        };
        let numbers = suum_core::Numbers { grid, squares: false, cells: Some(fine) };
        let table =
            LevelTable::possibly_empty(None, Measure::Numbers(numbers), vec![level_sums]).unwrap();
        let assumed =
            Profile::new([Level { epsilon: Epsilon::new(0.1).unwrap(), count: count as u64 }])
                .unwrap();
        let planned = request.expected(assumed).unwrap().chosen().error.noise_sd;
        let mut randomness = Randomness::insecure(seed);
        let errors = errors(3000, || {
            let release = request.release(table.clone(), &mut randomness).unwrap();
            (release.estimate() - rank.get(), planned)
        });
        let found = errors.square.sqrt();
        // 3000 trials know the root to 2 %; permute-and-flip is a little better than the formula.
        assert!(found < 1.08 * planned && found > 0.7 * planned, "{q}: {found} for {planned}");
        assert!(
            errors.bias.abs() < 0.1 * found + 5.0 * found / 3000f64.sqrt(),
            "{q}: bias {}",
            errors.bias
        );
    }
}

/// Hiding participation costs a mean next to nothing where people are many: log ε uniform on [ln
/// 0.01, 0].
#[test]
#[ignore = "takes seconds"]
fn means_of_ten_thousand_are_as_good_as_with_public_budgets() {
    let budgets = declared("0.01,1");
    let mut dice = Dice(13);
    let mut people = std::collections::BTreeMap::new();
    for _ in 0..10_000 {
        let epsilon = Epsilon::new(100f64.powf(dice.roll() - 1.0)).unwrap();
        *people.entry(budgets.round_down(epsilon)).or_insert(0u64) += 1;
    }
    let counts: Vec<(f64, u64)> =
        people.iter().map(|(epsilon, count)| (epsilon.get(), *count)).collect();
    let request = Request::mean(Options::add_remove()).add_remove(Bounds::UNIT, budgets).unwrap();
    let affine = Options { estimator: Choice::Named(Estimator::Affine), ..Options::default() };
    let affine = WeightedRequest::new(Statistic::Mean, Bounds::UNIT, affine).unwrap();
    let plan = WeightedPlan::new(&affine, profile(&counts), Grid::new(Bounds::UNIT)).unwrap();
    for p in [0.5, 0.1] {
        let mut randomness = Randomness::insecure(13);
        let (mut open, mut closed) = (0.0, 0.0);
        for _ in 0..200 {
            // The same data for both: the difference is due to weights and noise.
            let table = numbers(&counts, Bounds::UNIT, &mut || f64::from(dice.roll() < p));
            open +=
                (request.release(table.clone(), &mut randomness).unwrap().estimate() - p).powi(2);
            closed +=
                (plan.clone().release(table, &mut randomness).unwrap().estimate() - p).powi(2);
        }
        let ratio = f64::sqrt(open / closed);
        // 200 trials of correlated errors know the ratio to about 4 %.
        assert!(ratio < 1.1, "p {p}: {ratio} times the error");
    }
}

/// The error that is printed and the interval beside it agree: 1.96 errors are no more than half of
/// the interval, up to a tenth, unless a bound cuts it. Near a bound values vary less, and both
/// know.
#[test]
fn an_interval_is_no_narrower_than_its_error_allows() {
    let mut checked = 0;
    for (seed, share) in (0..).zip([0.02, 0.05, 0.2, 0.5, 0.8, 0.98]) {
        let mut dice = Dice(seed);
        let table = numbers(&[(1.0, 4000), (2.0, 300)], Bounds::UNIT, &mut || {
            f64::from(u8::from(dice.roll() < share))
        });
        for target in [Target::Population, Target::Dataset] {
            let options = Options { target, ..Options::add_remove() };
            let request = Request::mean(options).add_remove(Bounds::UNIT, declared("1,2")).unwrap();
            for seed in 0..20 {
                let release = request.release(table.clone(), &mut Randomness::insecure(seed));
                let release = release.unwrap();
                let interval = release.interval().unwrap();
                if interval.lower <= 0.0 || interval.upper >= 1.0 {
                    continue;
                }
                let (half, error) =
                    ((interval.upper - interval.lower) / 2.0, release.error.unwrap().rmse);
                let ratio = half / error;
                assert!((0.9 * 1.96..1.4 * 1.96).contains(&ratio), "{share} {target:?}: {ratio}");
                checked += 1;
            }
        }
    }
    assert!(checked > 200, "{checked}");
}
