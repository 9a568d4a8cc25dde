//! The number of records, where it is private.

use super::AddRemoveRequest;
use super::people::People;
use super::release::error;
use super::rough::{in_units, top};
use crate::interval::half_width_of_two;
use crate::mechanism::UnitQuestion;
use crate::session::{Account, Session};
use crate::tail::LaplaceSum;
use crate::{Interval, LevelTable, PrivacyUnits, Release, Result, Share, UnitSums};

/// Whether a record is there.
const ONE: UnitQuestion = UnitQuestion::Presence(1);

impl AddRemoveRequest {
    pub(super) fn release_count(
        &self,
        table: &LevelTable,
        session: &mut Session<'_>,
    ) -> Result<Release> {
        let people = People::present(table);
        let units = count_units(session.account(), 1.0)?;
        let (count, scale) = measure_count(&people, units, session)?;

        let confidence = self.options().confidence;
        let reach = half_width_of_two(confidence, (scale, 0.0), 0.0);
        let interval = Interval {
            confidence,
            lower: (count - reach).max(0.0),
            upper: (count + reach).max(0.0),
        };
        let error = error(std::f64::consts::SQRT_2 * scale, 0.0);
        let sums = UnitSums::new(units, ONE, session.account().neighbors());
        let found = self.number(count.max(0.0), interval, error, &sums, None);
        Ok(self.published(found, table, session))
    }
}

/// How many records there seem to be, and how it was measured.
pub(super) struct Count {
    pub(super) records: f64,
    /// The scales of its noises, each with how many have it.
    pub(super) scales: Vec<(f64, f64)>,
}

impl Count {
    /// The least and the largest number of records that are possible.
    pub(super) fn ends(&self, confidence: f64) -> (f64, f64) {
        let reach = LaplaceSum::new(self.scales.iter().copied(), 0.0).half_width(confidence);
        ((self.records - reach).max(0.0), (self.records + reach).max(0.0))
    }

    pub(super) fn noise_sd(&self) -> f64 {
        let squares = self.scales.iter().map(|(scale, count)| count * scale * scale);
        (2.0 * squares.sum::<f64>()).sqrt()
    }
}

/// The units of a count, in which everybody weighs the same: this part of what the least budget has
/// left.
pub(super) fn count_units(account: &Account, part: f64) -> Result<PrivacyUnits> {
    let clip = Share::new(part)?.of(account.least().min(top(account)));
    PrivacyUnits::new(Share::ALL, clip)
}

/// Asks how many people there are, and pays: the noisy number and the scale of its noise.
pub(super) fn measure_count(
    people: &People<'_>,
    units: PrivacyUnits,
    session: &mut Session<'_>,
) -> Result<(f64, f64)> {
    let account = session.account();
    let sums = UnitSums::new(units, ONE, account.neighbors());
    let each = units.loss(account.least()).rounded_up();
    let records = people.cohorts().iter();
    let records = records.map(|cohort| ONE.records(account.left(cohort.epsilon), cohort, 0));
    let records = records.collect();
    let noisy = in_units(session.measure(&sums, records)?, &sums);
    Ok((noisy.first().copied().unwrap_or(0.0) / each, 1.0 / each))
}
