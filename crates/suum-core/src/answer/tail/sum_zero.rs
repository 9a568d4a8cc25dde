//! Tails of one of several noises that add up to zero, and of sums of some, with a normal variable.

use std::f64::consts::{FRAC_1_SQRT_2, PI};

use crate::answer::interval::{
    Biases, half_width, normal_tail, one_tail, reach_with_bias, scaled_erfc,
};

/// Law of one component of [noise that adds up to zero](crate::SumZeroLaplace), or of the sum of
/// some of them, in the continuous limit.
///
/// # Formula
///
/// In units of the scale, its size is a sum of A independent exponential variables, where A is
/// random: with n = k − 1,
///
/// P(A = a) = C(2n − 1 − a, n − 1)/C(2n − 1, n), 1 ≤ a ≤ n.
///
/// For the density at x is that of one Laplace variable of scale 2 at x, times that of the sum of n
/// others at −x, and that sum is a difference of two Gamma variables. For k = 2 it is one
/// exponential variable; for many k their number is geometric, and the noise close to Laplace noise
/// of scale 2.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct SumZeroShare {
    /// P(A > l), for l = 0, 1, …: for one component it falls at least as fast as 2^−l.
    more: Vec<f64>,
}

/// Returns the variance of the sum of the first j of k components, in units of the squared scale; j
/// need not be whole.
///
/// # Formula
///
/// j(k − j)/(k − 1) times that of one component, 4(k − 1)(2k − 1)/(k(k + 1)): components are
/// exchangeable, and all of them add up to zero.
pub(crate) fn prefix_variance(k: usize, j: f64) -> f64 {
    let k = k as f64;
    4.0 * (2.0 * k - 1.0) * j * (k - j) / (k * (k + 1.0))
}

/// Largest number of exponential variables: more of them have a probability below 2^−80.
const MOST: usize = 80;
/// Largest number of exponential variables for the sum of several components.
const MOST_OF_SUM: usize = 256;
/// Largest probability of more exponential variables than that; otherwise the law of a sum is not
/// used.
const BEYOND: f64 = 1e-18;
/// Largest share of a tail that is left out; it is added all the same.
const LEFT_OUT: f64 = 1e-9;
/// Number of steps after which the ratios of two successive stages no longer depend on their start.
const FORGOTTEN: usize = 60;
const FORGOTTEN_OF_SUM: usize = 600;
const ROUNDS: usize = 100;

impl SumZeroShare {
    /// Returns the law of one of this many components, at least two.
    pub(crate) fn new(components: usize) -> Self {
        let most = components.saturating_sub(1).max(1);
        let n = most as f64;
        let mut more = vec![n / (2.0 * n - 1.0)];
        for a in 1..most.min(MOST) {
            let a = a as f64;
            let last = more.last().copied().unwrap_or(0.0);
            more.push(last * (n - a) / (2.0 * n - 1.0 - a));
        }
        // From P(A = l + 1) to P(A > l), the smallest first.
        let mut sum = 0.0;
        for more in more.iter_mut().rev() {
            sum += *more;
            *more = sum;
        }
        Self { more }
    }

    /// Returns the law of the sum of `some` of all components; `None` if there are too many of
    /// them.
    ///
    /// # Formula
    ///
    /// The size of the sum of j Laplace variables is a sum of A exponential ones, P(A = a +
    /// 1)/P(A = a) = 2(j − a)/(2j − 1 − a). Its density, like that of the sum of the k − j others
    /// at the negative, is e^−u times a polynomial, u in units of their scale, which is twice that
    /// here. The density of the sum is proportional to the product, so its size is a sum of
    /// exponential variables again, l + 1 of them in proportion to Σ 2^−l·C(l, a)·P(A = a +
    /// 1)·P(A' = l − a + 1).
    pub(crate) fn sum_of_some(some: usize, components: usize) -> Option<Self> {
        let some = some.min(components.checked_sub(some)?).max(1);
        if some == 1 {
            return Some(Self::new(components));
        }
        let [one, other] = [some, components - some].map(numbers);
        // C(l, a)/2^l for all a.
        let mut halves = vec![1.0];
        let mut more = Vec::with_capacity(MOST_OF_SUM);
        let last = (one.len() + other.len() - 2).min(MOST_OF_SUM);
        for l in 0..=last {
            let first = (l + 1).saturating_sub(other.len());
            let each = (first..=l.min(one.len() - 1)).map(|a| halves[a] * one[a] * other[l - a]);
            more.push(each.sum());
            halves.push(0.0);
            for a in (0..halves.len()).rev() {
                let before = if a > 0 { halves[a - 1] } else { 0.0 };
                halves[a] = 0.5 * (halves[a] + before);
            }
        }
        let all: f64 = more.iter().sum();
        let mut sum = 0.0;
        for more in more.iter_mut().rev() {
            sum += *more / all;
            *more = sum;
        }
        // The last number that is computed: all larger ones are even less likely.
        match more.len() > MOST_OF_SUM && more.pop().is_some_and(|last| last > BEYOND) {
            true => None,
            false => Some(Self { more }),
        }
    }

    /// Returns the half width of an interval of this confidence around b + z + N for every possible
    /// bias b.
    pub(crate) fn half_width_with_bias(
        &self,
        confidence: f64,
        scale: f64,
        (sd, biases): (f64, Biases),
    ) -> f64 {
        let plain = self.half_width(confidence, scale, sd);
        if scale == 0.0 {
            return reach_with_bias(confidence, biases, plain, |t| one_tail(t, 0.0, sd));
        }
        // The part of a tail that is left out is far smaller than the search can resolve.
        let miss = (1.0 - confidence) / 2.0;
        let stages = self.more.iter().position(|more| *more <= LEFT_OUT * miss);
        let (more, behind) = match stages {
            Some(stages) => (&self.more[..stages], self.more[stages]),
            None => (&self.more[..], 0.0),
        };
        reach_with_bias(confidence, biases, plain, |t| {
            tail(more, t / scale, sd / scale).0.max(0.0) + 0.5 * behind
        })
    }

    /// Returns t with P(|z + N| ≤ t) of at least `confidence`, for noise z of this scale and a
    /// centred normal N of standard deviation `sd`, too large by at most a part in a million.
    pub(crate) fn half_width(&self, confidence: f64, scale: f64, sd: f64) -> f64 {
        if !scale.is_finite() || !sd.is_finite() {
            return f64::INFINITY;
        }
        if scale == 0.0 {
            return half_width(confidence, 0.0, sd);
        }
        let miss = (1.0 - confidence) / 2.0;
        let stages = self.more.iter().position(|more| *more <= LEFT_OUT * miss);
        let (more, behind) = match stages {
            Some(stages) => (&self.more[..stages], self.more[stages]),
            None => (&self.more[..], 0.0),
        };
        let miss = miss - 0.5 * behind;
        // Newton's method on the logarithm of the tail, which is concave: after one step it
        // approaches from above.
        let sd = sd / scale;
        let mut t = sd + 1.0;
        for _ in 0..ROUNDS {
            let (tail, slope) = tail(more, t, sd);
            let step = (tail / miss).ln() * tail / slope;
            t -= step;
            if step.abs() <= 1e-12 * t {
                break;
            }
        }
        scale * t
    }
}

/// Returns weights proportional to the probability of a + 1 exponential variables at place a, for
/// the size of the sum of `variables` Laplace variables.
fn numbers(variables: usize) -> Vec<f64> {
    let j = variables as f64;
    let mut numbers = vec![1.0];
    for a in 1..variables.min(MOST_OF_SUM + 1) {
        let a = a as f64;
        let last = numbers.last().copied().unwrap_or(0.0);
        numbers.push(last * 2.0 * (j - a) / (2.0 * j - 1.0 - a));
    }
    numbers
}

/// Returns P(z + N > t) and its derivative, for noise z of scale 1 and P(A > l) = `more`.
///
/// # Formula
///
/// P(N > t) + ½·Σ P(A > l)·(J_l(t) − J_l(−t)), J_l(t) being the density at t of N and l + 1
/// exponential variables. J_l' = J_{l−1} − J_l, with the density of N for J_{−1}.
fn tail(more: &[f64], t: f64, sd: f64) -> (f64, f64) {
    let (mut above, mut below) = ([0.0; MOST_OF_SUM], [0.0; MOST_OF_SUM]);
    let normal = stages(t, sd, &mut above[..more.len()]);
    let (mut tail, mut slope) = (0.0, -normal);
    if sd > 0.0 {
        stages(-t, sd, &mut below[..more.len()]);
        tail = normal_tail(t / sd);
    }
    let (mut before, mut before_below) = (normal, normal);
    for (more, (above, below)) in more.iter().zip(above.into_iter().zip(below)) {
        tail += 0.5 * more * (above - below);
        slope += 0.5 * more * (before - above + before_below - below);
        (before, before_below) = (above, below);
    }
    (tail, slope)
}

/// Computes J_0(t), J_1(t), … into `out`, and returns the density of N at t (zero without N).
///
/// # Formula
///
/// l·J_l = (t − sd²)·J_{l−1} + sd²·J_{l−2}. For t below sd² − sd the terms of that nearly cancel,
/// so the ratios ρ_l = J_l/J_{l−1} = sd²/(sd² − t + (l + 1)·ρ_{l+1}) are computed downwards from
/// far behind the last stage. With many stages that begins earlier, and further behind.
fn stages(t: f64, sd: f64, out: &mut [f64]) -> f64 {
    let square = sd * sd;
    let ahead = square - t;
    let (normal, first) = if sd == 0.0 {
        (0.0, (-t).exp())
    } else {
        let (z, a) = (t / sd, ahead / sd);
        let gauss = (-z * z / 2.0).exp();
        let first = if a >= 0.0 {
            0.5 * gauss * scaled_erfc(a * FRAC_1_SQRT_2)
        } else {
            (square / 2.0 - t).exp() * normal_tail(a)
        };
        (gauss / (sd * (2.0 * PI).sqrt()), first)
    };
    let (near, forgotten) = match out.len() > MOST {
        true => (0.5 * sd, FORGOTTEN_OF_SUM),
        false => (sd, FORGOTTEN),
    };
    if ahead <= near {
        let (mut last, mut next) = (normal, first);
        for (l, out) in (1..).zip(out.iter_mut()) {
            *out = next;
            (last, next) = (next, (square * last - ahead * next) / f64::from(l));
        }
    } else {
        let far = out.len() + forgotten;
        let behind = 4.0 * (far as f64 + 0.5) * square;
        let mut ratio = 2.0 * square / (ahead + (ahead * ahead + behind).sqrt());
        for l in (1..far).rev() {
            if let Some(out) = out.get_mut(l + 1) {
                *out = ratio;
            }
            ratio = square / (ahead + (l + 1) as f64 * ratio);
        }
        if let Some(out) = out.get_mut(1) {
            *out = ratio;
        }
        let mut product = first;
        for (l, out) in out.iter_mut().enumerate() {
            product *= if l == 0 { 1.0 } else { *out };
            *out = product;
        }
    }
    normal
}

#[cfg(test)]
mod tests {
    use super::*;

    const CONFIDENCES: [f64; 5] = [0.3, 0.8, 0.95, 0.999, 0.999_999_9];
    const DEVIATIONS: [f64; 8] = [0.0, 1e-6, 0.01, 0.3, 1.0, 3.0, 40.0, 1e6];

    #[test]
    fn two_and_many_have_the_tail_of_one_laplace_variable() {
        for sd in DEVIATIONS {
            for confidence in CONFIDENCES {
                let two = SumZeroShare::new(2).half_width(confidence, 3.0, sd);
                let one = half_width(confidence, 3.0, sd);
                assert!((two / one - 1.0).abs() < 2e-8, "{sd} {confidence}: {two} {one}");
                let many = SumZeroShare::new(60_000).half_width(confidence, 3.0, sd);
                let one = half_width(confidence, 6.0, sd);
                assert!((many / one - 1.0).abs() < 1e-3, "{sd} {confidence}: {many} {one}");
                assert!(many <= one * (1.0 + 1e-8), "{sd} {confidence}: {many} {one}");
            }
        }
    }

    /// E z² = Σ P(A > l)·2(l + 1), against the closed form of the variance.
    #[test]
    fn the_variance_is_that_of_the_closed_form() {
        for k in [2usize, 3, 5, 10, 20, 1000, 10_000, 65_536] {
            let more = SumZeroShare::new(k).more;
            let size = k as f64;
            let variance = 4.0 * (size - 1.0) * (2.0 * size - 1.0) / (size * (size + 1.0));
            let ours: f64 =
                more.iter().enumerate().map(|(l, more)| 2.0 * (l + 1) as f64 * more).sum();
            assert!((ours / variance - 1.0).abs() < 1e-12, "{k}: {ours} {variance}");
            assert!(more[0] == 1.0 || (more[0] - 1.0).abs() < 1e-14, "{k}");
        }
    }

    #[test]
    fn tails_match_numerical_integration() {
        let sums =
            [(2, 4), (4, 12), (30, 60)].map(|(j, k)| SumZeroShare::sum_of_some(j, k).unwrap());
        let ones = [3, 4, 8, 200].map(SumZeroShare::new);
        for (k, share) in ones.into_iter().chain(sums).enumerate() {
            // P(z > x), from its definition.
            let beyond = |x: f64| {
                let mut term = (-x).exp();
                let terms = (1..).zip(&share.more).map(|(l, more)| {
                    let value = more * term;
                    term *= x / f64::from(l);
                    value
                });
                0.5 * terms.sum::<f64>()
            };
            for sd in [0.02, 0.5, 1.0, 1.1, 2.0, 7.0, 30.0] {
                for t in [0.0, 0.3, 1.0, 2.5, 6.0, 25.0] {
                    let steps = 3_000;
                    let truth: f64 = (0..steps)
                        .map(|i| {
                            let u = -9.0 + 18.0 * (f64::from(i) + 0.5) / f64::from(steps);
                            let rest = t - sd * u;
                            let one = if rest > 0.0 { beyond(rest) } else { 1.0 - beyond(-rest) };
                            (-u * u / 2.0).exp() / (2.0 * PI).sqrt() * one * 18.0 / f64::from(steps)
                        })
                        .sum();
                    let (ours, _) = tail(&share.more, t, sd);
                    assert!((ours - truth).abs() < 3e-6 * truth, "{k} {sd} {t}: {ours} {truth}");
                    let (next, slope) = tail(&share.more, t + 1e-5, sd);
                    let (last, _) = tail(&share.more, t - 1e-5, sd);
                    let rise = (next - last) / 2e-5;
                    assert!((rise - slope).abs() < 1e-3 * slope.abs(), "{k} {sd} {t}: {slope}");
                }
            }
        }
    }

    /// E z² = Σ P(A > l)·2(l + 1), against the closed form of the variance of a sum.
    #[test]
    fn sums_have_the_variance_of_the_closed_form() {
        for (some, k) in [(2, 4), (2, 6), (3, 9), (5, 60), (12, 24), (30, 35), (40, 2000)] {
            let share = SumZeroShare::sum_of_some(some, k).unwrap();
            let twice = (1..).zip(&share.more).map(|(l, more)| 2.0 * f64::from(l) * more);
            let (ours, variance) = (twice.sum::<f64>(), prefix_variance(k, some as f64));
            assert!((ours / variance - 1.0).abs() < 1e-9, "{some} of {k}: {ours} {variance}");
            let others = SumZeroShare::sum_of_some(k - some, k).unwrap();
            assert_eq!(share, others, "all add up to zero");
        }
        assert_eq!(SumZeroShare::sum_of_some(1, 9), Some(SumZeroShare::new(9)));
        assert_eq!(SumZeroShare::sum_of_some(8, 9), Some(SumZeroShare::new(9)));
        assert!(SumZeroShare::sum_of_some(20_000, 60_000).is_none(), "too many");
    }

    /// Sums with a known density reach no further than sums of independent noise, and as far as
    /// [`prefix_half_widths`](super::super::prefix_half_widths), which computes them in another
    /// way.
    #[test]
    fn sums_reach_as_far_as_their_density_says() {
        for k in [4, 9, 24, 120] {
            for confidence in [0.8, 0.975, 0.9999] {
                let widths = super::super::prefix_half_widths(k, &[(1.0 - confidence) / 2.0]);
                for some in [2, 3, k / 2, k - 2] {
                    let share = SumZeroShare::sum_of_some(some, k).unwrap();
                    let ours = share.half_width(confidence, 1.0, 0.0);
                    let bound = widths[some - 1][0];
                    let step = 0.01 * bound + 0.22;
                    assert!(ours <= bound && bound < ours + step, "{some} of {k}: {ours} {bound}");
                    let alone = super::super::LaplaceSum::new([(2.0, some as f64)], 0.0);
                    assert!(ours < alone.half_width(confidence), "{some} of {k}");
                }
            }
        }
    }

    /// The half width is where the tail is what it should be, and no sooner.
    #[test]
    fn half_widths_are_where_tails_say() {
        for k in [3, 5, 17, 10_000] {
            let share = SumZeroShare::new(k);
            for sd in DEVIATIONS {
                for confidence in CONFIDENCES {
                    let t = share.half_width(confidence, 1.0, sd);
                    let (beyond, _) = tail(&share.more, t, sd);
                    let miss = (1.0 - confidence) / 2.0;
                    assert!(
                        beyond <= miss * (1.0 + 1e-10) && beyond > miss * (1.0 - 1e-8),
                        "{k} {sd} {confidence}: {beyond} {miss}"
                    );
                }
            }
        }
        assert!(SumZeroShare::new(3).half_width(0.95, f64::INFINITY, 1.0).is_infinite());
        assert_eq!(SumZeroShare::new(3).half_width(0.95, 0.0, 0.0), 0.0);
    }
}
