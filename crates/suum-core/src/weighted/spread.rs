//! The spread of the values that is measured beside a mean, and the interval that it gives.

use serde::Serialize;

use crate::risk::spread;
use crate::{Mechanism, Target, WeightedPlan};

/// The variance of the values, measured beside their mean: a release of its own right, which cost
/// nothing more.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct MeasuredSpread {
    /// An estimate of the variance, in squared units of the data.
    pub variance: f64,
    /// A bound on it that the noise makes too small with a probability of at most about 1/8, in
    /// squared units of the data. Interval and expected error are made for it.
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

/// The largest variance, as a share of the squared width of the bounds.
const LARGEST: f64 = 0.25;

const ROUNDS: usize = 100;

impl WeightedPlan {
    /// What the noisy sums say of the variance of the values.
    ///
    /// # Formula
    ///
    /// With noise of scale η in both means, v = (ȳ(1 − ȳ) − φ̄ + 2η²)/(1 − ‖w‖²) has the variance
    /// of the values as its expectation. The bound is v + η·ln 10, but no more than ȳ(1 − ȳ) + 2η,
    /// the largest variance of values with this mean, nor than 1/4.
    pub(crate) fn spread(&self, moments: Moments) -> MeasuredSpread {
        let (setting, weights) = (self.setting(), &self.chosen().design.weights);
        let noise = self.chosen().design.noise_scale(setting).unwrap_or(0.0);
        let mean = moments.mean.clamp(0.0, 1.0);
        let largest = mean * (1.0 - mean);
        // Of a single record there is no variance to be known.
        let rest = 1.0 - weights.squared_norm(&setting.profile);
        let known = (largest - moments.product + 2.0 * noise * noise) / rest;
        let known = if rest > 0.0 { known.clamp(0.0, LARGEST) } else { LARGEST };
        // For these records it is that of a permutation of them.
        let n = setting.records();
        let known = if setting.target == Target::Dataset { known * (n - 1.0) / n } else { known };
        let bound = (known + BOUND * noise).min((largest + PRODUCT * noise).max(LEAST));
        let unit = setting.bounds.width() * setting.bounds.width();
        MeasuredSpread { variance: known * unit, bound: bound.min(LARGEST) * unit }
    }

    /// How far the interval reaches below and above the estimate of a mean whose spread was
    /// measured, in units of the data.
    ///
    /// It holds every mean μ that agrees with the estimate. Beside the noise, the sampling error is
    /// taken for normal with the variance that the values have if their mean is μ: at most the
    /// bound, and more if it is rare values at the far bound, of which none was seen, that make the
    /// difference. With a share of them that moves the mean by d from ȳ, the variance rises by at
    /// most (1 − ȳ)·d above ȳ, and by ȳ·d below. (For two values this is the interval of Wilson,
    /// 1927, but for a variance that is measured.) To that comes half a step of the coarsest
    /// lattice of the sum, and half a step of the grid.
    pub(crate) fn reaches(&self, mean: f64, spread: &MeasuredSpread) -> (f64, f64) {
        let (setting, design) = (self.setting(), &self.chosen().design);
        let (width, weights) = (setting.bounds.width(), &design.weights);
        let bound = spread.bound / (width * width);
        let noise = design.noise_shape(setting);
        let factor = spread_factor(self);
        let confidence = self.request().options().confidence;
        let reach = |variance: f64| noise.half_width(confidence, (variance * factor).sqrt());
        let worst = reach(LARGEST);
        let mean = mean.clamp(0.0, 1.0);
        // The largest distance d that is no larger than the reach for the variance at d: from
        // above, for reaches rise with the variance.
        let end = |far: f64, at: &dyn Fn(f64) -> f64| {
            let mut distance = worst;
            for _ in 0..ROUNDS {
                let possible = largest_variance(mean, at(distance)).max(bound);
                let next = reach((bound + far * distance).min(possible)).min(distance);
                let close = distance - next <= 1e-9 * distance;
                distance = next;
                if close {
                    break;
                }
            }
            distance
        };
        let below = end(mean, &|distance| (mean - distance).max(0.0));
        let above = end(1.0 - mean, &|distance| (mean + distance).min(1.0));
        let step = match setting.target {
            Target::Population => weights.largest(),
            _ => weights.largest() - weights.least(),
        };
        let rounding = width * (step + 1.0 / self.grid().points() as f64) / 2.0;
        (width * below + rounding, width * above + rounding)
    }

    /// The noisy sums of a mechanism that measures the spread.
    pub(crate) fn moments(&self, shares: &[f64]) -> Option<Moments> {
        match (self.mechanism(), shares) {
            (Mechanism::SpreadSums(_), &[mean, product]) => Some(Moments { mean, product }),
            _ => None,
        }
    }
}

/// The part of the variance of the values that the sampling error has.
fn spread_factor(plan: &WeightedPlan) -> f64 {
    spread(plan.setting(), &plan.chosen().design.weights)
}

/// The largest variance of values in [0, 1] whose mean lies between these two.
fn largest_variance(one: f64, other: f64) -> f64 {
    let (low, high) = (one.min(other), one.max(other));
    let middle = 0.5f64.clamp(low, high);
    middle * (1.0 - middle)
}
