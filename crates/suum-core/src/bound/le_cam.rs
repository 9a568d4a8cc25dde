//! A lower bound on the risk of every estimator that keeps everybody's budget.

use crate::{Setting, Target};

/// The best lower bound we can prove on the worst-case risk of *any* private mean, in squared units
/// of the data; `None` for frequencies and the dataset targets, for which we know none.
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
/// # Example
///
/// ```
/// use suum_core::{Bounds, Estimator, Setting, Target, lower_bound};
///
/// let setting = Setting::new("1:1000".parse()?, Bounds::UNIT, Target::Population);
/// let risk = Estimator::Affine.design(&setting)?.risk(&setting).total();
/// let gap = risk / lower_bound(&setting).unwrap();
/// assert!((4.0..6.0).contains(&gap), "affine is within a factor of 6 of anything possible here");
/// # Ok::<(), suum_core::Error>(())
/// ```
pub fn lower_bound(setting: &Setting) -> Option<f64> {
    if setting.target != Target::Population || setting.categories.is_some() {
        return None;
    }
    let family = Family::of(setting);
    let variance = setting.relative_variance();
    let wide = family.best(|delta| (1.0, largest_mass(variance, delta)));
    let narrow = family.best(|delta| (largest_width(variance, delta), 1.0));
    Some(wide.max(narrow) * setting.bounds.width() * setting.bounds.width())
}

/// The largest p ≤ 1 with p·(1 − pδ²)/4 ≤ σ², σ² in squared units of the range.
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

/// The largest s ≤ 1 with s²·(1 − δ²)/4 ≤ σ².
fn largest_width(variance: f64, delta: f64) -> f64 {
    let rest = 1.0 - delta * delta;
    if rest / 4.0 <= variance { 1.0 } else { 2.0 * (variance / rest).sqrt() }
}

/// At every end of a level: Σ tanh(ε/2) up to there, and the number of records after it.
struct Family {
    indistinct: Vec<f64>,
    rest: Vec<f64>,
}

impl Family {
    fn of(setting: &Setting) -> Self {
        let (mut sum, mut rest) = (0.0, setting.records());
        let mut family = Self { indistinct: vec![sum], rest: vec![rest] };
        for level in setting.profile.levels() {
            sum += level.count as f64 * (level.epsilon.get() / 2.0).tanh();
            rest -= level.count as f64;
            family.indistinct.push(sum);
            family.rest.push(rest.max(0.0));
        }
        family
    }

    /// The bound at its best δ, in squared units of the range; `shape` gives s and p for a δ.
    fn best(&self, shape: impl Fn(f64) -> (f64, f64)) -> f64 {
        let bound = |log_delta: f64| {
            let delta = log_delta.exp();
            let (width, mass) = shape(delta);
            let separation = mass * width * delta;
            separation * separation / 4.0 * (1.0 - self.total_variation(delta, mass)).max(0.0)
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

    /// An upper bound on the total variation; the minimum over all ends of levels, or over a fine
    /// selection.
    fn total_variation(&self, delta: f64, mass: f64) -> f64 {
        let log_affinity =
            2.0 * (-mass * delta * delta / (1.0 + (1.0 - delta * delta).max(0.0).sqrt())).ln_1p();
        let at = |k: usize| {
            // 0·∞ at δ = 1, where one record tells the two apart: no records, no evidence.
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
        // Every k gives a valid bound, so with many levels a coarse look and a fine one around its
        // best will do.
        let stride = last / 128 + 1;
        let coarse = least(0, last, stride);
        let fine = least(coarse.1.saturating_sub(stride), (coarse.1 + stride).min(last), 1);
        coarse.0.min(fine.0).min(at(last))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Bounds, Estimator};

    fn gap(profile: &str) -> f64 {
        let setting = Setting::new(profile.parse().unwrap(), Bounds::UNIT, Target::Population);
        Estimator::Affine.design(&setting).unwrap().risk(&setting).total()
            / lower_bound(&setting).unwrap()
    }

    #[test]
    fn gaps_are_half_of_those_with_the_constant_one_eighth() {
        // With 1/8 in place of 1/4 the gaps are 27 and 9.8.
        assert!((gap("0.01:1000") - 27.0 / 2.0).abs() < 0.5);
        assert!((gap("1:1000") - 9.8 / 2.0).abs() < 0.1);
    }

    #[test]
    fn never_above_a_risk() {
        for profile in [
            "inf:1",
            "inf:1000000",
            "0.001:10000,inf:12",
            "1e-12:3,1e3:2",
            "0:5,1:1",
            "1:1",
            "100:7",
        ] {
            assert!(gap(profile) >= 1.0, "{profile}");
        }
    }

    #[test]
    fn a_small_variance_lowers_the_bound_but_not_below_its_own_worst_case() {
        let mut setting = Setting::new("1:1000".parse().unwrap(), Bounds::UNIT, Target::Population);
        let worst = lower_bound(&setting).unwrap();
        setting.variance = 0.001;
        let declared = lower_bound(&setting).unwrap();
        assert!(declared < worst);
        // Without privacy the bound is of the order of variance/n.
        assert!(declared > 0.001 / 1000.0 / 40.0);
    }
}
