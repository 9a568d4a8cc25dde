//! A share of a total, of which neither was measured without noise.

use crate::interval::expects;

/// The share u = P/(P + R) of a part P in a whole of which R is the rest, from noisy sums of both.
///
/// Sums are in privacy units: the noise of the part, and of each of the `others` + 1 sums that make
/// up the rest, is Laplace of scale 1.
///
/// # Formula
///
/// At the true u the combination (1 − u)·P − u·R is zero, so its noisy value is (1 − u)·K − u·ΣK'
/// and nothing else: the ratio is never linearised (Fieller 1954). An interval holds every u for
/// which the value seen is no larger than noise and sampling make it. Sums that are known not to be
/// negative may be cut off at zero before: given the other noise, that brings each noise nearer to
/// zero, and so covers no less.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ratio {
    part: f64,
    rest: f64,
    others: usize,
}

/// What else moves a share besides noise.
#[derive(Debug, Clone, Copy)]
pub(super) struct Spread {
    /// Q = Σ r², in squared privacy units; zero if sampling is no error.
    pub(super) square: f64,
    /// The largest variance of a value, in squared units of the range. At a mean of u it is at most
    /// u(1 − u), too.
    pub(super) variance: f64,
    /// By how much the part moves in one step of the coarsest lattice it can be on: a continuity
    /// correction.
    pub(super) step: f64,
}

impl Ratio {
    /// A part and what is left of the whole, which is the sum of `others` + 1 noisy numbers.
    pub(super) fn new(part: f64, rest: f64, others: usize) -> Self {
        Self { part, rest, others }
    }

    /// The noisy whole, if it is more than one standard deviation of its noise; otherwise there is
    /// nothing to tell.
    pub(super) fn whole(self) -> Option<f64> {
        let whole = self.part + self.rest;
        (whole > (2.0 * (self.others as f64 + 2.0)).sqrt()).then_some(whole)
    }

    /// The variance of the noise of u: 2·((1 − u)² + (others + 1)·u²)/whole².
    pub(super) fn noise_variance(u: f64, others: usize, whole: f64) -> f64 {
        2.0 * ((1.0 - u) * (1.0 - u) + (others as f64 + 1.0) * u * u) / (whole * whole)
    }

    /// The least and the largest u that noise and sampling leave possible at this confidence.
    pub(super) fn interval(self, confidence: f64, spread: Spread) -> (f64, f64) {
        let (part, rest) = (self.part.max(0.0), self.rest.max(0.0));
        let whole = part + rest;
        if self.whole().is_none() || whole <= 0.0 {
            return (0.0, 1.0);
        }
        let possible = |u: f64| {
            let others = 2.0 * self.others as f64 * u * u;
            let sampling = spread.variance.min(u * (1.0 - u)).max(0.0) * spread.square;
            let distance = ((part - u * whole).abs() - spread.step).max(0.0);
            expects(confidence, (1.0 - u, u), (others + sampling).sqrt(), distance)
        };
        let middle = part / whole;
        (outermost(middle, 0.0, possible), outermost(middle, 1.0, possible))
    }
}

/// Records that are looked at from the end inwards, and halvings of what lies between two of them.
const PLACES: i32 = 16;
const HALVINGS: i32 = 30;

/// The possible place furthest from `inside`, which is possible, on the way to `end`.
fn outermost(inside: f64, end: f64, possible: impl Fn(f64) -> bool) -> f64 {
    let at = |place: i32| end + (inside - end) * f64::from(place) / f64::from(PLACES);
    let Some(first) = (0..=PLACES).find(|place| possible(at(*place))) else { return inside };
    if first == 0 {
        return end;
    }
    let (mut outside, mut inside) = (at(first - 1), at(first));
    for _ in 0..HALVINGS {
        let middle = 0.5 * (outside + inside);
        if possible(middle) { inside = middle } else { outside = middle }
    }
    outside
}

#[cfg(test)]
mod tests {
    use super::*;

    const NONE: Spread = Spread { square: 0.0, variance: 0.0, step: 0.0 };

    #[test]
    fn large_wholes_give_the_interval_of_the_linearised_ratio() {
        let (low, high) = Ratio::new(3e6, 1e6, 0).interval(0.95, NONE);
        // (1 − u)·K − u·K' at u = 3/4 and P(…) from its closed form: 5 % beyond t.
        let tail = |t: f64| (0.5625 * (-t / 0.75f64).exp() - 0.0625 * (-t / 0.25f64).exp()) / 0.5;
        let (mut t, mut step) = (0.0, 4.0);
        while step > 1e-9 {
            if tail(t + step) > 0.05 { t += step } else { step /= 2.0 }
        }
        assert!(
            (low - (0.75 - t / 4e6)).abs() < 1e-10 && (high - (0.75 + t / 4e6)).abs() < 1e-10,
            "{low} {high}"
        );
        let sampling = Spread { square: 4e8, variance: 0.25, step: 0.0 };
        let (low, high) = Ratio::new(2e6, 2e6, 0).interval(0.95, sampling);
        let reach = 1.959_964 * 1e4 / 4e6;
        assert!((high - low - 2.0 * reach).abs() < 1e-3 * reach, "{low} {high}");
    }

    #[test]
    fn small_wholes_say_nothing_and_every_interval_has_its_middle() {
        assert_eq!(Ratio::new(1.0, 0.5, 0).interval(0.95, NONE), (0.0, 1.0));
        assert!(
            Ratio::new(-5.0, 6.0, 0).whole().is_none() && Ratio::new(1.0, 2.0, 0).whole().is_some()
        );
        for (part, rest, others) in
            [(0.0, 30.0, 0), (-4.0, 30.0, 0), (30.0, -1.0, 0), (5.0, 100.0, 8), (3.0, 3.0, 0)]
        {
            let (low, high) = Ratio::new(part, rest, others).interval(0.95, NONE);
            let middle = part.max(0.0) / (part.max(0.0) + rest.max(0.0));
            assert!(
                0.0 <= low && low <= middle && middle <= high && high <= 1.0,
                "{part} {rest}: {low} {high}"
            );
        }
    }
}
