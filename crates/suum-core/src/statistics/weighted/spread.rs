//! The spread of the values beside a mean, and the interval that it gives.

use super::End;
use crate::answer::spread::{Moments, NoiseOfSpread, VarianceShares};
use crate::strategy::risk;
use crate::{MeasuredSpread, Mechanism, Target, WeightedPlan};

/// ln 10: Laplace noise of scale 1 exceeds it once in 20 times.
const ONCE_IN_20: f64 = std::f64::consts::LN_10;

impl WeightedPlan {
    /// What the noisy sums say of the variance of the values.
    ///
    /// # Formula
    ///
    /// As [`MeasuredSpread::measured`], with noise of scale η in both means. For the target
    /// `dataset` it is that of these records, (n − 1)/n of the other. In strata it is that of all
    /// records with the shares that the estimate gives them, at most: Σw² has max_d Q_d/D_d in its
    /// place, with Q_d = Σw² over stratum d.
    pub(crate) fn spread(&self, moments: Moments) -> MeasuredSpread {
        let (setting, weights) = (self.setting(), &self.chosen().design.weights);
        let noise = self.chosen().design.noise_scale(setting).unwrap_or(0.0);
        let n = setting.records();
        let of_these = setting.target == Target::Dataset && setting.strata.is_empty();
        let kept = VarianceShares {
            shown: 1.0 - risk::of_mean(setting, weights),
            asked: if of_these { (n - 1.0) / n } else { 1.0 },
        };
        let noise = NoiseOfSpread { of_mean: 2.0 * noise * noise, exceeded: ONCE_IN_20 * noise };
        MeasuredSpread::measured(moments, noise, kept, setting.bounds.width())
    }

    /// The variance of the expected error, in squared units of the data: see
    /// [`MeasuredSpread::likely`].
    pub(crate) fn likely_variance(&self, mean: f64, spread: &MeasuredSpread) -> f64 {
        let factor = risk::spread_of_all(self.setting(), &self.chosen().design.weights);
        spread.likely(mean, factor, self.setting().bounds.width())
    }

    /// How far the interval reaches below and above the estimate of a mean whose spread was
    /// measured, in units of the data.
    ///
    /// Beside the noise, the sampling error is taken for normal with the largest variance that the
    /// values [have](MeasuredSpread::at) if their mean is another one.
    pub(crate) fn half_widths_with(&self, mean: f64, spread: &MeasuredSpread) -> [End; 2] {
        let mean = mean.clamp(0.0, 1.0);
        self.half_widths().around(mean, spread.at(mean, self.setting().bounds.width()))
    }

    /// The noisy sums of a mechanism that measures the spread.
    pub(crate) fn moments(&self, shares: &[f64]) -> Option<Moments> {
        match (self.mechanism(), shares) {
            (Mechanism::SpreadSums(_), &[mean, product]) => Some(Moments { mean, product }),
            _ => None,
        }
    }
}
