//! Profiles for laws of weights.

use proptest::prelude::*;

use crate::{Epsilon, Level, Profile};

/// Profiles of up to thirty budgets, of which some are none or public, and with a usable one.
pub(super) fn any_profile() -> impl Strategy<Value = Profile> {
    // 0 and 59 stand for those who are not used, and for public ones.
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
