//! The clip level of people whose budgets are in no order.
//!
//! The objectives of [`l2`](super::l2) and [`l1`](super::l1) ask of each budget, in ascending order, whether it is above
//! the cap, and the answer changes once. So it is asked of the median, and then of one half only: n + n/2 + n/4 + …
//! budgets are looked at, where sorting them first looks at n·log n.

use crate::double_double::DoubleDouble;
use crate::{Epsilon, Error, Result, Target};

/// The optimal weight of each person: min(ε, τ)/Σ min(ε, τ), for a mean with variance `variance` times that of the
/// range, at most 1/4.
///
/// As the estimator `affine` of a plan, for as many different budgets as there are people, in linear time. The weights are
/// in the order of the budgets and sum to 1; with noise scaled to their largest ratio w/ε nobody loses more than they allow.
///
/// # Errors
///
/// Refuses a variance outside (0, 1/4], and budgets that are all zero.
///
/// # Example
///
/// ```
/// use suum_core::{Epsilon, Target, personal_weights};
///
/// let budgets = [4.0, 1.0, 1.0].map(Epsilon::new).into_iter().collect::<Result<Vec<_>, _>>()?;
/// let weights = personal_weights(&budgets, Target::Population, 0.25)?;
/// // τ = (1 + 1 + 2/0.25)/(1 + 1): 5, above all budgets.
/// assert!((weights[0] - 4.0 / 6.0).abs() < 1e-15);
/// # Ok::<(), suum_core::Error>(())
/// ```
pub fn personal_weights(budgets: &[Epsilon], target: Target, variance: f64) -> Result<Vec<f64>> {
    if !(variance > 0.0 && variance <= 0.25) {
        return Err(Error::parameter("variance: must be above 0 and at most 1/4 of the squared range")
            .with_hint("divide it by the squared width of the bounds; without knowledge take 0.25"));
    }
    let mut usable: Vec<f64> = budgets.iter().filter(|e| !e.is_unused()).map(|e| e.get()).collect();
    if usable.is_empty() {
        return Err(Error::parameter("privacy: every budget is zero, so no record may be used")
            .with_hint("give at least one person a positive budget"));
    }
    let n = budgets.len() as f64;
    // Two is the squared error of noise max w/ε = 1.
    let tau = match target {
        Target::Population => l2_clip_level(&mut usable, 2.0 / variance),
        Target::Dataset => l2_clip_level(&mut usable, 2.0 * (n - 1.0) / (n * variance)),
        Target::DatasetCorrelated => l1_clip_level(&mut usable, n, 8f64.sqrt()),
    };
    // Without a cap only public records count, all alike, if there are any.
    let public = tau.is_infinite() && usable.contains(&f64::INFINITY);
    let share = |epsilon: &Epsilon| match public {
        true => f64::from(u8::from(epsilon.is_public())),
        false => epsilon.get().min(tau),
    };
    let sum = budgets.iter().fold(DoubleDouble::ZERO, |sum, e| sum + DoubleDouble::from(share(e))).get();
    Ok(budgets.iter().map(|epsilon| share(epsilon) / sum).collect())
}

/// τ of the L2 objective with noise factor `c`, as [`l2::clip_level`](super::l2::clip_level) finds it.
fn l2_clip_level(budgets: &mut [f64], c: f64) -> f64 {
    let (mut s, mut q) = (0.0, 0.0);
    halve(budgets, |below, epsilon| {
        let (more_s, more_q) = below.iter().fold((s, q), |(s, q), e| (s + e, q + e * e));
        let is_below = epsilon.is_finite() && epsilon * more_s < more_q + c;
        if is_below {
            (s, q) = (more_s + epsilon, more_q + epsilon * epsilon);
        }
        is_below
    });
    if s > 0.0 { (q + c) / s } else { f64::INFINITY }
}

/// τ of the L1 objective with noise factor `l` for `n` people, of whom some may not be usable, as
/// [`l1::clip_level`](super::l1::clip_level) finds it.
fn l1_clip_level(budgets: &mut [f64], n: f64, l: f64) -> f64 {
    if budgets.iter().all(|epsilon| epsilon.is_infinite()) {
        return f64::INFINITY;
    }
    let n_exact = DoubleDouble::from(n);
    let (four, l_squared) = (DoubleDouble::from(4.0), DoubleDouble::from(l * l));
    let all = sum(budgets, DoubleDouble::ZERO);
    // R at the optimum if these are the people below 1/n: k of them, with budget sum s. Unused ones are among them.
    let free = |k: DoubleDouble, s: DoubleDouble| n_exact * (four * s * s + l_squared) / (four * s * k);
    let unused = n - budgets.len() as f64;
    let (mut k, mut s) = (DoubleDouble::from(unused), DoubleDouble::ZERO);
    let mut low = DoubleDouble::ZERO;
    let mut high = all;
    halve(budgets, |below, epsilon| {
        let more_k = k + DoubleDouble::from(below.len() as f64);
        let more_s = sum(below, s);
        let end = DoubleDouble::product(n, epsilon);
        let is_below = end < all && (more_s.get() <= 0.0 || end < free(more_k, more_s));
        if is_below {
            (k, s) = (more_k + DoubleDouble::from(1.0), more_s + DoubleDouble::from(epsilon));
            low = end;
        } else if end < high {
            high = end;
        }
        is_below
    });
    let optimum = if s.get() > 0.0 { free(k, s) } else { high };
    let optimum = if optimum < low { low } else { optimum };
    water_level(budgets, if optimum < high { optimum } else { high })
}

/// τ with Σ min(ε, τ) = `total`.
fn water_level(budgets: &mut [f64], total: DoubleDouble) -> f64 {
    let (mut above, mut below_sum) = (budgets.len(), DoubleDouble::ZERO);
    let largest = budgets.iter().copied().fold(0.0, f64::max);
    halve(budgets, |below, epsilon| {
        let more = sum(below, below_sum);
        let rest = DoubleDouble::from((above - below.len()) as f64);
        let is_below = epsilon < ((total - more) / rest).get();
        if is_below {
            above -= below.len() + 1;
            below_sum = more + DoubleDouble::from(epsilon);
        }
        is_below
    });
    // R = Σε, up to rounding: nobody is clipped.
    if above == 0 { largest } else { ((total - below_sum) / DoubleDouble::from(above as f64)).get() }
}

/// Asks of one budget after the other whether it is below the cap, given all smaller ones that it has not been asked of,
/// halving those that are left each time.
fn halve(mut budgets: &mut [f64], mut is_below: impl FnMut(&[f64], f64) -> bool) {
    while !budgets.is_empty() {
        let (below, median, above) = budgets.select_nth_unstable_by(budgets.len() / 2, f64::total_cmp);
        budgets = if is_below(below, *median) { above } else { below };
    }
}

fn sum(budgets: &[f64], start: DoubleDouble) -> DoubleDouble {
    budgets.iter().fold(start, |sum, epsilon| sum + DoubleDouble::from(*epsilon))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Bounds, Estimator, Level, Profile, Setting};
    use proptest::prelude::*;

    fn budget() -> impl Strategy<Value = f64> {
        prop_oneof![
            4 => (-6.0..6.0_f64).prop_map(f64::exp),
            2 => prop::sample::select(vec![0.01, 0.1, 1.0, 2.0]),
            1 => prop::sample::select(vec![0.0, 1e-100, 1e100, f64::INFINITY]),
        ]
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1000))]

        #[test]
        fn are_those_of_the_sorted_levels(
            budgets in prop::collection::vec(budget(), 1..60),
            variance in prop::sample::select(vec![0.25, 0.01, 1e-6]),
            target in prop::sample::select(vec![Target::Population, Target::Dataset, Target::DatasetCorrelated]),
        ) {
            let budgets: Vec<Epsilon> = budgets.into_iter().map(|e| Epsilon::new(e).unwrap()).collect();
            let found = personal_weights(&budgets, target, variance);
            if budgets.iter().all(|epsilon| epsilon.is_unused()) {
                prop_assert!(found.is_err());
                return Ok(());
            }
            let found = found.unwrap();
            let profile = Profile::new(budgets.iter().map(|e| Level { epsilon: *e, count: 1 })).unwrap();
            let setting = Setting { variance, ..Setting::new(profile, Bounds::UNIT, target) };
            let expected = Estimator::Affine.design(&setting).unwrap().weights;
            for (epsilon, weight) in budgets.iter().zip(&found) {
                let expected = expected.per_level()[setting.profile.position(*epsilon).unwrap()];
                prop_assert!((weight - expected).abs() <= 1e-9 * expected, "{} {} {:?}", weight, expected, epsilon);
            }
            prop_assert!((found.iter().sum::<f64>() - 1.0).abs() < 1e-12);
        }
    }

    #[test]
    fn refuses_what_is_no_variance() {
        for bad in [0.0, -1.0, 0.3, f64::NAN] {
            assert!(personal_weights(&[Epsilon::PUBLIC], Target::Population, bad).is_err());
        }
    }
}
