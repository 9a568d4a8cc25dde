//! Random profiles, and people of a profile.

use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use suum::{Epsilon, Level, Profile};
use suum_experiments::published::Person;
use suum_testing::Extent;

/// `cases` random cases, the same ones in every run; fewer in a quick run, more in a long one.
pub(crate) fn config(cases: u32) -> ProptestConfig {
    ProptestConfig {
        cases: Extent::get().cases(cases),
        rng_seed: RngSeed::Fixed(20),
        failure_persistence: None,
        ..Default::default()
    }
}

/// One to eight levels of 1 to 10^6 people, at least one of them usable.
///
/// ε is log-uniform, from 1e-12 to 1e12 or over the decades that people choose from, and sometimes
/// 0 or ∞.
pub(crate) fn profiles() -> impl Strategy<Value = Profile> {
    let epsilon = prop_oneof![
        4 => (-12.0..12.0_f64).prop_map(|exponent| 10f64.powf(exponent)),
        4 => (-3.0..1.0_f64).prop_map(|exponent| 10f64.powf(exponent)),
        1 => Just(0.0),
        1 => Just(f64::INFINITY),
    ];
    let many = (0.0..6.0_f64).prop_map(|exponent| 10f64.powf(exponent) as u64);
    let count = prop_oneof![1 => 1..4u64, 3 => many];
    prop::collection::vec((epsilon, count), 1..=8)
        .prop_filter("somebody may be used", |levels| {
            levels.iter().any(|(epsilon, _)| *epsilon > 0.0)
        })
        .prop_map(|levels| {
            let level = |(value, count)| Level { epsilon: epsilon_of(value), count };
            Profile::new(levels.into_iter().map(level)).unwrap()
        })
}

pub(crate) fn epsilon_of(value: f64) -> Epsilon {
    Epsilon::new(value).unwrap()
}

/// The people of a profile, in ascending order of their budgets.
pub(crate) fn people_of(profile: &Profile, mut value: impl FnMut(usize) -> f64) -> Vec<Person> {
    let budgets = profile.levels().iter().flat_map(|level| (0..level.count).map(|_| level.epsilon));
    budgets.enumerate().map(|(at, epsilon)| (epsilon, value(at))).collect()
}
