//! A range that was found.

use serde::Serialize;

use crate::{Bounds, RangeEstimator, Result};

/// A range for values without declared bounds, found privately, and what that cost.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct FoundRange {
    /// The way the range was found.
    #[serde(skip)]
    pub estimator: RangeEstimator,
    /// The range, in units of the data.
    #[serde(skip)]
    pub bounds: Bounds,
    /// The part of every budget that was spent on the range, and not on the mean.
    pub share: f64,
    /// What the range tells of the data, if it was made from a centre and a radius.
    #[serde(flatten)]
    pub bell: Option<Bell>,
}

/// Where bell-shaped data lie, in units of the data.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Bell {
    /// A private median.
    pub centre: f64,
    /// The standard deviation that normal data with the radius found would have.
    pub sd: f64,
    /// How many of these the range reaches to each side.
    pub reach: f64,
    /// By how much the mean of exponential data with this centre and radius would come out too low
    /// because values beyond the range are clamped to it (too high, if their tail is on the left).
    /// Nothing for symmetric data.
    pub skewed_bias: f64,
}

/// The narrowest range, as a share of the centre's magnitude: doubles there must tell 2^20 values
/// apart.
const NARROWEST: f64 = 1.0 / (1u64 << 32) as f64;

impl Bell {
    /// The range.
    ///
    /// # Errors
    ///
    /// None for what was found: its magnitudes are those of the candidates.
    pub fn bounds(&self) -> Result<Bounds> {
        let half = (self.reach * self.sd).max(self.centre.abs() * NARROWEST);
        Bounds::new(self.centre - half, self.centre + half)
    }
}

/// By how much the mean of exponential data comes out too low if their values are clamped to a
/// range around the median that reaches `reach` of the standard deviations that normal data would
/// have whose radius with the share `share` is the same; in such standard deviations.
pub(super) fn skewed_bias(share: f64, reach: f64) -> f64 {
    use core::f64::consts::LN_2;
    // Exponential data of mean 1 have the median ln 2, and hold e^-(ln 2 − r)₊ − e^-(ln 2 + r)
    // within r of it.
    let held = |r: f64| libm::exp(-(LN_2 - r).max(0.0)) - libm::exp(-(LN_2 + r));
    let sd = least(|r| held(r) >= share) / normal_radius(share);
    let half = reach * sd;
    // Values above are lowered by ∫ (x − b) e^-x dx over b..∞, those below raised by ∫ (a − x) e^-x
    // dx over 0..a.
    let lowered = libm::exp(-(LN_2 + half));
    let end = (LN_2 - half).max(0.0);
    let raised = end - 1.0 + libm::exp(-end);
    (lowered - raised) / sd
}

/// z with the share p of a standard normal within ±z.
pub(super) fn normal_radius(share: f64) -> f64 {
    least(|z| libm::erf(z / core::f64::consts::SQRT_2) >= share)
}

/// The least number in (0, 40) from which on something holds.
fn least(holds: impl Fn(f64) -> bool) -> f64 {
    let (mut low, mut high) = (0.0, 40.0);
    for _ in 0..80 {
        let middle = (low + high) / 2.0;
        if holds(middle) { high = middle } else { low = middle }
    }
    high
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn radii_of_the_normal() {
        for (share, z) in [(0.5, 0.674_489_750_196_081_7), (0.9, 1.644_853_626_951_472_7)] {
            assert!((normal_radius(share) - z).abs() < 1e-12);
        }
    }

    #[test]
    fn the_bias_of_exponential_data() {
        // p = 1/2: r = asinh(1/2) = 0.4812, sd = 0.7135; three of them reach from 0 to 2.8336:
        // e^-2.8336 = 0.05880.
        let bias = skewed_bias(0.5, 3.0);
        assert!((bias * 0.713_45 - 0.058_80).abs() < 1e-4, "{bias}");
    }
}
