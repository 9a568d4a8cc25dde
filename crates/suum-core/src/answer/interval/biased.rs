//! Reach of noise around a bias of unknown sign and size.

use crate::arithmetic::crossing::crossing;

/// t with P(|b + X| ≤ t) of at least `confidence` for every |b| ≤ `bias`, and as much for
/// |b| = `bias`, where X is symmetric and unimodal, P(X > x) = `tail`(x) for x ≥ 0, and
/// P(|X| ≤ `plain`) = `confidence`.
///
/// # Formula
///
/// F(t − B) + F(t + B) = 1 − confidence, with F the upper tail: at B = 0 it is `plain`, and for
/// large B it exceeds B by the one-sided reach.
pub(crate) fn reach_with_bias(
    confidence: f64,
    bias: f64,
    plain: f64,
    tail: impl Fn(f64) -> f64,
) -> f64 {
    let most = bias + plain;
    // Below one half the reach can be less than the bias, where the tail is not known.
    if bias <= 0.0 || !most.is_finite() || confidence <= 0.5 || plain <= 0.0 {
        return most;
    }
    let miss = 1.0 - confidence;
    let beyond = crossing(plain, |x| ((tail(x) + tail(x + 2.0 * bias)) / miss).ln());
    (bias + beyond).min(most)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::answer::interval::{half_width, normal_tail};

    /// P(|b + N| > t) of a standard normal N.
    fn miss(b: f64, t: f64) -> f64 {
        normal_tail(t - b) + normal_tail(t + b)
    }

    #[test]
    fn reaches_as_far_as_the_worst_bias_needs() {
        for confidence in [0.6, 0.95, 0.999] {
            let plain = half_width(confidence, 0.0, 1.0);
            let mut last = plain;
            for bias in [1e-6, 0.01, 0.3, 1.0, 3.0, 100.0] {
                let t = reach_with_bias(confidence, bias, plain, normal_tail);
                assert!((miss(bias, t) - (1.0 - confidence)).abs() < 1e-9, "{confidence} {bias}");
                for part in [0.0, 0.2, 0.7, 0.99] {
                    assert!(miss(part * bias, t) <= 1.0 - confidence + 1e-9);
                }
                assert!(t >= last && t <= plain + bias, "{confidence} {bias}: {t}");
                last = t;
            }
            assert_eq!(reach_with_bias(confidence, 0.0, plain, normal_tail), plain);
        }
        assert_eq!(reach_with_bias(0.95, 2.0, 0.0, |_| 0.0), 2.0);
        assert_eq!(reach_with_bias(0.3, 2.0, 0.5, normal_tail), 2.5);
    }
}
