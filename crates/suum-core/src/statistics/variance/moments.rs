//! Noisy moments of values, and the variance computed from them.

use super::answer::{Ends, agreeing};
use crate::answer::interval::excess;

/// Noisy moments for bounds of −1 and 1.
pub(super) struct Moments {
    pub(super) first: f64,
    pub(super) second: f64,
    /// Scale η of the noise in each moment.
    pub(super) noise: f64,
    /// Sampling variance of a weighted mean of records of variance 1.
    pub(super) spread: f64,
}

impl Moments {
    /// Returns the variance: the plain difference of moments over `correction`.
    pub(super) fn variance(&self, correction: f64) -> f64 {
        // If all weight is on one record, there is nothing to divide, and nothing is known.
        let plain = self.second - self.first * self.first + 2.0 * self.noise * self.noise;
        if correction > 1e-12 { plain / correction } else { 0.5 }
    }

    /// Returns the interval of all variances from 0 to 1 that are no further from the estimate than
    /// their own error.
    ///
    /// A record's squared distance from the mean is at most B² = (1 + |μ|)², so its variance is at
    /// most s·(B² − s) if its mean, the unknown variance, is s.
    pub(super) fn interval(&self, estimate: f64, confidence: f64) -> Ends {
        let mean = self.first.clamp(-1.0, 1.0).abs();
        let farthest = (1.0 + mean) * (1.0 + mean);
        let (own, of_mean) = (self.noise, 2.0 * mean * self.noise);
        let (laplace, other) = (own.max(of_mean), own.min(of_mean));
        let rest = 2.0 * other * other + 20.0 * self.noise.powi(4);
        let height = |s: f64| {
            let sampling = self.spread * s * (farthest - s).max(0.0);
            excess(confidence, laplace, (sampling + rest).sqrt(), (estimate - s).abs())
        };
        agreeing(estimate, height)
    }

    /// Returns a standard deviation that the data hardly exceed.
    pub(super) fn upper_deviation(&self, confidence: f64) -> f64 {
        self.interval(self.variance(1.0), confidence).upper.sqrt()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::answer::interval::half_width;

    /// The interval holds every variance that agrees with the estimate, and ends where agreement
    /// ends.
    #[test]
    fn the_interval_is_where_estimate_and_variance_agree() {
        for (first, noise, spread) in [
            (0.0, 0.02, 0.001),
            (-0.7, 0.05, 0.01),
            (0.4, 0.0, 0.004),
            (1.3, 0.2, 0.05),
            (0.2, 1e-4, 1e-6),
        ] {
            let moments = Moments { first, second: 0.5, noise, spread };
            let mean = first.abs().min(1.0);
            // The error of K₂ − 2μK₁ − (K₁² − 2η²), and of the mean of squared distances, which are
            // below (1 + |μ|)².
            let agrees = |estimate: f64, s: f64, slack: f64| {
                let scales = [noise, 2.0 * mean * noise];
                let (largest, other) = (scales[0].max(scales[1]), scales[0].min(scales[1]));
                let sampling = spread * s * ((1.0 + mean) * (1.0 + mean) - s);
                let rest = (sampling + 2.0 * other * other + 20.0 * noise.powi(4)).sqrt();
                (estimate - s).abs() <= half_width(0.95, largest, rest) + slack
            };
            for estimate in [-0.2, 0.0, 0.003, 0.1, 0.5, 0.97, 1.1] {
                let Ends { lower, upper, .. } = moments.interval(estimate, 0.95);
                let place = format!("{estimate} with {first} {noise} {spread}: {lower} to {upper}");
                assert!(0.0 <= lower && upper <= 1.0, "{place}");
                assert!(
                    lower <= estimate.clamp(0.0, 1.0) && estimate.clamp(0.0, 1.0) <= upper,
                    "{place}"
                );
                for s in (0..=100).map(|step| f64::from(step) / 100.0) {
                    assert!(
                        (lower <= s && s <= upper) || !agrees(estimate, s, -1e-6),
                        "{s}: {place}"
                    );
                }
                for end in [lower, upper] {
                    // An end is a bound, the estimate itself, or where agreement ends.
                    let bound =
                        end == 0.0 || end == 1.0 || (end - estimate.clamp(0.0, 1.0)).abs() < 1e-8;
                    assert!(bound || agrees(estimate, end, 1e-6), "{place}");
                }
            }
        }
    }
}
