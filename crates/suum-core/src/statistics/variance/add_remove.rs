//! Variance and mean under add-remove: ratios of three noisy sums.

use super::Variance;
use super::answer::{Ends, agreeing, estimates};
use crate::add_remove::AddRemoveStatistic;
use crate::add_remove::clip::{
    SAMPLING_OF_VARIANCE, Weighing, factor_of_variance, noise_of_variance,
};
use crate::add_remove::expected::{Guess, error_of_mean};
use crate::add_remove::noisy_answer::{NoisyMean, measure, scales_of_variance, square_noise};
use crate::add_remove::people::People;
use crate::add_remove::ratio::Ratio;
use crate::add_remove::release::{Outcome, error};
use crate::answer::interval::excess_of_three;
use crate::answer::spread::LARGEST;
use crate::error::{OptionName, option};
use crate::private::session::Session;
use crate::{
    AddRemoveCandidate, AddRemoveRequest, Bounds, ExpectedError, LevelTable, Options, PersonValue,
    Release, Result,
};

/// Estimate for an unknown variance: the middle of its range.
const UNKNOWN: Ends = Ends { estimate: 0.5, lower: 0.0, upper: 1.0 };

impl AddRemoveStatistic for Variance {
    fn uses(&self) -> &'static [OptionName] {
        &[option::PER_PERSON]
    }

    fn check_table(&self, request: &AddRemoveRequest, table: &LevelTable) -> Result<()> {
        table.check_persons(request.options().person_value(PersonValue::Rows))?;
        People::with_numbers(table, request.inside(), None)?.0.check_squares()
    }

    fn expect(&self, mut guess: Guess<'_>) -> Result<AddRemoveCandidate> {
        let (request, width) = (guess.request, guess.request.inside().width());
        let (weighing, whole, square) = guess.weigh(factor_of_variance(request.options()))?;
        let mean = error_of_mean(width, 0.25, request.ratio_noise(true), (whole, square));
        let error = expected_of_variance(request.options(), whole, square, width * width);
        Ok(AddRemoveCandidate { mean: Some(mean), ..guess.candidate(weighing.clip, error) })
    }

    fn release(
        &self,
        request: &AddRemoveRequest,
        table: &LevelTable,
        session: &mut Session<'_>,
    ) -> Result<Release> {
        let (bounds, options) = (request.inside(), request.options());
        let (people, grid) = People::with_numbers(table, bounds, None)?;
        people.check_squares()?;
        let noisy_profile = request.profile_for_clip(&people, session)?;
        let c = factor_of_variance(options);
        let account = session.account();
        let weighing = request.weighing(request.estimator(), account, noisy_profile.as_ref(), c);
        let measured = measure(&people, &grid, &weighing, true, session)?;

        // From here on: post-processing.
        let mean = measured.mean(&weighing, options, bounds.width());
        let product = measured.product().unwrap_or(0.0);
        let variance = request.ends_of_variance(&mean, product, &weighing);
        let of_mean = request.ends_of_mean(&mean, &weighing, &grid);
        let estimates = estimates(bounds, options.confidence, variance, of_mean);
        let error = request.error_of_variance(mean.whole, &weighing, bounds);
        let found = Outcome::new(estimates, error, &measured.sums, Some(&grid));
        Ok(request.published(found, table, session))
    }

    fn has_normal_noise(&self) -> bool {
        true
    }
}

impl AddRemoveRequest {
    /// Returns the variance as a share of the largest possible one.
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
        let kept = weighing.variance_shares(self.options(), whole);
        if kept.shown <= 0.0 || kept.asked <= 0.0 {
            return UNKNOWN;
        }
        let (m, kept) = (mean.estimate, kept.shown / kept.asked);
        let of_mean = Ratio::noise_variance(m, mean.ratio.noise(), whole);
        let estimate = (m * (1.0 - m) - product / whole + of_mean) / kept;
        let farthest = m.max(1.0 - m);
        let square = weighing.cautious_square(self.options(), whole);
        let rest = whole * square_noise(of_mean);
        let height = |share: f64| {
            let v = share * LARGEST;
            let sampling = square * v * (farthest * farthest - v).max(0.0);
            let distance = (estimate - v).abs() * kept * whole;
            let scales = scales_of_variance(mean.ratio.noise(), m, v);
            let sd = sampling.sqrt().hypot(rest);
            excess_of_three(self.options().confidence, scales, sd, distance)
        };
        agreeing(estimate / LARGEST, height)
    }

    /// Returns the error at the distribution that is hardest to sample; half of the range of a
    /// variance if no records are seen above the noise.
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

/// Returns the error at the distribution that is hardest to sample, for people with Σ r = `whole`
/// and Σ r² = `square`.
fn expected_of_variance(options: &Options, whole: f64, square: f64, unit: f64) -> ExpectedError {
    let noise = noise_of_variance(options).sqrt() / whole;
    let sampling = (SAMPLING_OF_VARIANCE * square).sqrt() / whole;
    error(noise * unit, sampling * unit)
}
