//! Spread of values, measured along with their mean.

use serde::Serialize;

/// Variance of the values, measured along with their mean: a release of its own, which costs
/// nothing more.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MeasuredSpread {
    /// Estimate of the variance, in squared units of the data.
    pub variance: f64,
    /// Upper bound on the variance, which the noise makes too small with a probability of at most
    /// about 1/8, in squared units of the data. Interval and expected error are computed for it,
    /// and for rare values of which none was seen.
    pub bound: f64,
}

/// Noisy weighted means of values y between 0 and 1.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Moments {
    /// Mean of y.
    pub(crate) mean: f64,
    /// Mean of y(1 − y).
    pub(crate) product: f64,
}

/// Noise of a variance that is computed from both moments.
#[derive(Debug, Clone, Copy)]
pub(crate) struct NoiseOfSpread {
    /// Variance of the noise of the mean, by which the square of the mean is too large.
    pub(crate) of_mean: f64,
    /// Value that the noise of the variance exceeds once in 20 times.
    pub(crate) exceeded: f64,
}

/// Factors between the variance in a sample and the requested one.
#[derive(Debug, Clone, Copy)]
pub(crate) struct VarianceShares {
    /// 1 − Σw²: the ratio of the variance that weighted records show to that of their distribution.
    pub(crate) shown: f64,
    /// Ratio of the requested variance to that of the distribution: less than 1 for the dataset's
    /// own.
    pub(crate) asked: f64,
}

/// Largest variance of values in [0, 1].
pub(crate) const LARGEST: f64 = 0.25;

/// Largest number of steps in the search for an end of an interval: each step at least halves the
/// logarithm of the factor by which it is too far.
pub(crate) const ROUNDS: usize = 20;

/// Relative length by which an interval may be too long.
const CLOSE: f64 = 1e-6;

/// Least bound, as a share of the squared width: values on a grid are no more alike.
const LEAST: f64 = 1e-9;

impl MeasuredSpread {
    /// Returns the spread computed from noisy moments of values between bounds of this width.
    ///
    /// # Formula
    ///
    /// v = (ȳ(1 − ȳ) − φ̄ + s²)/(1 − Σw²) has the variance of the values as its expectation, where
    /// φ̄ is the mean of y(1 − y) and s² the variance of the noise in ȳ. The bound adds the amount
    /// that the noise of v exceeds once in 20 times, but is at most (ȳ(1 − ȳ) + √2·s)/(1 − Σw²),
    /// where ȳ(1 − ȳ) is the largest variance of values with this mean, and at most 1/4.
    pub(crate) fn measured(
        moments: Moments,
        noise: NoiseOfSpread,
        kept: VarianceShares,
        width: f64,
    ) -> Self {
        // The variance of a single record is unknown.
        if kept.shown <= 0.0 {
            return Self::unknown(width);
        }
        let mean = moments.mean.clamp(0.0, 1.0);
        let largest = mean * (1.0 - mean);
        let known = ((largest - moments.product + noise.of_mean) / kept.shown).max(0.0);
        let most = ((largest + (2.0 * noise.of_mean).sqrt()) / kept.shown).max(LEAST);
        let bound = (known + noise.exceeded / kept.shown).min(most);
        let bound = (kept.asked * bound).min(LARGEST);
        let unit = width * width;
        Self { variance: (kept.asked * known).min(bound) * unit, bound: bound * unit }
    }

    /// Returns the spread if only the bounds are known.
    pub(crate) fn unknown(width: f64) -> Self {
        let largest = LARGEST * width * width;
        Self { variance: largest, bound: largest }
    }

    /// Returns a function from the mean of the values to their largest variance, as a share of the
    /// squared width, if the estimated mean is `mean`.
    ///
    /// It is at most the bound, or more if rare values at the far bound, of which none was seen,
    /// make the difference. With a share of them that moves the mean by d from ȳ, the variance
    /// rises by at most (1 − ȳ)·d above ȳ, and by ȳ·d below. (For two values this leads to the
    /// interval of Wilson, 1927, except that the variance is measured.)
    pub(crate) fn at(&self, mean: f64, width: f64) -> impl Fn(f64) -> f64 + Copy + use<> {
        let bound = self.bound / (width * width);
        move |other| {
            let far = if other > mean { 1.0 - mean } else { mean };
            let unseen = bound + far * (other - mean).abs();
            unseen.min(largest_variance(mean, other).max(bound))
        }
    }

    /// Returns the largest variance that is likely if the mean is within about one standard
    /// deviation of the sampling error, which has `factor` of the variance of the values: that of
    /// the expected error, in squared units of the data.
    pub(crate) fn likely(&self, mean: f64, factor: f64, width: f64) -> f64 {
        let mean = mean.clamp(0.0, 1.0);
        let side = if mean < 0.5 { 1.0 } else { -1.0 };
        let variance = self.at(mean, width);
        let mut likely = LARGEST;
        for _ in 0..ROUNDS {
            let distance = (likely * factor).sqrt();
            likely = variance((mean + side * distance).clamp(0.0, 1.0)).min(likely);
        }
        likely * width * width
    }
}

/// Returns the largest distance up to `most` that is no larger than the reach there, approached
/// from above. Reaches must rise with the distance.
pub(crate) fn furthest(most: f64, half_width: impl Fn(f64) -> f64) -> f64 {
    let mut distance = most;
    for _ in 0..ROUNDS {
        let next = half_width(distance).min(distance);
        let close = distance - next <= CLOSE * distance;
        distance = next;
        if close {
            break;
        }
    }
    distance
}

/// Returns the largest variance of values in [0, 1] whose mean lies between these two.
pub(crate) fn largest_variance(one: f64, other: f64) -> f64 {
    let (low, high) = (one.min(other), one.max(other));
    let middle = 0.5f64.clamp(low, high);
    middle * (1.0 - middle)
}
