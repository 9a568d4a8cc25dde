//! Bounds that are declared but not enforced.

use super::{Specimen, Version, laplace};
use crate::{Output, Side};
use suum_core::Result;

const NAMED: (&str, &str) =
    ("forgotten-clamp", "values outside the declared bounds are added as they are");

const EPSILON: f64 = 1.0;

/// Specimen that releases a sum of values that are declared to be from 0 to 1, one of which is 3.
pub(super) fn specimen(version: Version) -> Result<Specimen> {
    Specimen::new(
        NAMED,
        EPSILON,
        "one record at 0 or 3, bounds of 0 and 1",
        move |side, randomness| {
            let value: f64 = if side == Side::One { 0.0 } else { 3.0 };
            let value = match version {
                Version::Published => value,
                Version::Corrected => value.clamp(0.0, 1.0),
            };
            Output::from(value + laplace(1.0 / EPSILON, randomness))
        },
    )
}
