//! Half widths for up to three Laplace noises and a normal error together.

use super::tails::{tail_of_three, tail_of_two, upper_tail};
use crate::arithmetic::crossing::crossing;

/// Returns t with P(|L + N| ≤ t) = `confidence`, for Laplace noise L of scale `eta` and a centred
/// normal N.
///
/// # Formula
///
/// With a = sd/η and z = t/sd, P(L + N > t) = Φ(−z) + ½·(e^{a²/2 − az}·Φ(z − a) − e^{a²/2 +
/// az}·Φ(−z − a)).
///
/// # Example
///
/// ```
/// let normal = suum_core::half_width(0.95, 0.0, 1.0);
/// assert!((normal - 1.959_964).abs() < 1e-6);
/// ```
pub fn half_width(confidence: f64, eta: f64, sd: f64) -> f64 {
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

/// Returns a nonnegative number if [`half_width`] is at least `distance`. It evaluates the tail
/// once instead of searching, and falls with the distance.
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

/// Returns a nonnegative number if |L₁ + L₂ + N| exceeds `distance` with a probability of at least
/// 1 − `confidence`, for independent Laplace noises of scales `one` and `other` and a centred
/// normal N. It is the logarithm of the ratio of the two probabilities; a negative result may be a
/// bound on it.
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

/// Returns what [`excess_of_two`] does, for three independent Laplace noises.
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

/// Returns the logarithm of the ratio of two probabilities; rounding may have made the first one
/// negative if it is tiny.
fn times(probability: f64, other: f64) -> f64 {
    (probability / other).ln().max(-1e3)
}

/// Returns a negative upper bound on the logarithm of the ratio of the probability of a larger sum
/// to 1 − `confidence`, if there is one. Most distances are so improbable that this bound decides,
/// without computing a tail.
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
    // The bound must differ from zero by more than rounding.
    (bound < -0.01).then_some(bound)
}

/// Returns t with P(|L₁ + L₂ + L₃ + N| ≤ t) = `confidence`, for Laplace noises of these scales and
/// a centred normal N.
pub(crate) fn half_width_of_three(confidence: f64, scales: [f64; 3], sd: f64) -> f64 {
    if scales.into_iter().any(|scale| !scale.is_finite()) || !sd.is_finite() {
        return f64::INFINITY;
    }
    let tail = (1.0 - confidence) / 2.0;
    let start = scales.iter().sum::<f64>() + sd;
    crossing(start, |t| (tail_of_three(t, scales, sd) / tail).ln())
}

/// Returns t with P(|L₁ + L₂ + N| ≤ t) = `confidence`, for two Laplace noises of these scales and a
/// centred normal N.
pub(crate) fn half_width_of_two(confidence: f64, scales: (f64, f64), sd: f64) -> f64 {
    if !scales.0.is_finite() || !scales.1.is_finite() || !sd.is_finite() {
        return f64::INFINITY;
    }
    let tail = (1.0 - confidence) / 2.0;
    let start = scales.0 + scales.1 + sd;
    crossing(start, |t| (tail_of_two(t, scales.0, scales.1, sd) / tail).ln())
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
    fn two_noises_reach_as_far_as_one_where_the_other_is_none() {
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
    fn three_noises_reach_further_than_two() {
        let (one, three) = ([2.0, 0.0, 0.0], [0.3, 2.0, 1.0]);
        assert!((half_width_of_three(0.95, one, 0.0) - 2.0 * 20f64.ln()).abs() < 1e-12);
        let two = half_width_of_two(0.9, (2.0, 1.0), 1.0);
        assert!(half_width_of_three(0.9, three, 1.0) > two);
        assert!(excess_of_three(0.95, [f64::INFINITY, 1.0, 1.0], 0.0, 1e300) >= 0.0);
    }

    /// The bound that spares a tail is never below the tail, decides for most distances, and is
    /// absent if the variance overflows.
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
}
