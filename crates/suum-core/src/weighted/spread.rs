//! The spread of the values that is measured beside a mean, and the interval that it gives.

use serde::Serialize;

use super::reach::{LARGEST, ROUNDS, largest_variance};
use crate::{Mechanism, Target, WeightedPlan, risk};

/// The variance of the values, measured beside their mean: a release of its own right, which cost
/// nothing more.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct MeasuredSpread {
    /// An estimate of the variance, in squared units of the data.
    pub variance: f64,
    /// A bound on it that the noise makes too small with a probability of at most about 1/8, in
    /// squared units of the data. Interval and expected error are made for it, and for rare values
    /// of which none was seen.
    pub bound: f64,
}

/// Noisy sums as shares of the bounds.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Moments {
    /// The weighted mean of y = (x − a)/h.
    pub(crate) mean: f64,
    /// The weighted mean of y(1 − y).
    pub(crate) product: f64,
}

/// ln 10: Laplace noise of scale 1 exceeds it once in 20 times.
const BOUND: f64 = std::f64::consts::LN_10;

/// By how much the product of noisy means may be too small, in scales of their noise.
const PRODUCT: f64 = 2.0;

/// The least bound, as a share of the squared width: values on a grid are no more alike.
const LEAST: f64 = 1e-9;

impl WeightedPlan {
    /// What the noisy sums say of the variance of the values.
    ///
    /// # Formula
    ///
    /// With noise of scale η in both means, v = (ȳ(1 − ȳ) − φ̄ + 2η²)/(1 − ‖w‖²) has the variance
    /// of the values as its expectation. The bound is v + η·ln 10/(1 − ‖w‖²), but no more than
    /// (ȳ(1 − ȳ) + 2η)/(1 − ‖w‖²), where ȳ(1 − ȳ) is the largest variance of values with this mean,
    /// nor than 1/4. For the target `dataset` both are those of these records, (n − 1)/n of it.
    pub(crate) fn spread(&self, moments: Moments) -> MeasuredSpread {
        let (setting, weights) = (self.setting(), &self.chosen().design.weights);
        let width = setting.bounds.width();
        let unit = width * width;
        let rest = 1.0 - weights.squared_norm(&setting.profile);
        // Of a single record there is no variance to be known.
        if rest <= 0.0 {
            return MeasuredSpread { variance: LARGEST * unit, bound: LARGEST * unit };
        }
        let noise = self.chosen().design.noise_scale(setting).unwrap_or(0.0);
        let mean = moments.mean.clamp(0.0, 1.0);
        let largest = mean * (1.0 - mean);
        let known = ((largest - moments.product + 2.0 * noise * noise) / rest).max(0.0);
        let most = ((largest + PRODUCT * noise) / rest).max(LEAST);
        let n = setting.records();
        let part = if setting.target == Target::Dataset { (n - 1.0) / n } else { 1.0 };
        let bound = (part * (known + BOUND * noise / rest).min(most)).min(LARGEST);
        MeasuredSpread { variance: (part * known).min(bound) * unit, bound: bound * unit }
    }

    /// The largest variance that is likely if the mean is no further from its estimate than about
    /// one standard deviation of the sampling error, in squared units of the data: that of the
    /// expected error. Rare values, of which none was seen, are allowed for as in the interval.
    pub(crate) fn likely_variance(&self, mean: f64, spread: &MeasuredSpread) -> f64 {
        let width = self.setting().bounds.width();
        let mean = mean.clamp(0.0, 1.0);
        let side = if mean < 0.5 { 1.0 } else { -1.0 };
        let variance = self.variance_at(mean, spread);
        let factor = risk::spread(self.setting(), &self.chosen().design.weights);
        let mut likely = LARGEST;
        for _ in 0..ROUNDS {
            let distance = (likely * factor).sqrt();
            likely = variance((mean + side * distance).clamp(0.0, 1.0)).min(likely);
        }
        likely * width * width
    }

    /// How far the interval reaches below and above the estimate of a mean whose spread was
    /// measured, in units of the data.
    ///
    /// Beside the noise, the sampling error is taken for normal with the variance that the values
    /// have if their mean is μ: at most the bound, and more if it is rare values at the far bound,
    /// of which none was seen, that make the difference. With a share of them that moves the mean
    /// by d from ȳ, the variance rises by at most (1 − ȳ)·d above ȳ, and by ȳ·d below. (For two
    /// values this is the interval of Wilson, 1927, but for a variance that is measured.)
    pub(crate) fn reaches_with(&self, mean: f64, spread: &MeasuredSpread) -> (f64, f64) {
        let mean = mean.clamp(0.0, 1.0);
        self.reaches().around(mean, self.variance_at(mean, spread))
    }

    /// The largest variance, as a share of the squared width, that the values have if their mean is
    /// another one.
    pub(crate) fn variance_at(&self, mean: f64, spread: &MeasuredSpread) -> impl Fn(f64) -> f64 {
        let width = self.setting().bounds.width();
        let bound = spread.bound / (width * width);
        move |other| {
            let far = if other > mean { 1.0 - mean } else { mean };
            let unseen = bound + far * (other - mean).abs();
            unseen.min(largest_variance(mean, other).max(bound))
        }
    }

    /// The noisy sums of a mechanism that measures the spread.
    pub(crate) fn moments(&self, shares: &[f64]) -> Option<Moments> {
        match (self.mechanism(), shares) {
            (Mechanism::SpreadSums(_), &[mean, product]) => Some(Moments { mean, product }),
            _ => None,
        }
    }
}
