//! Random profiles and the requests that are planned for them, for the laws that must hold for
//! every profile.

pub(crate) mod exact;
pub(crate) mod people;
pub(crate) mod tiers;

use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use suum_core::{
    Bounds, Categories, Epsilon, Level, Options, Profile, Statistic, Target, WeightedRequest,
};
use suum_testing::Extent;

pub(crate) const TARGETS: [Target; 3] =
    [Target::Population, Target::Dataset, Target::DatasetCorrelated];

/// `cases` random cases, the same ones in every run; fewer in a quick run, more in a long one.
pub(crate) fn config(cases: u32) -> ProptestConfig {
    ProptestConfig {
        cases: Extent::get().cases(cases),
        rng_seed: RngSeed::Fixed(20),
        failure_persistence: None,
        ..Default::default()
    }
}

/// What may be missing of the stated confidence by chance in so many trials: four standard
/// deviations. An interval of exactly the confidence lacks more with a probability of 3e-5.
pub(crate) fn slack(confidence: f64, trials: u32) -> f64 {
    4.0 * (confidence * (1.0 - confidence) / f64::from(trials)).sqrt()
}

/// The least share of `trials` intervals at 95 % that may hold the truth.
pub(crate) fn least_share(trials: u32) -> f64 {
    0.95 - slack(0.95, trials)
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
            let level = |(epsilon, count)| Level { epsilon: Epsilon::new(epsilon).unwrap(), count };
            Profile::new(levels.into_iter().map(level)).unwrap()
        })
}

/// A request for a mean over [0, 1], or for frequencies over `categories` categories.
pub(crate) fn request(categories: Option<usize>, options: Options) -> WeightedRequest {
    match categories {
        None => WeightedRequest::new(Statistic::Mean, Bounds::UNIT, options).unwrap(),
        Some(k) => {
            let names = (0..k).map(|category| format!("category {category}")).collect();
            WeightedRequest::frequency(Categories::new(names).unwrap(), options).unwrap()
        }
    }
}
