//! FGK21: a sensitivity of max(|a|, |b|) for values from a to b.

use super::{Specimen, Version, laplace};
use crate::{Output, Side};
use suum_core::Result;

const NAMED: (&str, &str) = (
    "fgk21-sensitivity",
    "noise for max(|a|, |b|), where replacing a record moves a sum by b − a (FGK21, mixed mean)",
);

/// Numbers of private and public people, with values from −1 to 1.
const PRIVATE: f64 = 4.0;
const PUBLIC: f64 = 2.0;
const EPSILON: f64 = 1.0;
const VARIANCE: f64 = 1.0;

/// Specimen that releases the mean of the private people with noise and that of the public ones,
/// combined by inverse variance. The others are at 0.
pub(super) fn specimen(version: Version) -> Result<Specimen> {
    let sensitivity = match version {
        Version::Published => 1.0,
        Version::Corrected => 2.0,
    };
    let scale = sensitivity / (PRIVATE * EPSILON);
    let precision = 1.0 / (VARIANCE / PRIVATE + 2.0 * scale * scale);
    let share = precision / (precision + PUBLIC / VARIANCE);
    Specimen::new(NAMED, EPSILON, "one record at −1 or 1", move |side, randomness| {
        let value = if side == Side::One { -1.0 } else { 1.0 };
        Output::from(share * (value / PRIVATE + laplace(scale, randomness)))
    })
}
