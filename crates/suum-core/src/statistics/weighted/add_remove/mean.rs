//! Mean under add-remove: a ratio of noisy sums.

use crate::add_remove::AddRemoveStatistic;
use crate::add_remove::clip::{Weighing, factor_of_mean, relative_variance};
use crate::add_remove::expected::{Guess, error_of_mean};
use crate::add_remove::noisy_answer::{NoisyMean, NoisySums, measure};
use crate::add_remove::noisy_profile::NoisyProfile;
use crate::add_remove::people::People;
use crate::add_remove::ratio::{Ratio, RatioNoise, Spread, Variance};
use crate::add_remove::release::{Outcome, error};
use crate::error::{OptionName, option};
use crate::private::session::{Account, Session};
use crate::statistics::variance::Ends;
use crate::statistics::weighted::Mean;
use crate::{
    AddRemoveCandidate, AddRemoveRequest, Bounds, ExpectedError, Grid, Interval, LevelTable,
    MeasuredSpread, Neighbors, Profile, Quantity, Release, Result, Setting, Step,
};

impl AddRemoveStatistic for Mean {
    fn uses(&self) -> &'static [OptionName] {
        &[option::VARIANCE, option::STEP, option::PER_PERSON]
    }

    fn expect(&self, mut guess: Guess<'_>) -> Result<AddRemoveCandidate> {
        let (request, bounds) = (guess.request, guess.request.inside());
        let variance = relative_variance(request.options(), bounds);
        let c = factor_of_mean(request.options(), guess.estimator, variance);
        let (weighing, whole, square) = guess.weigh(c)?;
        let made = request.ratio_noise(request.tells_spread(&weighing));
        let error = error_of_mean(bounds.width(), variance, made, (whole, square));
        Ok(guess.candidate(weighing.clip, error))
    }

    fn setting(&self, request: &AddRemoveRequest, profile: Profile) -> Option<Setting> {
        let (options, bounds) = (request.options(), request.inside());
        let variance = relative_variance(options, bounds) * bounds.width() * bounds.width();
        Some(Setting { variance, ..Setting::new(profile, bounds, options.target) })
    }

    fn release(
        &self,
        request: &AddRemoveRequest,
        table: &LevelTable,
        session: &mut Session<'_>,
    ) -> Result<Release> {
        let bounds = request.inside();
        let (people, grid) = People::with_numbers(table, bounds, None)?;
        let noisy_profile = request.profile_for_clip(&people, session)?;
        if let Some(clamped) = request.learn(&people, &grid, noisy_profile.as_ref(), session)? {
            return request.release_clamped_mean(&clamped, table, session);
        }
        let weighing = request.weighing_of_mean(bounds, session.account(), noisy_profile.as_ref());
        let MeasuredMean { sums, mean } =
            request.measure_mean(&people, &grid, &weighing, session)?;

        // From here on: post-processing.
        let Ends { estimate, lower, upper } = request.ends_of_mean(&mean, &weighing, &grid);
        let interval = Interval { confidence: request.options().confidence, lower, upper };
        let error = request.error_of_mean(&mean, &weighing, bounds);
        let found =
            Outcome::number(Quantity::Mean, estimate, interval, error, &sums.sums, Some(&grid));
        Ok(request.published_beside(mean.spread, found, table, session))
    }
}

/// Measured mean, alone or as part of a sum.
pub(super) struct MeasuredMean {
    pub(super) sums: NoisySums,
    pub(super) mean: NoisyMean,
}

impl AddRemoveRequest {
    /// Measures the sums of a mean, with those of the spread if they are worth it, and charges the
    /// session.
    pub(super) fn measure_mean(
        &self,
        people: &People<'_>,
        grid: &Grid,
        weighing: &Weighing,
        session: &mut Session<'_>,
    ) -> Result<MeasuredMean> {
        let spread = self.tells_spread(weighing) && people.have_squares();
        let sums = measure(people, grid, weighing, spread, session)?;
        let mean = sums.mean(weighing, self.options(), grid.bounds().width());
        Ok(MeasuredMean { sums, mean })
    }

    /// Builds the release of an outcome, with the measured spread of the values as a step.
    pub(super) fn published_beside(
        &self,
        spread: Option<MeasuredSpread>,
        found: Outcome,
        table: &LevelTable,
        session: &Session<'_>,
    ) -> Release {
        let mut release = self.published(found, table, session);
        release.steps.extend(spread.map(Step::Spread));
        release
    }

    /// Returns the weights of a mean, or of the mean in a sum.
    pub(crate) fn weighing_of_mean(
        &self,
        bounds: Bounds,
        account: &Account,
        noisy_profile: Option<&NoisyProfile>,
    ) -> Weighing {
        let c = factor_of_mean(
            self.options(),
            self.estimator(),
            relative_variance(self.options(), bounds),
        );
        self.weighing(self.estimator(), account, noisy_profile, c)
    }

    /// Returns the sums that are measured for a mean, with or without the spread of the values.
    pub(crate) fn ratio_noise(&self, spread: bool) -> RatioNoise {
        match (self.options().neighbors, spread) {
            (Neighbors::Both, _) => RatioNoise::Centred,
            (_, true) => RatioNoise::Moments,
            (_, false) => RatioNoise::Parts(1, 1),
        }
    }

    /// Returns true if the spread of the values is worth the noise that it adds to a mean near a
    /// bound: if it is not declared, and there is sampling error.
    pub(crate) fn tells_spread(&self, weighing: &Weighing) -> bool {
        self.measures_spread() && !weighing.is_exact(self.options())
    }

    /// Returns a mean with its interval, in units of the data.
    pub(crate) fn ends_of_mean(&self, mean: &NoisyMean, weighing: &Weighing, grid: &Grid) -> Ends {
        let bounds = grid.bounds();
        let confidence = self.options().confidence;
        let (low, high) = mean.ratio.interval(confidence, self.spread(mean, weighing, grid));
        let value = |share: f64| bounds.clamp(bounds.lower() + bounds.width() * share);
        // Widening keeps the coverage, and an estimate outside its own interval would be confusing.
        let estimate = value(mean.estimate);
        Ends { estimate, lower: value(low).min(estimate), upper: value(high).max(estimate) }
    }

    /// Returns the sources of error of a mean besides noise.
    pub(crate) fn spread(&self, mean: &NoisyMean, weighing: &Weighing, grid: &Grid) -> Spread {
        let options = self.options();
        let whole = mean.whole.unwrap_or(0.0);
        let rounding = whole / (2.0 * grid.points() as f64);
        let step = match (weighing.is_exact(options), options.variance) {
            (true, _) => 0.0,
            // Half a step for two-valued data; a whole one for a small declared variance, whose
            // rare values are few.
            (false, None) => 0.5 * weighing.clip.get(),
            (false, Some(_)) => weighing.clip.get(),
        };
        Spread {
            square: weighing.cautious_square(options, whole),
            variance: self.variance_of_values(mean, grid.bounds()),
            step: step + rounding,
        }
    }

    /// Returns the knowledge of the variance of the values.
    pub(crate) fn variance_of_values(&self, mean: &NoisyMean, bounds: Bounds) -> Variance {
        match mean.spread {
            Some(spread) => Variance::Measured(spread, mean.estimate, bounds.width()),
            None => Variance::AtMost(relative_variance(self.options(), bounds)),
        }
    }

    /// Returns the expected error of a mean, by the linearised ratio; half the width of the bounds
    /// if no records are seen above the noise.
    pub(crate) fn error_of_mean(
        &self,
        mean: &NoisyMean,
        weighing: &Weighing,
        bounds: Bounds,
    ) -> ExpectedError {
        let h = bounds.width();
        let Some(whole) = mean.whole else { return error(h / 2.0, 0.0) };
        let noise = Ratio::noise_variance(mean.estimate, mean.ratio.noise(), whole).sqrt().min(1.0);
        let factor = weighing.square(self.options(), whole) / (whole * whole);
        let variance = match mean.spread {
            Some(spread) => spread.likely(mean.estimate, factor, h) / (h * h),
            // The interval uses the same bound: values of this mean have no larger variance.
            None => self.variance_of_values(mean, bounds).at(mean.estimate),
        };
        let sampling = (variance * factor).sqrt();
        let both = error(noise * h, sampling.min(0.5) * h);
        ExpectedError { rmse: both.rmse.min(h), ..both }
    }
}
