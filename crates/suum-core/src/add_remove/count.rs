//! The number of records, where it is private.

use super::people::People;
use super::purse::Purse;
use super::release::{Found, error};
use super::rough::{in_units, top};
use super::{AddRemoveRelease, AddRemoveRequest};
use crate::interval::half_width_of_two;
use crate::mechanism::UnitRecords;
use crate::{Estimator, Interval, LevelTable, PrivacyUnits, Randomness, Result, Share, UnitSums};

impl AddRemoveRequest {
    pub(super) fn release_count(
        &self,
        table: &LevelTable,
        randomness: &mut Randomness,
    ) -> Result<AddRemoveRelease> {
        let people = People::present(table);
        let mut purse = self.purse();
        let units = count_units(&purse, 1.0)?;
        let (count, scale) = measure_count(&people, units, &mut purse, randomness);

        let confidence = self.options().confidence;
        let reach = half_width_of_two(confidence, (scale, 0.0), 0.0);
        let interval = Interval {
            confidence,
            lower: (count - reach).max(0.0),
            upper: (count + reach).max(0.0),
        };
        let error = error(std::f64::consts::SQRT_2 * scale, 0.0);
        let sums = UnitSums::new(units, 1, 1);
        let found = Found {
            estimator: Estimator::Uniform,
            ..self.number(count.max(0.0), interval, error, &sums, None)
        };
        Ok(self.published(found, &purse, table, randomness))
    }
}

/// The units of a count, in which everybody weighs the same: this part of what the least budget has
/// left.
pub(super) fn count_units(purse: &Purse<'_>, part: f64) -> Result<PrivacyUnits> {
    let clip = Share::new(part)?.of(purse.least().min(top(purse)));
    PrivacyUnits::new(Share::ALL, clip)
}

/// Asks how many people there are, and pays: the noisy number and the scale of its noise.
pub(super) fn measure_count(
    people: &People<'_>,
    units: PrivacyUnits,
    purse: &mut Purse<'_>,
    randomness: &mut Randomness,
) -> (f64, f64) {
    let sums = UnitSums::new(units, 1, 1);
    let before = purse.ask(units);
    let records = people.cohorts().iter();
    let records =
        records.map(|cohort| UnitRecords::presence(before.left(cohort.epsilon), cohort, 0));
    let noisy = in_units(sums.release(records, randomness), &sums);
    let each = units.loss(before.least()).rounded_up();
    (noisy.first().copied().unwrap_or(0.0) / each, 1.0 / each)
}
