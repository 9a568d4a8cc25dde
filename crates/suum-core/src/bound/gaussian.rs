//! A lower bound on the error of every private mean of normal data.

use crate::Profile;

/// The largest t, in units of σ, such that no private estimator of a normal mean stays closer than
/// t with a probability above 3/4 under every mean.
///
/// The bound holds for values from N(μ, σ²) with any σ, known or not, and μ anywhere: no bounds are
/// declared. It is ∞ where budgets are so small that nothing can be said about μ, and never below
/// that without privacy, 0.674/√n.
///
/// # Formula
///
/// Le Cam's method with N(−t, 1) and N(t, 1): the larger of the two probabilities of an error of t
/// or more is at least (1 − TV)/2, with TV the total variation between the outputs. With budgets
/// sorted upward,
///
/// TV ≤ min_k \[ (2Φ(t) − 1)·Σ_{i≤k} tanh(ε_i/2) + 2Φ(t·√(n−k)) − 1 \]:
///
/// two ε-indistinguishable outputs are within tanh(ε/2) of each other, 2Φ(t) − 1 is the total
/// variation between one record and another, and the last term that between n − k records, told
/// apart by their mean. t is the largest for which the right side is at most 1/2. Inside a level it
/// is concave in k, so only ends of levels can be minimal. It grows with t for every k, so t is
/// found by bisection.
///
/// # Example
///
/// ```
/// use suum_core::gaussian_lower_bound;
///
/// let without_privacy = gaussian_lower_bound(&"inf:10000".parse()?);
/// assert!((without_privacy - 0.6745 / 100.0).abs() < 1e-6);
/// let private = gaussian_lower_bound(&"0.001:10000".parse()?);
/// assert!((private - 0.1257).abs() < 1e-3);
/// assert_eq!(gaussian_lower_bound(&"0.001:900".parse()?), f64::INFINITY);
/// # Ok::<(), suum_core::Error>(())
/// ```
///
/// Source: DG26 Theorems 9 and 12 with the constants of the total variation corrected.
pub fn gaussian_lower_bound(profile: &Profile) -> f64 {
    let cuts = cuts(profile);
    // Φ(40) is 1 in any precision that matters: what is not told apart here never is.
    let (mut low, mut high) = (0.0, 40.0);
    if total_variation(&cuts, high) <= 0.5 {
        return f64::INFINITY;
    }
    // Down to neighbouring doubles.
    loop {
        let middle = if low == 0.0 { high / 1024.0 } else { low + (high - low) / 2.0 };
        if middle <= low || middle >= high {
            return low;
        }
        if total_variation(&cuts, middle) <= 0.5 { low = middle } else { high = middle }
    }
}

/// Σ tanh(ε/2) over the first k records and n − k, for every k at an end of a level.
fn cuts(profile: &Profile) -> Vec<(f64, f64)> {
    let (mut indistinct, mut rest) = (0.0, profile.records());
    let mut cuts = vec![(indistinct, rest as f64)];
    for level in profile.levels() {
        indistinct += level.count as f64 * libm::tanh(level.epsilon.get() / 2.0);
        rest -= level.count;
        cuts.push((indistinct, rest as f64));
    }
    cuts
}

/// The bound on TV at t.
fn total_variation(cuts: &[(f64, f64)], t: f64) -> f64 {
    // 2Φ(x) − 1 = erf(x/√2).
    let between = |x: f64| libm::erf(x / std::f64::consts::SQRT_2);
    let one = between(t);
    let at = |(indistinct, rest): &(f64, f64)| one * indistinct + between(t * rest.sqrt());
    cuts.iter().map(at).fold(f64::INFINITY, f64::min)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Epsilon, Level};
    use proptest::prelude::*;

    /// The right side minimised over every single k.
    fn brute_force(profile: &Profile, t: f64) -> f64 {
        let levels = profile.levels().iter();
        let budgets: Vec<f64> =
            levels.flat_map(|level| vec![level.epsilon.get(); level.count as usize]).collect();
        let between = |x: f64| libm::erf(x / 2f64.sqrt());
        let at = |k: usize| {
            let indistinct: f64 = budgets[..k].iter().map(|epsilon| (epsilon / 2.0).tanh()).sum();
            between(t) * indistinct + between(t * ((budgets.len() - k) as f64).sqrt())
        };
        (0..=budgets.len()).map(at).fold(f64::INFINITY, f64::min)
    }

    fn profile(levels: &[(f64, u64)]) -> Profile {
        let level = |(budget, count): &(f64, u64)| Level {
            epsilon: Epsilon::new(*budget).unwrap(),
            count: *count,
        };
        Profile::new(levels.iter().map(level)).unwrap()
    }

    /// The upper quartile of the standard normal distribution.
    const QUARTILE: f64 = 0.674_489_750_196_081_7;

    #[test]
    fn public_data_leave_the_error_of_normal_theory() {
        for n in [1u64, 2, 100, 1 << 40, 1 << 63] {
            let bound = gaussian_lower_bound(&profile(&[(f64::INFINITY, n)]));
            assert!((bound * (n as f64).sqrt() / QUARTILE - 1.0).abs() < 1e-12, "{n}: {bound}");
        }
    }

    #[test]
    fn nothing_is_said_where_nothing_can_be_known() {
        for hopeless in
            [&[(0.0, 1000)][..], &[(1e-100, 1 << 60)], &[(0.001, 999)], &[(0.0, 5), (0.9, 1)]]
        {
            assert_eq!(gaussian_lower_bound(&profile(hopeless)), f64::INFINITY, "{hopeless:?}");
        }
        assert!(gaussian_lower_bound(&profile(&[(0.001, 1001)])).is_finite());
    }

    #[test]
    fn grows_as_one_over_n_epsilon_where_privacy_rules() {
        // 2Φ(t) − 1 ≈ t·√(2/π): t ≈ √(π/2)/(nε).
        let bound = gaussian_lower_bound(&profile(&[(0.001, 100_000)]));
        assert!(
            (bound * 100.0 / (std::f64::consts::PI / 2.0).sqrt() - 1.0).abs() < 1e-3,
            "{bound}"
        );
    }

    fn levels() -> impl Strategy<Value = Vec<(f64, u64)>> {
        let budget = prop_oneof![
            6 => (-4.0..1.5_f64).prop_map(|exponent| 10f64.powf(exponent)),
            1 => Just(0.0),
            1 => Just(f64::INFINITY),
        ];
        prop::collection::vec((budget, 1..60u64), 1..6)
    }

    proptest! {
        #[test]
        fn no_other_cut_is_better(levels in levels()) {
            let profile = profile(&levels);
            let bound = gaussian_lower_bound(&profile);
            if bound.is_finite() {
                prop_assert!(brute_force(&profile, bound * (1.0 - 1e-9)) <= 0.5);
                prop_assert!(brute_force(&profile, bound * (1.0 + 1e-9)) >= 0.5);
            } else {
                prop_assert!(brute_force(&profile, 1e6) <= 0.5);
            }
        }

        #[test]
        fn never_above_with_more_budget_or_more_people(
            levels in levels(), which in 0usize..6, factor in 1.0..10.0_f64, more in 0..30u64,
        ) {
            let before = gaussian_lower_bound(&profile(&levels));
            let mut relaxed = levels.clone();
            let which = which % levels.len();
            relaxed[which].0 *= factor;
            relaxed[which].1 += more;
            let after = gaussian_lower_bound(&profile(&relaxed));
            prop_assert!(after <= before * (1.0 + 1e-12), "{after} > {before}");
            let n = profile(&levels).records() as f64;
            prop_assert!(before >= QUARTILE / n.sqrt() * (1.0 - 1e-12));
        }
    }
}
