//! DG26 Algorithm 8: noisy numbers of the people in every bucket of budgets, followed by an
//! estimate.

use super::{Specimen, Version, laplace};
use crate::{Output, Side};
use suum_core::Result;

const NAMED: (&str, &str) = (
    "dg26-bucket-counts",
    "counting the people of a bucket spends the whole budget of its left end, and the estimate \
    half of it again (DG26 Algorithm 8)",
);

/// Least budget of the bucket, number of its people besides the one who joins, and failure
/// probability of the offset of the count.
const EPSILON: f64 = 2.0;
const OTHERS: u64 = 20;
const FAILURE_PROBABILITY: f64 = 0.05;

/// Specimen that releases the noisy number, and a noisy sum of as many people drawn from the bucket
/// (or of placeholders, if there are fewer). The others are at 0; the one who joins is at 1.
pub(super) fn specimen(version: Version) -> Result<Specimen> {
    let count_scale = match version {
        Version::Published => 1.0 / EPSILON,
        Version::Corrected => 2.0 / EPSILON,
    };
    let offset = count_scale * (0.5 / FAILURE_PROBABILITY).ln();
    Specimen::new(
        NAMED,
        EPSILON,
        "a record at 1 or none, 20 others at 0",
        move |side, randomness| {
            let people = OTHERS + u64::from(side == Side::Other);
            let count = people as f64 + laplace(count_scale, randomness) - offset;
            let drawn = count.round().max(0.0);
            // The one who joins is among those drawn with this probability.
            let among =
                side == Side::Other && super::decide((drawn / people as f64).min(1.0), randomness);
            let sum = f64::from(u8::from(among)) + laplace(2.0 / EPSILON, randomness);
            Output::Numbers(vec![count, sum])
        },
    )
}
