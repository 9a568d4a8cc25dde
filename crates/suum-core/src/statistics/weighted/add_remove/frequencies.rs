//! Frequencies under add-remove.

use crate::add_remove::AddRemoveStatistic;
use crate::add_remove::clip::{Weighing, factor_of_frequencies, noise_of_frequencies};
use crate::add_remove::expected::Guess;
use crate::add_remove::people::People;
use crate::add_remove::ratio::{EXACT, Ratio, Spread, Variance};
use crate::add_remove::release::{Outcome, error};
use crate::answer::coverage::Coverage;
use crate::answer::release::Margin;
use crate::error::{OptionName, option};
use crate::private::session::Session;
use crate::{
    AddRemoveCandidate, AddRemoveRequest, Categories, Estimate, ExpectedError, Interval,
    LevelTable, PrivacyUnits, Profile, Quantity, Release, Result, Setting, Share, TotalsQuestion,
};

impl AddRemoveStatistic for Categories {
    fn uses(&self) -> &'static [OptionName] {
        &[option::SIMULTANEOUS, option::PER_PERSON]
    }

    fn expect(&self, mut guess: Guess<'_>) -> Result<AddRemoveCandidate> {
        let (request, k) = (guess.request, self.len());
        let (weighing, whole, square) = guess.weigh(request.factor_of_shares(k))?;
        let noise = noise_of_frequencies(k, 1.0 / k as f64).sqrt();
        let noise = request.noise_of_shares(k) * noise / whole;
        Ok(guess.candidate(weighing.clip, error(noise, 0.5 * square.sqrt() / whole)))
    }

    fn setting(&self, request: &AddRemoveRequest, profile: Profile) -> Option<Setting> {
        Some(Setting::frequency(profile, self.len(), request.options().target))
    }

    fn check_table(&self, _: &AddRemoveRequest, table: &LevelTable) -> Result<()> {
        People::in_categories(table, self).map(|_| ())
    }

    fn release(
        &self,
        request: &AddRemoveRequest,
        table: &LevelTable,
        session: &mut Session<'_>,
    ) -> Result<Release> {
        let people = People::in_categories(table, self)?;
        let noisy_profile = request.profile_for_clip(&people, session)?;
        let (k, steps, estimator) = (self.len(), people.steps(), request.estimator());
        let account = session.account();
        let factor = request.factor_of_shares(k);
        let weighing = request.weighing(estimator, account, noisy_profile.as_ref(), factor);
        let units = PrivacyUnits::new(Share::ALL, weighing.clip)?;
        let (sums, noisy) = people.sums(units, TotalsQuestion::Counts(k, steps), session)?;

        // From here on: post-processing, in units of the noise of a count.
        let weighing = weighing.over(request.noise_of_shares(k));
        let total: f64 = noisy.iter().sum();
        let whole = Ratio::new(total, 0.0, k - 2).whole();
        let equal = 1.0 / k as f64;
        let shares: Vec<f64> =
            noisy.iter().map(|count| whole.map_or(equal, |whole| count / whole)).collect();
        let options = request.options();
        let published = options.post.apply(&shares);
        let confidence = options.confidence;
        // Each share is divided by the sum of all, so shares add up to 1.
        let intervals = self.intervals();
        let coverage = Coverage::new(confidence, options.simultaneous, intervals, true);
        let spread = request.spread_of_shares(&weighing, whole, coverage.steps);
        let estimates = |counts: &[f64], published: &[f64], names: &[String], together: usize| {
            let of = names.iter().zip(counts.iter().zip(published));
            let of = of.map(|(category, (count, estimate))| {
                let parts = ((*count, together), (total - count, k - together));
                let ratio = Ratio::from_parts(parts.0, parts.1);
                let (low, high) = ratio.interval(coverage.confidence, spread);
                // The interval is widened to contain the published estimate, which keeps its
                // coverage.
                let (lower, upper) = (low.min(*estimate), high.max(*estimate));
                Estimate {
                    of: Quantity::Share(category.clone()),
                    estimate: *estimate,
                    interval: Some(Interval { confidence, lower, upper }),
                    sensitivity: None,
                }
            });
            of.collect::<Vec<_>>()
        };
        let frequencies = estimates(&noisy, &published, self.names(), 1);
        let margins = Margin::from_cells(self, &noisy, &published, estimates);
        let most = shares.iter().copied().fold(equal, f64::max);
        let error = request.error_of_shares(k, most, &weighing, whole);
        let found = Outcome::new(frequencies, error, &sums, None);
        let mut release = request.published(found, table, session);
        release.margins = margins;
        Ok(release)
    }

    fn has_normal_noise(&self) -> bool {
        // The law of up to this many noises together is computed.
        self.len() > EXACT + 1
    }
}

impl AddRemoveRequest {
    /// Returns the noise factor c of frequencies over k categories: noise is larger if a change of
    /// value must be hidden as well.
    pub(crate) fn factor_of_shares(&self, k: usize) -> f64 {
        factor_of_frequencies(k) * self.noise_of_shares(k).powi(2)
    }

    /// Returns the scale of the noise of a weighted count.
    pub(crate) fn noise_of_shares(&self, k: usize) -> f64 {
        let moves = TotalsQuestion::Counts(k, 1).moves();
        self.options().neighbors.sensitivity(moves).to_f64().value()
    }

    /// Returns the sources of error of a share besides noise.
    fn spread_of_shares(&self, weighing: &Weighing, whole: Option<f64>, steps: f64) -> Spread {
        let exact = weighing.is_exact(self.options());
        let step = if exact { 0.0 } else { steps * weighing.clip.get() };
        let square = weighing.cautious_square(self.options(), whole.unwrap_or(0.0));
        Spread { square, variance: Variance::AtMost(0.25), step }
    }

    /// Returns the largest expected error over the categories, before post-processing; at most 1.
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
