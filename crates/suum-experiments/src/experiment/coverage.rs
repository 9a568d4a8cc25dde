//! Coverage of intervals.

/// Share of trials that, among `cells` cells, an interval of exactly 95 % coverage falls below
/// somewhere in one of a hundred panels.
pub(super) fn least_coverage(cells: usize, trials: usize) -> f64 {
    // The normal quantile of 0.01/cells: 3.9 for 130 of them.
    let z = (2.0 * (cells as f64 / 0.01).ln()).sqrt() - 0.4;
    0.95 - z * (0.95 * 0.05 / trials as f64).sqrt()
}
