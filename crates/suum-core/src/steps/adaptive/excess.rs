//! What a range cuts off, and how far the interval of a mean reaches for it.

use super::CutOff;
use crate::statistics::weighted::{Beyond, CutOffErrors, End, HalfWidths};

/// Values on one side of the range, measured by how much they move the mean.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Excess {
    /// The noisy mean of the distances to the range, in units of the data.
    pub(crate) mean: f64,
    /// The scale of its noise.
    pub(crate) scale: f64,
    /// The most that one record can be beyond the range.
    pub(crate) width: f64,
    /// The largest weight of a record.
    pub(crate) largest: f64,
    /// Σ of the products of a record's weights here and in the mean.
    pub(crate) common: f64,
    /// ½·Σ max(|W − p|, |V − p|) over the levels, of which p is their share of the records, W that
    /// of the mean and V that here: a bound on the bias of both together for a difference of 1.
    pub(crate) bias: f64,
}

/// What an excess is to an end whose tiers may differ.
impl Excess {
    /// Errors of the excess for differences of tiers above 0, in units of a range of this width:
    /// `largest` is the largest weight in the mean, and `bias` that for a difference of 1.
    ///
    /// Tiers may have other distances than the whole, so the covariance with the clamped values is
    /// at most max w·width·g.
    pub(crate) fn if_tiers_differ(&self, width: f64, largest: f64, bias: f64) -> CutOffErrors {
        let mean = self.most();
        let variance = (self.largest * self.width + 2.0 * largest * width) * mean;
        CutOffErrors {
            mean: self.mean / width,
            scale: self.scale / width,
            variance: variance / (width * width),
            bias,
        }
    }
}

/// How many scales of its noise a mean of distances may be below the truth.
const SCALES: f64 = 3.0;

impl Excess {
    /// What may be published of it, where a mean is multiplied by `unit`.
    pub(crate) fn cut_off(&self, unit: f64) -> CutOff {
        let noise_sd = std::f64::consts::SQRT_2 * self.scale * unit;
        CutOff { estimate: self.mean * unit, noise_sd }
    }

    /// The same of so many records together.
    pub(crate) fn times(self, records: f64) -> Self {
        let [mean, scale, width] = [self.mean, self.scale, self.width].map(|one| one * records);
        Self { mean, scale, width, ..self }
    }

    /// The most that the mean of the distances is, but for noise that is seldom so large.
    pub(crate) fn most(&self) -> f64 {
        (self.mean.max(0.0) + SCALES * self.scale).min(self.width)
    }

    /// The variance of the sampling error of mean and excess together, beyond that of the mean,
    /// where the mean of the clamped values is so far from the end of the range on this side.
    ///
    /// With weights w and v and distances z of mean g, Σv²·E z² ≤ max v·width·g, and the covariance
    /// of the clamped values and z is g times the distance of their mean from the end of the range.
    pub(crate) fn variance(&self, distance: f64) -> f64 {
        let mean = self.most();
        self.largest * self.width * mean + 2.0 * self.common * mean * distance
    }

    /// How far the interval of a mean reaches on this side (−1 below, 1 above) of the estimate that
    /// was made of the clamped values alone, whose mean is `mean` as a share of the range.
    pub(crate) fn half_width(
        &self,
        half_widths: &HalfWidths,
        mean: f64,
        variance: &impl Fn(f64) -> f64,
        side: f64,
    ) -> End {
        let width = half_widths.width();
        let distance = if side > 0.0 { 1.0 - mean } else { mean };
        let beyond = Beyond {
            scale: self.scale / width,
            variance: self.variance(distance * width) / (width * width),
        };
        let End { half_width, errors } = half_widths.beyond(mean, side, variance, beyond);
        let errors = errors.map(|errors| errors.beyond(self.mean));
        End { half_width: self.mean + half_width, errors }
    }
}
