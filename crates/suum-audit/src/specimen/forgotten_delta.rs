//! Categories that are found with a δ that nobody is charged.

use dashu_int::{IBig, UBig};
use suum_core::{Result, TwoSlopes};

use super::{STEPS, Specimen, Version, steps_of};
use crate::{Output, Side};

/// Probability with which a category of a single record shows: a search on 625 outputs then sees
/// about 60 of them, and needs about 20 to tell them from nothing.
const FORGOTTEN: f64 = 0.1;
const NEGLIGIBLE: f64 = 1e-9;

/// Share of ε = 1 for the upper side of the noise.
const ABOVE: f64 = 0.6;

/// Specimen that publishes a noisy count above a threshold, and charges ε = 1 for it: one record is
/// in the category, or nobody.
pub(super) fn specimen(version: Version) -> Result<Specimen> {
    let delta = match version {
        Version::Published => FORGOTTEN,
        Version::Corrected => NEGLIGIBLE,
    };
    let steps = |scale: f64| UBig::from((scale * STEPS).ceil() as u64);
    let threshold = (((1.0 - ABOVE) * (ABOVE.exp_m1() / delta + 1.0)).ln() / ABOVE).max(1.0);
    let threshold = steps(threshold);
    let noise = TwoSlopes::new(steps(1.0 / ABOVE), steps(1.0 / (1.0 - ABOVE)));
    let noise = noise.cut_at(threshold.clone());
    Specimen::new(
        ("forgotten-delta", "a threshold lets new categories show, and only ε is charged"),
        1.0,
        "a category of one record, or of nobody",
        move |side, randomness| {
            let count = if side == Side::One { steps(1.0) } else { UBig::ZERO };
            let noisy = IBig::from(count) + noise.sample(randomness);
            Output::from(match noisy > IBig::from(threshold.clone()) {
                true => steps_of(&noisy) / STEPS,
                false => 0.0,
            })
        },
    )
}
