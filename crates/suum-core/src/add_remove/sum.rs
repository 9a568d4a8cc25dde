//! The sum of values whose number is private.

use super::AddRemoveRequest;
use super::clip::{Weighing, relative_variance};
use super::count::{count_units, measure_count};
use super::mean::measure_ends;
use super::people::People;
use super::release::error;
use super::rough::{buckets, top};
use crate::interval::half_width_of_two;
use crate::session::{Account, Session};
use crate::{Bounds, Estimator, Grid, Interval, LevelTable, Release, Result};

/// The part of what the least budget has left that counts people, for a sum.
pub(super) const COUNT_SHARE: f64 = 0.5;

impl AddRemoveRequest {
    pub(super) fn release_sum(
        &self,
        bounds: Bounds,
        table: &LevelTable,
        session: &mut Session<'_>,
    ) -> Result<Release> {
        table.check_sum()?;
        let (people, grid) = People::with_numbers(table, bounds, None)?;
        if let Some(weighing) = self.equal_weights(self.options().estimator(), session.account()) {
            return self.release_plain_sum(&people, &grid, weighing, table, session);
        }
        let rough = self.profile_for_clip(&people, session)?;
        let units = count_units(session.account(), COUNT_SHARE)?;
        let (count, scale) = measure_count(&people, units, session)?;
        let rough = rough.map(|rough| rough.less(1.0 / scale));
        let weighing = self.weighing_of_mean(bounds, session.account(), rough.as_ref());
        let ends = measure_ends(&people, &grid, &weighing, session)?;

        let mean = ends.mean();
        let value = |share: f64| bounds.lower() + bounds.width() * share;
        let people = count.max(0.0);
        // Each of the two intervals misses half as often as the product may.
        let confidence = self.options().confidence;
        let each = 0.5 + confidence / 2.0;
        let (low, high) = mean.ratio.interval(each, self.spread(&mean, &weighing, &grid));
        let reach = half_width_of_two(each, (scale, 0.0), 0.0);
        let counts = ((count - reach).max(0.0), (count + reach).max(0.0));
        let (low, high) = (value(low), value(high));
        let interval = Interval {
            confidence,
            lower: (counts.0 * low).min(counts.1 * low),
            upper: (counts.0 * high).max(counts.1 * high),
        };
        let of_mean = self.error_of_mean(&mean, &weighing, bounds);
        let estimate = people * value(mean.estimate);
        let noise = people.hypot(std::f64::consts::SQRT_2 * scale) * of_mean.noise_sd;
        let noise = noise.hypot(std::f64::consts::SQRT_2 * scale * value(mean.estimate));
        let sampling = people * of_mean.sampling_sd;
        let found =
            self.number(estimate, interval, error(noise, sampling), &ends.sums, Some(&grid));
        Ok(self.published(found, table, session))
    }

    /// The sum where everybody weighs the same: hi·Σu + lo·Σ(1 − u) of the distances u from the
    /// lower bound.
    fn release_plain_sum(
        &self,
        people: &People<'_>,
        grid: &Grid,
        weighing: Weighing,
        table: &LevelTable,
        session: &mut Session<'_>,
    ) -> Result<Release> {
        let each = weighing.clip.get();
        let ends = measure_ends(people, grid, &weighing, session)?;

        let bounds = grid.bounds();
        let within = |sum: f64| {
            let sum = if bounds.lower() >= 0.0 { sum.max(0.0) } else { sum };
            if bounds.upper() <= 0.0 { sum.min(0.0) } else { sum }
        };
        let estimate = (bounds.upper() * ends.above + bounds.lower() * ends.below) / each;
        let scales = (bounds.upper().abs() / each, bounds.lower().abs() / each);
        let records = ((ends.above + ends.below) / each).max(0.0);
        let variance = relative_variance(self.options(), bounds) * bounds.width() * bounds.width();
        let sampling =
            if weighing.is_exact(self.options()) { 0.0 } else { (records * variance).sqrt() };
        let confidence = self.options().confidence;
        // As in a mean, a step of the lattice on which two-valued data are.
        let steps = match (weighing.is_exact(self.options()), self.options().variance) {
            (true, _) => 0.0,
            (false, None) => 0.5,
            (false, Some(_)) => 1.0,
        };
        let rounding = (steps + records / (2.0 * grid.points() as f64)) * bounds.width();
        let reach = half_width_of_two(confidence, scales, sampling) + rounding;
        let interval = Interval {
            confidence,
            lower: within(estimate - reach),
            upper: within(estimate + reach),
        };
        let noise = std::f64::consts::SQRT_2 * scales.0.hypot(scales.1);
        let found =
            self.number(within(estimate), interval, error(noise, sampling), &ends.sums, Some(grid));
        Ok(self.published(found, table, session))
    }

    /// The weights, where they are known beforehand to be equal or nearly so: then a sum needs no
    /// count.
    pub(super) fn equal_weights(
        &self,
        estimator: Estimator,
        account: &Account,
    ) -> Option<Weighing> {
        let least = account.least().min(top(account));
        let single = || buckets(self.budgets(), account).len() == 1;
        let clip = match (estimator, self.options().clip) {
            (Estimator::Affine, Some(clip)) => (clip <= least).then_some(clip),
            (Estimator::Affine, None) => single().then_some(least),
            (Estimator::Uniform, _) => Some(least),
            _ => None,
        }?;
        Some(Weighing::at(clip))
    }
}
