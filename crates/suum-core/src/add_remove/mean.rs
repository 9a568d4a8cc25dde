//! The mean of values whose number is private: a ratio of noisy sums.

use super::AddRemoveRequest;
use super::clip::{Weighing, factor_of_mean, relative_variance};
use super::measured::{NoisyMean, measure};
use super::people::People;
use super::ratio::{Made, Ratio, Spread, Variance};
use super::release::error;
use super::rough::Rough;
use crate::session::{Account, Session};
use crate::variance::Ends;
use crate::{Bounds, ExpectedError, Grid, Interval, LevelTable, Neighbors, Release, Result, Step};

impl AddRemoveRequest {
    pub(super) fn release_mean(
        &self,
        bounds: Bounds,
        table: &LevelTable,
        session: &mut Session<'_>,
    ) -> Result<Release> {
        let (people, grid) = People::with_numbers(table, bounds, None)?;
        let rough = self.profile_for_clip(&people, session)?;
        if let Some(learned) = self.learn(&people, &grid, rough.as_ref(), session)? {
            return self.release_learned_mean(&learned, table, session);
        }
        let weighing = self.weighing_of_mean(bounds, session.account(), rough.as_ref());
        let spread = self.tells_spread(&weighing) && people.have_squares();
        let measured = measure(&people, &grid, &weighing, spread, session)?;

        // From here on: post-processing.
        let mean = measured.mean(&weighing, self.options(), bounds.width());
        let Ends { estimate, lower, upper } = self.ends_of_mean(&mean, &weighing, &grid);
        let interval = Interval { confidence: self.options().confidence, lower, upper };
        let error = self.error_of_mean(&mean, &weighing, bounds);
        let found = self.number(estimate, interval, error, &measured.sums, Some(&grid));
        let mut release = self.published(found, table, session);
        release.steps.extend(mean.spread.map(Step::Spread));
        Ok(release)
    }

    /// The weights of a mean, or of the mean in a sum.
    pub(super) fn weighing_of_mean(
        &self,
        bounds: Bounds,
        account: &Account,
        rough: Option<&Rough>,
    ) -> Weighing {
        let c = factor_of_mean(
            self.options(),
            self.estimator(),
            relative_variance(self.options(), bounds),
        );
        self.weighing(self.estimator(), account, rough, c)
    }

    /// What is measured of a mean, with or without the spread of the values.
    pub(super) fn made(&self, spread: bool) -> Made {
        match (self.options().neighbors, spread) {
            (Neighbors::Both, _) => Made::Centred,
            (_, true) => Made::Moments,
            (_, false) => Made::Parts(1, 1),
        }
    }

    /// Whether the spread of the values is worth the noise that it adds to a mean near a bound:
    /// where it is not declared, and sampling is an error.
    pub(super) fn tells_spread(&self, weighing: &Weighing) -> bool {
        self.measures_spread() && !weighing.is_exact(self.options())
    }

    /// A mean with its interval, in units of the data.
    pub(super) fn ends_of_mean(&self, mean: &NoisyMean, weighing: &Weighing, grid: &Grid) -> Ends {
        let bounds = grid.bounds();
        let confidence = self.options().confidence;
        let (low, high) = mean.ratio.interval(confidence, self.spread(mean, weighing, grid));
        let value = |share: f64| bounds.clamp(bounds.lower() + bounds.width() * share);
        // Widening covers no less, and an estimate outside its own interval would puzzle everybody.
        let estimate = value(mean.estimate);
        Ends { estimate, lower: value(low).min(estimate), upper: value(high).max(estimate) }
    }

    /// What moves a mean besides noise.
    pub(super) fn spread(&self, mean: &NoisyMean, weighing: &Weighing, grid: &Grid) -> Spread {
        let options = self.options();
        let whole = mean.whole.unwrap_or(0.0);
        let rounding = whole / (2.0 * grid.points() as f64);
        let step = match (weighing.is_exact(options), options.variance) {
            (true, _) => 0.0,
            // Half a step for two-valued data; a whole one where rare values meet a small declared
            // variance.
            (false, None) => 0.5 * weighing.clip.get(),
            (false, Some(_)) => weighing.clip.get(),
        };
        Spread {
            square: weighing.cautious_square(options, whole),
            variance: self.variance_of_values(mean, grid.bounds()),
            step: step + rounding,
        }
    }

    /// What is known of the variance of the values.
    pub(super) fn variance_of_values(&self, mean: &NoisyMean, bounds: Bounds) -> Variance {
        match mean.spread {
            Some(spread) => Variance::Measured(spread, mean.estimate, bounds.width()),
            None => Variance::AtMost(relative_variance(self.options(), bounds)),
        }
    }

    /// The expected error of a mean, by the linearised ratio; half the width of the bounds where
    /// there is nothing to tell.
    pub(super) fn error_of_mean(
        &self,
        mean: &NoisyMean,
        weighing: &Weighing,
        bounds: Bounds,
    ) -> ExpectedError {
        let h = bounds.width();
        let Some(whole) = mean.whole else { return error(h / 2.0, 0.0) };
        let noise = Ratio::noise_variance(mean.estimate, mean.ratio.made(), whole).sqrt().min(1.0);
        let factor = weighing.square(self.options(), whole) / (whole * whole);
        let variance = match mean.spread {
            Some(spread) => spread.likely(mean.estimate, factor, h) / (h * h),
            // As in the interval: values of this mean have no larger variance.
            None => self.variance_of_values(mean, bounds).at(mean.estimate),
        };
        let sampling = (variance * factor).sqrt();
        let both = error(noise * h, sampling.min(0.5) * h);
        ExpectedError { rmse: both.rmse.min(h), ..both }
    }
}
