//! Frequencies among records whose number is private.

use super::AddRemoveRequest;
use super::clip::{Weighing, factor_of_frequencies, noise_of_frequencies};
use super::people::People;
use super::ratio::{Ratio, Spread, Variance};
use super::release::{Found, discrete_laplace, error};
use super::rough::in_units;
use crate::coverage::Coverage;
use crate::mechanism::UnitQuestion;
use crate::release::Margin;
use crate::session::Session;
use crate::{
    Categories, Estimate, ExpectedError, Interval, LevelTable, PrivacyUnits, Quantity, Release,
    Result, Share, UnitSums,
};

impl AddRemoveRequest {
    pub(super) fn release_frequencies(
        &self,
        categories: &Categories,
        table: &LevelTable,
        session: &mut Session<'_>,
    ) -> Result<Release> {
        let people = People::in_categories(table, categories)?;
        let rough = self.profile_for_clip(&people, session)?;
        let k = categories.len();
        let estimator = self.estimator();
        let weighing =
            self.weighing(estimator, session.account(), rough.as_ref(), self.factor_of_shares(k));
        let units = PrivacyUnits::new(Share::ALL, weighing.clip)?;
        let account = session.account();
        let question = UnitQuestion::Categories(k);
        let sums = UnitSums::new(units, question, account.neighbors());
        let records = people.cohorts().iter();
        let records =
            records.map(|cohort| question.records(account.left(cohort.epsilon), cohort, 0));
        let records = records.collect();
        let noisy = in_units(session.measure(&sums, records)?, &sums);

        // From here on: post-processing, in units of the noise of a count.
        let weighing = weighing.over(self.noise_of_shares(k));
        let total: f64 = noisy.iter().sum();
        let whole = Ratio::new(total, 0.0, k - 2).whole();
        let equal = 1.0 / k as f64;
        let shares: Vec<f64> =
            noisy.iter().map(|count| whole.map_or(equal, |whole| count / whole)).collect();
        let published = self.options().post.apply(&shares);
        let options = self.options();
        let confidence = options.confidence;
        // Shares add up to 1, since each is divided by the sum of all.
        let intervals = categories.intervals();
        let coverage = Coverage::of(confidence, options.simultaneous, intervals, true);
        let spread = self.spread_of_shares(&weighing, whole, coverage.steps);
        let estimates = |counts: &[f64], published: &[f64], names: &[String], together: usize| {
            let of = names.iter().zip(counts.iter().zip(published));
            let of = of.map(|(category, (count, estimate))| {
                let parts = ((*count, together), (total - count, k - together));
                let ratio = Ratio::of_some(parts.0, parts.1);
                let (low, high) = ratio.interval(coverage.confidence, spread);
                // Never without the published estimate itself: widening covers no less.
                let (lower, upper) = (low.min(*estimate), high.max(*estimate));
                Estimate {
                    of: Quantity::Share(category.clone()),
                    estimate: *estimate,
                    interval: Some(Interval { confidence, lower, upper }),
                }
            });
            of.collect::<Vec<_>>()
        };
        let frequencies = estimates(&noisy, &published, categories.names(), 1);
        let margins = Margin::of(categories, &noisy, &published, estimates);
        let most = shares.iter().copied().fold(equal, f64::max);
        let found = Found {
            estimates: frequencies,
            error: self.error_of_shares(k, most, &weighing, whole),
            units,
            noise: discrete_laplace(sums.scale(), None),
            split: Vec::new(),
            together: None,
            no_interval: None,
        };
        let mut release = self.published(found, table, session);
        release.margins = margins;
        Ok(release)
    }

    /// c of frequencies over k categories: the noise is larger where another value must not be told
    /// apart.
    pub(super) fn factor_of_shares(&self, k: usize) -> f64 {
        factor_of_frequencies(k) * self.noise_of_shares(k).powi(2)
    }

    /// The scale of the noise of a weighted count.
    pub(super) fn noise_of_shares(&self, k: usize) -> f64 {
        UnitQuestion::Categories(k).moves(self.options().neighbors) as f64
    }

    /// What moves the share of a category besides noise.
    fn spread_of_shares(&self, weighing: &Weighing, whole: Option<f64>, steps: f64) -> Spread {
        let exact = weighing.is_exact(self.options());
        let step = if exact { 0.0 } else { steps * weighing.clip.get() };
        let square = weighing.cautious_square(self.options(), whole.unwrap_or(0.0));
        Spread { square, variance: Variance::AtMost(0.25), step }
    }

    /// The expected largest error over the categories, before post-processing; at most 1.
    fn error_of_shares(
        &self,
        k: usize,
        most: f64,
        weighing: &Weighing,
        whole: Option<f64>,
    ) -> ExpectedError {
        let Some(whole) = whole else { return error(1.0, 0.0) };
        let noise = noise_of_frequencies(k, most).sqrt() / whole;
        let sampling = 0.5 * weighing.square(self.options(), whole).sqrt() / whole;
        let both = error(noise.min(1.0), sampling.min(0.5));
        ExpectedError { rmse: both.rmse.min(1.0), ..both }
    }
}
