//! Intervals for tiers that differ cover as often as they say, and say no more than they must.

use proptest::prelude::*;
use suum_core::{
    Bounds, Categories, Claim, ExactSum, Grid, GroupReleases, LevelSums, LevelTable, Measure,
    Numbers, Options, Profile, Quantity, Randomness, Release, Sensitivity, SensitivityRecord,
    Shares, Statistic, Strata, Target, VarianceRequest, WeightedPlan, WeightedRequest,
};
use suum_testing::Extent;

use crate::common::tiers::{SHAPES, mean, sample};
use crate::common::{TARGETS, config, least_share, people, profiles, request};
use crate::dice::Dice;

/// Trials of one cell.
fn trials() -> u32 {
    Extent::get().trials(500)
}

fn first_sensitivity(release: &Release) -> &Sensitivity {
    release.estimates[0].sensitivity.as_deref().unwrap()
}

/// How often intervals at the difference hold the true mean, and those at half of it: as many as if
/// TV were half of what it is.
fn covered(target: Target, adapt: bool, shape: [f64; 3], difference: f64) -> (f64, f64) {
    let options = Options { target, adapt, ..Options::default() };
    let request = WeightedRequest::new(Statistic::Mean, Bounds::UNIT, options).unwrap();
    let numbers = request.numbers(Grid::new(Bounds::UNIT));
    let (mut whole, mut half, mut dice) = (0, 0, Dice(42));
    for trial in 0..trials() {
        let (profile, values) = sample(shape, difference, &mut dice);
        let all: Vec<f64> = values.concat();
        let truth = match target {
            Target::Population => mean(shape, difference),
            _ => all.iter().sum::<f64>() / all.len() as f64,
        };
        let mut next = all.into_iter();
        let table = people::table(&profile, numbers, || next.next().unwrap());
        let plan = WeightedPlan::new(&request, profile, numbers).unwrap();
        let release = plan.release(table, &mut Randomness::insecure(u64::from(trial) + 7)).unwrap();
        let holds = |[lower, upper]: [f64; 2]| u32::from(lower <= truth && truth <= upper);
        // In these data the means are a little further apart.
        let further = match target {
            Target::Dataset => {
                let means = values.iter().map(|all| all.iter().sum::<f64>() / all.len() as f64);
                let (low, high) = means
                    .fold((1.0f64, 0.0f64), |(low, high), mean| (low.min(mean), high.max(mean)));
                high - low
            }
            _ => difference,
        };
        whole += holds(first_sensitivity(&release).at(further));
        half += holds(first_sensitivity(&release).at(further / 2.0));
    }
    let share = |count: u32| f64::from(count) / f64::from(trials());
    (share(whole), share(half))
}

#[test]
fn intervals_cover_means_of_tiers_that_differ() {
    for target in [Target::Population, Target::Dataset] {
        for (name, shape) in SHAPES {
            for difference in [0.05, 0.15, 0.4] {
                let (whole, _) = covered(target, false, shape, difference);
                assert!(
                    whole >= least_share(trials()),
                    "{} {name} {difference}: {whole}",
                    target.name()
                );
            }
        }
    }
}

#[test]
fn intervals_cover_where_a_range_was_learned() {
    for (name, shape) in SHAPES {
        let (whole, _) = covered(Target::Population, true, shape, 0.3);
        assert!(whole >= least_share(trials()), "{name}: {whole}");
    }
}

/// With half of TV the worst case is seen.
#[test]
fn half_of_the_bias_is_not_enough() {
    for target in [Target::Population, Target::Dataset] {
        let (_, half) = covered(target, false, SHAPES[0].1, 0.4);
        assert!(half < 0.8, "{}: {half}", target.name());
    }
}

fn released(target: Target, statistic: Statistic, profile: &str, seed: u64) -> Release {
    let bounds = Bounds::new(-1.0, 3.0).unwrap();
    let options = Options { target, ..Options::default() };
    let request = WeightedRequest::new(statistic, bounds, options).unwrap();
    let numbers = request.numbers(Grid::new(bounds));
    let profile: Profile = profile.parse().unwrap();
    let mut dice = Dice(seed);
    let table = people::table(&profile, numbers, || dice.roll());
    let plan = WeightedPlan::new(&request, profile, numbers).unwrap();
    plan.release(table, &mut Randomness::insecure(seed)).unwrap()
}

/// The mean that is measured with a variance has a curve of its own.
#[test]
fn mean_beside_a_variance_covers_where_tiers_differ() {
    for target in [Target::Population, Target::Dataset] {
        let options = Options { target, ..Options::default() };
        let request = VarianceRequest::new(Bounds::UNIT, options).unwrap();
        let grid = Grid::new(Bounds::UNIT);
        let numbers = Numbers { grid, squares: true, cells: None };
        let (mut whole, mut half, mut dice) = (0, 0, Dice(31));
        for trial in 0..trials() {
            let (profile, values) = sample(SHAPES[0].1, 0.4, &mut dice);
            let all: Vec<f64> = values.concat();
            let truth = match target {
                Target::Population => mean(SHAPES[0].1, 0.4),
                _ => all.iter().sum::<f64>() / all.len() as f64,
            };
            let mut next = all.into_iter();
            let table = people::table(&profile, numbers, || next.next().unwrap());
            let plan = request.plan(profile).unwrap();
            let release = plan.release(table, &mut Randomness::insecure(u64::from(trial))).unwrap();
            let one = release.estimate_of(&Quantity::Mean).unwrap();
            let sensitivity = one.sensitivity.as_deref().unwrap();
            let interval = one.interval.unwrap();
            assert_eq!(sensitivity.at(0.0), [interval.lower, interval.upper]);
            let holds = |[lower, upper]: [f64; 2]| u32::from(lower <= truth && truth <= upper);
            whole += holds(sensitivity.at(0.43));
            half += holds(sensitivity.at(0.2));
        }
        let share = |count: u32| f64::from(count) / f64::from(trials());
        let (whole, half) = (share(whole), share(half));
        assert!(whole >= least_share(trials()), "{}: {whole}", target.name());
        assert!(half < 0.8, "{}: {half}", target.name());
    }
}

#[test]
fn tiers_that_may_not_be_used_count_with_their_share() {
    let release = released(Target::Population, Statistic::Mean, "0:500,1:500", 1);
    assert!((first_sensitivity(&release).tv() - 0.5).abs() < 1e-12);
    let equal = released(Target::Population, Statistic::Mean, "1:500", 1);
    assert_eq!(
        (
            first_sensitivity(&equal).tv(),
            first_sensitivity(&equal).bias(),
            first_sensitivity(&equal).curve().len()
        ),
        (0.0, 0.0, 2)
    );
}

#[test]
fn sums_are_off_by_as_many_times_as_there_are_records() {
    let [mean, sum] = [Statistic::Mean, Statistic::Sum]
        .map(|statistic| released(Target::Population, statistic, "0.1:300,1:200", 3));
    assert!(
        (first_sensitivity(&sum).bias() / first_sensitivity(&mean).bias() / 500.0 - 1.0).abs()
            < 1e-12
    );
    assert_eq!(first_sensitivity(&sum).tv(), first_sensitivity(&mean).tv());
    for difference in [0.0, 0.1, 1.0, 4.0] {
        let (one, many) =
            (first_sensitivity(&mean).at(difference), first_sensitivity(&sum).at(difference));
        assert!((one[0] * 500.0 - many[0]).abs() < 1e-9 && (one[1] * 500.0 - many[1]).abs() < 1e-9);
    }
}

#[test]
fn correlated_budgets_are_allowed_for_already() {
    let release = released(Target::DatasetCorrelated, Statistic::Mean, "0.1:300,1:200", 3);
    let interval = release.interval().unwrap();
    assert_eq!(first_sensitivity(&release).bias(), 0.0);
    assert_eq!(first_sensitivity(&release).at(4.0), [interval.lower, interval.upper]);
}

#[test]
fn differences_of_groups_have_both_biases() {
    let groups = [("a", "0.1:300,1:200", 5), ("b", "0.2:100,2:300", 6)].map(|(name, who, seed)| {
        (name.to_owned(), Some(released(Target::Population, Statistic::Mean, who, seed)))
    });
    let biases: f64 = groups
        .iter()
        .flat_map(|(_, release)| release)
        .map(|one| first_sensitivity(one).bias())
        .sum();
    let groups = GroupReleases::new("g", groups.to_vec()).unwrap();
    let groups = groups.with_difference(["a".to_owned().into(), "b".to_owned().into()], 0.95);
    let groups = groups.unwrap();
    let one = &groups.difference().unwrap().estimates[0];
    let (sensitivity, interval) = (one.sensitivity.as_deref().unwrap(), one.interval.unwrap());
    assert!((sensitivity.bias() - biases).abs() < 1e-12);
    assert_eq!(sensitivity.at(0.0), [interval.lower, interval.upper]);
    let [lower, upper] = sensitivity.at(1.0);
    assert!(upper - one.estimate > biases && one.estimate - lower > biases);
    let broken = sensitivity.breakdown(Claim::Above(one.estimate - 1.5 * (upper - lower))).unwrap();
    assert!(broken > 1.0, "{broken}");
}

#[test]
fn strata_leave_differences_within_them() {
    let strata = Strata::new("s", ["x", "y"].map(str::to_owned).to_vec(), Shares::Records);
    let options = Options { strata: Some(strata.unwrap()), ..Options::default() };
    let request = WeightedRequest::new(Statistic::Mean, Bounds::UNIT, options).unwrap();
    let of_strata: Vec<Profile> =
        ["0.1:400", "5:200"].into_iter().map(|one| one.parse().unwrap()).collect();
    let kept = request.plan(Profile::in_strata(&of_strata).unwrap()).unwrap();
    // Every stratum is one tier: there is nothing left to differ.
    assert!(kept.chosen().design.weights.distance(&kept.setting().profile) < 1e-9);
}

/// A release of the shares of three categories.
fn shares(target: Target, seed: u64) -> Release {
    let categories: Categories = "a,b,c".parse().unwrap();
    let options = Options { target, ..Options::default() };
    let request = WeightedRequest::frequency(categories.clone(), options).unwrap();
    let profile: Profile = "0.1:900,1:600,inf:50".parse().unwrap();
    let level = |level: &suum_core::Level| {
        let n = i128::from(level.count);
        let sums = [n / 2, n / 3, n - n / 2 - n / 3].map(ExactSum::from_raw).to_vec();
        let (epsilon, count) = (level.epsilon, level.count);
        LevelSums { label: None, epsilon, count, sums, cells: Default::default() }
    };
    let by_level = profile.levels().iter().map(level).collect();
    let table = LevelTable::new(None, Measure::Categories(categories), by_level).unwrap();
    request.plan(profile).unwrap().release(table, &mut Randomness::insecure(seed)).unwrap()
}

#[test]
fn curves_of_shares_start_at_their_intervals_and_stay_between_0_and_1() {
    for target in TARGETS {
        let release = shares(target, 11);
        for one in &release.estimates {
            let (sensitivity, interval) =
                (one.sensitivity.as_deref().unwrap(), one.interval.unwrap());
            let curve = sensitivity.curve();
            assert_eq!((curve[0].lower, curve[0].upper), (interval.lower, interval.upper));
            assert!(curve.iter().all(|one| one.lower >= 0.0 && one.upper <= 1.0));
            let record = SensitivityRecord::from(sensitivity);
            let weights: Vec<(f64, f64)> = release
                .privacy
                .iter()
                .map(|row| (row.count.unwrap() as f64, row.weight.unwrap()))
                .collect();
            let published = Some((interval.lower, interval.upper));
            assert_eq!(record.faults(published, Some(&weights)), Vec::<String>::new());
        }
    }
}

proptest! {
    #![proptest_config(config(100))]

    /// Whatever the profile: the curve starts at the interval, grows, stays in the bounds, and no
    /// interval is nearer than the largest bias.
    #[test]
    fn curves_grow_from_the_interval(profile in profiles(), seed: u64, at in 0..3usize) {
        let target = TARGETS[at];
        let request = request(None, Options { target, ..Options::default() });
        let numbers = request.numbers(Grid::new(Bounds::UNIT));
        // As many people as there are, all with the same value.
        let index = i128::from(numbers.grid.index(0.5).unwrap());
        let points = i128::from(numbers.grid.points());
        let level = |level: &suum_core::Level| {
            let (epsilon, count) = (level.epsilon, level.count);
            let n = i128::from(count);
            let square = (2 * index - points) * (2 * index - points);
            let sums = [Some(n * index), numbers.squares.then_some(n * square)];
            let sums = sums.into_iter().flatten().map(ExactSum::from_raw).collect();
            LevelSums { label: None, epsilon, count, sums, cells: Default::default() }
        };
        let by_level = profile.levels().iter().map(level).collect();
        let table = LevelTable::new(None, Measure::Numbers(numbers), by_level).unwrap();
        let plan = WeightedPlan::new(&request, profile, numbers).unwrap();
        let release = plan.release(table, &mut Randomness::insecure(seed)).unwrap();
        let interval = release.interval().unwrap();
        let Some(sensitivity) = release.estimates[0].sensitivity.as_deref() else {
            return Ok(());
        };
        let curve = sensitivity.curve();
        prop_assert_eq!((curve[0].lower, curve[0].upper), (interval.lower, interval.upper));
        prop_assert_eq!(curve.last().unwrap().difference, 1.0);
        for pair in curve.windows(2) {
            prop_assert!(pair[1].lower <= pair[0].lower && pair[0].upper <= pair[1].upper);
        }
        for one in &curve {
            prop_assert!(one.lower >= interval.lower.min(0.0));
            prop_assert!(one.upper <= interval.upper.max(1.0));
            let bias = one.difference * sensitivity.bias();
            prop_assert!(one.upper >= (release.estimate() + bias).min(1.0) - 1e-9);
            prop_assert!(one.lower <= (release.estimate() - bias).max(0.0) + 1e-9);
        }
        let record = SensitivityRecord::from(sensitivity);
        let again = record.read();
        prop_assert_eq!(again.as_ref(), Some(sensitivity));
    }
}
