//! Means of tiers that are measured apart: every interval covers, for any difference of tiers, and
//! nobody spends more than one sum costs.

use proptest::prelude::*;
use suum_core::{
    Bounds, Choice, ErrorKind, Estimator, Options, Profile, Statistic, Target, WeightedRequest,
};
use suum_testing::Extent;

use crate::common::tiers::{SHAPES, mean, released, sample};
use crate::common::{config, least_share, profiles};
use crate::dice::Dice;

/// Trials of one cell.
fn trials() -> u32 {
    Extent::get().trials(500)
}

fn apart(target: Target, difference: Option<&str>) -> Options {
    let tiers_differ = difference.map(|difference| difference.parse().unwrap());
    Options { target, tiers_apart: true, tiers_differ, ..Options::default() }
}

fn request(options: Options) -> WeightedRequest {
    WeightedRequest::new(Statistic::Mean, Bounds::UNIT, options).unwrap()
}

/// How often intervals hold what they are of.
#[derive(Default)]
struct Held {
    /// The mean, with the difference that is declared.
    declared: u32,
    /// The mean, whatever the difference.
    any: u32,
    /// The mean of the strictest tier.
    tier: u32,
    /// The differences of all pairs.
    contrasts: u32,
}

fn count_held(target: Target, shape: [f64; 3], truly: f64) -> Held {
    let declared = if target == Target::Dataset { truly + 0.03 } else { truly };
    let request = request(apart(target, Some(&declared.to_string())));
    let (mut held, mut dice) = (Held::default(), Dice(23));
    for trial in 0..trials() {
        let (profile, values) = sample(shape, truly, &mut dice);
        let of_tier = |at: usize| match target {
            Target::Population => 0.25 + truly * shape[at],
            _ => values[at].iter().sum::<f64>() / values[at].len() as f64,
        };
        let truth = match target {
            Target::Population => mean(shape, truly),
            _ => values.concat().iter().sum::<f64>() / values.concat().len() as f64,
        };
        let release = released(&request, profile, &values, u64::from(trial) + 3);
        let interval = release.interval().unwrap();
        held.declared += u32::from(interval.lower <= truth && truth <= interval.upper);
        let sensitivity = release.estimates[0].sensitivity.as_deref().unwrap();
        let [lower, upper] = sensitivity.at(1.0);
        held.any += u32::from(lower <= truth && truth <= upper);
        let answers = release.tiers_apart().unwrap();
        let strict = answers.tiers[0].interval;
        held.tier += u32::from((strict.lower..=strict.upper).contains(&of_tier(0)));
        let pairs = [(0, 1), (0, 2), (1, 2)];
        let holds = answers.contrasts.iter().zip(pairs).all(|(contrast, (one, other))| {
            let difference = of_tier(one) - of_tier(other);
            (contrast.interval.lower..=contrast.interval.upper).contains(&difference)
        });
        held.contrasts += u32::from(holds);
    }
    held
}

#[test]
fn intervals_cover_for_any_difference() {
    for target in [Target::Population, Target::Dataset] {
        for (name, shape) in SHAPES {
            for truly in [0.05, 0.4] {
                let Held { declared, any, tier, contrasts } = count_held(target, shape, truly);
                for (what, count) in
                    [("mean", declared), ("any", any), ("tier", tier), ("pairs", contrasts)]
                {
                    let share = f64::from(count) / f64::from(trials());
                    let cell = format!("{} {name} {truly} {what}", target.name());
                    assert!(share >= least_share(trials()), "{cell}: {share}");
                }
            }
        }
    }
}

/// Weights that are made for no difference miss where there is one.
#[test]
fn no_declared_difference_is_seen_to_be_wrong() {
    let request = request(apart(Target::Population, None));
    let (mut held, mut dice) = (0, Dice(5));
    for trial in 0..trials() {
        let (profile, values) = sample(SHAPES[0].1, 0.4, &mut dice);
        let release = released(&request, profile, &values, u64::from(trial));
        let interval = release.interval().unwrap();
        let truth = mean(SHAPES[0].1, 0.4);
        held += u32::from(interval.lower <= truth && truth <= interval.upper);
    }
    assert!(f64::from(held) < 0.8 * f64::from(trials()), "{held}");
}

/// Rare values of which a small tier may have none: the interval allows for those that were not
/// seen, of a public tier, too.
#[test]
fn rare_values_are_allowed_for() {
    for (epsilon, rare) in [("20", 0.005), ("0.1", 0.005), ("20", 0.01)] {
        let profile: Profile = format!("{epsilon}:150,inf:150").parse().unwrap();
        let request = request(apart(Target::Population, None));
        let (mut all, mut public, mut dice) = (0, 0, Dice(77));
        for trial in 0..trials() {
            let values = (0..300).map(|_| f64::from(dice.roll() < rare)).collect();
            let release = released(&request, profile.clone(), &[values], u64::from(trial));
            let interval = release.interval().unwrap();
            all += u32::from(interval.lower <= rare && rare <= interval.upper);
            let own = release.tiers_apart().unwrap().tiers[1].interval;
            public += u32::from(own.lower <= rare && rare <= own.upper);
        }
        for (what, held) in [("all", all), ("public", public)] {
            let share = f64::from(held) / f64::from(trials());
            assert!(share >= least_share(trials()), "{epsilon} {rare} {what}: {share}");
        }
    }
}

#[test]
fn every_tier_spends_its_own_budget_once() {
    let profile: Profile = "0:10,0.1:400,1:300,inf:20".parse().unwrap();
    let request = request(apart(Target::Population, Some("0.1")));
    let values: Vec<Vec<f64>> = vec![vec![0.5; 730]];
    let release = released(&request, profile.clone(), &values, 1);
    assert_eq!(release.measurements.len(), 3);
    let plan = request.plan(profile.clone()).unwrap();
    for (row, planned) in release.privacy.iter().zip(plan.losses()) {
        assert!(row.spent.within(row.epsilon) && row.spent == planned, "{row:?}");
        assert_eq!(row.spent, plan.loss_of(row.epsilon));
    }
    let answers = release.tiers_apart().unwrap();
    assert_eq!((answers.tiers.len(), answers.contrasts.len()), (3, 3));
    let public = &answers.tiers[2];
    assert!((public.mean - 0.5).abs() < 1e-4 && public.records == 20);
}

#[test]
fn ordinary_profiles_pay_little() {
    let bounds = Bounds::new(0.0, 77.0).unwrap();
    let options = apart(Target::Population, None);
    let request = WeightedRequest::new(Statistic::Mean, bounds, options).unwrap();
    let plan = request.plan("0.01:6835,0.1:8767,1:4028,inf:560".parse().unwrap()).unwrap();
    let price = plan.price_of_tiers_apart().unwrap();
    assert!((0.0..0.15).contains(&price), "{price}");
}

#[test]
fn refuses_what_has_no_form() {
    let refused = |change: &dyn Fn(&mut Options)| {
        let mut options = apart(Target::Population, None);
        change(&mut options);
        WeightedRequest::new(Statistic::Mean, Bounds::UNIT, options).unwrap_err()
    };
    let all: [&dyn Fn(&mut Options); 4] = [
        &|options| options.shrink = true,
        &|options| options.variance = Some(0.1),
        &|options| options.estimator = Choice::Named(Estimator::Threshold),
        &|options| options.target = Target::DatasetCorrelated,
    ];
    for change in all {
        assert_eq!(refused(change).kind(), ErrorKind::Request);
    }
    let request = request(apart(Target::Population, None));
    for profile in ["1:500", "0:10,1:500"] {
        assert!(request.plan(profile.parse().unwrap()).is_err(), "{profile}");
    }
    let many: Vec<String> = (1..=21).map(|at| format!("0.{at:02}:5")).collect();
    assert!(request.plan(many.join(",").parse().unwrap()).is_err());
}

proptest! {
    #![proptest_config(config(60))]

    /// No budget is exceeded, in any part of it, and all tiers together weigh 1.
    #[test]
    fn nobody_spends_more_than_they_allow(profile in profiles(), share in 0.05f64..=1.0) {
        let options = Options {
            share: suum_core::Share::new(share).unwrap(),
            ..apart(Target::Population, Some("0.2"))
        };
        let Ok(plan) = request(options).plan(profile.clone()) else { return Ok(()) };
        let levels = plan.setting().profile.levels();
        for (level, spent) in levels.iter().zip(plan.losses()) {
            prop_assert!(spent.within(level.epsilon), "{:?} {}", level, spent);
        }
        let weights = plan.chosen().design.weights.per_level().iter().zip(levels);
        let total: f64 = weights.map(|(weight, level)| weight * level.count as f64).sum();
        prop_assert!((total - 1.0).abs() < 1e-9, "{}", total);
    }
}
