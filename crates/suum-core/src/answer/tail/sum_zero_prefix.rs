//! Tails of sums of some of several noises that add up to zero.

use super::sum_zero;

/// Returns, for every j below `components` and each of `misses`, t with P(z_1 + … +
/// z_j > t) ≤ miss, in units of the scale of [noise that adds up to zero](crate::SumZeroLaplace),
/// in the continuous limit; those of j = 1 come first. Misses are in ascending order, and at most a
/// half.
///
/// # Formula
///
/// With f_j the density of the sum of j independent Laplace variables of scale 2, that of the sum
/// here is p_j(y) ∝ f_j(y)·f_{k−j}(y), for k components. In units of that scale
/// f_{j+1}(u) = (2j − 1)/(2j)·f_j(u) + u²/(4j(j − 1))·f_{j−1}(u), a sum of positive terms, from
/// f_1 = e^{−u}/2 and f_2 = (1 + u)·e^{−u}/4.
///
/// # Error
///
/// f_j is symmetric and log-concave, and so is p_j, which therefore falls from 0 on. The sum over a
/// grid with p_j at the left end of every step is at least the integral, the one with p_j at the
/// right end at most: the former is used for the tail, the latter for the whole distribution. So t
/// is never too small, and too large by at most some steps of the grid, of which a hundred make the
/// largest standard deviation.
pub(crate) fn prefix_half_widths(components: usize, misses: &[f64]) -> Vec<Vec<f64>> {
    let k = components;
    if k < 2 {
        return Vec::new();
    }
    // In units of 2b, in which one component has a standard deviation of at most √2.
    let largest = (sum_zero::prefix_variance(k, k as f64 / 2.0)).sqrt() / 2.0;
    let step = (largest / STEPS).min(LONGEST);
    let least = misses.first().copied().unwrap_or(1.0).max(f64::MIN_POSITIVE);
    let most = HALF_WIDTH * largest - least.ln();
    let points = (most / step).ceil() as usize;
    // Everything below is the same for j and k − j, so only those up to the middle are computed.
    let half = k / 2;
    let (coefficients, mut densities) = (coefficients(k), vec![0.0; k]);
    let (mut products, mut all) = (Vec::with_capacity((points + 1) * half), vec![0.0; half]);
    for point in 0..=points {
        sums(point as f64 * step, &coefficients, &mut densities);
        let each = (1..=half).map(|j| densities[j] * densities[k - j]);
        products.extend(each);
        if point > 0 {
            let here = &products[point * half..];
            all.iter_mut().zip(here).for_each(|(all, product)| *all += 2.0 * product);
        }
    }
    let at = |point: usize| &products[point * half..(point + 1) * half];
    // The part behind the last point is less than the last term of a falling geometric series.
    let behind = |(before, last): (&f64, &f64)| match before > last {
        true => last * last / (before - last),
        false => 0.0,
    };
    let mut tail: Vec<f64> = at(points - 1).iter().zip(at(points)).map(behind).collect();
    let mut widths = vec![Vec::with_capacity(misses.len()); half];
    for point in (0..points).rev() {
        let mut is_open = false;
        for (j, product) in at(point).iter().enumerate() {
            tail[j] += product;
            while misses.get(widths[j].len()).is_some_and(|miss| tail[j] > miss * all[j]) {
                widths[j].push(2.0 * (point + 1) as f64 * step);
            }
            is_open |= widths[j].len() < misses.len();
        }
        if !is_open {
            break;
        }
    }
    (1..k).map(|j| widths[j.min(k - j) - 1].clone()).collect()
}

/// Number of grid steps in the largest standard deviation, longest step, and least length of the
/// grid in standard deviations.
const STEPS: f64 = 100.0;
const LONGEST: f64 = 0.05;
const HALF_WIDTH: f64 = 9.0;

/// Returns (2j + 1)/(2j + 2) and 4j(j + 1) at place j, from 1 on.
fn coefficients(components: usize) -> Vec<(f64, f64)> {
    let of = |j: f64| ((2.0 * j + 1.0) / (2.0 * j + 2.0), 4.0 * j * (j + 1.0));
    (0..components).map(|j| of(j as f64)).collect()
}

/// Computes f_j(u) at place j, from 1 on.
fn sums(u: f64, coefficients: &[(f64, f64)], out: &mut [f64]) {
    let core = (-u).exp();
    let (mut before, mut last) = (0.5 * core, 0.25 * (1.0 + u) * core);
    for (out, (factor, divisor)) in out.iter_mut().zip(coefficients).skip(1) {
        *out = before;
        // From f_j and f_{j+1} to f_{j+2}.
        let next = factor * last + u * u / divisor * before;
        (before, last) = (last, next);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::answer::tail::SumZeroShare;
    use crate::{Randomness, SumZeroLaplace};

    #[test]
    fn one_component_has_the_tail_that_is_known() {
        for k in [2, 3, 8, 60, 400] {
            let misses = [1e-9, 1e-5, 0.0125, 0.1, 0.3];
            let all = prefix_half_widths(k, &misses);
            assert_eq!(all.len(), k - 1);
            for (at, miss) in misses.into_iter().enumerate() {
                let ours: Vec<f64> = all.iter().map(|of_cut| of_cut[at]).collect();
                let exact = SumZeroShare::new(k).half_width(1.0 - 2.0 * miss, 1.0, 0.0);
                let longest = 0.21 + 0.01 * exact;
                for ours in [ours[0], ours[k - 2]] {
                    assert!(ours >= exact * (1.0 - 1e-9) && ours < exact + longest, "{k} {miss}");
                }
            }
        }
    }

    /// Against 200 000 draws: a share beyond t_j of at most `miss`, and of at least that at a width
    /// 4 % smaller. Standard error of a share: 2 %, so that each side is five away.
    #[test]
    #[ignore = "takes seconds"]
    fn sums_of_several_reach_as_far_as_draws() {
        let (k, miss, draws) = (12, 0.0125, 200_000);
        let widths = prefix_half_widths(k, &[miss]);
        let noise = SumZeroLaplace::new((1u64 << 20).into(), k);
        let mut randomness = Randomness::insecure(11);
        let mut beyond = vec![(0u32, 0u32); k - 1];
        for _ in 0..draws {
            let mut sum = 0.0;
            for (z, (width, beyond)) in
                noise.sample(&mut randomness).iter().zip(widths.iter().flatten().zip(&mut beyond))
            {
                sum += z.to_f64().value() / f64::from(1u32 << 20);
                beyond.0 += u32::from(sum.abs() > *width);
                beyond.1 += u32::from(sum.abs() > 0.96 * width);
            }
        }
        for (j, (over, smaller)) in beyond.iter().enumerate() {
            let expected = 2.0 * miss * f64::from(draws);
            assert!(f64::from(*over) < expected + 5.0 * expected.sqrt(), "{j}: {over}");
            assert!(f64::from(*smaller) > expected, "{j}: {smaller}");
        }
    }
}
