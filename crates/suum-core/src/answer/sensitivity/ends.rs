//! Errors at one end of an interval whose estimate may be biased.

use crate::answer::interval::Biases;
use crate::answer::tail::{LaplaceSum, SumZeroShare};

/// Errors at one end of an interval, in units of the statistic, for differences above 0.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct EndErrors {
    /// Noise.
    pub(crate) noise: NoiseLaw,
    /// Standard deviation of a normal sampling error.
    pub(crate) sd: f64,
    /// Fixed distance that is added to the reach of these errors.
    pub(crate) fixed: f64,
    /// Bias for a difference of 1.
    pub(crate) bias: f64,
}

/// Law of the noise of an estimate.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum NoiseLaw {
    /// Independent Laplace noises: scales, each with the number of noises that have it.
    Laplace(Vec<(f64, f64)>),
    /// Sum of some of several noises that add up to zero.
    SumZero {
        /// Number of noises.
        categories: usize,
        /// Number of noises in the sum.
        together: usize,
        /// Scale of the noises.
        scale: f64,
    },
}

impl EndErrors {
    pub(crate) fn is_finite(&self) -> bool {
        let noise = match &self.noise {
            NoiseLaw::Laplace(scales) => {
                scales.iter().all(|(scale, count)| scale.is_finite() && count.is_finite())
            }
            NoiseLaw::SumZero { scale, .. } => scale.is_finite(),
        };
        noise && [self.sd, self.fixed, self.bias].into_iter().all(f64::is_finite)
    }

    /// Returns the errors of an estimate that is multiplied by `unit`; the bias is not multiplied.
    pub(crate) fn times(self, unit: f64) -> Self {
        let noise = match self.noise {
            NoiseLaw::Laplace(scales) => NoiseLaw::Laplace(
                scales.into_iter().map(|(scale, count)| (scale * unit, count)).collect(),
            ),
            NoiseLaw::SumZero { categories, together, scale } => {
                NoiseLaw::SumZero { categories, together, scale: scale * unit }
            }
        };
        Self { noise, sd: self.sd * unit, fixed: self.fixed * unit, bias: self.bias }
    }

    /// Returns the errors of the sum of two estimates with independent noises, where `sd_of_both`
    /// returns the standard deviation of their normal errors together; `None` if one has other
    /// noise.
    pub(super) fn and(&self, other: &Self, sd_of_both: fn(f64, f64) -> f64) -> Option<Self> {
        let (NoiseLaw::Laplace(one), NoiseLaw::Laplace(more)) = (&self.noise, &other.noise) else {
            return None;
        };
        Some(Self {
            noise: NoiseLaw::Laplace(one.iter().chain(more).copied().collect()),
            sd: sd_of_both(self.sd, other.sd),
            fixed: self.fixed + other.fixed,
            bias: self.bias + other.bias,
        })
    }

    /// Returns the half width of the interval with these biases, if a sample of tiers adds an error
    /// of this standard deviation.
    pub(crate) fn half_width(&self, confidence: f64, biases: Biases, sd: f64) -> f64 {
        let sd = self.sd.hypot(sd);
        let drawn = match &self.noise {
            NoiseLaw::Laplace(scales) => {
                LaplaceSum::new(scales.iter().copied(), sd).half_width_with_bias(confidence, biases)
            }
            NoiseLaw::SumZero { categories, together, scale } => {
                match SumZeroShare::sum_of_some(*together, *categories) {
                    Some(share) => share.half_width_with_bias(confidence, *scale, (sd, biases)),
                    // The law of this sum is unknown, so the interval is unlimited.
                    None => f64::INFINITY,
                }
            }
        };
        (drawn + self.fixed).max(0.0)
    }
}
