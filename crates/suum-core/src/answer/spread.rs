//! The spread of values, measured beside their mean.

use serde::Serialize;

/// The variance of the values, measured beside their mean: a release of its own right, which cost
/// nothing more.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MeasuredSpread {
    /// An estimate of the variance, in squared units of the data.
    pub variance: f64,
    /// A bound on it that the noise makes too small with a probability of at most about 1/8, in
    /// squared units of the data. Interval and expected error are made for it, and for rare values
    /// of which none was seen.
    pub bound: f64,
}

/// Noisy weighted means of values y between 0 and 1.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Moments {
    /// The mean of y.
    pub(crate) mean: f64,
    /// The mean of y(1 − y).
    pub(crate) product: f64,
}

/// What noise does to a variance that is made of both moments.
#[derive(Debug, Clone, Copy)]
pub(crate) struct NoiseOfSpread {
    /// The variance of the noise of the mean, which the square of the mean takes off.
    pub(crate) of_mean: f64,
    /// What the noise of the variance exceeds once in 20 times.
    pub(crate) exceeded: f64,
}

/// What is left of a variance in a sample, and of the one asked for.
#[derive(Debug, Clone, Copy)]
pub(crate) struct VarianceShares {
    /// 1 − Σw²: what weighted records show of the variance of those that they come from.
    pub(crate) shown: f64,
    /// What the variance asked for is of that: less than all for the dataset's own.
    pub(crate) asked: f64,
}

/// The largest variance of values in [0, 1].
pub(crate) const LARGEST: f64 = 0.25;

/// The most steps in which an end of an interval is looked for: each at least halves the logarithm
/// of how much too far it is.
pub(crate) const ROUNDS: usize = 20;

/// By how much, of its length, an interval may be too long.
const CLOSE: f64 = 1e-6;

/// The least bound, as a share of the squared width: values on a grid are no more alike.
const LEAST: f64 = 1e-9;

impl MeasuredSpread {
    /// What noisy moments say of the variance of values between bounds of this width.
    ///
    /// # Formula
    ///
    /// v = (ȳ(1 − ȳ) − φ̄ + s²)/(1 − Σw²) has the variance of the values as its expectation, where
    /// φ̄ is the mean of y(1 − y) and s² the variance of the noise in ȳ. The bound adds what the
    /// noise of v exceeds once in 20 times, but is no more than (ȳ(1 − ȳ) + √2·s)/(1 − Σw²), where
    /// ȳ(1 − ȳ) is the largest variance of values with this mean, nor than 1/4.
    pub(crate) fn measured(
        moments: Moments,
        noise: NoiseOfSpread,
        kept: VarianceShares,
        width: f64,
    ) -> Self {
        // Of a single record there is no variance to be known.
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

    /// Nothing is known but the bounds.
    pub(crate) fn unknown(width: f64) -> Self {
        let largest = LARGEST * width * width;
        Self { variance: largest, bound: largest }
    }

    /// The largest variance, as a share of the squared width, that the values have if their mean
    /// is another one than `mean`.
    ///
    /// At most the bound, and more if it is rare values at the far bound, of which none was seen,
    /// that make the difference. With a share of them that moves the mean by d from ȳ, the variance
    /// rises by at most (1 − ȳ)·d above ȳ, and by ȳ·d below. (For two values this leads to the
    /// interval of Wilson, 1927, but for a variance that is measured.)
    pub(crate) fn at(&self, mean: f64, width: f64) -> impl Fn(f64) -> f64 + Copy + use<> {
        let bound = self.bound / (width * width);
        move |other| {
            let far = if other > mean { 1.0 - mean } else { mean };
            let unseen = bound + far * (other - mean).abs();
            unseen.min(largest_variance(mean, other).max(bound))
        }
    }

    /// The largest variance that is likely if the mean is no further from its estimate than about
    /// one standard deviation of the sampling error, which has `factor` of the variance of the
    /// values: that of the expected error, in squared units of the data.
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

/// The largest distance of at most `most` that is no larger than the reach there, where reaches
/// rise with the distance: from above.
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

/// The largest variance of values in [0, 1] whose mean lies between these two.
pub(crate) fn largest_variance(one: f64, other: f64) -> f64 {
    let (low, high) = (one.min(other), one.max(other));
    let middle = 0.5f64.clamp(low, high);
    middle * (1.0 - middle)
}
