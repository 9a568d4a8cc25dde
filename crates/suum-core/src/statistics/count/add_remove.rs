//! Number of records under add-remove.

use super::RecordCount;
use crate::add_remove::AddRemoveStatistic;
use crate::add_remove::expected::Guess;
use crate::add_remove::noisy_profile::top;
use crate::add_remove::people::People;
use crate::add_remove::release::{Outcome, error};
use crate::answer::interval::possible_ends;
use crate::answer::tail::LaplaceSum;
use crate::private::session::{Account, Cost, Session};
use crate::{
    AddRemoveCandidate, AddRemoveRequest, Estimator, ExpectedError, Interval, LevelTable,
    PrivacyUnits, Quantity, Release, Result, Share, Totals, TotalsQuestion,
};

/// Question that counts records: presence, in a single bucket.
const ONE: TotalsQuestion = TotalsQuestion::Presence(1);

impl AddRemoveStatistic for RecordCount {
    fn has_estimators(&self) -> bool {
        false
    }

    fn buys_profile(&self, _: &AddRemoveRequest, _: Estimator, _: &Account) -> bool {
        false
    }

    fn expect(&self, mut guess: Guess<'_>) -> Result<AddRemoveCandidate> {
        let units = count_units(&guess.account, 1.0)?;
        let noise = match guess.account.is_public() {
            true => 0.0,
            false => std::f64::consts::SQRT_2 / units.loss(guess.account.least()).rounded_up(),
        };
        guess.account.charge(Cost::OfLeft(units))?;
        Ok(guess.candidate(units.clip(), error(noise, 0.0)))
    }

    fn check_table(&self, _: &AddRemoveRequest, _: &LevelTable) -> Result<()> {
        Ok(())
    }

    fn release(
        &self,
        request: &AddRemoveRequest,
        table: &LevelTable,
        session: &mut Session<'_>,
    ) -> Result<Release> {
        let people = People::present(table);
        let units = count_units(session.account(), 1.0)?;
        let count = Count::measured(measure_count(&people, units, session)?);

        let confidence = request.options().confidence;
        let (lower, upper) = count.ends(confidence);
        let interval = Interval { confidence, lower, upper };
        let error = error(count.noise_sd(), 0.0);
        let sums = Totals::in_units(units, ONE, session.account().neighbors());
        let found =
            Outcome::number(Quantity::Count, count.records.max(0.0), interval, error, &sums, None);
        Ok(request.published(found, table, session))
    }

    fn samples(&self) -> bool {
        false
    }
}

/// Noisy number of records, with its noise.
pub(crate) struct Count {
    pub(crate) records: f64,
    /// Scales of its noises, each with the number of noises that have it.
    pub(crate) scales: Vec<(f64, f64)>,
}

impl Count {
    /// Returns a number that was measured with this scale of noise.
    pub(crate) fn measured((records, scale): (f64, f64)) -> Self {
        Self { records, scales: vec![(scale, 1.0)] }
    }

    /// Returns the least and the largest possible number of records, at this confidence.
    pub(crate) fn ends(&self, confidence: f64) -> (f64, f64) {
        let half_width = LaplaceSum::new(self.scales.iter().copied(), 0.0).half_width(confidence);
        possible_ends(self.records, [half_width; 2], (0.0, f64::INFINITY))
    }

    /// Returns the interval of the number of records times a mean between these ends. Each of the
    /// two holds at the confidence `each`, and the product at `confidence`.
    pub(crate) fn times(&self, each: f64, (low, high): (f64, f64), confidence: f64) -> Interval {
        let (fewest, most) = self.ends(each);
        Interval {
            confidence,
            lower: (fewest * low).min(most * low),
            upper: (fewest * high).max(most * high),
        }
    }

    /// Returns the expected error of the number of records (0 if it is negative) times their mean.
    pub(crate) fn error_of_product(&self, of_mean: ExpectedError, mean: f64) -> ExpectedError {
        let (records, of_count) = (self.records.max(0.0), self.noise_sd());
        let noise = (records.hypot(of_count) * of_mean.noise_sd).hypot(of_count * mean);
        error(noise, records * of_mean.sampling_sd)
    }

    fn noise_sd(&self) -> f64 {
        let squares = self.scales.iter().map(|(scale, count)| count * scale * scale);
        (2.0 * squares.sum::<f64>()).sqrt()
    }
}

/// Returns the units of a count, with equal weights for all: this part of what the least budget has
/// left.
pub(crate) fn count_units(account: &Account, part: f64) -> Result<PrivacyUnits> {
    let clip = Share::new(part)?.apply_to(account.least().min(top(account)));
    PrivacyUnits::new(Share::ALL, clip)
}

/// Measures the number of records, and charges the session. Returns the noisy number and the scale
/// of its noise.
pub(crate) fn measure_count(
    people: &People<'_>,
    units: PrivacyUnits,
    session: &mut Session<'_>,
) -> Result<(f64, f64)> {
    let each = units.loss(session.account().least()).rounded_up();
    let (_, noisy) = people.sums(units, ONE, session)?;
    let noise = if session.account().is_public() { 0.0 } else { 1.0 / each };
    Ok((noisy.first().copied().unwrap_or(0.0) / each, noise))
}
