//! How much of what is left is kept for what a range cuts off.

use crate::Result;
use crate::answer::interval::half_width_of_two;

/// The variance that weights are made for where it was not measured: a standard deviation of a
/// quarter of a range that was not widened.
const USUAL: f64 = 1.0 / 15.0;
/// Parts of what is left that may be kept for what is cut off.
const KEPT: [f64; 11] = [0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8];
/// By how much they may enlarge the error of the mean; and where it stays below a part of the error
/// of a mean that learns nothing first.
const AFFORDABLE: (f64, f64) = (1.1, 1.2);
/// The most that anybody spends on what was cut off: then a value beyond the range, of which none
/// is among the records, moves the mean by no more than the noise.
pub(crate) const MOST_BEYOND: f64 = 1.0;
/// A mean that learns is far better than one that does not, even if a part of that is given away
/// for its interval.
pub(crate) const OF_PLAIN: f64 = 0.25;

/// The variance that weights are made for where it was not measured, as a share of the squared
/// width of a range that is so many times as wide as the one that was chosen.
pub(crate) fn usual_variance(wider: f64) -> f64 {
    USUAL / (wider * wider).max(1.0)
}

/// Of the plans that keep nothing, or a part of what is left, the one with which the interval is
/// expected to be shortest, of those whose error is no more than a tenth larger, or a fifth where
/// it is no larger than `affordable`.
///
/// # Errors
///
/// What a plan refuses.
pub(crate) fn shortest<P>(
    plan: impl Fn(f64) -> Result<P>,
    error: impl Fn(&P) -> f64,
    length: impl Fn(&P) -> f64,
    affordable: f64,
) -> Result<P> {
    let mut best = plan(0.0)?;
    let least = error(&best);
    let most = (AFFORDABLE.0 * least).max(affordable.min(AFFORDABLE.1 * least));
    let mut shortest = length(&best);
    for kept in KEPT {
        let plan = plan(kept)?;
        let length = length(&plan);
        if error(&plan) <= most && length < shortest {
            (best, shortest) = (plan, length);
        }
    }
    Ok(best)
}

/// How long an interval is expected to be if hardly anything is cut off, where the mean has noise
/// of scale `noise` and a sampling error of standard deviation `sampling`, and what lies beyond a
/// side that is cut noise of scale `beyond`.
pub(crate) fn expected_length(
    confidence: f64,
    (noise, sampling): (f64, f64),
    beyond: f64,
    cut: [bool; 2],
) -> f64 {
    let half_width = |is_cut: bool| {
        let beyond = if is_cut { beyond } else { 0.0 };
        half_width_of_two(confidence, (noise, beyond), sampling)
    };
    half_width(cut[0]) + half_width(cut[1])
}
