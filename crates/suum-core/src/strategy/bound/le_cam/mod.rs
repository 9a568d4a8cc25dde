//! Le Cam's two-point bound, the best one for budgets so small that little can be learned.

use super::people::{People, ROUNDING, pair_width};
use crate::Target;

/// Returns a lower bound on the worst-case RMSE, in units of the range.
///
/// # Formula
///
/// Le Cam's method with two distributions that put probability p·(1 ± δ)/2 on the ends of an
/// interval of length s inside the bounds and the rest on its middle. Their means differ by Δ =
/// psδ, so any estimator has risk at least Δ²/4·(1 − TV) under one of them, TV being the total
/// variation between its outputs. With budgets sorted upward,
///
/// TV ≤ min_k \[ pδ·Σ_{i≤k} tanh(ε_i/2) + √(1 − A^{2(n−k)}) \], A = 1 − p·(1 − √(1 − δ²)):
///
/// two ε-indistinguishable outputs are within tanh(ε/2) of each other, and A is the Hellinger
/// affinity of one record. Inside a level the bracket is concave in k, so only ends of levels can
/// be minimal. The variance p·s²/4·(1 − pδ²) of both distributions must not exceed σ²; for each δ
/// the largest p at full width and the largest s at p = 1 are tried. Every δ gives a valid bound;
/// the best is searched for.
///
/// The affinity and tanh replace the constants of CC23 Lemma 5. The factor is 1/4 rather than the
/// usual 1/8: under equal prior weights the squared errors for both means add up to at least Δ²/2
/// wherever the estimate falls, and ∫min(P, Q) = 1 − TV.
///
/// For the mean of the records p = 1 and s ≤ 2σ, so that no dataset has a larger variance; it
/// differs from the distribution's by a standard deviation of s·√(1 − δ²)/(2√n), none at δ = 1.
pub(super) fn le_cam(people: &People, variance: f64, target: Target) -> f64 {
    let ends = Ends::from_people(people);
    if target != Target::Population {
        let width = pair_width(variance);
        return ends.best(target, |_| (width, 1.0));
    }
    let wide = ends.best(target, |delta| (1.0, largest_mass(variance, delta)));
    // No variance is larger, whatever δ: both choices are the full width with p = 1.
    if variance >= 0.25 {
        return wide;
    }
    let narrow = ends.best(target, |delta| (largest_width(variance, delta), 1.0));
    wide.max(narrow)
}

/// Returns the largest p ≤ 1 with p·(1 − pδ²)/4 ≤ σ², σ² in squared units of the range.
///
/// The variance grows with p up to p = 1/(2δ²) and may fall again behind it.
fn largest_mass(variance: f64, delta: f64) -> f64 {
    let square = delta * delta;
    if (1.0 - square) / 4.0 <= variance {
        return 1.0;
    }
    // The smaller root of p²δ² − p + 4σ² = 0, without cancellation.
    (8.0 * variance / (1.0 + (1.0 - 16.0 * variance * square).max(0.0).sqrt())).min(1.0)
}

/// Returns the largest s ≤ 1 with s²·(1 − δ²)/4 ≤ σ².
fn largest_width(variance: f64, delta: f64) -> f64 {
    let rest = 1.0 - delta * delta;
    if rest / 4.0 <= variance { 1.0 } else { 2.0 * (variance / rest).sqrt() }
}

/// Sums at every end of a level: Σ tanh(ε/2) up to there, and the number of records after it.
struct Ends {
    indistinct: Vec<f64>,
    rest: Vec<f64>,
}

impl Ends {
    fn from_people(people: &People) -> Self {
        let (mut sum, mut rest) = (0.0, people.records());
        let mut ends = Self { indistinct: vec![sum], rest: vec![rest as f64] };
        for level in &people.levels {
            sum += level.count as f64 * (level.epsilon / 2.0).tanh();
            rest -= level.count;
            ends.indistinct.push(sum);
            ends.rest.push(rest as f64);
        }
        ends
    }

    /// Returns the bound at its best δ; `shape` gives s and p for a δ.
    fn best(&self, target: Target, shape: impl Fn(f64) -> (f64, f64)) -> f64 {
        let n = self.rest[0];
        let bound = |log_delta: f64| {
            let delta = log_delta.exp();
            let (width, mass) = shape(delta);
            let separation = mass * width * delta;
            let apart = self.total_variation(delta, mass) * (1.0 + ROUNDING);
            let rmse = separation / 2.0 * (1.0 - apart).max(0.0).sqrt();
            let sampled = width / 2.0 * ((1.0 - delta * delta).max(0.0) / n).sqrt();
            People::for_target(target, rmse, sampled)
        };
        // A grid over twelve decades finds the hill, golden-section search its top.
        let step = 0.5;
        let hill =
            (0..=56).map(|i| -step * f64::from(i)).fold((f64::MIN, 0.0), |best, log_delta| {
                let value = bound(log_delta);
                if value > best.0 { (value, log_delta) } else { best }
            });
        let (mut low, mut high) = (hill.1 - step, (hill.1 + step).min(0.0));
        let golden = (5f64.sqrt() - 1.0) / 2.0;
        // Golden sections never reach δ = 1 itself, where point masses may be best.
        let mut best = hill.0.max(bound(0.0));
        for _ in 0..40 {
            let (left, right) = (high - golden * (high - low), low + golden * (high - low));
            let (at_left, at_right) = (bound(left), bound(right));
            best = best.max(at_left).max(at_right);
            if at_left < at_right { low = left } else { high = right }
        }
        best
    }

    /// Returns an upper bound on the total variation: the minimum over all ends of levels, or over
    /// a fine selection.
    fn total_variation(&self, delta: f64, mass: f64) -> f64 {
        let log_affinity =
            2.0 * (-mass * delta * delta / (1.0 + (1.0 - delta * delta).max(0.0).sqrt())).ln_1p();
        let at = |k: usize| {
            // 0·∞ at δ = 1, where one record distinguishes the two distributions: without records
            // there is no evidence.
            let evidence =
                if self.rest[k] > 0.0 { -(self.rest[k] * log_affinity).exp_m1() } else { 0.0 };
            mass * delta * self.indistinct[k] + evidence.sqrt()
        };
        let least = |from: usize, to: usize, stride: usize| {
            (from..=to)
                .step_by(stride)
                .map(|k| (at(k), k))
                .fold((f64::INFINITY, from), |best, here| if here.0 < best.0 { here } else { best })
        };
        let last = self.rest.len() - 1;
        // Every k gives a valid bound, so for many levels a coarse search and a fine one around its
        // best are enough.
        let stride = last / 128 + 1;
        let coarse = least(0, last, stride);
        let fine = least(coarse.1.saturating_sub(stride), (coarse.1 + stride).min(last), 1);
        coarse.0.min(fine.0).min(at(last))
    }
}

#[cfg(test)]
mod tests;
