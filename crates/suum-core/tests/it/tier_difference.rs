//! Intervals that allow for tiers that differ cover as often as they say, and weights are chosen
//! for them.

use proptest::prelude::*;
use suum_core::{
    Assumption, Bounds, Categories, Cells, Choice, ErrorKind, Estimator, Grid, GroupReleases,
    Options, Profile, QuantileEstimator, QuantileRequest, Randomness, Rank, Shares, Statistic,
    Strata, Target, TierDifference, WeightedPlan, WeightedRequest, option,
};
use suum_testing::Extent;

use crate::common::tiers::{SHAPES, mean, released, sample};
use crate::common::{config, least_share, people, profiles};
use crate::dice::Dice;

/// Trials of one cell.
fn trials() -> u32 {
    Extent::get().trials(500)
}

fn difference(text: &str) -> Option<TierDifference> {
    Some(text.parse().unwrap())
}

/// Options for tiers that differ by so much.
fn allowing(target: Target, text: &str) -> Options {
    Options { target, tiers_differ: difference(text), ..Options::default() }
}

fn request(options: Options) -> WeightedRequest {
    WeightedRequest::new(Statistic::Mean, Bounds::UNIT, options).unwrap()
}

/// How often intervals for tiers that differ by `declared` hold the mean where they differ by
/// `truly`.
fn covered(options: &Options, shape: [f64; 3], truly: f64) -> f64 {
    let request = request(options.clone());
    let (mut held, mut dice) = (0, Dice(11));
    for trial in 0..trials() {
        let (profile, values) = sample(shape, truly, &mut dice);
        let all: Vec<f64> = values.concat();
        let truth = match options.target {
            Target::Population => mean(shape, truly),
            _ => all.iter().sum::<f64>() / all.len() as f64,
        };
        let release = released(&request, profile, &values, u64::from(trial) + 99);
        let interval = release.interval().unwrap();
        held += u32::from(interval.lower <= truth && truth <= interval.upper);
    }
    f64::from(held) / f64::from(trials())
}

#[test]
fn intervals_cover_means_of_tiers_that_differ() {
    for target in [Target::Population, Target::Dataset] {
        for (name, shape) in SHAPES {
            for truly in [0.05, 0.15, 0.4] {
                // In a sample the means of small tiers are a little further apart.
                let declared = if target == Target::Dataset { truly + 0.03 } else { truly };
                let share = covered(&allowing(target, &declared.to_string()), shape, truly);
                let least = least_share(trials());
                assert!(share >= least, "{} {name} {truly}: {share}", target.name());
            }
        }
    }
}

#[test]
fn intervals_cover_where_a_range_was_learned() {
    for (name, shape) in SHAPES {
        let options = Options { adapt: true, ..allowing(Target::Population, "0.05") };
        let share = covered(&options, shape, 0.05);
        assert!(share >= least_share(trials()), "{name}: {share}");
    }
}

/// A difference that is larger than the range that is learned: most of one tier lies beyond it.
#[test]
fn intervals_cover_where_tiers_differ_by_more_than_the_learned_range() {
    let profile: Profile = "0.1:3000,2:9000,6:3000".parse().unwrap();
    let bounds = Bounds::new(0.0, 100_000.0).unwrap();
    for target in [Target::Population, Target::Dataset] {
        let options = Options { adapt: true, ..allowing(target, "510") };
        let request = WeightedRequest::new(Statistic::Mean, bounds, options).unwrap();
        let numbers = request.numbers(Grid::new(bounds));
        let (mut held, mut learned, mut dice) = (0, 0, Dice(8));
        let trials = trials() / 10;
        for trial in 0..trials {
            let mut all = Vec::new();
            let table = people::table(&profile, numbers, || {
                let strict = if all.len() < 3000 { 500.0 } else { 0.0 };
                all.push(strict + 100.0 * dice.roll());
                all[all.len() - 1]
            });
            let truth = match target {
                Target::Population => 150.0,
                _ => all.iter().sum::<f64>() / all.len() as f64,
            };
            let plan = WeightedPlan::new(&request, profile.clone(), numbers).unwrap();
            let release = plan.release(table, &mut Randomness::insecure(u64::from(trial))).unwrap();
            let interval = release.interval().unwrap();
            held += u32::from(interval.lower <= truth && truth <= interval.upper);
            learned += u32::from(release.learned_range().is_some_and(|range| range.is_narrower()));
            let sensitivity = release.estimates[0].sensitivity.as_deref().unwrap();
            assert_eq!(sensitivity.declared(), 510.0);
        }
        let share = f64::from(held) / f64::from(trials);
        assert!(share >= least_share(trials), "{}: {share}", target.name());
        assert!(learned > trials / 2, "{learned}");
    }
}

/// Stricter tiers have larger means in the first two shapes, as is declared.
#[test]
fn intervals_cover_means_of_tiers_in_a_known_order() {
    for (name, shape) in &SHAPES[..2] {
        for truly in [0.0f64, 0.05, 0.15, 0.4] {
            let share = covered(
                &allowing(Target::Population, &format!("+{}", truly.max(0.05))),
                *shape,
                truly,
            );
            assert!(share >= least_share(trials()), "{name} {truly}: {share}");
        }
    }
}

/// A fraction of the difference is not enough.
#[test]
fn too_small_a_difference_is_seen() {
    for target in [Target::Population, Target::Dataset] {
        let share = covered(&allowing(target, "0.03"), SHAPES[0].1, 0.4);
        assert!(share < 0.8, "{}: {share}", target.name());
    }
}

#[test]
fn interval_of_a_known_order_is_longer_on_one_side_only() {
    let profile: Profile = "0.003:400,0.1:300,5:100".parse().unwrap();
    let ends = |text: &str| {
        let plan = request(allowing(Target::Population, text)).plan(profile.clone()).unwrap();
        let tv = plan.chosen().design.weights.distance(&profile) / 2.0;
        let (numbers, values) = (plan.request().numbers(Grid::new(Bounds::UNIT)), 0.5);
        let table = people::table(&profile, numbers, || values);
        let plan = WeightedPlan::new(plan.request(), profile.clone(), numbers).unwrap();
        let release = plan.release(table, &mut Randomness::insecure(3)).unwrap();
        let interval = release.interval().unwrap();
        let estimate = release.estimate();
        (estimate - interval.lower, interval.upper - estimate, tv)
    };
    let (below, above, tv) = ends("+0.3");
    assert!(above - below > 0.3 * tv * 0.8 && above > 0.3 * tv, "{below} {above} {tv}");
    let (mirrored, other, _) = ends("-0.3");
    assert!((mirrored - above).abs() < 0.05 && (other - below).abs() < 0.05);
}

#[test]
fn no_difference_is_none_and_all_is_correlated() {
    let profile: Profile = "0:20,0.1:400,1:300,inf:10".parse().unwrap();
    let plan = |options| request(options).plan(profile.clone()).unwrap();
    for target in [Target::Population, Target::Dataset] {
        let plain = plan(Options { target, ..Options::default() });
        for none in ["0", "+0", "0%"] {
            assert_eq!(plan(allowing(target, none)), plain);
        }
    }
    let correlated = plan(Options { target: Target::DatasetCorrelated, ..Options::default() });
    for all in ["1", "100%", "-2"] {
        assert_eq!(plan(allowing(Target::Dataset, all)), correlated);
    }
}

#[test]
fn risk_has_the_squared_bias() {
    let profile: Profile = "0.1:400,1:300,5:100".parse().unwrap();
    let plan = request(allowing(Target::Population, "0.3")).plan(profile.clone()).unwrap();
    let (weights, risk) = (&plan.chosen().design.weights, plan.chosen().risk);
    let bias = 0.3 * weights.distance(&profile) / 2.0;
    let noise = 2.0 * weights.noise(&profile).powi(2);
    let expected = 0.25 * weights.squared_norm(&profile) + bias * bias;
    assert!((risk.sampling - expected).abs() < 1e-15 && (risk.noise - noise).abs() < 1e-15);
    assert_eq!(plan.chosen().design.bias_bound(plan.setting()), bias);
}

#[test]
fn differences_of_groups_allow_for_both() {
    let request = request(allowing(Target::Population, "0.3"));
    let numbers = request.numbers(Grid::new(Bounds::UNIT));
    let groups = [("a", "0.1:300,1:200", 5), ("b", "0.2:100,2:300", 6)].map(|(name, who, seed)| {
        let (profile, mut dice): (Profile, _) = (who.parse().unwrap(), Dice(seed));
        let table = people::table(&profile, numbers, || dice.roll());
        let plan = WeightedPlan::new(&request, profile, numbers).unwrap();
        (name.to_owned(), Some(plan.release(table, &mut Randomness::insecure(seed)).unwrap()))
    });
    let biases: f64 = groups
        .iter()
        .flat_map(|(_, release)| release)
        .map(|one| 0.3 * one.estimates[0].sensitivity.as_deref().unwrap().tv())
        .sum();
    let groups = GroupReleases::new("g", groups.to_vec()).unwrap();
    let groups = groups.with_difference(["a".to_owned().into(), "b".to_owned().into()], 0.95);
    let one = &groups.unwrap().difference().unwrap().estimates[0].clone();
    let (interval, sensitivity) = (one.interval.unwrap(), one.sensitivity.as_deref().unwrap());
    assert_eq!(sensitivity.declared(), 0.3);
    assert_eq!(sensitivity.at(0.3), [interval.lower, interval.upper]);
    assert!(interval.upper - one.estimate > biases && one.estimate - interval.lower > biases);
}

#[test]
fn strata_leave_differences_within_them() {
    let strata = Strata::new("s", ["x", "y"].map(str::to_owned).to_vec(), Shares::Records);
    let options = Options { strata: Some(strata.unwrap()), ..allowing(Target::Population, "0.3") };
    let of_strata: Vec<Profile> = ["0.003:400,1:100", "0.003:100,5:200"]
        .into_iter()
        .map(|one| one.parse().unwrap())
        .collect();
    let profile = Profile::in_strata(&of_strata).unwrap();
    let plan = request(options).plan(profile.clone()).unwrap();
    let weights = &plan.chosen().design.weights;
    let each = weights.per_level().iter().zip(profile.levels());
    let total: f64 = each.map(|(weight, level)| weight * level.count as f64).sum();
    assert!((total - 1.0).abs() < 1e-9);
    let tv = weights.distance(&profile) / 2.0;
    assert!(tv > 0.01 && plan.half_width() > 0.3 * tv, "{tv}");
    let assumed = plan.assumptions(suum_core::ProtectedUnit::Record);
    assert!(matches!(assumed[0], Assumption::TiersDiffer { in_strata: true, .. }), "{assumed:?}");
}

/// Shares of records below a quantile: the tiers that allow more are below it less often.
#[test]
fn quantiles_cover_where_shares_below_them_differ() {
    let profile: Profile = "0.3:300,1:210,10:90".parse().unwrap();
    let cells = Cells::new(200).unwrap();
    let covered = |declared: &str| {
        let options = allowing(Target::Population, declared);
        let request =
            QuantileRequest::new(Bounds::UNIT, cells, vec![Rank::MEDIAN], options).unwrap();
        let (mut held, mut dice) = (0, Dice(5));
        for trial in 0..trials() {
            let numbers = suum_core::Numbers {
                grid: Grid::new(Bounds::UNIT),
                squares: false,
                cells: Some(cells),
            };
            let mut at = 0;
            let table = people::table(&profile, numbers, || {
                // 60 % of those who allow least are below one half, 40 % of the others.
                let below = if at < 300 { 0.6 } else { 0.4 };
                at += 1;
                let half = if dice.roll() < below { 0.0 } else { 0.5 };
                half + 0.5 * dice.roll()
            });
            let plan = request.plan(profile.clone()).unwrap();
            let release =
                plan.release(table, &mut Randomness::insecure(u64::from(trial) + 1)).unwrap();
            let interval = release.interval().unwrap();
            held += u32::from(interval.lower <= 0.5 && 0.5 <= interval.upper);
        }
        f64::from(held) / f64::from(trials())
    };
    let share = covered("20pp");
    assert!(share >= least_share(trials()), "{share}");
    let too_small = covered("1pp");
    assert!(too_small < share, "{too_small} {share}");
}

#[test]
fn refuses_what_has_no_meaning() {
    let refused = |options: Options| {
        WeightedRequest::new(Statistic::Mean, Bounds::UNIT, options).unwrap_err()
    };
    let correlated = refused(allowing(Target::DatasetCorrelated, "0.1"));
    assert_eq!(correlated.kind(), ErrorKind::Request);
    assert!(correlated.to_string().starts_with(option::TIERS_DIFFER.as_str()));
    let shrunk = refused(Options { shrink: true, ..allowing(Target::Population, "0.1") });
    assert!(shrunk.to_string().starts_with(option::SHRINK.as_str()));
    let points = refused(allowing(Target::Population, "5pp"));
    assert!(points.to_string().starts_with(option::TIERS_DIFFER.as_str()));
    let mixed = Choice::from(QuantileEstimator::Mixed);
    let options = Options { estimator: mixed, ..allowing(Target::Population, "5pp") };
    let cells = Cells::new(10).unwrap();
    assert!(QuantileRequest::new(Bounds::UNIT, cells, vec![Rank::MEDIAN], options).is_err());
    let shares: Categories = "a,b".parse().unwrap();
    assert!(WeightedRequest::frequency(shares, allowing(Target::Population, "1.5")).is_err());
}

proptest! {
    #![proptest_config(config(100))]

    /// Whatever the estimator, a longer interval for a larger difference, which ends where
    /// everything is possible, and no budget exceeded.
    #[test]
    fn intervals_grow_with_the_difference(profile in profiles()) {
        for estimator in [Estimator::Affine, Estimator::Typical, Estimator::Threshold] {
            let mut last = 0.0;
            for text in ["0.01", "0.1", "0.5", "1"] {
                let options = Options {
                    estimator: Choice::Named(estimator),
                    ..allowing(Target::Population, text)
                };
                let plan = request(options).plan(profile.clone()).unwrap();
                let half_width = plan.half_width();
                prop_assert!(half_width >= last * (1.0 - 1e-6), "{} {}", estimator, text);
                last = half_width;
                for (level, spent) in plan.setting().profile.levels().iter().zip(plan.losses()) {
                    prop_assert!(spent.within(level.epsilon));
                }
            }
        }
    }
}
