//! Textbook Laplace noise in floating point.

use super::{STEPS, Specimen, Version, decide, laplace};
use crate::{Output, Side};
use suum_core::{Randomness, Result};

const NAMED: (&str, &str) = (
    "float-laplace",
    "noise −b·sgn(u)·ln(1 − 2|u|) of a double u, added to a double: the low-order bits tell the \
    value (Mironov 2012)",
);

const EPSILON: f64 = 1.0;

/// Specimen that releases a value of 0 or 1 with noise. Corrected: on a grid, with noise in whole
/// steps of it.
pub(super) fn specimen(version: Version) -> Result<Specimen> {
    Specimen::new(NAMED, EPSILON, "the value 0 or 1", move |side, randomness| {
        let value = if side == Side::One { 0.0 } else { 1.0 };
        Output::from(match version {
            Version::Published => value + textbook(1.0 / EPSILON, randomness),
            Version::Corrected => {
                (value * STEPS + laplace(1.0 / EPSILON, randomness) * STEPS) / STEPS
            }
        })
    })
}

/// Inverse of the distribution function at a uniform number of 53 binary digits.
fn textbook(scale: f64, randomness: &mut Randomness) -> f64 {
    let bit = |randomness: &mut Randomness| u64::from(decide(0.5, randomness));
    let digits = (0..53).fold(0u64, |digits, _| digits << 1 | bit(randomness));
    let centred = digits as f64 / 9_007_199_254_740_992.0 - 0.5;
    -scale * centred.signum() * libm::log(1.0 - 2.0 * centred.abs())
}
