//! Spread of the values that is measured along with a mean, and the interval that follows from it.

use super::End;
use crate::answer::spread::{Moments, NoiseOfSpread, VarianceShares};
use crate::strategy::risk;
use crate::{MeasuredSpread, Target, WeightedPlan};

/// Quantile of noise, ln 10: Laplace noise of scale 1 exceeds it once in 20 times.
const ONCE_IN_20: f64 = std::f64::consts::LN_10;

impl WeightedPlan {
    /// Returns the spread of the values, computed from the noisy sums.
    ///
    /// # Formula
    ///
    /// It is [`MeasuredSpread::measured`], with noise of scale η in both means. For the target
    /// `dataset` it is that of these records, (n − 1)/n of the other. With strata it is an upper
    /// bound for all records with the shares that the estimate gives them: max_d Q_d/D_d, with
    /// Q_d = Σw² over stratum d, replaces Σw².
    pub(crate) fn spread(&self, moments: Moments) -> MeasuredSpread {
        let (setting, weights) = (self.setting(), &self.chosen().design.weights);
        let noise = self.chosen().design.noise_scale(setting).unwrap_or(0.0);
        let n = setting.records();
        let of_these = setting.target == Target::Dataset && setting.strata.is_empty();
        let kept = VarianceShares {
            shown: 1.0 - risk::bound_mean_variance(setting, weights),
            asked: if of_these { (n - 1.0) / n } else { 1.0 },
        };
        let noise = NoiseOfSpread { of_mean: 2.0 * noise * noise, exceeded: ONCE_IN_20 * noise };
        MeasuredSpread::measured(moments, noise, kept, setting.bounds.width())
    }

    /// Returns the variance of the expected error, in squared units of the data: see
    /// [`MeasuredSpread::likely`].
    pub(crate) fn likely_variance(&self, mean: f64, spread: &MeasuredSpread) -> f64 {
        let factor = risk::spread_of_all(self.setting(), &self.chosen().design.weights);
        spread.likely(mean, factor, self.setting().bounds.width())
    }

    /// Returns the ends of the interval below and above the estimate of a mean whose spread was
    /// measured, with distances in units of the data.
    ///
    /// Besides the noise there is the sampling error, which is treated as normal with the largest
    /// variance that the values [have](MeasuredSpread::at) if their mean is another one.
    pub(crate) fn half_widths_with(&self, mean: f64, spread: &MeasuredSpread) -> [End; 2] {
        let mean = mean.clamp(0.0, 1.0);
        self.half_widths().around(mean, spread.at(mean, self.setting().bounds.width()))
    }

    /// Returns the noisy moments, if the mechanism measures the spread.
    pub(crate) fn moments(&self, shares: &[f64]) -> Option<Moments> {
        match (self.measures_spread(), shares) {
            (true, &[mean, product]) => Some(Moments { mean, product }),
            _ => None,
        }
    }
}
