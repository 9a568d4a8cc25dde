//! Random profiles for property tests of weights.

use proptest::prelude::*;

use crate::{Epsilon, Level, Profile};

/// Returns profiles of up to thirty budgets, some of them zero or public, with at least one usable.
pub(super) fn any_profile() -> impl Strategy<Value = Profile> {
    // 0 stands for unused records, and 59 for public ones.
    let epsilon = |e: u8| match e {
        0 => 0.0,
        59 => f64::INFINITY,
        _ => (f64::from(e) / 4.0 - 7.0).exp(),
    };
    prop::collection::vec((0u8..60, 1u64..1_000_000_000), 1..30).prop_map(move |levels| {
        let levels = levels
            .iter()
            .chain(&[(30, 7)])
            .map(|(e, count)| Level { epsilon: Epsilon::new(epsilon(*e)).unwrap(), count: *count });
        Profile::new(levels).unwrap()
    })
}
