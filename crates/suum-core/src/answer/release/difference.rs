//! Difference between two groups.

use super::{Estimate, Release};
use crate::error::option;
use crate::statistics::weighted::Errors;
use crate::{Bounds, Error, GroupName, Interval, Quantity, Result, Sensitivity};

/// Statistics that can be compared.
const COMPARED: [&str; 4] = ["mean", "sum", "quantile", "frequency"];

/// Difference of two means, sums, quantiles or frequencies of two groups.
///
/// It is post-processing of two releases, and costs nothing.
#[derive(Debug, Clone, PartialEq)]
pub struct Difference {
    /// Names of the groups: the difference is the estimate of the first less that of the second.
    pub between: [GroupName; 2],
    /// Difference of each estimate of the releases, in their order, with an interval; at least one.
    ///
    /// The noises of two releases are independent, and so are the errors of sampling if nobody is
    /// in two groups; of persons in both groups the errors can add up fully. If the intervals of
    /// both consist of Laplace noises and a normal error, the end of this one is at the reach of
    /// all of these together, with the normal error at the ends of both (Newcombe, 1998, method 10,
    /// but with the exact tail of the noise). Otherwise both intervals hold together with the rest
    /// of their confidences. If those of a release hold simultaneously, so do the differences.
    pub estimates: Vec<Estimate>,
}

impl Difference {
    /// Returns the difference of the first release and the second; `are_shared` if a person can be
    /// in both groups.
    ///
    /// # Errors
    ///
    /// Refuses releases of different statistics, and statistics other than means, sums, quantiles
    /// and frequencies of one column.
    pub(super) fn new(
        between: [GroupName; 2],
        [one, other]: [&Release; 2],
        are_shared: bool,
        confidence: f64,
    ) -> Result<Self> {
        let is_one = one.statistic() == other.statistic() && COMPARED.contains(&one.statistic());
        if !is_one || one.estimates.len() != other.estimates.len() {
            return Err(incomparable());
        }
        // Sampling errors of the same persons can depend on each other in any way.
        let sd_of_both: fn(f64, f64) -> f64 = match are_shared {
            true => |first, second| first + second,
            false => f64::hypot,
        };
        let pairs = one.estimates.iter().zip(&other.estimates);
        let estimates = pairs.map(|(first, second)| {
            let most = match &first.of {
                _ if first.of != second.of || one.crosstab().is_some() => {
                    return Err(incomparable());
                }
                Quantity::Share(_) => Some(1.0),
                Quantity::Mean | Quantity::Quantile(_) => one.bounds().map(Bounds::width),
                _ => None,
            };
            let together = one.ends.is_some() && other.ends.is_some();
            let half_widths = match (one.ends.as_deref(), other.ends.as_deref()) {
                (Some([below, above]), Some([other_below, other_above])) => {
                    // All errors of the only estimate of each release.
                    let together =
                        [below.and(other_above, sd_of_both), above.and(other_below, sd_of_both)];
                    Some(together.map(|errors: Errors| errors.half_width(confidence)))
                }
                _ => combine_intervals(first, second, confidence),
            };
            let estimate = first.estimate - second.estimate;
            let interval = half_widths.map(|[below, above]| {
                let most = most.unwrap_or(f64::INFINITY);
                let lower = (estimate - below).max(-most).min(estimate);
                let upper = (estimate + above).min(most).max(estimate);
                Interval { confidence, lower, upper }
            });
            let sensitivity = interval.and_then(|interval| {
                let possible = most.map(|most| [-most, most]);
                let (first, second) = (first.sensitivity.as_ref()?, second.sensitivity.as_ref()?);
                let sd_of_both = together.then_some(sd_of_both);
                Sensitivity::from_difference(first, second, interval, possible, sd_of_both)
            });
            let sensitivity = sensitivity.map(Box::new);
            let allowed = sensitivity.as_ref().filter(|sensitivity| sensitivity.declared() > 0.0);
            let interval = allowed.and_then(|allowed| allowed.published()).or(interval);
            Ok(Estimate { of: first.of.clone(), estimate, interval, sensitivity })
        });
        let estimates = estimates.collect::<Result<Vec<_>>>()?;
        match estimates.is_empty() {
            true => Err(incomparable()),
            false => Ok(Self { between, estimates }),
        }
    }
}

/// Returns the distances of the ends below and above the difference, if both intervals hold
/// together; `None` if one is missing, or if they fail too often.
fn combine_intervals(one: &Estimate, other: &Estimate, confidence: f64) -> Option<[f64; 2]> {
    let (first, second) = (one.interval?, other.interval?);
    // Each interval fails at most with the rest of its confidence.
    let fails = (1.0 - first.confidence) + (1.0 - second.confidence);
    if fails > (1.0 - confidence) * (1.0 + 1e-9) {
        return None;
    }
    let estimate = one.estimate - other.estimate;
    Some([estimate - (first.lower - second.upper), (first.upper - second.lower) - estimate])
}

fn incomparable() -> Error {
    Error::request(
        option::BETWEEN,
        "only means, sums, quantiles and frequencies of a column are compared",
    )
    .with_fix("release one of these of each group; of a table of two columns compare one")
}
