//! Lower bound on the error of every private mean of normal data.

use super::information::least_information;
use super::people::{People, ROUNDING};
use crate::{Neighbors, Profile};

/// Returns a lower bound on the RMSE, in units of σ, of every private estimator of a normal mean,
/// for some mean.
///
/// The bound holds for values from N(μ, σ²) with any σ, known or not, and μ anywhere: no bounds are
/// declared. It is ∞ if no record may be used, and never below the bound without privacy, 1/√n.
/// Budgets limit a change of value (replace-one neighbours).
///
/// # Formula
///
/// 1/√((Σ_{i≤k} k(ε_i))² + n − k), the best over k, with budgets sorted upward: the van Trees
/// inequality for a prior of μ so wide that it carries no information, with the Fisher information
/// that budgets let through. That of one record is at most k(ε)², the least of 1 and
/// 2·tanh(ε/2)·φ(0)·max_t (e^ε − 1)·φ(t)/(1 + (e^ε − 1)·Q(t)), φ the density of N(0, 1) and Q its
/// upper tail. Inside a level the denominator is concave in k, so only ends of levels can be best.
///
/// `docs/mechanisms/lower-bounds.md` derives it.
///
/// # Example
///
/// ```
/// use suum_core::gaussian_lower_bound;
///
/// let without_privacy = gaussian_lower_bound(&"inf:10000".parse()?);
/// assert!((without_privacy - 0.01).abs() < 1e-6);
/// let private = gaussian_lower_bound(&"0.001:10000".parse()?);
/// assert!((private - 0.2507).abs() < 1e-3);
/// assert_eq!(gaussian_lower_bound(&"0:900".parse()?), f64::INFINITY);
/// # Ok::<(), suum_core::Error>(())
/// ```
pub fn gaussian_lower_bound(profile: &Profile) -> f64 {
    let people = People::from_profile(profile, Neighbors::ReplaceOne);
    let roots = people.levels.iter().map(|level| root_of_record(level.epsilon));
    (1.0 - ROUNDING) / least_information(&people, roots, 1.0).sqrt()
}

/// φ(0), the density of N(0, 1) at zero.
const PEAK: f64 = 0.398_942_280_401_432_7;

/// Returns an upper bound on the root of the Fisher information on the mean that one record gives
/// away.
fn root_of_record(epsilon: f64) -> f64 {
    if epsilon == 0.0 {
        return 0.0;
    }
    let score = largest_score(1.0 / epsilon.exp_m1());
    (2.0 * (epsilon / 2.0).tanh() * PEAK * score).sqrt().min(1.0)
}

/// Returns the largest φ(t)/(c + Q(t)) over t, rounded up: the largest shift of the mean of the
/// score by an output, c = 1/(e^ε − 1).
///
/// At its maximum the function equals t, because its derivative is itself times (itself − t). So t
/// is the zero of φ(t) − t·(c + Q(t)), which is falling and convex, and Newton's steps from t = 0
/// approach it from below. Beyond t = 8 it is not needed, because the root for one record is at
/// most 1.
fn largest_score(c: f64) -> f64 {
    let mut t = 0.0;
    // Ten digits suffice to stop: the last steps at least double their number.
    for _ in 0..60 {
        let tail = c + libm::erfc(t / std::f64::consts::SQRT_2) / 2.0;
        let step = PEAK * (-t * t / 2.0).exp() / tail - t;
        t += step;
        if t >= 8.0 {
            return f64::INFINITY;
        }
        if step <= 1e-11 * t {
            break;
        }
    }
    t * (1.0 + ROUNDING)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Epsilon, Level};
    use proptest::prelude::*;

    fn profile(levels: &[(f64, u64)]) -> Profile {
        let level = |(budget, count): &(f64, u64)| Level {
            epsilon: Epsilon::new(*budget).unwrap(),
            count: *count,
        };
        Profile::new(levels.iter().map(level)).unwrap()
    }

    #[test]
    fn public_data_leave_the_error_of_normal_theory() {
        for n in [1u64, 2, 100, 1 << 40, 1 << 63] {
            let bound = gaussian_lower_bound(&profile(&[(f64::INFINITY, n)]));
            assert!((bound * (n as f64).sqrt() - 1.0).abs() < 2e-9, "{n}: {bound}");
        }
    }

    #[test]
    fn grows_without_limit_as_budgets_vanish() {
        assert_eq!(gaussian_lower_bound(&profile(&[(0.0, 1000)])), f64::INFINITY);
        for epsilon in [1e-100, 1e-12, 1e-3] {
            // k(ε) ≈ ε·φ(0): tanh(ε/2) ≈ ε/2, and the largest score is about ε·φ(0).
            let bound = gaussian_lower_bound(&profile(&[(epsilon, 10)]));
            assert!((bound * 10.0 * epsilon * PEAK - 1.0).abs() < 1e-3, "{epsilon}: {bound}");
        }
        // Half of the records may not be used.
        let half = gaussian_lower_bound(&profile(&[(0.0, 50), (1e3, 50)]));
        assert!((half * 50f64.sqrt() - 1.0).abs() < 2e-9, "{half}");
    }

    /// The sign of a value, told rightly with the odds e^ε, is a release with that budget: it must
    /// not tell more than the bound says. For small budgets there is nothing better.
    #[test]
    fn the_sign_under_randomised_response_tells_no_more() {
        for epsilon in [1e-6, 0.01, 0.3, 1.0, 2.0, 5.0] {
            // At μ = 0 both answers are equally likely, and the slope of one's probability is
            // tanh(ε/2)·φ(0): information slope²/¼.
            let told = 2.0 * f64::tanh(epsilon / 2.0) * PEAK;
            let bound = root_of_record(epsilon);
            assert!(bound >= told * (1.0 - 1e-9), "{epsilon}: {bound} {told}");
            // The whole of the record's information, where that is less.
            assert!(bound <= 1.0);
            if epsilon <= 0.3 {
                assert!(bound <= told * 1.02, "{epsilon}: {bound} {told}");
                assert!(0.95 * bound < told, "a bound 5 % lower would be noticed");
            }
        }
    }

    #[test]
    fn the_largest_score_is_the_largest() {
        for epsilon in [1e-9, 0.1, 1.0, 3.0, 8.0, 20.0] {
            let c = 1.0 / f64::exp_m1(epsilon);
            let at = |t: f64| PEAK * (-t * t / 2.0).exp() / (c + libm::erfc(t / 2f64.sqrt()) / 2.0);
            let largest = (0..80_000).map(|i| at(f64::from(i) * 1e-4)).fold(0.0, f64::max);
            let found = largest_score(c);
            assert!(found >= largest && found <= largest * (1.0 + 1e-6), "{epsilon}: {found}");
        }
        assert_eq!(largest_score(0.0), f64::INFINITY);
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
            let each = profile.levels().iter();
            let roots: Vec<f64> = each
                .flat_map(|level| {
                    vec![root_of_record(level.epsilon.get()); level.count as usize]
                })
                .collect();
            let lax = |k: usize| ((roots.len() - k) as f64).sqrt();
            let at = |k: usize| roots[..k].iter().sum::<f64>().hypot(lax(k));
            let least = (0..=roots.len()).map(at).fold(f64::INFINITY, f64::min);
            prop_assert!((bound * least - 1.0).abs() < 2e-9 || least == 0.0);
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
            prop_assert!(after <= before * (1.0 + 1e-8), "{after} > {before}");
            let n = profile(&levels).records() as f64;
            prop_assert!(before >= 1.0 / n.sqrt() * (1.0 - 2e-9));
        }
    }
}
