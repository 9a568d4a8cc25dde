//! Le Cam's bound against the same formula evaluated the slow way: every record, every δ.

use super::*;
use crate::{Neighbors, Profile};

/// Le Cam's bound on the risk, for the population.
fn bound(profile: &Profile, variance: f64) -> f64 {
    let rmse =
        le_cam(&People::from_profile(profile, Neighbors::ReplaceOne), variance, Target::Population);
    rmse * rmse
}

/// Le Cam's bound with mass `p` on the ends of an interval of length `s` (h = 1), budgets sorted
/// upward.
///
/// (psδ)²/4·(1 − min_k [pδ·Σ_{i≤k} tanh(ε_i/2) + √(1 − A^{2(n−k)})]), A = 1 − p + p·√(1 − δ²).
fn at(budgets: &[f64], p: f64, s: f64, delta: f64) -> f64 {
    let n = budgets.len();
    // A² = 1 − loss, with the loss free of cancellation for small δ.
    let gap = p * delta * delta / (1.0 + (1.0 - delta * delta).sqrt());
    let loss = gap * (2.0 - gap);
    // 1 − A^{2(n−k)} for the n − k records that are told apart by their values.
    let evidence =
        |k: usize| if k == n { 0.0 } else { -f64::exp_m1((n - k) as f64 * (-loss).ln_1p()) };
    let mut indistinct = 0.0;
    let mut least = evidence(0).sqrt();
    for (before, epsilon) in budgets.iter().enumerate() {
        indistinct += (epsilon / 2.0).tanh();
        least = least.min(p * delta * indistinct + evidence(before + 1).sqrt());
    }
    (p * s * delta).powi(2) / 4.0 * (1.0 - least).max(0.0)
}

/// The largest value over a logarithmic grid of δ, the grid around its top refined three times;
/// `family` gives p and s.
fn supremum(budgets: &[f64], family: impl Fn(f64) -> (f64, f64)) -> f64 {
    let scan = |low: f64, high: f64, steps: u32| {
        (0..=steps)
            .map(|i| (low + (high - low) * f64::from(i) / f64::from(steps)).min(0.0))
            .map(|log_delta| {
                let delta = log_delta.exp();
                let (p, s) = family(delta);
                (at(budgets, p, s, delta), log_delta)
            })
            .fold((0.0, 0.0), |best: (f64, f64), here| if here.0 > best.0 { here } else { best })
    };
    let first = scan(-30.0, 0.0, 6000);
    let second = scan(first.1 - 0.005, first.1 + 0.005, 100);
    let third = scan(second.1 - 1e-4, second.1 + 1e-4, 100);
    // A corner is met only as nearly as the grid is fine.
    let fourth = scan(third.1 - 2e-6, third.1 + 2e-6, 100);
    first.0.max(second.0).max(third.0).max(fourth.0)
}

/// The variance of the values −s/2, 0 and s/2 with probabilities p(1 − δ)/2, 1 − p and p(1 + δ)/2.
fn variance_of(p: f64, s: f64, delta: f64) -> f64 {
    let mean = p * s * delta / 2.0;
    let (up, down) = (p * (1.0 + delta) / 2.0, p * (1.0 - delta) / 2.0);
    up * (s / 2.0 - mean).powi(2) + down * (s / 2.0 + mean).powi(2) + (1.0 - p) * mean * mean
}

/// The largest x in [0, 1] that is allowed. What is allowed begins at 0 and ends once: variances
/// are concave in p and grow with s, so that there is no gap below a refused 1.
fn largest(allowed: impl Fn(f64) -> bool) -> f64 {
    if allowed(1.0) {
        return 1.0;
    }
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..60 {
        let middle = (low + high) / 2.0;
        if allowed(middle) { low = middle } else { high = middle }
    }
    low
}

/// Both families of the bound: for every δ the full width with the largest mass that the variance
/// allows, and all mass with the largest width.
fn brute_force(profile: &Profile, variance: f64) -> f64 {
    let budgets: Vec<f64> = profile
        .levels()
        .iter()
        .flat_map(|level| std::iter::repeat_n(level.epsilon.get(), level.count as usize))
        .collect();
    // A worst-case variance of 1/4 must not be missed by a rounding.
    let allowed = variance * (1.0 + 1e-14);
    let wide =
        supremum(&budgets, |delta| (largest(|p| variance_of(p, 1.0, delta) <= allowed), 1.0));
    let narrow =
        supremum(&budgets, |delta| (1.0, largest(|s| variance_of(1.0, s, delta) <= allowed)));
    wide.max(narrow)
}

fn agrees(profile: &str, variance: f64) {
    let profile: Profile = profile.parse().unwrap();
    let truth = brute_force(&profile, variance);
    let ours = bound(&profile, variance);
    assert!(ours <= truth * (1.0 + 1e-6), "{profile} {variance}: {ours:e} exceeds {truth:e}");
    assert!(ours >= truth * 0.99, "{profile} {variance}: {ours:e} is below {truth:e}");
}

const PROFILES: [&str; 17] = [
    "1:1",
    "inf:1",
    "inf:7",
    "0.01:100",
    "1:60",
    "0.1:20,1:20,10:20",
    "0.001:150,inf:3",
    "0.5:40,inf:1",
    "0:10,2:5",
    "1e-9:30,1e3:2",
    "0.01:5,0.02:5,0.05:5,0.1:5,0.2:5,0.5:5,1:5,2:5,5:5,inf:2",
    "1e-6:1,1:99",
    "1e-12:3",
    "100:50",
    // The noise alone decides, and the two hills of a declared variance are of like height.
    "0.02:100",
    "0.015:60,0.1:10",
    "0.03:100,0:20",
];

#[test]
fn agrees_with_brute_force_in_the_worst_case() {
    for profile in PROFILES {
        agrees(profile, 0.25);
    }
}

#[test]
#[ignore = "takes seconds"]
fn agrees_with_brute_force_for_declared_variances() {
    for profile in PROFILES {
        for variance in [0.2, 1.0 / 12.0, 0.03, 0.01, 1e-4] {
            agrees(profile, variance);
        }
    }
}

/// Everybody at one end or everybody at the other: the variance is zero, so declaring one does not
/// help.
#[test]
fn a_small_variance_leaves_the_bound_of_nearly_fixed_values() {
    let profile: Profile = "0.01:100".parse().unwrap();
    let bound = bound(&profile, 0.01);
    // δ = 1, p = s = 1, k = n: ¼·(1 − 100·tanh(0.005)).
    let fixed = 0.25 * (1.0 - 100.0 * 0.005_f64.tanh());
    assert!((bound / fixed - 1.0).abs() < 0.01 && (bound - 0.125).abs() < 1e-3, "{bound} {fixed}");
}

/// Of more than 128 levels, only a selection of the ends is tried.
#[test]
fn agrees_with_brute_force_for_many_levels() {
    for (levels, span) in [(200, 4.0), (400, 1.0), (300, 8.0)] {
        let text: Vec<String> = (0..levels)
            .map(|i| format!("{:e}:1", 10f64.powf(span * (f64::from(i) / f64::from(levels) - 0.7))))
            .collect();
        agrees(&text.join(","), 0.25);
        agrees(&text.join(","), 0.03);
    }
}

/// Millions of public records, for which δ is small: k = 0 is best, as no record's budget hides
/// anything.
#[test]
fn agrees_with_the_closed_form_for_many_public_records() {
    for n in [1e4, 1e6, 1e9, 1e12, 1e15] {
        let public: Profile = format!("inf:{n}").parse().unwrap();
        let at = |log_delta: f64| {
            let delta = log_delta.exp();
            let told_apart = -f64::exp_m1(n * (-delta * delta).ln_1p());
            delta * delta / 4.0 * (1.0 - told_apart.sqrt())
        };
        let truth = (0..=300_000).map(|i| at(-1e-4 * f64::from(i))).fold(0.0, f64::max);
        let ours = bound(&public, 0.25);
        assert!(ours <= truth * (1.0 + 1e-6) && ours >= truth * 0.99, "{n:e}: {ours:e} {truth:e}");
    }
}

/// A single unused record: its mean is 0 or 1, and nothing is known about it.
#[test]
fn what_nobody_may_know_is_as_unknown_as_can_be() {
    let people = People::from_profile(&"0:1".parse().unwrap(), Neighbors::ReplaceOne);
    for target in [Target::Population, Target::Dataset, Target::DatasetCorrelated] {
        assert!((le_cam(&people, 0.25, target) - 0.5).abs() < 1e-9, "{target:?}");
    }
}

/// The mean of public records is known.
#[test]
fn nothing_is_claimed_of_records_that_are_known() {
    for profile in ["inf:1", "inf:1000", "100:7,inf:3"] {
        let people = People::from_profile(&profile.parse().unwrap(), Neighbors::ReplaceOne);
        assert_eq!(le_cam(&people, 0.25, Target::Dataset), 0.0, "{profile}");
    }
}
