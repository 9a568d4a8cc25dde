//! Variances: budgets in exact arithmetic, noise as calibrated, estimates without bias, intervals
//! that cover.
//!
//! Seeds are fixed, so that a test that has passed fails only when the code changes; what each
//! statistical check would raise in false alarms if draws changed is said at the check.

use crate::common::exact::{budget, certified, exact, integer};
use crate::common::people::{Values, table};
use crate::common::{config, profiles};
use crate::dice::Dice;
use num_bigint::BigInt;
use num_rational::BigRational;
use proptest::prelude::*;
use suum_core::{
    Bounds, Epsilon, ErrorKind, ExactSum, Grid, Interval, Level, LevelSums, LevelTable, Loss,
    Measure, Neighbors, Numbers, Options, Procedure, Profile, Quantity, Randomness, Release, Share,
    Target, VariancePlan, VarianceRequest,
};
use suum_testing::Extent;

type Checked = Result<(), TestCaseError>;

const TARGETS: [Target; 2] = [Target::Population, Target::Dataset];

fn profile(text: &str) -> Profile {
    text.parse().unwrap()
}

fn bounds(lower: f64, upper: f64) -> Bounds {
    Bounds::new(lower, upper).unwrap()
}

fn with_squares(bounds: Bounds) -> Numbers {
    Numbers { grid: Grid::new(bounds), squares: true, cells: None }
}

fn plan(profile: &Profile, bounds: Bounds, options: Options) -> VariancePlan {
    VarianceRequest::new(bounds, options).unwrap().plan(profile.clone()).unwrap()
}

fn released(plan: &VariancePlan, table: &LevelTable, seed: u64) -> Release {
    plan.clone().release(table.clone(), &mut Randomness::insecure(seed)).unwrap()
}

// Budgets.

/// The noise is enough for every level, for both sums at once, and not an integer step more.
fn keeps_every_budget(plan: &VariancePlan) -> Checked {
    let mechanism = plan.mechanism();
    let (zero, scale) = (BigRational::from(BigInt::from(0)), integer(mechanism.scale()));
    let points = BigInt::from(plan.grid().points());
    let (mut tight, mut total) = (false, BigInt::from(0));
    for (position, level) in plan.profile().levels().iter().enumerate() {
        let (weight, loss) = (integer(&mechanism.weights()[position]), mechanism.loss(position));
        prop_assert!(loss.within(level.epsilon) && loss.rounded_up() <= level.epsilon.get());
        total += &weight * BigInt::from(level.count);
        // From u = 1 to v = −1/2: W·G·3/2 at scale b, W·G²·3/4 at scale G·b.
        let first = BigRational::new(BigInt::from(3) * &weight * &points, BigInt::from(2));
        let second =
            BigRational::new(BigInt::from(3) * &weight * &points * &points, BigInt::from(4))
                / &points;
        let moved = first + second;
        if level.epsilon.is_unused() {
            prop_assert!(weight == BigInt::from(0) && loss == Loss::ZERO);
        }
        if moved == zero {
            prop_assert_eq!(&loss, &Loss::ZERO);
        } else if scale == BigInt::from(0) {
            prop_assert!(level.epsilon.is_public() && loss == Loss::Unlimited);
        } else {
            prop_assert_eq!(certified(&loss), Some(&moved / &scale));
            if let Some(epsilon) = budget(level.epsilon) {
                prop_assert!(moved <= &epsilon * &scale, "level {}: more than b·ε", position);
                tight |= moved > &epsilon * (&scale - 1);
                // Everybody spends min(ε, τ): the weights keep 40 binary digits, and G has more.
                let expected = level.epsilon.get().min(plan.tau());
                prop_assert!(
                    loss.rounded_up()
                        >= expected * (1.0 - 1e-11 - expected * 2f64.powi(-60)).max(0.0)
                );
            }
        }
    }
    prop_assert!(tight || scale == BigInt::from(0), "b is not the least");
    prop_assert_eq!(integer(mechanism.total_weight()), total);
    Ok(())
}

proptest! {
    #![proptest_config(config(200))]

    #[test]
    fn every_plan_keeps_every_budget(profile in profiles(), share in 0.001..1.0_f64) {
        if profile.records() < 2 {
            let request = VarianceRequest::new(Bounds::UNIT, Options::default()).unwrap();
            prop_assert!(request.plan(profile).is_err());
            return Ok(());
        }
        for target in TARGETS {
            for share in [1.0, 0.3, share] {
                let share = Share::new(share).unwrap();
                let options = Options { target, share, ..Options::default() };
                let plan = plan(&profile, Bounds::UNIT, options);
                keeps_every_budget(&plan)?;
                prop_assert_eq!(plan.allowed(), &profile);
                for level in profile.levels() {
                    let position = plan.profile().position(share.apply_to(level.epsilon)).unwrap();
                    let loss = certified(&plan.mechanism().loss(position));
                    if let (Some(loss), Some(epsilon)) = (loss, budget(level.epsilon)) {
                        prop_assert!(loss <= epsilon * exact(share.get()).unwrap());
                    }
                }
                let error = plan.error();
                prop_assert!(
                    error.rmse.is_finite() && error.rmse >= error.noise_sd.max(error.sampling_sd)
                );
            }
        }
    }

    /// The error at another τ, from public weights, is not less.
    #[test]
    fn no_other_tau_is_better(profile in profiles()) {
        prop_assume!(profile.records() > 1);
        let n = profile.records() as f64;
        for target in TARGETS {
            let plan = plan(
                &profile,
                Bounds::UNIT,
                Options { target, ..Options::default() },
            );
            let risk = |weights: &suum_core::Weights| {
                let noise = 2.25 * weights.noise(&profile);
                let sampling = match target {
                    Target::Dataset => n / (n - 1.0) * weights.squared_distance(&profile),
                    _ => weights.squared_norm(&profile),
                };
                // In units where the worst case is 1: the noise of m₂ and that of m₁ times 2|μ|, μ²
                // = 1/2.
                2.0 * noise * noise * 3.0 + sampling
            };
            let ours = risk(plan.weights());
            prop_assert!((plan.error().rmse * 4.0 - ours.sqrt()).abs() <= 1e-9 * ours.sqrt());
            for step in -120..=120 {
                let tau = 10f64.powf(f64::from(step) / 10.0);
                let other = risk(&suum_core::Weights::clipped(&profile, tau));
                // Equal weights leave nothing but rounding of the target dataset.
                prop_assert!(
                    ours <= other * (1.0 + 1e-9) + 1e-24,
                    "{:e} against {:e} at τ = \
                        {:e}",
                    ours,
                    other,
                    tau
                );
            }
        }
    }
}

#[test]
fn extreme_profiles_keep_every_budget() {
    for text in [
        "1e-100:1,1e100:1",
        "1e-100:1000000,1e-99:3,1e100:1,inf:1",
        "0:3,1e-100:1",
        "1e100:1000000",
        "inf:1,1e-100:9000000000000000000",
        "0.1:1,0.10000000000000002:1",
        "1:7",
        "0.0625:3,0.5:4,2:9",
        "0:7,inf:1",
        "inf:3",
    ] {
        for target in TARGETS {
            let options = Options { target, ..Options::default() };
            keeps_every_budget(&plan(&profile(text), Bounds::UNIT, options))
                .unwrap_or_else(|error| unreachable!("{text} {target:?}: {error}"));
        }
    }
}

/// The worst case of the loss: no u and v move the two sums by more than 9/4, on a grid of a
/// thousand steps.
#[test]
fn the_two_sums_together_move_by_nine_quarters() {
    let at = |step: i32| f64::from(step) / 500.0 - 1.0;
    let (mut worst, mut alone) = (0.0f64, 0.0f64);
    for u in (0..=1000).map(at) {
        for v in (0..=1000).map(at) {
            worst = worst.max((u - v).abs() + (u * u - v * v).abs());
            alone = alone.max((u - v).abs());
        }
    }
    assert!((worst - 2.25).abs() < 1e-12 && alone == 2.0, "{worst}");
}

/// The planned sampling error is that of the distribution that is hardest to sample: none on three
/// points is harder.
#[test]
fn no_distribution_is_harder_to_sample() {
    let mut worst = 0.0f64;
    for middle in (-20..=20).map(|step| f64::from(step) / 20.0) {
        for low in 0..=60 {
            for high in 0..=60 - low {
                let (p, q) = (f64::from(low) / 60.0, f64::from(high) / 60.0);
                let r = 1.0 - p - q;
                let mean = q - p + r * middle;
                let moment = |power: i32| {
                    p * (-1.0 - mean).powi(power)
                        + q * (1.0 - mean).powi(power)
                        + r * (middle - mean).powi(power)
                };
                worst = worst.max(moment(4) - moment(2) * moment(2));
            }
        }
    }
    assert!(worst <= 1.0 + 1e-12 && worst > 0.99, "{worst}");
}

// Bias.

/// An estimate of a release, with its interval.
fn estimate_with_interval(release: &Release, quantity: Quantity) -> (f64, Interval) {
    let one = release.estimate_of(&quantity).unwrap();
    (one.estimate, one.interval.unwrap())
}

/// Every published number is in range and in its interval.
fn is_consistent(release: &Release, bounds: Bounds) -> Checked {
    let worst = bounds.width() * bounds.width() / 4.0;
    let (variance, of_variance) = estimate_with_interval(release, Quantity::Variance);
    let (deviation, of_deviation) = estimate_with_interval(release, Quantity::Deviation);
    for (estimate, interval, most) in
        [(variance, of_variance, worst), (deviation, of_deviation, bounds.width() / 2.0)]
    {
        prop_assert!(0.0 <= interval.lower && interval.lower <= estimate);
        prop_assert!(estimate <= interval.upper);
        prop_assert!(interval.upper <= most * (1.0 + 1e-12));
    }
    let (mean, interval) = estimate_with_interval(release, Quantity::Mean);
    prop_assert!(bounds.lower() <= interval.lower && interval.lower <= mean);
    prop_assert!(mean <= interval.upper && interval.upper <= bounds.upper());
    for (root, square) in [
        (deviation, variance),
        (of_deviation.lower, of_variance.lower),
        (of_deviation.upper, of_variance.upper),
    ] {
        prop_assert!((root * root - square).abs() <= 1e-12 * square);
    }
    let Procedure::Variance(plan) = &release.procedure else { panic!("{release:?}") };
    for (line, loss) in release.privacy.iter().zip(plan.losses()) {
        prop_assert!(line.spent == loss && line.spent.within(line.epsilon));
    }
    prop_assert!(!release.private);
    Ok(())
}

proptest! {
    #![proptest_config(config(40))]

    #[test]
    fn what_is_published_is_in_range(
        seed in 0..1_000_000u64,
        people in 2..60u64,
        open in 0..5u64,
        exponent in -3.0..2.0_f64,
        chance in 0.0..1.0_f64,
        confidence in 0.01..0.999_f64,
    ) {
        let mut levels =
            vec![Level { epsilon: Epsilon::new(10f64.powf(exponent)).unwrap(), count: people }];
        levels.extend((open > 0).then_some(Level { epsilon: Epsilon::PUBLIC, count: open }));
        let (profile, bounds) = (Profile::new(levels).unwrap(), bounds(-3.0, 5.0));
        let mut dice = Dice(seed);
        let table = table(&profile, with_squares(bounds), || {
            8.0 * Values::Bernoulli(chance).draw(&mut dice) - 3.0
        });
        let target = TARGETS[seed as usize % 2];
        let options = Options { target, confidence, ..Options::default() };
        is_consistent(&released(&plan(&profile, bounds, options), &table, seed), bounds)?;
    }
}

/// With public records alone the variance is that of statistics: of the sample for the population,
/// of the values for the dataset.
#[test]
fn public_records_alone_have_their_own_variance() {
    let (bounds, profile) = (bounds(0.0, 8.0), profile("0:4,inf:4"));
    let mut values = [9.0, 9.0, 9.0, 9.0, 1.0, 2.0, 4.0, 5.0].into_iter();
    let table = table(&profile, with_squares(bounds), || values.next().unwrap());
    for (target, expected) in
        [(Target::Population, 10.0 / 3.0), (Target::Dataset, 10.0 / 3.0 * 7.0 / 8.0)]
    {
        let options = Options { target, ..Options::default() };
        let release = released(&plan(&profile, bounds, options), &table, 1);
        assert!(
            (release.estimate() - expected).abs() < 1e-9,
            "{target:?}: {:?}",
            release.estimates
        );
        assert!((estimate_with_interval(&release, Quantity::Mean).0 - 3.0).abs() < 1e-9);
        assert!(release.interval().unwrap().lower > 0.0 || target == Target::Population);
        assert_eq!(release.privacy[1].spent, Loss::Unlimited);
    }
}

// Intervals.

/// Trials for every combination: 1000, or 400 outside of `ci` and `long`.
fn trials() -> u32 {
    Extent::get().trials(1000)
}

/// The stated confidence, less five standard errors of as many trials, less what is allowed for
/// data that are not as normal as the formula takes them to be.
fn lowest(trials: u32) -> f64 {
    0.95 - 5.0 * (0.95 * 0.05 / f64::from(trials)).sqrt() - 0.01
}

struct Scene {
    values: Values,
    bounds: (f64, f64),
    mean: f64,
    variance: f64,
}

/// Two-valued, uniform, normal, skewed, and no spread at all.
const SCENES: [Scene; 6] = [
    Scene { values: Values::Bernoulli(0.5), bounds: (0.0, 1.0), mean: 0.5, variance: 0.25 },
    // The variance that is hardest to measure.
    Scene {
        values: Values::Bernoulli(0.146_446_609),
        bounds: (0.0, 1.0),
        mean: 0.146_446_609,
        variance: 0.125,
    },
    Scene { values: Values::Uniform, bounds: (0.0, 1.0), mean: 0.5, variance: 1.0 / 12.0 },
    Scene { values: Values::Normal, bounds: (-8.0, 8.0), mean: 0.0, variance: 1.0 },
    Scene { values: Values::Exponential, bounds: (0.0, 30.0), mean: 1.0, variance: 1.0 },
    Scene { values: Values::Constant(0.3), bounds: (0.0, 1.0), mean: 0.3, variance: 0.0 },
];

/// How often the intervals of variance, deviation and mean cover, and of a variance interval 0.6
/// times as wide.
fn coverage(scene: &Scene, text: &str, target: Target, seed: u64) -> [f64; 4] {
    let (profile, bounds) = (profile(text), bounds(scene.bounds.0, scene.bounds.1));
    let plan = plan(&profile, bounds, Options { target, ..Options::default() });
    let mut dice = Dice(seed);
    // For the dataset: the same values in random order.
    let n = profile.records() as usize;
    let mut list: Vec<f64> = (0..n).map(|_| scene.values.draw(&mut dice)).collect();
    let (mean, variance) = match target {
        Target::Dataset => {
            let mean = list.iter().sum::<f64>() / n as f64;
            (mean, list.iter().map(|value| (value - mean) * (value - mean)).sum::<f64>() / n as f64)
        }
        _ => (scene.mean, scene.variance),
    };
    let mut covered = [0.0; 4];
    for trial in 0..trials() {
        for last in (1..n).rev() {
            list.swap(last, dice.pick(last + 1));
        }
        let mut next = list.iter().copied();
        let table = table(&profile, with_squares(bounds), || match target {
            Target::Dataset => next.next().unwrap(),
            _ => scene.values.draw(&mut dice),
        });
        let release = released(&plan, &table, u64::from(trial));
        let (estimate, ends) = estimate_with_interval(&release, Quantity::Variance);
        let narrow = |end: f64| estimate + 0.6 * (end - estimate);
        // The grid moves a value by at most half of 2^-30 of the width.
        let close = |width: f64| 1e-9 * width;
        let square = close(bounds.width() * bounds.width());
        let covers = |lower: f64, truth: f64, upper: f64, close: f64| {
            f64::from(u8::from(lower - close <= truth && truth <= upper + close))
                / f64::from(trials())
        };
        covered[0] += covers(ends.lower, variance, ends.upper, square);
        let (_, interval) = estimate_with_interval(&release, Quantity::Deviation);
        covered[1] += covers(interval.lower, variance.sqrt(), interval.upper, square.sqrt());
        let (_, interval) = estimate_with_interval(&release, Quantity::Mean);
        covered[2] += covers(interval.lower, mean, interval.upper, close(bounds.width()));
        covered[3] += covers(narrow(ends.lower), variance, narrow(ends.upper), square);
    }
    covered
}

/// Each coverage against [`lowest`], and the average of the distributions, whose data are
/// independent: false alarms in three million each for intervals of exactly the stated confidence.
/// Where `told`, variance intervals that are only 0.6 times as wide would be rejected.
fn intervals_cover(text: &str, target: Target, told: bool) {
    let names = ["variance", "deviation", "mean"];
    let mut averages = [0.0; 4];
    for (number, scene) in (0..).zip(&SCENES) {
        let covered = coverage(scene, text, target, number);
        for (name, covered) in names.iter().zip(covered) {
            assert!(
                covered >= lowest(trials()),
                "{text} {target:?} {:?} {name}: {covered}",
                scene.values
            );
        }
        averages.iter_mut().zip(covered).for_each(|(sum, one)| *sum += one / SCENES.len() as f64);
    }
    let lowest = lowest(trials() * SCENES.len() as u32);
    for (name, average) in names.iter().zip(averages) {
        assert!(average >= lowest, "{text} {target:?} {name}: {average} on average");
    }
    assert!(
        !told || averages[3] < lowest,
        "{text} {target:?}: blind to narrow intervals, {}",
        averages[3]
    );
}

#[test]
#[ignore = "takes seconds"]
fn intervals_cover_with_few_public_people() {
    intervals_cover("0.5:1000,inf:5", Target::Population, true);
    intervals_cover("0.5:1000,inf:5", Target::Dataset, true);
}

#[test]
fn intervals_cover_with_public_people_alone() {
    intervals_cover("inf:400", Target::Population, false);
    intervals_cover("inf:400", Target::Dataset, false);
}

#[test]
#[ignore = "takes seconds"]
fn intervals_cover_with_three_levels() {
    intervals_cover("0.1:800,1:300,inf:30", Target::Population, true);
    intervals_cover("0.1:800,1:300,inf:30", Target::Dataset, true);
}

// Refusals.

#[test]
fn refuses_tables_that_are_not_the_plans() {
    let people = profile("0.5:40,inf:3");
    let numbers = with_squares(Bounds::UNIT);
    let plan = || plan(&people, Bounds::UNIT, Options::default());
    let made = |profile: &Profile, numbers: Numbers| table(profile, numbers, || 0.25);
    let refused = |table: LevelTable| {
        let refused = plan().release(table, &mut Randomness::insecure(1)).unwrap_err();
        assert_eq!(refused.kind(), ErrorKind::Table, "{refused}");
        refused.to_string()
    };
    assert!(plan().release(made(&people, numbers), &mut Randomness::insecure(1)).is_ok());
    assert!(refused(made(&people, Numbers { squares: false, ..numbers })).contains("squares"));
    assert!(refused(made(&people, with_squares(bounds(0.0, 2.0)))).contains("bounds"));
    for other in ["0.5:41,inf:3", "0.6:40,inf:3", "0.5:40,inf:3,0:1", "0.5:40"] {
        assert!(refused(made(&profile(other), numbers)).contains("levels and counts"));
    }
}

#[test]
fn refuses_requests_that_make_no_sense() {
    let request = |change: fn(&mut Options)| {
        let mut options = Options::default();
        change(&mut options);
        VarianceRequest::new(Bounds::UNIT, options)
    };
    assert!(request(|_| {}).is_ok());
    for (refused, name) in [
        (request(|options| options.confidence = 0.0), "confidence:"),
        (request(|options| options.confidence = f64::NAN), "confidence:"),
        (request(|options| options.target = Target::DatasetCorrelated), "target:"),
        (request(|options| options.neighbors = Neighbors::AddRemove), "neighbors:"),
    ] {
        let refused = refused.unwrap_err();
        assert!(refused.to_string().starts_with(name) && refused.fix().is_some(), "{refused}");
    }
    let request = request(|_| {}).unwrap();
    for nobody in ["0:5", "1:1", "inf:1"] {
        assert!(request.plan(profile(nobody)).is_err(), "{nobody}");
    }
}

/// The Cauchy–Schwarz inequality on both sides, to the last unit.
#[test]
fn refuses_impossible_squares() {
    let numbers = with_squares(Bounds::UNIT);
    let points = i128::from(numbers.grid.points());
    let made = |count: u64, sum: i128, squares: i128| {
        let level_sums = LevelSums {
            label: None,
            epsilon: Epsilon::new(0.5).unwrap(),
            count,
            sums: vec![ExactSum::from_raw(sum), ExactSum::from_raw(squares)],
            cells: Default::default(),
        };
        LevelTable::new(None, Measure::Numbers(numbers), vec![level_sums])
    };
    // Four records at a quarter: c = −G/2 each.
    let square = points * points / 4;
    assert!(made(4, points, 4 * square).is_ok());
    assert!(made(4, points, 4 * points * points).is_ok(), "one at the top, three at the bottom");
    for bad in [4 * square - 1, 4 * points * points + 1, -1, 0, i128::MAX, i128::MIN] {
        assert_eq!(made(4, points, bad).unwrap_err().kind(), ErrorKind::Table, "{bad}");
    }
    // In the middle squares may vanish, but not be negative.
    assert!(made(4, 2 * points, 0).is_ok());
    assert!(made(4, 2 * points, -1).is_err());
    // The largest tables there can be.
    let many = 1u64 << 63;
    assert!(made(many, 0, i128::from(many) * points * points).is_ok() || points > 1 << 31);
    // Squares that nobody asked for, and squares that are missing.
    let level_sums = |sums: usize| LevelSums {
        label: None,
        epsilon: Epsilon::new(0.5).unwrap(),
        count: 4,
        sums: vec![ExactSum::from_raw(2 * points); sums],
        cells: Default::default(),
    };
    let table = |squares, sums| {
        LevelTable::new(
            None,
            Measure::Numbers(Numbers { squares, ..numbers }),
            vec![level_sums(sums)],
        )
    };
    assert!(table(true, 2).is_ok() && table(false, 1).is_ok());
    assert!(table(true, 1).is_err() && table(false, 2).is_err() && table(true, 3).is_err());
}

/// Noise often makes no variance agree with what was measured: then none is ruled out.
#[test]
fn no_interval_is_a_point_however_large_the_noise() {
    let (people, bounds) = (profile("0.001:49"), bounds(0.0, 77.0));
    for target in TARGETS {
        let plan = plan(&people, bounds, Options { target, ..Options::default() });
        let records = table(&people, with_squares(bounds), || 3.0);
        let mut negative = 0;
        for seed in 0..200 {
            for one in released(&plan, &records, seed).estimates {
                let interval = one.interval.unwrap();
                let most = match one.of {
                    Quantity::Variance => bounds.width() * bounds.width() / 4.0,
                    Quantity::Deviation => bounds.width() / 2.0,
                    _ => bounds.width(),
                };
                let known = interval.upper - interval.lower;
                assert!(known > 0.9 * most, "{target:?}, {seed}: {interval:?} of {:?}", one.of);
                negative += u32::from(one.estimate == 0.0);
            }
        }
        assert!(negative > 50, "{negative} estimates at the border");
    }
}
