//! Sums of values clamped to a learned range.

use super::AddRemoveRequest;
use super::clamped_mean::{Errors, scaled};
use super::learning::{ClampedRecords, RangeSums};
use super::noisy_answer::NoisyMean;
use super::release::{Outcome, error};
use crate::answer::interval::possible_ends;
use crate::private::session::Session;
use crate::statistics::count::{Count, count_units, measure_count};
use crate::statistics::weighted::{NoiseOfSum, possible_sums};
use crate::{CutOff, Interval, LearnedRange, LevelTable, Quantity, Release, Result};

impl AddRemoveRequest {
    /// Releases the sum of records for which a range was learned.
    ///
    /// The mean in the range is multiplied by the number of records, as without a learned range; so
    /// is the mean of what lies beyond the range.
    pub(crate) fn release_clamped_sum(
        &self,
        clamped: &ClampedRecords,
        table: &LevelTable,
        session: &mut Session<'_>,
    ) -> Result<Release> {
        let inner = clamped.grid.bounds();
        let is_equal = self.equal_weights(self.estimator(), session.account()).is_some();
        let mut noisy_profile = clamped.noisy_profile.clone();
        let counted = match is_equal {
            true => None,
            false => {
                let (estimator, account) = (self.estimator(), session.account());
                let share = self.count_share(inner, estimator, account, Some(&noisy_profile))?;
                let units = count_units(account, share)?;
                let counted = measure_count(&clamped.people(), units, session)?;
                noisy_profile = noisy_profile.less(1.0 / counted.1);
                Some(counted)
            }
        };
        let measured = clamped.measure(self, table, &noisy_profile, session)?;

        // From here on: post-processing.
        let mean = measured.sums.mean(&measured.weighing, self.options(), inner.width());
        let count = match counted {
            Some(counted) => Count::measured(counted),
            None => measured.count(),
        };
        let records = count.records.max(0.0);
        let confidence = self.options().confidence;
        // Each of the two intervals misses half as often as the product may.
        let each = 0.5 + confidence / 2.0;
        let RangeSums { weighing, sums, beyond, costs } = &measured;
        let found = self.ends_of_clamped(each, clamped, &mean, weighing, beyond.as_ref());
        let times = |ends| count.times(each, ends, confidence);
        let shown = match is_equal {
            true => self.direct(clamped, &measured, &mean, records),
            false => None,
        };
        let shown = shown.unwrap_or_else(|| times(found.ends));
        let of_mean = self.error_of_mean(&mean, weighing, inner);
        let error = match is_equal {
            true => {
                let noise = NoiseOfSum::new(sums, inner, weighing.clip.get()).variance().sqrt();
                error(noise, records.max(1.0) * of_mean.sampling_sd)
            }
            false => count.error_of_product(of_mean, found.estimate),
        };
        let of_all = |cut_off: CutOff| CutOff {
            estimate: records * cut_off.estimate,
            noise_sd: records * cut_off.noise_sd,
        };
        let number = records * found.estimate;
        let number =
            Outcome::number(Quantity::Sum, number, shown, error, &sums.sums, Some(&clamped.grid));
        let range = LearnedRange {
            bounds: inner,
            cut: clamped.cut(),
            below: found.cut_off[0].map(of_all),
            above: found.cut_off[1].map(of_all),
            cost: costs.clone(),
        };
        Ok(self.published_in_range(number, range, mean.spread, table, session))
    }

    /// Returns the interval for equal weights, which needs no number of records.
    ///
    /// It adds hi·Σy + lo·Σ(1 − y) in the range and the distances beyond it. Returns `None` if
    /// those distances were not measured, or no records are seen above the noise.
    fn direct(
        &self,
        clamped: &ClampedRecords,
        measured: &RangeSums,
        mean: &NoisyMean,
        records: f64,
    ) -> Option<Interval> {
        let (inner, options) = (clamped.grid.bounds(), self.options());
        let RangeSums { weighing, sums, beyond, .. } = measured;
        mean.whole?;
        let scales = NoiseOfSum::new(sums, inner, weighing.clip.get()).scales();
        let variance = self.variance_of_values(mean, inner);
        let unit = records * inner.width();
        let is_exact = weighing.is_exact(options);
        let factor = if is_exact { 0.0 } else { records * inner.width() * inner.width() };
        let sampling = |u: f64| factor * variance.up_to(u);
        let noise = |_: f64| scales.clone();
        let errors =
            Errors { confidence: options.confidence, noise: &noise, sampling: &sampling, is_exact };
        // Half a step of the grid, and of the lattice of two-valued data.
        let steps = if is_exact { 0.0 } else { 0.5 };
        let rounding = (steps + records / (2.0 * clamped.grid.points() as f64)) * inner.width();
        let cut = clamped.cut();
        let half_width = |side: usize| -> Option<f64> {
            if !cut[side] {
                return Some(errors.half_width((mean.estimate, unit), side, None) + rounding);
            }
            let beyond = beyond.as_ref()?;
            let each = beyond.width() / beyond.clip();
            let excess = beyond.excess(side, records * beyond.clip(), 1.0 / records);
            let excess = excess.times(records);
            let further = scaled(beyond.scales(side, 0.0), each);
            let distance = errors.half_width((mean.estimate, unit), side, Some((further, &excess)));
            let plain = errors.half_width((mean.estimate, unit), side, None);
            Some((excess.mean + distance).max(plain) + rounding)
        };
        let estimate = records * (inner.lower() + inner.width() * mean.estimate);
        let (below, above) = (half_width(0)?, half_width(1)?);
        let possible = possible_sums(clamped.whole.bounds());
        let (lower, upper) = possible_ends(estimate, [below, above], possible);
        Some(Interval { confidence: options.confidence, lower, upper })
    }
}
