//! How much more one group has than another.

use super::{Estimate, Procedure, Release};
use crate::{Error, GroupName, Interval, Result, Statistic};

/// The difference of two means or sums, each of a group of its own.
///
/// It is post-processing of two releases, and costs nothing.
#[derive(Debug, Clone, PartialEq)]
pub struct Difference {
    /// The groups: it is the estimate of the first less that of the second.
    pub between: [GroupName; 2],
    /// The difference, and an interval for it.
    ///
    /// The noises of two releases are independent, and so are the errors of sampling, since nobody
    /// is in two groups. Where the intervals of both are made of Laplace noises and a normal error,
    /// the end of this one is as far as all of these reach together, the normal error being that at
    /// the ends of both (Newcombe, 1998, method 10, but with the exact tail of the noise). Else
    /// both intervals hold together with what their confidences leave.
    pub estimate: Estimate,
}

impl Difference {
    /// What the first release has more than the second.
    ///
    /// # Errors
    ///
    /// Refuses releases of different statistics, and others than means and sums.
    pub(super) fn new(
        between: [GroupName; 2],
        one: &Release,
        other: &Release,
        confidence: f64,
    ) -> Result<Self> {
        let compared = [Statistic::Mean, Statistic::Sum].map(Statistic::name);
        let (Some(first), Some(second)) = (one.estimates.first(), other.estimates.first()) else {
            return Err(incomparable());
        };
        let is_one = one.statistic() == other.statistic() && compared.contains(&one.statistic());
        if !is_one || first.of != second.of {
            return Err(incomparable());
        }
        let estimate = first.estimate - second.estimate;
        let interval = reaches(one, other, confidence).map(|[below, above]| {
            let most = largest(one).unwrap_or(f64::INFINITY);
            let lower = (estimate - below).max(-most).min(estimate);
            let upper = (estimate + above).min(most).max(estimate);
            Interval { confidence, lower, upper }
        });
        Ok(Self { between, estimate: Estimate { of: first.of.clone(), estimate, interval } })
    }
}

/// How far the interval reaches below and above the difference; `None` where there is none.
fn reaches(one: &Release, other: &Release, confidence: f64) -> Option<[f64; 2]> {
    if let (Some([below, above]), Some([other_below, other_above])) =
        (one.ends.as_deref(), other.ends.as_deref())
    {
        let together = [below.and(other_above), above.and(other_below)];
        return Some(together.map(|errors| errors.reach(confidence)));
    }
    let (first, second) = (one.interval()?, other.interval()?);
    // Either fails with the rest of its confidence at most.
    let fails = (1.0 - first.confidence) + (1.0 - second.confidence);
    if fails > (1.0 - confidence) * (1.0 + 1e-9) {
        return None;
    }
    let estimate = one.estimate() - other.estimate();
    Some([estimate - (first.lower - second.upper), (first.upper - second.lower) - estimate])
}

/// The most that two means can differ, if they have declared bounds.
fn largest(release: &Release) -> Option<f64> {
    match &release.procedure {
        Procedure::Weighted(plan) if plan.request().statistic() == Statistic::Mean => {
            Some(plan.request().bounds().width())
        }
        _ => None,
    }
}

fn incomparable() -> Error {
    Error::request("between: only means and sums are compared")
        .with_hint("release a mean or a sum of each group")
}
