//! Optimal weights for budgets in no order, in linear time.
//!
//! The objectives of [`l2`](super::l2) and [`l1`](super::l1) test for each budget, in ascending
//! order, if it is above the cap, and the result changes only once. So a budget in the middle is
//! tested, and then the search continues in one half: it reads n + n/2 + n/4 + … budgets, where
//! sorting them first takes n·log n steps.

use super::workers::Workers;
use crate::arithmetic::double_double::DoubleDouble;
use crate::error::option;
use crate::{Epsilon, Error, Result, Target};

/// Number of people in one part of the work. It is fixed, so that the order of summation does not
/// depend on the workers.
const PART: usize = if cfg!(test) { 4 } else { 1 << 15 };

/// Returns the optimal weight of each person: min(ε, τ)/Σ min(ε, τ), for a mean with variance
/// `variance` times the squared width of the bounds, at most 1/4.
///
/// It is the estimator `affine` of a plan, for as many different budgets as there are people, in
/// linear time. The weights are in the order of the budgets and sum to 1; with noise scaled to
/// their largest ratio w/ε nobody loses more than they allow. With any `workers`,
/// [`Alone`](crate::Alone) or several, the weights are the same to the last bit.
///
/// # Errors
///
/// Refuses a variance outside (0, 1/4], and budgets that are all zero.
///
/// # Example
///
/// ```
/// use suum_core::{Alone, Epsilon, Target, personal_weights};
///
/// let budgets = [4.0, 1.0, 1.0].map(Epsilon::new).into_iter().collect::<Result<Vec<_>, _>>()?;
/// let weights = personal_weights(&budgets, Target::Population, 0.25, &Alone)?;
/// // τ = (1 + 1 + 2/0.25)/(1 + 1): 5, above all budgets.
/// assert!((weights[0] - 4.0 / 6.0).abs() < 1e-15);
/// # Ok::<(), suum_core::Error>(())
/// ```
pub fn personal_weights(
    budgets: &[Epsilon],
    target: Target,
    variance: f64,
    workers: &impl Workers,
) -> Result<Vec<f64>> {
    if !(variance > 0.0 && variance <= 0.25) {
        return Err(Error::parameter(
            option::VARIANCE,
            "must be above 0 and at most 1/4 of the squared range",
        )
        .with_fix("divide it by the squared width of the bounds; without knowledge take 0.25"));
    }
    let usable = |part: &[Epsilon]| {
        part.iter().filter(|epsilon| !epsilon.is_unused()).map(|epsilon| epsilon.get()).collect()
    };
    let mut usable: Vec<Vec<f64>> = workers.map(budgets.chunks(PART).collect(), usable);
    if usable.iter().all(Vec::is_empty) {
        return Err(Error::parameter(
            option::PRIVACY,
            "every budget is zero, so no record may be used",
        )
        .with_fix("give at least one person a positive budget"));
    }
    let n = budgets.len() as f64;
    // Factor 2: the squared error of noise max w/ε = 1.
    let tau = match target {
        Target::Population => l2_clip_level(&mut usable, 2.0 / variance, workers),
        Target::Dataset => l2_clip_level(&mut usable, 2.0 * (n - 1.0) / (n * variance), workers),
        Target::DatasetCorrelated => l1_clip_level(&mut usable, n, 8f64.sqrt(), workers),
    };
    // Without a cap only public records count, if there are any, with equal weights.
    let public = tau.is_infinite() && usable.iter().any(|part| part.contains(&f64::INFINITY));
    let share = |epsilon: &Epsilon| match public {
        true => f64::from(u8::from(epsilon.is_public())),
        false => epsilon.get().min(tau),
    };
    let sum = sum_of(budgets.chunks(PART), share, workers).get();
    let mut weights = vec![0.0; budgets.len()];
    workers.map(
        budgets.chunks(PART).zip(weights.chunks_mut(PART)).collect(),
        |(budgets, weights)| {
            weights
                .iter_mut()
                .zip(budgets)
                .for_each(|(weight, epsilon)| *weight = share(epsilon) / sum);
        },
    );
    Ok(weights)
}

/// Returns τ of the L2 objective with noise factor `c`, which
/// [`l2::clip_level`](super::l2::clip_level) defines.
fn l2_clip_level(budgets: &mut [Vec<f64>], c: f64, workers: &impl Workers) -> f64 {
    let Below { sum: Powers { s, q }, .. } =
        halve(budgets, workers, |below: Below<Powers>, epsilon| {
            epsilon.is_finite() && epsilon * below.sum.s < below.sum.q + c
        });
    if s > 0.0 { (q + c) / s } else { f64::INFINITY }
}

/// Returns τ of the L1 objective with noise factor `l` for `n` people, some of whom may be
/// unusable, which [`l1::clip_level`](super::l1::clip_level) defines.
fn l1_clip_level(budgets: &mut [Vec<f64>], n: f64, l: f64, workers: &impl Workers) -> f64 {
    if budgets.iter().flatten().all(|epsilon| epsilon.is_infinite()) {
        return f64::INFINITY;
    }
    let n_exact = DoubleDouble::from(n);
    let (four, l_squared) = (DoubleDouble::from(4.0), DoubleDouble::from(l * l));
    let all = sum_of(budgets.iter().map(Vec::as_slice), |epsilon| *epsilon, workers);
    let unused = n - budgets.iter().map(Vec::len).sum::<usize>() as f64;
    // R at the optimum if these people, and the unusable ones, are those below 1/n.
    let free = |below: Below<DoubleDouble>| {
        let k = DoubleDouble::from(unused + below.count as f64);
        n_exact * (four * below.sum * below.sum + l_squared) / (four * below.sum * k)
    };
    let mut low = DoubleDouble::ZERO;
    let mut high = all;
    let below = halve(budgets, workers, |below: Below<DoubleDouble>, epsilon| {
        let end = DoubleDouble::product(n, epsilon);
        let is_below = end < all && (below.sum.get() <= 0.0 || end < free(below));
        if is_below {
            low = end;
        } else if end < high {
            high = end;
        }
        is_below
    });
    let optimum = if below.sum.get() > 0.0 { free(below) } else { high };
    let optimum = if optimum < low { low } else { optimum };
    water_level(budgets, if optimum < high { optimum } else { high }, workers)
}

/// Returns τ with Σ min(ε, τ) = `total`.
fn water_level(budgets: &mut [Vec<f64>], total: DoubleDouble, workers: &impl Workers) -> f64 {
    let people: usize = budgets.iter().map(Vec::len).sum();
    // τ if all people above the cap are those outside this set.
    let level = |below: Below<DoubleDouble>| {
        ((total - below.sum) / DoubleDouble::from((people - below.count) as f64)).get()
    };
    let below = halve(budgets, workers, |below, epsilon| epsilon < level(below));
    if below.count < people {
        return level(below);
    }
    // R = Σε, up to rounding, so nobody is clipped.
    budgets.iter().flatten().copied().fold(0.0, f64::max)
}

/// Set of people: their number, and the sum of their budgets.
#[derive(Clone, Copy, Default)]
struct Below<S> {
    count: usize,
    sum: S,
}

impl<S: Sum> Below<S> {
    fn from_budgets(budgets: &[f64]) -> Self {
        budgets.iter().fold(Self::default(), |below, epsilon| {
            below.and(Self { count: 1, sum: S::from_epsilon(*epsilon) })
        })
    }

    fn and(self, other: Self) -> Self {
        Self { count: self.count + other.count, sum: self.sum.plus(other.sum) }
    }
}

/// Sum over budgets.
trait Sum: Copy + Default + Send {
    fn from_epsilon(epsilon: f64) -> Self;
    fn plus(self, other: Self) -> Self;

    fn sum_all<T>(people: &[T], epsilon: impl Fn(&T) -> f64) -> Self {
        // Four partial sums side by side, because each addition waits for the previous one.
        let mut sums = [Self::default(); 4];
        let (chunks, rest) = people.as_chunks::<4>();
        for chunk in chunks {
            sums.iter_mut()
                .zip(chunk)
                .for_each(|(sum, person)| *sum = sum.plus(Self::from_epsilon(epsilon(person))));
        }
        let rest = rest.iter().map(|person| Self::from_epsilon(epsilon(person)));
        sums.into_iter().chain(rest).fold(Self::default(), Self::plus)
    }
}

impl Sum for DoubleDouble {
    fn from_epsilon(epsilon: f64) -> Self {
        epsilon.into()
    }

    fn plus(self, other: Self) -> Self {
        self + other
    }
}

/// Σε and Σε².
#[derive(Clone, Copy, Default)]
struct Powers {
    s: f64,
    q: f64,
}

impl Sum for Powers {
    fn from_epsilon(epsilon: f64) -> Self {
        Self { s: epsilon, q: epsilon * epsilon }
    }

    fn plus(self, other: Self) -> Self {
        Self { s: self.s + other.s, q: self.q + other.q }
    }
}

/// Returns the sum over all people of these parts.
fn sum_of<'a, T: Sync + 'a>(
    parts: impl Iterator<Item = &'a [T]>,
    of: impl Fn(&T) -> f64 + Sync,
    workers: &impl Workers,
) -> DoubleDouble {
    let sums = workers.map(parts.collect(), |part| DoubleDouble::sum_all(part, &of));
    sums.into_iter().fold(DoubleDouble::ZERO, |sum, more| sum + more)
}

/// Returns the people below the cap. It tests one budget after the other, given all smaller ones,
/// and continues in one half of the rest each time.
fn halve<S: Sum>(
    budgets: &mut [Vec<f64>],
    workers: &impl Workers,
    mut is_below: impl FnMut(Below<S>, f64) -> bool,
) -> Below<S> {
    let mut below = Below::default();
    let mut parts: Vec<&mut [f64]> = budgets.iter_mut().map(Vec::as_mut_slice).collect();
    loop {
        let left: usize = parts.iter().map(|part| part.len()).sum();
        if left <= PART {
            break;
        }
        let pivot = about_median(&parts);
        let split = workers.map(parts, |part| {
            let (smaller, others) = partition(part, |epsilon| epsilon < pivot);
            (Below::from_budgets(smaller), smaller, others)
        });
        let smaller = split.iter().fold(below, |sum, (more, ..)| sum.and(*more));
        if is_below(smaller, pivot) {
            let split = workers.map(split, |(_, _, others)| {
                let (same, larger) = partition(others, |epsilon| epsilon <= pivot);
                (Below::from_budgets(same), larger)
            });
            below = split.iter().fold(smaller, |sum, (more, _)| sum.and(*more));
            parts = split.into_iter().map(|(_, larger)| larger).collect();
        } else {
            parts = split.into_iter().map(|(_, smaller, _)| smaller).collect();
        }
        // The sample was unlike the rest: the true median takes linear time in any order.
        if parts.iter().map(|part| part.len()).sum::<usize>() > left / 8 * 7 {
            break;
        }
    }
    let mut rest: Vec<f64> = parts.iter().flat_map(|part| part.iter().copied()).collect();
    let mut rest = rest.as_mut_slice();
    while !rest.is_empty() {
        let (smaller, median, larger) = rest.select_nth_unstable_by(rest.len() / 2, f64::total_cmp);
        let all_smaller = below.and(Below::from_budgets(smaller));
        rest = match is_below(all_smaller, *median) {
            true => {
                below = all_smaller.and(Below { count: 1, sum: S::from_epsilon(*median) });
                larger
            }
            false => smaller,
        };
    }
    below
}

/// Returns the approximate median: that of some budgets, evenly spaced among the parts.
fn about_median(parts: &[&mut [f64]]) -> f64 {
    let mut sample: Vec<f64> = parts
        .iter()
        .flat_map(|part| part.iter().step_by((part.len() / 16).max(1)).copied())
        .collect();
    sample.sort_unstable_by(f64::total_cmp);
    // Never called without budgets.
    sample.get(sample.len() / 2).copied().unwrap_or_default()
}

/// Moves the budgets that belong to the first half to the front.
fn partition(budgets: &mut [f64], is_first: impl Fn(f64) -> bool) -> (&mut [f64], &mut [f64]) {
    let mut firsts = 0;
    for place in 0..budgets.len() {
        // Without a branch, which could not be predicted.
        let (here, swapped) = (budgets[place], budgets[firsts]);
        (budgets[firsts], budgets[place]) = (here, swapped);
        firsts += usize::from(is_first(here));
    }
    budgets.split_at_mut(firsts)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Alone, Bounds, Estimator, Level, Profile, Setting};
    use proptest::prelude::*;
    use suum_testing::Extent;

    fn budget() -> impl Strategy<Value = f64> {
        prop_oneof![
            4 => (-6.0..6.0_f64).prop_map(f64::exp),
            2 => prop::sample::select(vec![0.01, 0.1, 1.0, 2.0]),
            1 => prop::sample::select(vec![0.0, 1e-100, 1e100, f64::INFINITY]),
        ]
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(Extent::get().cases(1000)))]

        #[test]
        fn are_those_of_the_sorted_levels(
            budgets in prop::collection::vec(budget(), 1..60),
            variance in prop::sample::select(vec![0.25, 0.01, 1e-6]),
            target in prop::sample::select(
                vec![Target::Population, Target::Dataset, Target::DatasetCorrelated],
            ),
        ) {
            let budgets: Vec<Epsilon> =
                budgets.into_iter().map(|e| Epsilon::new(e).unwrap()).collect();
            let found = personal_weights(&budgets, target, variance, &Alone);
            if budgets.iter().all(|epsilon| epsilon.is_unused()) {
                prop_assert!(found.is_err());
                return Ok(());
            }
            let found = found.unwrap();
            let profile =
                Profile::new(budgets.iter().map(|e| Level { epsilon: *e, count: 1 })).unwrap();
            let setting = Setting { variance, ..Setting::new(profile, Bounds::UNIT, target) };
            let expected = Estimator::Affine.design(&setting).unwrap().weights;
            for (epsilon, weight) in budgets.iter().zip(&found) {
                let expected = expected.per_level()[setting.profile.position(*epsilon).unwrap()];
                prop_assert!(
                    (weight - expected).abs() <= 1e-9 * expected,
                    "{} {} \
                            {:?}",
                    weight,
                    expected,
                    epsilon
                );
            }
            prop_assert!((found.iter().sum::<f64>() - 1.0).abs() < 1e-12);
        }
    }

    #[test]
    fn refuses_what_is_no_variance() {
        for bad in [0.0, -1.0, 0.3, f64::NAN] {
            assert!(personal_weights(&[Epsilon::PUBLIC], Target::Population, bad, &Alone).is_err());
        }
    }
}
