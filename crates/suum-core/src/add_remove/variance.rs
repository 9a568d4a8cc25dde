//! The variance of values whose number is private, and their mean: ratios of three noisy sums.

use super::AddRemoveRequest;
use super::clip::{SAMPLING_OF_VARIANCE, Weighing, factor_of_variance, noise_of_variance};
use super::measured::{NoisyMean, measure, scales_of_variance, square_noise};
use super::people::People;
use super::ratio::Ratio;
use super::release::{Found, discrete_laplace, error};
use crate::interval::excess_of_three;
use crate::session::Session;
use crate::spread::LARGEST;
use crate::variance::{Ends, agreeing, estimates};
use crate::{Bounds, ExpectedError, LevelTable, Options, Release, Result};

/// Nothing is known of the variance: the middle of all that it can be.
const UNKNOWN: Ends = Ends { estimate: 0.5, lower: 0.0, upper: 1.0 };

impl AddRemoveRequest {
    pub(super) fn release_variance(
        &self,
        bounds: Bounds,
        table: &LevelTable,
        session: &mut Session<'_>,
    ) -> Result<Release> {
        let (people, grid) = People::with_numbers(table, bounds, None)?;
        people.check_squares()?;
        let rough = self.profile_for_clip(&people, session)?;
        let estimator = self.estimator();
        let c = factor_of_variance(self.options());
        let weighing = self.weighing(estimator, session.account(), rough.as_ref(), c);
        let measured = measure(&people, &grid, &weighing, true, session)?;

        // From here on: post-processing.
        let mean = measured.mean(&weighing, self.options(), bounds.width());
        let variance = self.ends_of_variance(&mean, measured.product().unwrap_or(0.0), &weighing);
        let of_mean = self.ends_of_mean(&mean, &weighing, &grid);
        let found = Found {
            estimates: estimates(bounds, self.options().confidence, variance, of_mean),
            error: self.error_of_variance(mean.whole, &weighing, bounds),
            units: measured.sums.units(),
            noise: discrete_laplace(measured.sums.scale(), Some(grid.points())),
            split: Vec::new(),
            together: None,
            no_interval: None,
        };
        Ok(self.published(found, table, session))
    }

    /// The variance as a share of the largest one.
    ///
    /// # Formula
    ///
    /// v = (m(1 − m) − φ + s²)/kept, where m is the noisy mean, φ that of y(1 − y), and s² the
    /// variance of the noise in m. The interval holds every v from which the noisy sums differ by
    /// no more than their noise and sampling make them: the combination of the sums that is zero at
    /// the true mean and variance, taken at the noisy mean, is further from zero only by the square
    /// of its error, whose noise is added as if it were normal. A record's squared distance from
    /// the mean is at most B², B the larger of m and 1 − m, so its variance is at most v(B² − v).
    fn ends_of_variance(&self, mean: &NoisyMean, product: f64, weighing: &Weighing) -> Ends {
        let Some(whole) = mean.whole else { return UNKNOWN };
        let kept = weighing.kept(self.options(), whole);
        if kept.shown <= 0.0 || kept.asked <= 0.0 {
            return UNKNOWN;
        }
        let (m, kept) = (mean.estimate, kept.shown / kept.asked);
        let of_mean = Ratio::noise_variance(m, mean.ratio.made(), whole);
        let estimate = (m * (1.0 - m) - product / whole + of_mean) / kept;
        let farthest = m.max(1.0 - m);
        let square = weighing.cautious_square(self.options(), whole);
        let rest = whole * square_noise(of_mean);
        let height = |share: f64| {
            let v = share * LARGEST;
            let sampling = square * v * (farthest * farthest - v).max(0.0);
            let distance = (estimate - v).abs() * kept * whole;
            let scales = scales_of_variance(mean.ratio.made(), m, v);
            let sd = sampling.sqrt().hypot(rest);
            excess_of_three(self.options().confidence, scales, sd, distance)
        };
        agreeing(estimate / LARGEST, height)
    }

    /// The error at the distribution that is hardest to sample; half of all that a variance can be
    /// where there is nothing to tell.
    fn error_of_variance(
        &self,
        whole: Option<f64>,
        weighing: &Weighing,
        bounds: Bounds,
    ) -> ExpectedError {
        let unit = bounds.width() * bounds.width();
        let most = LARGEST / 2.0 * unit;
        let Some(whole) = whole else { return error(most, 0.0) };
        let square = weighing.square(self.options(), whole);
        let both = expected_of_variance(self.options(), whole, square, unit);
        ExpectedError { rmse: both.rmse.min(LARGEST * unit), ..both }
    }
}

/// The error at the distribution that is hardest to sample, for people with Σ r = `whole` and
/// Σ r² = `square`.
pub(super) fn expected_of_variance(
    options: &Options,
    whole: f64,
    square: f64,
    unit: f64,
) -> ExpectedError {
    let noise = noise_of_variance(options).sqrt() / whole;
    let sampling = (SAMPLING_OF_VARIANCE * square).sqrt() / whole;
    error(noise * unit, sampling * unit)
}
