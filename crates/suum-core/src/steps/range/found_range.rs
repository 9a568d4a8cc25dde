//! Range that was found for values without declared bounds.

use serde::Serialize;

use crate::{Bounds, Result};

/// Range for values without declared bounds, found privately, and its cost.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FoundRange {
    /// Range, in units of the data.
    #[serde(skip)]
    pub bounds: Bounds,
    /// Share of every budget that was spent on the range, and not on the mean.
    pub share: f64,
    /// Centre and radius that the range was computed from.
    #[serde(flatten)]
    pub fit: NormalFit,
}

impl FoundRange {
    /// Returns the range with another half width, in standard deviations.
    pub(crate) fn with_half_width_sds(self, half_width_sds: f64) -> Result<Self> {
        let fit = NormalFit { half_width_sds, ..self.fit };
        Ok(Self { bounds: fit.bounds()?, fit, ..self })
    }

    /// Returns the assumption on the values behind the expected error of a mean in this range.
    pub fn error_assumes(&self) -> &'static str {
        "normally distributed values"
    }
}

/// Location and scale of bell-shaped data, in units of the data.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct NormalFit {
    /// Private median.
    pub centre: f64,
    /// Standard deviation of normal data with the radius that was found.
    pub sd: f64,
    /// Number of standard deviations that the range reaches to each side.
    pub half_width_sds: f64,
}

/// Narrowest range, as a share of the centre's magnitude: doubles must distinguish 2^20 values in
/// it.
const NARROWEST: f64 = 1.0 / (1u64 << 32) as f64;

impl NormalFit {
    /// Returns the range.
    ///
    /// # Errors
    ///
    /// None for a fit that was found: its magnitudes are those of the candidates.
    pub fn bounds(&self) -> Result<Bounds> {
        let half = (self.half_width_sds * self.sd).max(self.centre.abs() * NARROWEST);
        Bounds::new(self.centre - half, self.centre + half)
    }
}

/// Returns z such that a standard normal variable lies within ±z with probability `share`.
pub(crate) fn normal_radius(share: f64) -> f64 {
    least(|z| libm::erf(z / core::f64::consts::SQRT_2) >= share)
}

/// Returns the least number in (0, 40) from which on `holds` is true.
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
