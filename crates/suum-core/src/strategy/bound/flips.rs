//! Lower bound for the mean of these very records, from records that change their values one after
//! another.

use super::people::{Alike, People, ROUNDING, pair_width};
use crate::Target;

/// Returns a lower bound on the worst-case RMSE against the mean of the records, in units of the
/// range; 0 for the target `population`, to which it does not apply.
///
/// # Formula
///
/// Records of the set A, of a of the n, are 0 at first and become 1 one after another; the others
/// stay as they are. Two datasets that follow each other have means 1/n apart, and outputs whose
/// laws P and P′ have |P′ − P| ≤ tanh(ε/2)·(P + P′), ε the budget of the record between them. For
/// the target `dataset-correlated`, with T = Σ_A tanh(ε_i/2),
///
/// RMSE ≥ (a − T)/(n·(2T + 2)),
///
/// the best over all A of the strictest. For the target `dataset` records become 1 in random order:
/// A is all of them, and T/a becomes √(t̄·t_max), the root of the mean times the largest
/// tanh(ε_i/2).
///
/// Values are the range apart, or 2σ if that is less: no dataset of them has a larger variance.
///
/// `docs/mechanisms/lower-bounds.md` derives it.
pub(super) fn flips(people: &People, variance: f64, target: Target) -> f64 {
    if target == Target::Population {
        return 0.0;
    }
    let n = people.records() as f64;
    let (mut changed, mut sum, mut best) = (0u64, 0.0, 0.0f64);
    let bound = |changed: f64, sum: f64| {
        (changed - sum * (1.0 + ROUNDING)).max(0.0) / (n * (2.0 * sum + 2.0))
    };
    for Alike { epsilon, count } in &people.levels {
        changed += count;
        sum += *count as f64 * (epsilon / 2.0).tanh();
        best = best.max(bound(changed as f64, sum));
    }
    let largest = people.levels.last().map_or(0.0, |level| (level.epsilon / 2.0).tanh());
    pair_width(variance)
        * match target {
            Target::Population => 0.0,
            Target::Dataset => bound(n, n * (sum / n * largest).sqrt()),
            Target::DatasetCorrelated => best,
        }
}
