//! Tails of sums of independent Laplace noises and a normal variable.

use std::f64::consts::PI;

use crate::answer::interval::{Biases, excess, half_width, one_tail, reach_with_bias};
use crate::arithmetic::crossing::crossing;
use crate::arithmetic::least::least_at;

/// Sum S of independent Laplace variables and one centred normal variable.
///
/// # Formula
///
/// With K(s) = −Σ ln(1 − b²s²) + sd²s²/2 and any c between 0 and 1/max b,
///
/// P(S > t) = (1/2πi)·∫ exp(K(s) − st)/s ds over the line of all s with real part c.
///
/// The integral is taken in steps of h along that line. By Poisson summation the sum over the steps
/// is Σ exp(2πkc/h)·P(S > t + 2πk/h) over all integers k: at least the tail, so it is never too
/// small. The part behind the last step is bounded and added: |1 − b²s²| grows with u for s = c +
/// iu, and is at least b²u².
pub(crate) struct LaplaceSum {
    /// Scales, each with the number of variables that have it.
    scales: Vec<(f64, f64)>,
    sd: f64,
}

/// Exponent of the other terms of the Poisson sum, which are about exp(−30).
const ALIAS: f64 = 30.0;
/// Largest share of the tail behind the last step, unless the number of steps runs out.
const BEHIND: f64 = 1e-6;
const STEPS: usize = 20_000;
/// Numbers of variables of one scale that are multiplied one by one, which is faster than a
/// logarithm and an angle.
const FEW: [f64; 4] = [1.0, 2.0, 3.0, 4.0];
const SECTIONS: usize = 16;

impl LaplaceSum {
    /// Returns the sum of variables given by scale and number, and a normal one of this standard
    /// deviation.
    pub(crate) fn new(scales: impl IntoIterator<Item = (f64, f64)>, sd: f64) -> Self {
        let some = |(scale, count): &(f64, f64)| *scale > 0.0 && *count > 0.0;
        Self { scales: scales.into_iter().filter(some).collect(), sd }
    }

    /// Returns t with P(|S| ≤ t) of at least `confidence`, too large by at most a part in a
    /// million.
    pub(crate) fn half_width(&self, confidence: f64) -> f64 {
        match self.scales[..] {
            [] => return half_width(confidence, 0.0, self.sd),
            [(scale, 1.0)] => return half_width(confidence, scale, self.sd),
            _ => {}
        }
        match self.standard() {
            Some((unit, standard)) => unit * standard.tail_bound((1.0 - confidence) / 2.0),
            None => f64::INFINITY,
        }
    }

    /// Returns the half width of an interval of this confidence around b + S for every possible
    /// bias b, too large by at most a part in a million.
    pub(crate) fn half_width_with_bias(&self, confidence: f64, biases: Biases) -> f64 {
        let plain = self.half_width(confidence);
        match self.scales[..] {
            [] => reach_with_bias(confidence, biases, plain, |t| one_tail(t, 0.0, self.sd)),
            [(scale, 1.0)] => {
                reach_with_bias(confidence, biases, plain, |t| one_tail(t, scale, self.sd))
            }
            _ => match self.standard() {
                Some((unit, standard)) => {
                    let miss = (1.0 - confidence) / 2.0;
                    let line = standard.line(standard.place(miss), miss);
                    reach_with_bias(confidence, biases, plain, |t| line.tail(t / unit))
                }
                None => f64::INFINITY,
            },
        }
    }

    /// Returns a nonnegative number if |S| exceeds `distance` with a probability of at least 1 −
    /// `confidence`, up to a part in a million of that. As far as it is known, the number is the
    /// logarithm of the ratio of the two probabilities.
    pub(crate) fn excess(&self, confidence: f64, distance: f64) -> f64 {
        let of_one = |scale| match excess(confidence, scale, self.sd, distance) >= 0.0 {
            true => 1.0,
            false => -1.0,
        };
        match self.scales[..] {
            [] => return of_one(0.0),
            [(scale, 1.0)] => return of_one(scale),
            _ => {}
        }
        let Some((unit, standard)) = self.standard() else { return 1.0 };
        let (tail, t) = ((1.0 - confidence) / 2.0, distance / unit);
        if t <= 0.0 {
            return 1.0;
        }
        let c = standard.place(tail);
        // Chernoff's bound, before the integral.
        let at_most = standard.cumulant(c) - c * t - tail.ln();
        match at_most < 0.0 {
            true => at_most,
            false => (standard.line(c, tail).tail(t) / tail).ln().min(at_most),
        }
    }

    /// Returns the standard deviation, and the sum scaled to a standard deviation of 1; `None` if
    /// it is zero or not finite.
    fn standard(&self) -> Option<(f64, Self)> {
        let variance = |(scale, count): &(f64, f64)| 2.0 * count * scale * scale;
        let unit = (self.scales.iter().map(variance).sum::<f64>() + self.sd * self.sd).sqrt();
        if !unit.is_finite() || unit == 0.0 {
            return None;
        }
        let scales = self.scales.iter().map(|(scale, count)| (scale / unit, *count)).collect();
        Some((unit, Self { scales, sd: self.sd / unit }))
    }

    /// Returns approximately the c for which Chernoff's bound is least at its own t, which is a
    /// good place for the line.
    ///
    /// At that c, c·K'(c) − K(c) = −ln `tail`, whose left side is at least c²/2 for a variance of
    /// 1.
    fn place(&self, tail: f64) -> f64 {
        let chernoff = |c: f64| (self.cumulant(c) - tail.ln()) / c;
        let most = ((1.0 - 1e-9) / self.largest()).min((-2.0 * tail.ln()).sqrt());
        least_at(1e-3, most, SECTIONS, chernoff)
    }

    /// Returns t with P(S > t) of at most `tail`, for a variance of 1.
    fn tail_bound(&self, tail: f64) -> f64 {
        // Chernoff: P(S > t) ≤ exp(K(c) − ct).
        let c = self.place(tail);
        let line = self.line(c, tail);
        let chernoff = (self.cumulant(c) - tail.ln()) / c;
        crossing(chernoff, |t| (line.tail(t) / tail).ln())
    }

    fn largest(&self) -> f64 {
        self.scales.iter().fold(0.0, |largest, (scale, _)| scale.max(largest))
    }

    /// Returns K(c).
    fn cumulant(&self, c: f64) -> f64 {
        let laplace = |(scale, count): &(f64, f64)| -count * (-(scale * c).powi(2)).ln_1p();
        self.scales.iter().map(laplace).sum::<f64>() + (self.sd * c).powi(2) / 2.0
    }

    /// Returns exp(K(s))/s at all steps.
    fn line(&self, c: f64, tail: f64) -> Line {
        let largest = self.largest();
        // One of the other terms falls with c, the next one with the distance of c from 1/max b.
        let step = 2.0 * PI / ALIAS * c.min(1.0 / largest - c);
        let mut line = Line { c, step, values: Vec::new(), behind: f64::INFINITY };
        while line.values.len() < STEPS && line.behind > BEHIND * tail {
            let u = step * line.values.len() as f64;
            // Product s·Π(1 − b²s²) over scales with few variables.
            let mut below = (c, u);
            // The rest of K(c + iu), as the logarithm of a length, and an angle.
            let variance = self.sd * self.sd;
            let (mut length, mut angle) = (variance * (c * c - u * u) / 2.0, variance * c * u);
            for (scale, count) in &self.scales {
                let factor = one_minus_square(*scale, c, u);
                if FEW.contains(count) {
                    (0..*count as u32).for_each(|_| below = product(below, factor));
                } else {
                    length -= count * 0.5 * squared_length(factor).ln();
                    angle -= count * factor.1.atan2(factor.0);
                }
            }
            let square = squared_length(below);
            let over = length.exp() / square;
            let (sine, cosine) = angle.sin_cos();
            let (real, imaginary) = product((cosine, sine), (below.0, -below.1));
            line.values.push((over * real, over * imaginary));
            let all = over * (square * (c * c + u * u)).sqrt();
            let further = squared_length(one_minus_square(largest, c, u)).sqrt();
            line.behind = all * further / (largest * u).powi(2) / (2.0 * PI);
        }
        line
    }
}

fn product((real, imaginary): (f64, f64), other: (f64, f64)) -> (f64, f64) {
    (real * other.0 - imaginary * other.1, real * other.1 + imaginary * other.0)
}

fn squared_length((real, imaginary): (f64, f64)) -> f64 {
    real * real + imaginary * imaginary
}

/// Returns 1 − b²s² for s = c + iu.
fn one_minus_square(scale: f64, c: f64, u: f64) -> (f64, f64) {
    let square = scale * scale;
    (1.0 - square * (c * c - u * u), -2.0 * square * c * u)
}

/// Values of exp(K(s))/s at c, c + ih, c + 2ih, …
struct Line {
    c: f64,
    step: f64,
    values: Vec<(f64, f64)>,
    /// Bound on the part of the integral behind the last step, times exp(ct).
    behind: f64,
}

impl Line {
    /// Returns P(S > t), or slightly more.
    fn tail(&self, t: f64) -> f64 {
        let (sine, cosine) = (self.step * t).sin_cos();
        // exp(−iuht), from step to step.
        let (mut real, mut imaginary) = (1.0, 0.0);
        let mut sum = 0.0;
        for (at, (one, other)) in self.values.iter().enumerate() {
            let part = one * real + other * imaginary;
            sum += if at == 0 { 0.5 * part } else { part };
            (real, imaginary) =
                (real * cosine - imaginary * sine, imaginary * cosine + real * sine);
        }
        ((sum * self.step / PI).max(0.0) + self.behind) * (-self.c * t).exp()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::answer::interval::half_width_of_two;

    const CONFIDENCES: [f64; 4] = [0.5, 0.95, 0.99, 0.999_999];

    #[test]
    fn two_of_them_have_the_tail_in_closed_form() {
        for (one, other, sd) in
            [(1.0, 1.0, 0.0), (1.0, 0.5, 0.0), (1.0, 1e-6, 0.0), (1.0, 1.0, 1.0), (2.0, 0.1, 3.0)]
        {
            for confidence in CONFIDENCES {
                let ours = LaplaceSum::new([(one, 1.0), (other, 1.0)], sd).half_width(confidence);
                let known = half_width_of_two(confidence, (one, other), sd);
                assert!((ours / known - 1.0).abs() < 2e-6, "{one} {other} {sd}: {ours} {known}");
            }
        }
    }

    #[test]
    fn noise_that_is_nothing_beside_a_normal_variable_is_nothing() {
        for confidence in CONFIDENCES {
            let normal = half_width(confidence, 0.0, 1e9);
            let sum = LaplaceSum::new([(0.7, 1.0), (0.3, 2.0)], 1e9);
            assert!((sum.half_width(confidence) / normal - 1.0).abs() < 2e-6);
            assert!(sum.excess(confidence, 0.999 * normal) >= 0.0);
            assert!(sum.excess(confidence, 1.001 * normal) < 0.0);
        }
    }

    #[test]
    fn limits_are_one_laplace_and_the_normal_quantile() {
        let half_width = |scales: &[(f64, f64)], sd| {
            LaplaceSum::new(scales.iter().copied(), sd).half_width(0.99)
        };
        assert_eq!(half_width(&[], 0.0), 0.0);
        assert!((half_width(&[(2.0, 1.0)], 0.0) - 2.0 * 100f64.ln()).abs() < 1e-9);
        assert!((half_width(&[], 1.0) - 2.575_829_303_5).abs() < 1e-8);
        // A million of them are normal, up to 3/(4·10⁶) of excess kurtosis.
        let normal = 2.575_829_303_5 * 2e6f64.sqrt();
        assert!((half_width(&[(1.0, 1e6)], 0.0) / normal - 1.0).abs() < 1e-5);
        assert!(half_width(&[(f64::INFINITY, 2.0)], 0.0).is_infinite());
        // Ten Laplace variables reach further than a normal one of their variance.
        assert!(half_width(&[(1.0, 10.0)], 0.0) > 1.02 * 2.575_829_303_5 * 20f64.sqrt());
    }
}
