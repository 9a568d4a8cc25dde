//! The mean of values whose number is private: a ratio of two noisy sums.

use super::AddRemoveRequest;
use super::clip::{Weighing, factor_of_mean, relative_variance};
use super::people::People;
use super::ratio::{Ratio, Spread};
use super::release::error;
use super::rough::{Rough, in_units};
use crate::mechanism::UnitRecords;
use crate::session::{Account, Session};
use crate::{
    Bounds, ExpectedError, Grid, Interval, LevelTable, PrivacyUnits, Release, Result, Share,
    UnitSums,
};

/// The distances of all values from both bounds, and how they were measured.
pub(super) struct Ends {
    pub(super) sums: UnitSums,
    /// Σ r·(x − lo)/h and Σ r·(hi − x)/h, with noise of scale 1.
    pub(super) above: f64,
    pub(super) below: f64,
}

/// A mean in units of the range.
pub(super) struct NoisyMean {
    pub(super) estimate: f64,
    /// The noisy Σ r, if it is above its noise.
    whole: Option<f64>,
    pub(super) ratio: Ratio,
}

impl AddRemoveRequest {
    pub(super) fn release_mean(
        &self,
        bounds: Bounds,
        table: &LevelTable,
        session: &mut Session<'_>,
    ) -> Result<Release> {
        let (people, grid) = People::with_numbers(table, bounds, None)?;
        let rough = self.profile_for_clip(&people, session)?;
        let weighing = self.weighing_of_mean(bounds, session.account(), rough.as_ref());
        let ends = measure_ends(&people, &grid, &weighing, session)?;

        let mean = ends.mean();
        let confidence = self.options().confidence;
        let (low, high) = mean.ratio.interval(confidence, self.spread(&mean, &weighing, &grid));
        let value = |share: f64| bounds.clamp(bounds.lower() + bounds.width() * share);
        let interval = Interval { confidence, lower: value(low), upper: value(high) };
        let error = self.error_of_mean(&mean, &weighing, bounds);
        let found = self.number(value(mean.estimate), interval, error, &ends.sums, Some(&grid));
        Ok(self.published(found, table, session))
    }

    /// The weights of a mean, or of the mean in a sum.
    pub(super) fn weighing_of_mean(
        &self,
        bounds: Bounds,
        account: &Account,
        rough: Option<&Rough>,
    ) -> Weighing {
        let c = factor_of_mean(relative_variance(self.options(), bounds));
        self.weighing(self.options().estimator(), account, rough, c)
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
            variance: relative_variance(options, grid.bounds()),
            step: step + rounding,
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
        let noise = Ratio::noise_variance(mean.estimate, 0, whole).sqrt().min(1.0);
        let square = weighing.square(self.options(), whole);
        // As in the interval: values of this mean have no larger variance.
        let most = mean.estimate * (1.0 - mean.estimate);
        let variance = relative_variance(self.options(), bounds).min(most);
        let sampling = (variance * square).sqrt() / whole;
        let both = error(noise * h, sampling.min(0.5) * h);
        ExpectedError { rmse: both.rmse.min(h), ..both }
    }
}

impl Ends {
    /// The noisy mean: the middle of the bounds, where there is nothing to tell.
    pub(super) fn mean(&self) -> NoisyMean {
        let ratio = Ratio::new(self.above, self.below, 0);
        let whole = ratio.whole();
        let estimate = whole.map_or(0.5, |whole| (self.above / whole).clamp(0.0, 1.0));
        NoisyMean { estimate, whole, ratio }
    }
}

/// Asks for the distances from both bounds, and pays.
pub(super) fn measure_ends(
    people: &People<'_>,
    grid: &Grid,
    weighing: &Weighing,
    session: &mut Session<'_>,
) -> Result<Ends> {
    let units = PrivacyUnits::new(Share::ALL, weighing.clip)?;
    let points = grid.points();
    let sums = UnitSums::new(units, points, 2);
    let account = session.account();
    let records = people.cohorts().iter();
    let records =
        records.map(|cohort| UnitRecords::ends(account.left(cohort.epsilon), cohort, points));
    let records = records.collect();
    let noisy = in_units(session.measure(&sums, records)?, &sums);
    Ok(Ends { sums, above: noisy[0], below: noisy[1] })
}
