//! DG26 Algorithm 6: each record is kept with probability ε/τ.

use super::{Specimen, Version, decide, laplace};
use crate::{Output, Side};
use suum_core::Result;

const NAMED: (&str, &str) = (
    "diffusion-rates",
    "records stay with probability ε/τ before a mechanism that spends τ, which costs ln(1 + \
    (ε/τ)(e^τ − 1)) (DG26 Algorithm 6)",
);

const EPSILON: f64 = 1.0;
const TAU: f64 = 4.0;

/// Specimen that releases a noisy count of the kept records at 1; dropped ones become placeholders.
pub(super) fn specimen(version: Version) -> Result<Specimen> {
    let keep = match version {
        Version::Published => EPSILON / TAU,
        Version::Corrected => EPSILON.exp_m1() / TAU.exp_m1(),
    };
    Specimen::new(
        NAMED,
        EPSILON,
        "one record at 0 or 1, the others at 0",
        move |side, randomness| {
            let counted = decide(keep, randomness) && side == Side::Other;
            Output::from(f64::from(u8::from(counted)) + laplace(1.0 / TAU, randomness))
        },
    )
}
