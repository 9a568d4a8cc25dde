//! A share of a total, of which neither was measured without noise.

use crate::MeasuredSpread;
use crate::answer::border::{Point, halved, narrowed};
use crate::answer::interval::{excess_of_three, excess_of_two};
use crate::answer::tail::LaplaceSum;

/// The share u = P/(P + R) of a part P in a whole of which R is the rest, from noisy sums of both.
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
    /// Both again, after sums that are negative were cut off.
    cut: (f64, f64),
    made: RatioNoise,
}

/// Up to so many noises the law of their sum is computed; of more all but one are counted as
/// normal, whose tail is a tenth too small three and a third standard deviations out.
pub(crate) const EXACT: usize = 64;

/// What was measured of a part and the rest.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum RatioNoise {
    /// The part as the sum of so many numbers, and the rest as that of so many others. The noise is
    /// (1 − u)·ΣK − u·ΣK'.
    Parts(usize, usize),
    /// Of values y in [0, 1] whose mean is u: Σ r·y², Σ r·2y(1 − y) and Σ r·(1 − y)². The part is
    /// the first and half of the second, so the noise is (1 − u)·K₁ + (½ − u)·K₂ − u·K₃.
    Moments,
    /// Of such values Σ r·(y − ½) and Σ r/2: the part is their sum, the rest their difference, so
    /// the noise is K₁ − (2u − 1)·K₂.
    Centred,
}

impl RatioNoise {
    /// The scales of the noises of u in a whole of 1, each with how many have it.
    pub(crate) fn scales(self, u: f64) -> Vec<(f64, f64)> {
        let rest = 1.0 - u;
        match self {
            RatioNoise::Parts(some, others) => vec![(rest, some as f64), (u, others as f64)],
            RatioNoise::Moments => vec![(rest, 1.0), ((0.5 - u).abs(), 1.0), (u, 1.0)],
            RatioNoise::Centred => vec![(1.0, 1.0), ((2.0 * u - 1.0).abs(), 1.0)],
        }
    }

    /// How many numbers the part and the rest are sums of, if they are few enough for the law of
    /// the sum of all noises.
    fn few(self) -> Option<(usize, usize)> {
        match self {
            RatioNoise::Parts(some, others) => {
                Some((some, others)).filter(|_| (3..=EXACT + 1).contains(&(some + others)))
            }
            RatioNoise::Moments | RatioNoise::Centred => None,
        }
    }
}

/// What else moves a share besides noise.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Spread {
    /// Q = Σ r², in squared privacy units; zero if sampling is no error.
    pub(crate) square: f64,
    /// The variance of a value.
    pub(crate) variance: Variance,
    /// By how much the part moves in one step of the coarsest lattice it can be on: a continuity
    /// correction.
    pub(crate) step: f64,
}

/// What is known of the variance of a value, in squared units of the range. At a mean of u it is at
/// most u(1 − u), too.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Variance {
    /// At most this.
    AtMost(f64),
    /// Measured, with a mean of so much and bounds of this width.
    Measured(MeasuredSpread, f64, f64),
}

impl Variance {
    /// The largest variance of values whose mean is u.
    pub(crate) fn at(self, u: f64) -> f64 {
        self.up_to(u).min(u * (1.0 - u)).max(0.0)
    }

    /// The largest variance of values whose mean is no further from the measured one than u.
    pub(crate) fn up_to(self, u: f64) -> f64 {
        match self {
            Variance::AtMost(variance) => variance,
            Variance::Measured(spread, mean, width) => spread.at(mean, width)(u),
        }
    }
}

impl Ratio {
    /// A part and what is left of the whole, which is the sum of `others` + 1 noisy numbers.
    pub(crate) fn new(part: f64, rest: f64, others: usize) -> Self {
        Self::of_some((part, 1), (rest, others + 1))
    }

    /// A part and the rest, each with how many noisy numbers it is the sum of.
    pub(crate) fn of_some((part, some): (f64, usize), (rest, others): (f64, usize)) -> Self {
        let cut = (part.max(0.0), rest.max(0.0));
        Self { part, whole: part + rest, cut, made: RatioNoise::Parts(some, others) }
    }

    /// The mean of values, of which the noisy sums of [`RatioNoise::Moments`] are known.
    pub(crate) fn of_moments(sums: [f64; 3]) -> Self {
        let [high, twice, low] = sums.map(|sum| sum.max(0.0));
        let cut = (high + twice / 2.0, low + twice / 2.0);
        let [high, twice, low] = sums;
        let (part, rest) = (high + twice / 2.0, low + twice / 2.0);
        Self { part, whole: part + rest, cut, made: RatioNoise::Moments }
    }

    /// The mean of values, of which the noisy Σ r·(y − ½) and Σ r/2 are known.
    pub(crate) fn of_centred(middle: f64, half: f64) -> Self {
        let (part, rest) = (half + middle, half - middle);
        // Neither was measured alone, so nothing is cut off.
        Self { part, whole: part + rest, cut: (part, rest), made: RatioNoise::Centred }
    }

    /// The noisy whole, if it is more than one standard deviation of its noise; otherwise there is
    /// nothing to tell.
    pub(crate) fn whole(self) -> Option<f64> {
        let noises = match self.made {
            RatioNoise::Parts(some, others) => (some + others) as f64,
            RatioNoise::Moments => 3.0,
            // Twice the noise of a half.
            RatioNoise::Centred => 4.0,
        };
        (self.whole > (2.0 * noises).sqrt()).then_some(self.whole)
    }

    /// The share as seen, if there is something to tell.
    pub(crate) fn share(self) -> Option<f64> {
        self.whole().map(|whole| self.part / whole)
    }

    /// The variance of the noise of u in this whole.
    pub(crate) fn noise_variance(u: f64, made: RatioNoise, whole: f64) -> f64 {
        let squares = made.scales(u).into_iter().map(|(scale, count)| count * scale * scale);
        2.0 * squares.sum::<f64>() / (whole * whole)
    }

    /// What was measured.
    pub(crate) fn made(self) -> RatioNoise {
        self.made
    }

    /// The least and the largest u that noise and sampling leave possible at this confidence.
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

/// Places that are looked at from the end inwards.
const POSITIONS: i32 = 16;
/// How near a crossing is found where heights are known, as a part of the way between two places.
const NEAR: f64 = 1.0 / 65_536.0;

/// The possible place furthest from `inside`, which is possible, on the way to `end`. `between`
/// narrows down what lies between a place that is not possible and one that is, and says where the
/// former is in the end.
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

/// Where every look takes long: not to the last place.
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
