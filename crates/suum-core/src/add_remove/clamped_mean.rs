//! Means and sums of values clamped to a learned range, with error bounds that cover the cut-off
//! part.

use super::AddRemoveRequest;
use super::beyond::NoisyBeyond;
use super::clip::Weighing;
use super::learning::{ClampedRecords, RangeSums};
use super::noisy_answer::NoisyMean;
use super::release::Outcome;
use crate::answer::spread::furthest;
use crate::answer::tail::LaplaceSum;
use crate::private::session::Session;
use crate::steps::adaptive::Excess;
use crate::{
    CutOff, Interval, LearnedRange, LevelTable, MeasuredSpread, Quantity, Release, Result, Step,
};

/// Mean of the values in a range, and the ends of an interval for the mean of all values, in units
/// of the data.
pub(crate) struct ClampedEnds {
    pub(crate) estimate: f64,
    pub(crate) ends: (f64, f64),
    /// Estimated effect of the values cut off below and above the range, on the mean.
    pub(crate) cut_off: [Option<CutOff>; 2],
}

impl AddRemoveRequest {
    /// Releases the mean of records for which a range was learned.
    pub(crate) fn release_clamped_mean(
        &self,
        clamped: &ClampedRecords,
        table: &LevelTable,
        session: &mut Session<'_>,
    ) -> Result<Release> {
        let measured = clamped.measure(self, table, &clamped.noisy_profile, session)?;

        // From here on: post-processing.
        let RangeSums { weighing, sums, beyond, costs } = measured;
        let inner = clamped.grid.bounds();
        let mean = sums.mean(&weighing, self.options(), inner.width());
        let confidence = self.options().confidence;
        let found = self.ends_of_clamped(confidence, clamped, &mean, &weighing, beyond.as_ref());
        let interval = |(lower, upper)| Interval { confidence, lower, upper };
        let error = self.error_of_mean(&mean, &weighing, inner);
        let (estimate, shown) = (found.estimate, interval(found.ends));
        let number = Outcome::number(
            Quantity::Mean,
            estimate,
            shown,
            error,
            &sums.sums,
            Some(&clamped.grid),
        );
        let range = LearnedRange {
            bounds: inner,
            cut: clamped.cut(),
            below: found.cut_off[0],
            above: found.cut_off[1],
            cost: costs,
        };
        Ok(self.published_in_range(number, range, mean.spread, table, session))
    }

    /// Builds the release of an outcome in a learned range, with the range and the spread as its
    /// steps.
    pub(crate) fn published_in_range(
        &self,
        found: Outcome,
        range: LearnedRange,
        spread: Option<MeasuredSpread>,
        table: &LevelTable,
        session: &Session<'_>,
    ) -> Release {
        let mut release = self.published(found, table, session);
        release.steps.push(Step::LearnedRange(Box::new(range)));
        release.steps.extend(spread.map(Step::Spread));
        release
    }

    /// Returns the mean of the values in the range, and the ends of an interval for the mean of all
    /// values.
    pub(crate) fn ends_of_clamped(
        &self,
        confidence: f64,
        clamped: &ClampedRecords,
        mean: &NoisyMean,
        weighing: &Weighing,
        beyond: Option<&NoisyBeyond>,
    ) -> ClampedEnds {
        let (inner, outer) = (clamped.grid.bounds(), clamped.whole.bounds());
        let spread = self.spread(mean, weighing, &clamped.grid);
        let value = |share: f64| inner.clamp(inner.lower() + inner.width() * share);
        let estimate = value(mean.estimate);
        let (low, high) = mean.ratio.interval(confidence, spread);
        let plain =
            [estimate - value(low), value(high) - estimate].map(|half_width| half_width.max(0.0));
        let excess = [0, 1].map(|side| {
            let (beyond, whole) = (beyond?, mean.whole?);
            let of = beyond.whole()?;
            Some((beyond, of, beyond.excess(side, of, weighing.clip.get() / whole)))
        });
        let cut = clamped.cut();
        let half_width = |side: usize| match (cut[side], &excess[side], mean.whole) {
            (false, ..) => plain[side],
            (true, Some((beyond, of, excess)), Some(whole)) => {
                let unit = inner.width() / whole;
                let made = mean.ratio.noise();
                let noise = |u: f64| scaled(made.scales(u), unit);
                let most = excess.most() / beyond.width();
                let further = scaled(beyond.scales(side, most), beyond.width() / of);
                let sampling = |u: f64| spread.variance.up_to(u) * spread.square * unit * unit;
                let is_exact = spread.square == 0.0;
                let errors = Errors { confidence, noise: &noise, sampling: &sampling, is_exact };
                let width = inner.width();
                let distance =
                    errors.half_width((mean.estimate, width), side, Some((further, excess)));
                (excess.mean + distance + spread.step * unit).max(plain[side])
            }
            // No estimate of the cut-off part: assume the widest possible.
            (true, ..) => outer.width(),
        };
        let within = |below: f64, above: f64| {
            let (low, high) = (outer.clamp(estimate - below), outer.clamp(estimate + above));
            (low.min(estimate), high.max(estimate))
        };
        let ends = within(half_width(0), half_width(1));
        let cut_off = [0, 1].map(|side| {
            let (.., excess) = excess[side].as_ref().filter(|_| cut[side])?;
            Some(excess.cut_off(1.0))
        });
        ClampedEnds { estimate, ends, cut_off }
    }
}

/// Errors of an estimate from values in a range, in units of the estimate.
pub(crate) struct Errors<'f> {
    pub(crate) confidence: f64,
    /// Returns the scales of the noises at mean u, each with the number of noises that have it.
    pub(crate) noise: &'f dyn Fn(f64) -> Vec<(f64, f64)>,
    /// Returns the variance of the sampling error at mean u.
    pub(crate) sampling: &'f dyn Fn(f64) -> f64,
    /// True if there is no sampling error.
    pub(crate) is_exact: bool,
}

impl Errors<'_> {
    /// Returns the distance that these errors reach on one side of an estimate: the mean of a range
    /// times `width`, plus a known constant. `further` adds the errors of the part cut off on that
    /// side.
    ///
    /// # Method
    ///
    /// As in the interval of a mean no ratio is linearised but in one place: of the noises of both
    /// ratios, (1 − u)·P − u·R and Σ r·e − v·Σ r, the first counts as often as the second as the
    /// noisy wholes say. The noises are those at the mean that was seen, or at the end, whichever
    /// are larger (their squares are convex in u); the sampling error is that at the end.
    pub(crate) fn half_width(
        &self,
        (mean, width): (f64, f64),
        side: usize,
        further: Option<(Vec<(f64, f64)>, &Excess)>,
    ) -> f64 {
        let sign = if side == 0 { -1.0 } else { 1.0 };
        let from_end = if side == 0 { mean } else { 1.0 - mean };
        let beyond = match &further {
            Some((_, excess)) if !self.is_exact => excess.variance(from_end * width),
            _ => 0.0,
        };
        let half_width = |end: f64| {
            let sd = ((self.sampling)(end) + beyond).sqrt();
            let of = |u: f64| {
                let further = further.iter().flat_map(|(scales, _)| scales.iter().copied());
                let noises = (self.noise)(u).into_iter().chain(further);
                LaplaceSum::new(noises, sd).half_width(self.confidence)
            };
            of(mean).max(of(end))
        };
        let at = |distance: f64| (mean + sign * distance / width).clamp(0.0, 1.0);
        furthest(half_width(at(f64::INFINITY)), |distance| half_width(at(distance)))
    }
}

/// Returns the scales of noises multiplied by `unit`.
pub(crate) fn scaled(scales: Vec<(f64, f64)>, unit: f64) -> Vec<(f64, f64)> {
    scales.into_iter().map(|(scale, count)| (scale * unit, count)).collect()
}
