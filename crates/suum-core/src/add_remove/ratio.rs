//! Ratio of a noisy part to a noisy whole, with intervals.

use crate::MeasuredSpread;
use crate::answer::border::{Point, halved, narrowed};
use crate::answer::interval::{excess_of_three, excess_of_two};
use crate::answer::tail::LaplaceSum;

/// Share u = P/(P + R) of a part P in a whole of P and the rest R, from noisy sums of both.
///
/// Sums are in privacy units: the noise of what was measured is Laplace of scale 1.
///
/// # Formula
///
/// At the true u the combination (1 − u)·P − u·R is zero, so its noisy value is that of the noise
/// and nothing else: the ratio is never linearised (Fieller 1954). An interval holds every u for
/// which the value seen is no larger than noise and sampling make it. Sums that are known not to be
/// negative may be cut off at zero before: given the other noise, that brings each noise nearer to
/// zero, and so covers no less.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Ratio {
    part: f64,
    whole: f64,
    /// Part and rest, with negative sums cut off at zero.
    cut: (f64, f64),
    made: RatioNoise,
}

/// Largest number of noises for which the law of their sum is computed. Of more, all but one are
/// treated as normal, whose tail is a tenth too small at three and a third standard deviations.
pub(crate) const EXACT: usize = 64;

/// Sums that were measured to get a part and the rest.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum RatioNoise {
    /// Sums of this many numbers for the part, and of that many for the rest. The noise is (1 −
    /// u)·ΣK − u·ΣK'.
    Parts(usize, usize),
    /// Moments of values y in [0, 1] with mean u: Σ r·y², Σ r·2y(1 − y) and Σ r·(1 − y)². The part
    /// is the first sum and half of the second, so the noise is (1 − u)·K₁ + (½ − u)·K₂ − u·K₃.
    Moments,
    /// Centred sums of such values, Σ r·(y − ½) and Σ r/2. The part is their sum and the rest their
    /// difference, so the noise is K₁ − (2u − 1)·K₂.
    Centred,
}

impl RatioNoise {
    /// Returns the scales of the noises of u for records with Σ r = 1, each with the number of
    /// noises that have it.
    pub(crate) fn scales(self, u: f64) -> Vec<(f64, f64)> {
        let rest = 1.0 - u;
        match self {
            RatioNoise::Parts(some, others) => vec![(rest, some as f64), (u, others as f64)],
            RatioNoise::Moments => vec![(rest, 1.0), ((0.5 - u).abs(), 1.0), (u, 1.0)],
            RatioNoise::Centred => vec![(1.0, 1.0), ((2.0 * u - 1.0).abs(), 1.0)],
        }
    }

    /// Returns the numbers of noises in the part and in the rest, if they are few enough to compute
    /// the law of their sum.
    fn few(self) -> Option<(usize, usize)> {
        match self {
            RatioNoise::Parts(some, others) => {
                Some((some, others)).filter(|_| (3..=EXACT + 1).contains(&(some + others)))
            }
            RatioNoise::Moments | RatioNoise::Centred => None,
        }
    }
}

/// Sources of error of a share besides noise.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Spread {
    /// Q = Σ r², in squared privacy units; zero if there is no sampling error.
    pub(crate) square: f64,
    /// Variance of a value.
    pub(crate) variance: Variance,
    /// Continuity correction: the change of the part in one step of the coarsest lattice that it
    /// can be on.
    pub(crate) step: f64,
}

/// Knowledge of the variance of a value, in squared units of the range. With a mean of u it is
/// never more than u(1 − u).
#[derive(Debug, Clone, Copy)]
pub(crate) enum Variance {
    /// Upper bound on the variance.
    AtMost(f64),
    /// Measured spread, with the measured mean and the width of the bounds.
    Measured(MeasuredSpread, f64, f64),
}

impl Variance {
    /// Returns the largest possible variance of values whose mean is u.
    pub(crate) fn at(self, u: f64) -> f64 {
        self.up_to(u).min(u * (1.0 - u)).max(0.0)
    }

    /// Returns the largest possible variance of values whose mean is no further from the measured
    /// one than u.
    pub(crate) fn up_to(self, u: f64) -> f64 {
        match self {
            Variance::AtMost(variance) => variance,
            Variance::Measured(spread, mean, width) => spread.at(mean, width)(u),
        }
    }
}

impl Ratio {
    /// Returns the ratio of a single noisy part and a rest that is the sum of `others` + 1 noisy
    /// numbers.
    pub(crate) fn new(part: f64, rest: f64, others: usize) -> Self {
        Self::from_parts((part, 1), (rest, others + 1))
    }

    /// Returns the ratio of a part and a rest, each given with the number of noisy numbers in it.
    pub(crate) fn from_parts((part, some): (f64, usize), (rest, others): (f64, usize)) -> Self {
        let cut = (part.max(0.0), rest.max(0.0));
        Self { part, whole: part + rest, cut, made: RatioNoise::Parts(some, others) }
    }

    /// Returns the ratio for the mean of values whose noisy [`RatioNoise::Moments`] are `sums`.
    pub(crate) fn from_moments(sums: [f64; 3]) -> Self {
        let [high, twice, low] = sums.map(|sum| sum.max(0.0));
        let cut = (high + twice / 2.0, low + twice / 2.0);
        let [high, twice, low] = sums;
        let (part, rest) = (high + twice / 2.0, low + twice / 2.0);
        Self { part, whole: part + rest, cut, made: RatioNoise::Moments }
    }

    /// Returns the ratio for the mean of values whose noisy Σ r·(y − ½) and Σ r/2 are known.
    pub(crate) fn from_centred(middle: f64, half: f64) -> Self {
        let (part, rest) = (half + middle, half - middle);
        // Neither part nor rest was measured alone, so nothing is cut off.
        Self { part, whole: part + rest, cut: (part, rest), made: RatioNoise::Centred }
    }

    /// Returns the noisy whole, or `None` if it is within one standard deviation of its noise.
    pub(crate) fn whole(self) -> Option<f64> {
        let noises = match self.made {
            RatioNoise::Parts(some, others) => (some + others) as f64,
            RatioNoise::Moments => 3.0,
            // Σ r/2 was measured, so the noise doubles.
            RatioNoise::Centred => 4.0,
        };
        (self.whole > (2.0 * noises).sqrt()).then_some(self.whole)
    }

    /// Returns the noisy share, or `None` if the whole is within its noise.
    pub(crate) fn share(self) -> Option<f64> {
        self.whole().map(|whole| self.part / whole)
    }

    /// Returns the variance of the noise of u, for records with Σ r = `whole`.
    pub(crate) fn noise_variance(u: f64, made: RatioNoise, whole: f64) -> f64 {
        let squares = made.scales(u).into_iter().map(|(scale, count)| count * scale * scale);
        2.0 * squares.sum::<f64>() / (whole * whole)
    }

    /// Returns the kind of sums that were measured.
    pub(crate) fn noise(self) -> RatioNoise {
        self.made
    }

    /// Returns the least and the largest u that noise and sampling leave possible at this
    /// confidence.
    pub(crate) fn interval(self, confidence: f64, spread: Spread) -> (f64, f64) {
        let (part, rest) = self.cut;
        let whole = part + rest;
        if self.whole().is_none() || whole <= 0.0 {
            return (0.0, 1.0);
        }
        let distance = |u: f64| ((part - u * whole).abs() - spread.step).max(0.0);
        let sampling = |u: f64| spread.variance.at(u) * spread.square;
        let middle = (part / whole).clamp(0.0, 1.0);
        if let Some((some, others)) = self.made.few() {
            let excess = |u: f64| {
                let scales = [(1.0 - u, some as f64), (u, others as f64)];
                LaplaceSum::new(scales, sampling(u).sqrt()).excess(confidence, distance(u))
            };
            let end = |end| outermost(middle, end, excess, nearly);
            return (end(0.0), end(1.0));
        }
        let excess = |u: f64| match self.made {
            RatioNoise::Parts(some, others) => {
                let [some, others] = [some, others].map(|all| 2.0 * all.saturating_sub(1) as f64);
                let further = some * (1.0 - u) * (1.0 - u) + others * u * u;
                let sd = (further + sampling(u)).sqrt();
                excess_of_two(confidence, (1.0 - u, u), sd, distance(u))
            }
            RatioNoise::Moments => {
                let scales = [1.0 - u, (0.5 - u).abs(), u];
                excess_of_three(confidence, scales, sampling(u).sqrt(), distance(u))
            }
            RatioNoise::Centred => {
                let scales = (1.0, (2.0 * u - 1.0).abs());
                excess_of_two(confidence, scales, sampling(u).sqrt(), distance(u))
            }
        };
        let end = |end| outermost(middle, end, excess, halved);
        (end(0.0), end(1.0))
    }
}

/// Number of steps from the end of the search inwards.
const POSITIONS: i32 = 16;
/// Precision of a crossing in [`nearly`], as a share of the way between two points.
const NEAR: f64 = 1.0 / 65_536.0;

/// Returns the possible point furthest from `inside` on the way to `end`, where `inside` is
/// possible.
///
/// `between` narrows the gap between an impossible and a possible point, and returns the impossible
/// end of it.
fn outermost<E: Fn(f64) -> f64>(
    inside: f64,
    end: f64,
    excess: E,
    between: impl Fn(Point, Point, E) -> f64,
) -> f64 {
    let at = |position: i32| end + (inside - end) * f64::from(position) / f64::from(POSITIONS);
    let mut outside = None;
    for position in 0..=POSITIONS {
        let point = (at(position), excess(at(position)));
        match outside {
            _ if point.1 < 0.0 => outside = Some(point),
            Some(outside) => return between(outside, point, excess),
            None => return end,
        }
    }
    inside
}

/// Narrows the gap between two points to [`NEAR`] only, for functions that are slow to compute.
fn nearly(outside: Point, inside: Point, excess: impl Fn(f64) -> f64) -> f64 {
    narrowed(outside, inside, NEAR, excess).0
}

#[cfg(test)]
mod tests {
    use super::*;

    const NONE: Spread = Spread { square: 0.0, variance: Variance::AtMost(0.0), step: 0.0 };

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
        let sampling = Spread { square: 4e8, variance: Variance::AtMost(0.25), step: 0.0 };
        let (low, high) = Ratio::new(2e6, 2e6, 0).interval(0.95, sampling);
        let half_width = 1.959_964 * 1e4 / 4e6;
        assert!((high - low - 2.0 * half_width).abs() < 1e-3 * half_width, "{low} {high}");
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

    /// A frequent one of few shares has little noise of its own and that of all others. Its
    /// interval misses as often as it says, where it did twice as often when all but one of them
    /// were counted as normal: 400 of a million draws, and a false alarm of ten standard errors.
    #[test]
    fn frequent_shares_miss_as_often_as_they_say() {
        const DRAWS: u32 = 1_000_000;
        const CONFIDENCE: f64 = 0.9996;
        let (share, whole, others) = (0.95, 1e5, 3);
        let mut state = 1u64;
        let mut laplace = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let uniform = (state >> 12) as f64 / (1u64 << 52) as f64 - 0.5;
            -uniform.signum() * (1.0 - 2.0 * uniform.abs()).ln()
        };
        let noises = (0..DRAWS).map(|_| {
            let rest = (0..others).map(|_| laplace()).sum::<f64>();
            ((1.0 - share) * laplace() - share * rest).abs()
        });
        let noises: Vec<f64> = noises.collect();
        let missed = |half_width: f64| noises.iter().filter(|noise| **noise > half_width).count();
        // The distance from which on a share is no longer possible.
        let half_width = |expects: &dyn Fn(f64) -> bool| {
            let (mut low, mut high) = (0.0, 100.0);
            for _ in 0..40 {
                let middle = 0.5 * (low + high);
                if expects(middle) { low = middle } else { high = middle }
            }
            low
        };
        let exact = half_width(&|distance| {
            let part = share * whole + distance;
            let (low, high) = Ratio::new(part, whole - part, others - 1).interval(CONFIDENCE, NONE);
            (low..=high).contains(&share)
        });
        let expected = f64::from(DRAWS) * (1.0 - CONFIDENCE);
        let off = missed(exact) as f64 - expected;
        assert!(off.abs() < 10.0 * expected.sqrt(), "{off}");
        let normal = half_width(&|distance| {
            let others = (2.0 * (others - 1) as f64).sqrt() * share;
            excess_of_two(CONFIDENCE, (1.0 - share, share), others, distance) >= 0.0
        });
        assert!(missed(normal) as f64 > 1.5 * expected, "{}", missed(normal));
    }
}
