//! Clip level that minimises ‖w − 1/n‖₁² + L²·max(w/ε)².

use crate::Profile;
use crate::arithmetic::double_double::DoubleDouble;

/// Returns τ of the L1 objective with noise factor `l` > 0; ∞ if only public records are usable.
///
/// At noise level t = max w/ε a record with t·ε < 1/n must weigh less than 1/n. The objective
/// depends on the weights only through the deficit D(t) = Σ (1/n − tε)₊: ‖w − 1/n‖₁ = 2D(t), so
/// F(t) = 4D² + l²t², convex, is minimised segment by segment over t ≥ 1/Σε (CC24 equation (6)).
/// With R = 1/t, the first k records (budget sum S) below 1/n and R in their segment, the optimum
/// is R = n(4S² + l²)/(4Sk). Of all optimal weights, min(tε, λ), with λ such that they sum to 1,
/// have the least variance; τ = λ/t solves Σ min(ε, τ) = R.
///
/// Differences of large sums are taken in double-double arithmetic.
pub(crate) fn clip_level(profile: &Profile, l: f64) -> f64 {
    if profile.usable().iter().all(|level| level.epsilon.is_public()) {
        return f64::INFINITY;
    }
    let sum = optimal_sum(profile, l);
    water_level(profile, sum)
}

/// Returns R = 1/t at the minimum of F.
fn optimal_sum(profile: &Profile, l: f64) -> DoubleDouble {
    let n = DoubleDouble::from(profile.records() as f64);
    let l_squared = DoubleDouble::from(l * l);
    let four = DoubleDouble::from(4.0);
    // R cannot exceed Σε.
    let all = budget_sum(profile);
    let mut best = (f64::INFINITY, all);
    let (mut k, mut s) = (DoubleDouble::ZERO, DoubleDouble::ZERO);
    let mut low = DoubleDouble::ZERO;
    for position in 0..=profile.levels().len() {
        // In this segment the levels before `position` lie below 1/n: nε of the last of them < R ≤
        // nε of the next.
        let next = profile.levels().get(position);
        let high = next.map_or(DoubleDouble::from(f64::INFINITY), |level| {
            DoubleDouble::product(n.get(), level.epsilon.get())
        });
        let high = if high < all { high } else { all };
        let free =
            if s.get() > 0.0 { n * (four * s * s + l_squared) / (four * s * k) } else { high };
        let sum = if free < low {
            low
        } else if free < high {
            free
        } else {
            high
        };
        if sum.get() > 0.0 && sum.get().is_finite() {
            let deficit = (k / n - s / sum).get();
            let objective = 4.0 * deficit * deficit + (l / sum.get()) * (l / sum.get());
            if objective < best.0 {
                best = (objective, sum);
            }
            // F is convex, so a segment whose own optimum lies inside it has the global one.
            if free > low && free < high && s.get() > 0.0 {
                break;
            }
        }
        let Some(level) = next else { break };
        if high >= all || level.epsilon.is_public() {
            break;
        }
        k = k + DoubleDouble::from(level.count as f64);
        s = s + DoubleDouble::product(level.count as f64, level.epsilon.get());
        low = high;
    }
    best.1
}

/// Returns Σε over all records; ∞ if one is public.
fn budget_sum(profile: &Profile) -> DoubleDouble {
    profile.usable().iter().fold(DoubleDouble::ZERO, |sum, level| {
        sum + DoubleDouble::product(level.count as f64, level.epsilon.get())
    })
}

/// Returns τ with Σ min(ε, τ) = `sum`.
fn water_level(profile: &Profile, sum: DoubleDouble) -> f64 {
    let mut above: u64 = profile.usable().iter().map(|level| level.count).sum();
    let mut below = DoubleDouble::ZERO;
    for level in profile.usable() {
        let tau = ((sum - below) / DoubleDouble::from(above as f64)).get();
        if tau <= level.epsilon.get() {
            return tau;
        }
        below = below + DoubleDouble::product(level.count as f64, level.epsilon.get());
        above -= level.count;
    }
    // R = Σε, up to rounding, so nobody is clipped.
    profile.usable().last().map_or(f64::INFINITY, |level| level.epsilon.get())
}
