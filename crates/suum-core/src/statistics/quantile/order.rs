//! Order of the quantiles that were drawn.

use crate::{Bounds, Estimate, Interval, Quantity, Rank};

/// Draws for one quantile, in units of the data.
pub(crate) struct QuantileDraw {
    pub(crate) q: Rank,
    pub(crate) estimate: f64,
    /// Ends that were asked for.
    pub(crate) lower: Option<f64>,
    pub(crate) upper: Option<f64>,
}

/// Returns quantiles in the order asked for. Estimates are sorted by their ranks, which never moves
/// one further from the truth; ends are not, because each covers its own rank.
pub(crate) fn in_order(
    drawn: &[QuantileDraw],
    bounds: Bounds,
    half_step: f64,
    confidence: f64,
) -> Vec<Estimate> {
    let mut order: Vec<usize> = (0..drawn.len()).collect();
    order.sort_by_key(|at| drawn[*at].q);
    let mut values: Vec<f64> = drawn.iter().map(|one| one.estimate).collect();
    values.sort_by(f64::total_cmp);
    let mut estimates = vec![0.0; values.len()];
    order.into_iter().zip(values).for_each(|(at, value)| estimates[at] = value);
    let quantile = |(one, estimate): (&QuantileDraw, f64)| {
        let lower = one.lower.map(|end| bounds.clamp(end - half_step));
        let upper = one.upper.map(|end| bounds.clamp(end + half_step));
        let interval = (lower.is_some() || upper.is_some()).then(|| Interval {
            confidence,
            // The interval is widened to contain the estimate, which keeps its coverage.
            lower: lower.unwrap_or(bounds.lower()).min(estimate),
            upper: upper.unwrap_or(bounds.upper()).max(estimate),
        });
        Estimate { of: Quantity::Quantile(one.q), estimate, interval, sensitivity: None }
    };
    drawn.iter().zip(estimates).map(quantile).collect()
}
