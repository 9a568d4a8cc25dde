//! Reach of noise around a bias of unknown sign and size.

use crate::arithmetic::crossing::crossing;

/// Largest biases of an estimate: towards one end of its interval, and towards the other one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Biases {
    /// Largest bias towards this end that it allows for.
    pub(crate) here: f64,
    /// Largest bias towards the other end that it allows for.
    pub(crate) there: f64,
}

/// Returns t with P(−t' ≤ b + X ≤ t) of at least `confidence` for every bias b from −`there` to
/// `here`, where X is symmetric and unimodal, P(X > x) = `tail`(x) for x ≥ 0,
/// P(|X| ≤ `plain`) = `confidence`, and t' is the reach of the other end.
///
/// # Formula
///
/// F(t − B) + F(t + B) = 1 − confidence, with F the upper tail: at B = 0 it is `plain`, and for
/// large B it exceeds B by the one-sided reach. If the other end allows for less, with t' of its
/// own B', it is F(t − B) + F(t' + B) instead: this is largest at one of the ends of the range of
/// b, because X is unimodal.
pub(crate) fn reach_with_bias(
    confidence: f64,
    biases: Biases,
    plain: f64,
    tail: impl Fn(f64) -> f64,
) -> f64 {
    let Biases { here: bias, there } = biases;
    let other = (there < bias).then(|| {
        reach_with_bias(
            confidence,
            Biases { here: there, there },
            plain,
            &tail as &dyn Fn(f64) -> f64,
        )
    });
    let most = bias + plain;
    // Below one half the reach can be less than the bias, where the tail is unknown.
    if bias <= 0.0 || !most.is_finite() || confidence <= 0.5 || plain <= 0.0 {
        return most;
    }
    let miss = 1.0 - confidence;
    let beyond = crossing(plain, |x| {
        let opposite = other.map_or(x + 2.0 * bias, |other| other + bias);
        ((tail(x) + tail(opposite)) / miss).ln()
    });
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

    fn reach(confidence: f64, bias: f64, plain: f64) -> f64 {
        reach_with_bias(confidence, Biases { here: bias, there: bias }, plain, normal_tail)
    }

    /// Both ends together miss no more often, whichever bias there is.
    #[test]
    fn end_away_from_bias_is_as_near_as_without() {
        for confidence in [0.8, 0.95, 0.999] {
            let plain = half_width(confidence, 0.0, 1.0);
            for (bias, there) in [(0.1, 0.0), (1.0, 0.0), (5.0, 0.0), (2.0, 0.5), (0.3, 0.2)] {
                let one = |biases| reach_with_bias(confidence, biases, plain, normal_tail);
                let near = one(Biases { here: there, there: bias });
                let far = one(Biases { here: bias, there });
                assert_eq!(near, reach(confidence, there, plain));
                assert!(far <= plain + bias && far >= near);
                let miss = |b: f64| normal_tail(far - b) + normal_tail(near + b);
                for b in (0..=100).map(|step| -there + (bias + there) * f64::from(step) / 100.0) {
                    assert!(miss(b) <= (1.0 - confidence) * (1.0 + 1e-9), "{bias} {b}");
                }
                assert!((miss(bias) - (1.0 - confidence)).abs() < 1e-9);
            }
        }
    }

    #[test]
    fn reaches_as_far_as_the_worst_bias_needs() {
        for confidence in [0.6, 0.95, 0.999] {
            let plain = half_width(confidence, 0.0, 1.0);
            let mut last = plain;
            for bias in [1e-6, 0.01, 0.3, 1.0, 3.0, 100.0] {
                let t = reach(confidence, bias, plain);
                assert!((miss(bias, t) - (1.0 - confidence)).abs() < 1e-9, "{confidence} {bias}");
                for part in [0.0, 0.2, 0.7, 0.99] {
                    assert!(miss(part * bias, t) <= 1.0 - confidence + 1e-9);
                }
                assert!(t >= last && t <= plain + bias, "{confidence} {bias}: {t}");
                last = t;
            }
            assert_eq!(reach(confidence, 0.0, plain), plain);
        }
        assert_eq!(reach(0.95, 2.0, 0.0), 2.0);
        assert_eq!(reach(0.3, 2.0, 0.5), 2.5);
    }
}
