//! Sum in floating point, whose rounding depends on the values that were added before.

use super::{STEPS, Specimen, Version, laplace};
use crate::{Output, Side};
use suum_core::Result;

const NAMED: (&str, &str) = (
    "float-sum",
    "values are added as floats: one record decides how all later ones are rounded (Casacuberta et \
    al. 2022)",
);

const EPSILON: f64 = 1.0;

/// Number of ones that bring the sum just below 4096, where the spacing of single-precision floats
/// doubles, and of small values.
const ONES: usize = 4095;
const SMALL: usize = 4096;
/// Value slightly above half the spacing of floats from 4096 on: there it is rounded up to a whole
/// step, and below to half of one.
const SMALL_VALUE: f32 = 0.51 / 2048.0;

/// Specimen that releases a sum of values from 0 to 1 in single precision, in the order of the
/// file. Corrected: in whole steps of a grid.
pub(super) fn specimen(version: Version) -> Result<Specimen> {
    let sum = |first: f32| {
        let values = || [first].into_iter().chain([1.0; ONES]).chain([SMALL_VALUE; SMALL]);
        match version {
            Version::Published => f64::from(values().fold(0.0f32, |sum, value| sum + value)),
            Version::Corrected => {
                values().map(|value| (f64::from(value) * STEPS).round() as u64).sum::<u64>() as f64
                    / STEPS
            }
        }
    };
    let (without, with) = (sum(0.0), sum(1.0));
    let difference = "the first record at 0 or 1, 4095 at 1, 4096 at 0.00025";
    Specimen::new(NAMED, EPSILON, difference, move |side, randomness| {
        let sum = if side == Side::One { without } else { with };
        Output::from(sum + laplace(1.0 / EPSILON, randomness))
    })
}
