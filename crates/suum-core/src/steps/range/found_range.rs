//! A range that was found.

use serde::Serialize;

use crate::{Bounds, Result};

/// A range for values without declared bounds, found privately, and what that cost.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FoundRange {
    /// The range, in units of the data.
    #[serde(skip)]
    pub bounds: Bounds,
    /// The part of every budget that was spent on the range, and not on the mean.
    pub share: f64,
    /// The centre and the radius that the range was made from.
    #[serde(flatten)]
    pub fit: NormalFit,
}

impl FoundRange {
    /// The same, reaching so many standard deviations to each side.
    pub(crate) fn with_half_width_sds(self, half_width_sds: f64) -> Result<Self> {
        let fit = NormalFit { half_width_sds, ..self.fit };
        Ok(Self { bounds: fit.bounds()?, fit, ..self })
    }

    /// What the expected error of a mean inside this range assumes of the values.
    pub fn error_assumes(&self) -> &'static str {
        "normally distributed values"
    }
}

/// Where bell-shaped data lie, in units of the data.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct NormalFit {
    /// A private median.
    pub centre: f64,
    /// The standard deviation that normal data with the radius found would have.
    pub sd: f64,
    /// How many of these the range reaches to each side.
    pub half_width_sds: f64,
}

/// The narrowest range, as a share of the centre's magnitude: doubles there must tell 2^20 values
/// apart.
const NARROWEST: f64 = 1.0 / (1u64 << 32) as f64;

impl NormalFit {
    /// The range.
    ///
    /// # Errors
    ///
    /// None for what was found: its magnitudes are those of the candidates.
    pub fn bounds(&self) -> Result<Bounds> {
        let half = (self.half_width_sds * self.sd).max(self.centre.abs() * NARROWEST);
        Bounds::new(self.centre - half, self.centre + half)
    }
}

/// z with the share p of a standard normal within ±z.
pub(crate) fn normal_radius(share: f64) -> f64 {
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
}
