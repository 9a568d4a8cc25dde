//! Confidence intervals: how far noise and sampling together reach.

use serde::Serialize;

/// A two-sided confidence interval.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Interval {
    /// The stated probability of covering the estimand, in (0, 1).
    pub confidence: f64,
    /// The lower end, in units of the statistic.
    pub lower: f64,
    /// The upper end, in units of the statistic.
    pub upper: f64,
}

/// t with P(|L + N| ≤ t) = `confidence`, for Laplace noise L of scale `eta` and a centred normal N.
///
/// # Formula
///
/// With a = sd/η and z = t/sd, P(L + N > t) = Φ(−z) + ½·(e^{a²/2 − az}·Φ(z − a) − e^{a²/2 + az}·Φ(−z − a)).
pub(crate) fn half_width(confidence: f64, eta: f64, sd: f64) -> f64 {
    let tail = (1.0 - confidence) / 2.0;
    if !eta.is_finite() || !sd.is_finite() {
        return f64::INFINITY;
    }
    if sd == 0.0 {
        return -eta * (2.0 * tail).ln();
    }
    let (mut low, mut high) = (0.0, eta + sd);
    while upper_tail(high, eta, sd) > tail {
        high *= 2.0;
    }
    for _ in 0..100 {
        let middle = 0.5 * (low + high);
        if upper_tail(middle, eta, sd) > tail { low = middle } else { high = middle }
    }
    high
}

/// Whether [`half_width`] is at least `distance`: one look at the tail in place of a search.
pub(crate) fn reaches(confidence: f64, eta: f64, sd: f64, distance: f64) -> bool {
    if !eta.is_finite() || !sd.is_finite() {
        return true;
    }
    let tail = (1.0 - confidence) / 2.0;
    if sd == 0.0 {
        return distance <= -eta * (2.0 * tail).ln();
    }
    upper_tail(distance, eta, sd) >= tail
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
fn normal_tail(z: f64) -> f64 {
    0.5 * libm::erfc(z * std::f64::consts::FRAC_1_SQRT_2)
}

/// exp(x²)·erfc(x) for x ≥ 0, without overflow.
fn scaled_erfc(x: f64) -> f64 {
    if x < 3.0 {
        return (x * x).exp() * libm::erfc(x);
    }
    // The continued fraction 1/√π · 1/(x + ½/(x + 1/(x + 3/2/(x + …)))), from the inside.
    let fraction = (1..=60).rev().fold(x, |inner, k| x + f64::from(k) / 2.0 / inner);
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
