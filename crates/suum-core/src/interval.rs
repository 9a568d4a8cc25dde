//! Confidence intervals: how far noise and sampling together reach.

use serde::Serialize;

use crate::crossing::crossing;
use crate::number;

/// A two-sided confidence interval.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Interval {
    /// The stated probability of covering the estimand, in (0, 1).
    pub confidence: f64,
    /// The lower end, in units of the statistic.
    #[serde(serialize_with = "number::written")]
    #[cfg_attr(feature = "schema", schemars(with = "number::Number"))]
    pub lower: f64,
    /// The upper end, in units of the statistic.
    #[serde(serialize_with = "number::written")]
    #[cfg_attr(feature = "schema", schemars(with = "number::Number"))]
    pub upper: f64,
}

/// The part of all possible values from which on an interval says next to nothing.
const NEARLY_ALL: f64 = 0.9;

impl Interval {
    /// Whether the interval is nearly all of what the statistic can be at all, from `least` to
    /// `most`: 90 % of it or more. Then it says next to nothing.
    ///
    /// # Example
    ///
    /// ```
    /// use suum_core::Interval;
    ///
    /// let interval = Interval { confidence: 0.95, lower: 0.0, upper: 9.5 };
    /// assert!(interval.is_nearly_all_of(0.0, 10.0));
    /// assert!(!interval.is_nearly_all_of(0.0, 77.0));
    /// ```
    pub fn is_nearly_all_of(&self, least: f64, most: f64) -> bool {
        let known = self.upper - self.lower;
        known.is_nan() || known >= NEARLY_ALL * (most - least)
    }
}

/// t with P(|L + N| ≤ t) = `confidence`, for Laplace noise L of scale `eta` and a centred normal N.
///
/// # Formula
///
/// With a = sd/η and z = t/sd, P(L + N > t) = Φ(−z) + ½·(e^{a²/2 − az}·Φ(z − a) − e^{a²/2 +
/// az}·Φ(−z − a)).
pub(crate) fn half_width(confidence: f64, eta: f64, sd: f64) -> f64 {
    let tail = (1.0 - confidence) / 2.0;
    if !eta.is_finite() || !sd.is_finite() {
        return f64::INFINITY;
    }
    if sd == 0.0 {
        return -eta * (2.0 * tail).ln();
    }
    // Logarithms of tails are nearly parabolas.
    crossing(eta + sd, |t| (upper_tail(t, eta, sd) / tail).ln())
}

/// Not negative if [`half_width`] is at least `distance`: one look at the tail in place of a
/// search. It falls with the distance.
pub(crate) fn excess(confidence: f64, eta: f64, sd: f64, distance: f64) -> f64 {
    if !eta.is_finite() || !sd.is_finite() {
        return 1.0;
    }
    let tail = (1.0 - confidence) / 2.0;
    if sd == 0.0 {
        return -eta * (2.0 * tail).ln() - distance;
    }
    at_most(confidence, [eta], sd, distance)
        .unwrap_or_else(|| times(upper_tail(distance, eta, sd), tail))
}

/// Not negative if |L₁ + L₂ + N| exceeds `distance` with a probability of at least 1 −
/// `confidence`, for independent Laplace noises of scales `one` and `other` and a centred normal N,
/// so that so large a deviation is to be expected: then the logarithm of how many times as probable
/// it is. Else a bound on that.
///
/// # Formula
///
/// The characteristic function of L₁ + L₂ splits into partial fractions, so its tail behind any N
/// is (a²·tail(a) − b²·tail(b))/(a² − b²) for scales a and b, each tail being that of one Laplace
/// noise and N.
pub(crate) fn excess_of_two(
    confidence: f64,
    (one, other): (f64, f64),
    sd: f64,
    distance: f64,
) -> f64 {
    if !one.is_finite() || !other.is_finite() || !sd.is_finite() {
        return 1.0;
    }
    at_most(confidence, [one, other], sd, distance)
        .unwrap_or_else(|| times(2.0 * tail_of_two(distance, one, other, sd), 1.0 - confidence))
}

/// As [`excess_of_two`], for three independent Laplace noises.
///
/// # Formula
///
/// Likewise, the tail of the sum is Σ a⁴·tail(a)/Π(a² − b²) over the scales a, the product being
/// over the other two.
pub(crate) fn excess_of_three(confidence: f64, scales: [f64; 3], sd: f64, distance: f64) -> f64 {
    if scales.into_iter().any(|scale| !scale.is_finite()) || !sd.is_finite() {
        return 1.0;
    }
    at_most(confidence, scales, sd, distance)
        .unwrap_or_else(|| times(2.0 * tail_of_three(distance, scales, sd), 1.0 - confidence))
}

/// The logarithm of how many times as large as another one a probability is; rounding may have made
/// it negative where it is next to nothing.
fn times(probability: f64, other: f64) -> f64 {
    (probability / other).ln().max(-1e3)
}

/// Most distances that are looked at are far beyond what is to be expected, which is seen without
/// a tail: a negative bound on the logarithm of how many times 1 − `confidence` the probability of
/// a larger sum is, if there is one.
///
/// # Formula
///
/// Chernoff: P(|S| > t) ≤ 2·exp(K(s) − st), K(s) = −Σ ln(1 − b²s²) + sd²s²/2. Since −ln(1 − x) ≤
/// 1.152·x up to x = ¼, K(s) ≤ 0.576·s²·Var S for s up to 1/(2·max b).
fn at_most<const N: usize>(
    confidence: f64,
    scales: [f64; N],
    sd: f64,
    distance: f64,
) -> Option<f64> {
    let largest = scales.into_iter().fold(0.0, f64::max);
    let variance = scales.iter().map(|scale| 2.0 * scale * scale).sum::<f64>() + sd * sd;
    let s = (distance / (1.152 * variance)).min(0.5 / largest);
    let bound = 0.576 * variance * s * s - s * distance + (2.0 / (1.0 - confidence)).ln();
    // Further from the limit than numbers are rounded.
    (bound < -0.01).then_some(bound)
}

/// t with P(|L₁ + L₂ + L₃ + N| ≤ t) = `confidence`, for Laplace noises of these scales and a
/// centred normal N.
pub(crate) fn half_width_of_three(confidence: f64, scales: [f64; 3], sd: f64) -> f64 {
    if scales.into_iter().any(|scale| !scale.is_finite()) || !sd.is_finite() {
        return f64::INFINITY;
    }
    let tail = (1.0 - confidence) / 2.0;
    let start = scales.iter().sum::<f64>() + sd;
    crossing(start, |t| (tail_of_three(t, scales, sd) / tail).ln())
}

/// t with P(|L₁ + L₂ + N| ≤ t) = `confidence`, for two Laplace noises of these scales and a centred
/// normal N.
pub(crate) fn half_width_of_two(confidence: f64, scales: (f64, f64), sd: f64) -> f64 {
    if !scales.0.is_finite() || !scales.1.is_finite() || !sd.is_finite() {
        return f64::INFINITY;
    }
    let tail = (1.0 - confidence) / 2.0;
    let start = scales.0 + scales.1 + sd;
    crossing(start, |t| (tail_of_two(t, scales.0, scales.1, sd) / tail).ln())
}

fn tail_of_two(t: f64, one: f64, other: f64, sd: f64) -> f64 {
    let (large, small) = (one.max(other), one.min(other));
    if small == 0.0 {
        return tail(t, large, sd);
    }
    // Equal scales are the limit of different ones; so near to it the error is of the order of the
    // square.
    let (large, small) = if large - small < APART * large {
        let middle = 0.5 * (large + small);
        (middle * (1.0 + APART), middle * (1.0 - APART))
    } else {
        (large, small)
    };
    // In units of the larger scale, whose square could be too large for a double.
    let ratio = small / large;
    let square = ratio * ratio;
    (tail(t, large, sd) - square * tail(t, small, sd)) / (1.0 - square)
}

fn tail_of_three(t: f64, mut scales: [f64; 3], sd: f64) -> f64 {
    scales.sort_by(f64::total_cmp);
    let [small, middle, large] = scales;
    // So small a scale adds less to the others than the rounding of what follows.
    if small <= NOTHING * large {
        return tail_of_two(t, large, middle, sd);
    }
    // Apart from each other, as above, and rather larger than they are.
    let middle = middle.max(small * (1.0 + APART));
    let large = large.max(middle * (1.0 + APART));
    // In units of the largest scale.
    let square = |scale: f64| (scale / large) * (scale / large);
    let [x, y, z] = [small, middle, large].map(square);
    x * x / ((x - y) * (x - z)) * tail(t, small, sd)
        + y * y / ((y - x) * (y - z)) * tail(t, middle, sd)
        + z * z / ((z - x) * (z - y)) * tail(t, large, sd)
}

/// What part of a scale is nothing beside it: its square is what counts.
const NOTHING: f64 = 1e-6;

/// By how much, relative to them, two scales differ at least where they are told apart.
const APART: f64 = 1e-4;

/// P(L + N > t), also where there is no N.
fn tail(t: f64, eta: f64, sd: f64) -> f64 {
    if sd > 0.0 {
        return upper_tail(t, eta, sd);
    }
    if eta > 0.0 { 0.5 * (-t / eta).exp() } else { f64::from(u8::from(t <= 0.0)) }
}

fn upper_tail(t: f64, eta: f64, sd: f64) -> f64 {
    let z = t / sd;
    let normal = normal_tail(z);
    if eta == 0.0 {
        return normal;
    }
    let a = sd / eta;
    let gauss = (-z * z / 2.0).exp();
    let falling = if a >= z {
        0.5 * gauss * scaled_erfc((a - z) * std::f64::consts::FRAC_1_SQRT_2)
    } else {
        (a * a / 2.0 - a * z).exp() * normal_tail(a - z)
    };
    let rising = 0.5 * gauss * scaled_erfc((a + z) * std::f64::consts::FRAC_1_SQRT_2);
    normal + 0.5 * (falling - rising)
}

/// P(N > z) for a standard normal N.
pub(crate) fn normal_tail(z: f64) -> f64 {
    0.5 * libm::erfc(z * std::f64::consts::FRAC_1_SQRT_2)
}

/// exp(x²)·erfc(x) for x ≥ 0, without overflow.
pub(crate) fn scaled_erfc(x: f64) -> f64 {
    if x < 3.0 {
        return (x * x).exp() * libm::erfc(x);
    }
    // The continued fraction 1/√π · 1/(x + ½/(x + 1/(x + 3/2/(x + …)))), from the inside: as many
    // places as count in a double, as a test shows.
    let places = 8 + (300.0 / (x * x)) as u32;
    let (mut fraction, mut half) = (x, f64::from(places) / 2.0);
    while half > 0.0 {
        fraction = x + half / fraction;
        half -= 0.5;
    }
    1.0 / (fraction * std::f64::consts::PI.sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_the_laplace_and_the_normal_quantile() {
        assert!((half_width(0.95, 2.0, 0.0) - 2.0 * 20f64.ln()).abs() < 1e-12);
        assert!((half_width(0.95, 0.0, 2.0) - 2.0 * 1.959_963_984_540_054).abs() < 1e-9);
        assert!((half_width(0.95, 1e-9, 2.0) - 2.0 * 1.959_963_984_540_054).abs() < 1e-6);
        assert!((half_width(0.95, 2.0, 1e-9) - 2.0 * 20f64.ln()).abs() < 1e-6);
        assert_eq!(half_width(0.9, 0.0, 0.0), 0.0);
    }

    #[test]
    fn the_tail_of_two_matches_numerical_integration() {
        for (a, b, sd) in [
            (1.0, 1.0, 0.0),
            (1.0, 0.5, 0.0),
            (1.0, 0.99995, 0.5),
            (0.1, 2.0, 3.0),
            (1.0, 1.0, 2.0),
        ] {
            for t in [0.0, 0.5, 2.0, 7.0] {
                // P(A + B + N > t) = ∫ f_B(x)·P(A + N > t − x) dx by the midpoint rule.
                let steps = 200_000;
                let truth: f64 = (0..steps)
                    .map(|i| {
                        let x = b * (-40.0 + 80.0 * (f64::from(i) + 0.5) / f64::from(steps));
                        let rest = t - x;
                        let one =
                            if rest >= 0.0 { tail(rest, a, sd) } else { 1.0 - tail(-rest, a, sd) };
                        (-x.abs() / b).exp() / (2.0 * b) * one * b * 80.0 / f64::from(steps)
                    })
                    .sum();
                let formula = tail_of_two(t, a, b, sd);
                assert!((formula - truth).abs() < 1e-6, "{a} {b} {sd} {t}: {formula} {truth}");
            }
        }
        assert!((half_width_of_two(0.95, (2.0, 0.0), 0.0) - 2.0 * 20f64.ln()).abs() < 1e-12);
        assert!(
            (half_width_of_two(0.9, (0.3, 2.0), 1.0) - half_width_of_two(0.9, (2.0, 0.3), 1.0))
                .abs()
                < 1e-12
        );
        assert_eq!(half_width_of_two(0.9, (0.0, 0.0), 0.0), 0.0);
        assert!(
            excess_of_two(0.95, (1.0, 0.0), 0.0, 20f64.ln() - 1e-9) >= 0.0
                && excess_of_two(0.95, (0.0, 1.0), 0.0, 3.0) < 0.0
        );
        assert!(
            excess_of_two(0.95, (f64::INFINITY, 1.0), 0.0, 1e300) >= 0.0
                && excess_of_two(0.95, (0.0, 0.0), 0.0, 1e-300) < 0.0
        );
    }

    #[test]
    fn the_tail_of_three_matches_numerical_integration() {
        for (scales, sd) in [
            ([1.0, 1.0, 1.0], 0.0),
            ([1.0, 0.5, 0.25], 0.0),
            ([0.5, 0.5, 1e-7], 1.0),
            ([0.2, 1.0, 1.0], 0.5),
            ([0.7, 0.0, 0.3], 2.0),
        ] {
            for t in [0.0, 0.5, 2.0, 7.0] {
                // P(A + B + C + N > t) = ∫ f_C(x)·P(A + B + N > t − x) dx by the midpoint rule.
                let [a, b, c] = scales;
                let steps = 100_000;
                let each = 60.0 / f64::from(steps);
                let truth = |c: f64| -> f64 {
                    let middles = (0..steps).map(|i| -30.0 + each * (f64::from(i) + 0.5));
                    let parts = middles.map(|x| {
                        let rest = t - c * x;
                        let two = match rest >= 0.0 {
                            true => tail_of_two(rest, a, b, sd),
                            false => 1.0 - tail_of_two(-rest, a, b, sd),
                        };
                        0.5 * (-x.abs()).exp() * each * two
                    });
                    parts.sum()
                };
                let formula = tail_of_three(t, scales, sd);
                let truth = if c == 0.0 { tail_of_two(t, a, b, sd) } else { truth(c) };
                // Scales that are equal are drawn apart by one in 10 000.
                assert!((formula - truth).abs() < 1e-4, "{scales:?} {sd} {t}: {formula} {truth}");
            }
        }
        let (one, three) = ([2.0, 0.0, 0.0], [0.3, 2.0, 1.0]);
        assert!((half_width_of_three(0.95, one, 0.0) - 2.0 * 20f64.ln()).abs() < 1e-12);
        let two = half_width_of_two(0.9, (2.0, 1.0), 1.0);
        assert!(half_width_of_three(0.9, three, 1.0) > two);
        assert!(excess_of_three(0.95, [f64::INFINITY, 1.0, 1.0], 0.0, 1e300) >= 0.0);
    }

    /// What is told without a tail is what the tail says, and not more than that is told.
    #[test]
    fn a_bound_spares_tails_far_out_alone() {
        let mut spared = 0;
        for confidence in [0.1, 0.5, 0.95, 0.9999] {
            for (scales, sd) in [
                ([1.0, 0.0, 0.0], 0.0),
                ([1.0, 0.0, 0.0], 0.01),
                ([1.0, 1.0, 0.0], 1.0),
                ([1.0, 0.5, 0.2], 0.5),
                ([1e-3, 0.0, 0.0], 1.0),
                ([0.0, 0.0, 0.0], 1.0),
            ] {
                for step in 0..200 {
                    let distance = f64::from(step) / 10.0;
                    let tail = 2.0 * tail_of_three(distance, scales, sd);
                    let Some(bound) = at_most(confidence, scales, sd, distance) else { continue };
                    let exact = times(tail, 1.0 - confidence);
                    assert!(exact <= bound + 1e-9, "{confidence} {scales:?} {sd} {distance}");
                    spared += 1;
                }
            }
        }
        assert!(spared > 2000, "{spared} of 4800");
        for distance in [1e-300, 1.0, f64::INFINITY] {
            assert_eq!(at_most(0.95, [1e200; 3], 0.0, distance), None);
        }
    }

    /// Beside 400 places of the continued fraction; left and right of where it takes over.
    #[test]
    fn scaled_erfc_has_all_its_digits() {
        for x in (0..2000).map(|step| 3.0 + f64::from(step) / 40.0) {
            let long = (1..=400).rev().fold(x, |inner, k| x + f64::from(k) / 2.0 / inner);
            let ratio = scaled_erfc(x) * long * std::f64::consts::PI.sqrt();
            assert!((ratio - 1.0).abs() < 1e-15, "{x}: {ratio}");
        }
        let (below, above) = (scaled_erfc(3.0f64.next_down()), scaled_erfc(3.0));
        assert!((below / above - 1.0).abs() < 1e-14, "{below} {above}");
    }

    #[test]
    fn tail_matches_numerical_integration() {
        for (eta, sd) in [(1.0, 1.0), (0.2, 1.0), (1.0, 0.1), (3.0, 5.0), (0.01, 1.0)] {
            for t in [0.0, 0.3, 1.0, 2.5, 6.0] {
                // P(L + N > t) = ∫ φ(x)·P(L > t − x) dx by the midpoint rule.
                let steps = 400_000;
                let truth: f64 = (0..steps)
                    .map(|i| {
                        let x = -12.0 + 24.0 * (f64::from(i) + 0.5) / f64::from(steps);
                        let rest = t - sd * x;
                        let laplace = if rest > 0.0 {
                            0.5 * (-rest / eta).exp()
                        } else {
                            1.0 - 0.5 * (rest / eta).exp()
                        };
                        (-x * x / 2.0).exp() / (2.0 * std::f64::consts::PI).sqrt() * laplace
                    })
                    .sum::<f64>()
                    * 24.0
                    / f64::from(steps);
                let formula = upper_tail(t, eta, sd);
                assert!((formula - truth).abs() < 1e-8, "{eta} {sd} {t}: {formula} {truth}");
            }
        }
    }
}
