//! Intervals cover the mean of the distribution at least as often as they claim.
//!
//! A coverage passes if it is at least confidence − 4·√(c(1−c)/trials). An interval of exactly the
//! stated confidence misses that with probability 3.2e-5.

use suum::simulation::Dice;
use suum::{Bounds, Interval, Profile, Randomness, SampleThreshold};
use suum_experiments::published::{Answer, Person, SampleMean, StretchMean};

use crate::people::people_of;

const TRIALS: u32 = 2000;

/// A distribution: its name, how one value is drawn, and its mean.
type Values = (&'static str, fn(&mut Dice) -> f64, f64);

const HARDEST: [Values; 4] = [
    ("coin", |dice| f64::from(u8::from(dice.uniform() < 0.5)), 0.5),
    ("rare", |dice| f64::from(u8::from(dice.uniform() < 0.03)), 0.03),
    // Beta(1/5, 1), most values near 0.
    ("skewed", |dice| dice.uniform().powi(5), 1.0 / 6.0),
    ("at the upper bound", |_| 1.0, 1.0),
];

/// The share of trials in which the interval, after `change`, covers the mean.
fn coverage(
    profile: &Profile,
    (_, draw, mean): Values,
    seed: u64,
    change: impl Fn(f64, Interval) -> Interval,
    release: impl Fn(&[Person], &mut Randomness) -> Answer,
) -> f64 {
    let covered = (0..TRIALS).filter(|trial| {
        let mut dice = Dice::new(seed, u64::from(*trial));
        let people = people_of(profile, |_| draw(&mut dice));
        let mut randomness = Randomness::insecure((seed << 32) + u64::from(*trial));
        let answer = release(&people, &mut randomness);
        let interval = change(answer.estimate, answer.interval.unwrap());
        interval.lower <= mean && mean <= interval.upper
    });
    covered.count() as f64 / f64::from(TRIALS)
}

fn unchanged(_: f64, interval: Interval) -> Interval {
    interval
}

/// Least share of covered trials that chance allows: four standard errors below the stated 95 %.
fn least() -> f64 {
    0.95 - 4.0 * (0.95 * 0.05 / f64::from(TRIALS)).sqrt()
}

#[test]
#[ignore = "takes seconds"]
fn intervals_of_a_random_sample_cover() {
    for (number, (profile, threshold)) in [
        ("0.5:200,2:60,inf:5", "2"),
        ("0.1:300,1:100", "optimal"),
        ("0.5:100,1:50", "mean"),
        // Nobody is sure to be kept.
        ("2:300", "4"),
    ]
    .into_iter()
    .enumerate()
    {
        let profile: Profile = profile.parse().unwrap();
        let threshold: SampleThreshold = threshold.parse().unwrap();
        let plan = SampleMean::new(profile.clone(), Bounds::UNIT, threshold).unwrap();
        for (at, values) in HARDEST.into_iter().enumerate() {
            let seed = (600 + 10 * number + at) as u64;
            let covered = coverage(&profile, values, seed, unchanged, |people, randomness| {
                plan.release(people, randomness).unwrap()
            });
            assert!(covered >= least(), "{profile} {}: {covered}", values.0);
        }
    }
}

/// Its interval reaches up by the bias bound, since it can only be too low.
#[test]
fn intervals_of_stretch_cover_whatever_its_bias() {
    for (number, profile) in
        ["0.5:100,1:50", "0.1:200,2:20", "0.3:60,0.4:60"].into_iter().enumerate()
    {
        let profile: Profile = profile.parse().unwrap();
        let plan = StretchMean::new(profile.clone(), Bounds::UNIT).unwrap();
        for (at, values) in HARDEST.into_iter().enumerate() {
            let seed = (700 + 10 * number + at) as u64;
            let covered = coverage(&profile, values, seed, unchanged, |people, randomness| {
                plan.release(people, randomness).unwrap()
            });
            assert!(covered >= least(), "{profile} {}: {covered}", values.0);
        }
    }
    // Without that it would miss an upper bound that all values are at.
    let profile: Profile = "0.1:200,2:20".parse().unwrap();
    let plan = StretchMean::new(profile.clone(), Bounds::UNIT).unwrap();
    let symmetric = |estimate: f64, interval: Interval| Interval {
        upper: interval.upper.min(2.0 * estimate - interval.lower),
        ..interval
    };
    let covered = coverage(&profile, HARDEST[3], 790, symmetric, |people, randomness| {
        plan.release(people, randomness).unwrap()
    });
    assert!(covered < 0.1, "{covered}");
}
