//! Distances of the ranks of an interval's ends from q, which cover sampling and noise together.
//!
//! Both ends of an interval have noise whose law is known and does not depend on the data.
//! [Sampling](super::rank_sampling) reduces the share of weight at or below the quantile besides.
//! So the probabilities of noise are averaged over the effect of sampling, in steps.

use crate::answer::interval::{half_width, normal_tail};
use crate::answer::tail::Shortfall;

/// Rounding margin: ends are asked for at multiples of 2^-20, never nearer than intended.
pub(crate) const ROUNDING: f64 = 1.0 / (1u64 << 21) as f64;

/// Number of steps from misses that are due to noise to misses that are due to sampling.
const STEPS: u32 = 32;
/// Share of the probability of a miss that is left to noise if the effect of sampling is small.
const LEAST: f64 = 0.03;
/// Shares of it that are tried for a draw of both ends if there is no effect of sampling.
const FIRST: [f64; 4] = [0.2, 0.4, 0.7, 0.9];
/// Least share of the weight beyond the quantile that lies beyond an end.
const BEYOND: f64 = 0.1;
/// Number of halvings in the search for a distance.
const HALVINGS: u32 = 40;

/// Distances by which sampling and noise may move ends that are read off noisy shares.
///
/// # Formula
///
/// If sampling moves an end by at most u_i, but more than u_{i−1}, noise may move it the rest of
/// the way with a probability of at most h_i; beyond the last u the end is given up. So the end
/// misses with a probability of at most h_0 + Σ (h_{i+1} − h_i)·P(more than u_i is missing), with 1
/// as the last h.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Slack {
    /// Probabilities h, in ascending order.
    misses: Vec<f64>,
    /// Amounts u below and above each rank.
    sides: Vec<[Vec<f64>; 2]>,
}

impl Slack {
    /// Returns the slack for ranks with these shortfalls below and above, and noise with about this
    /// standard deviation, if an end may miss with a probability of `miss`.
    pub(crate) fn new(ranks: impl IntoIterator<Item = ([Shortfall; 2], f64)>, miss: f64) -> Self {
        let ranks: Vec<([Shortfall; 2], f64)> = ranks.into_iter().collect();
        let each = |own: &dyn Fn(&Shortfall, f64) -> Vec<f64>| {
            let sides = ranks
                .iter()
                .map(|([below, above], sd)| alike([below, above], |short| own(short, *sd)));
            sides.collect()
        };
        if ranks.iter().all(|(_, sd)| *sd == 0.0) {
            return Self { misses: vec![0.0], sides: each(&|short, _| vec![short.bound(miss)]) };
        }
        if ranks.iter().all(|(sides, _)| sides.iter().all(Shortfall::is_certain)) {
            return Self { misses: vec![miss], sides: each(&|short, _| vec![short.bound(miss)]) };
        }
        // Normal quantiles, from that of the least probability down to 0.
        let largest = half_width(1.0 - 2.0 * LEAST * miss, 0.0, 1.0);
        let z = |step: u32| largest * f64::from(STEPS - step) / f64::from(STEPS);
        let z: Vec<f64> = (0..=STEPS).map(z).collect();
        let misses: Vec<f64> = z.iter().map(|z| normal_tail(*z)).collect();
        let amounts = |short: &Shortfall, sd: f64| -> Vec<f64> {
            let nearer: Vec<f64> = z.iter().map(|z| -sd * z).collect();
            let half_width = least(1.0 + sd * largest, short, (&misses, &nearer), miss - misses[0]);
            nearer.iter().map(|nearer| half_width + nearer).collect()
        };
        let sides = each(&amounts);
        Self { misses, sides }
    }

    /// Returns the probabilities h left to noise, in ascending order.
    pub(crate) fn misses(&self) -> &[f64] {
        &self.misses
    }

    /// Returns for each rank the amounts u below and above it, one for each of these probabilities.
    pub(crate) fn sides(&self) -> &[[Vec<f64>; 2]] {
        &self.sides
    }

    /// Returns the approximate distance of the rank of an end from the requested one, for noise of
    /// this standard deviation: the mean of both sides, and the largest of all ranks.
    pub(crate) fn half_width(&self, sd: f64) -> f64 {
        let own = self.misses.iter().map(|miss| match *miss > 0.0 && *miss < 0.5 && sd > 0.0 {
            true => half_width(1.0 - 2.0 * miss, 0.0, sd),
            false => 0.0,
        });
        let own: Vec<f64> = own.collect();
        let far = |side: &Vec<f64>| {
            side.iter().zip(&own).map(|(amount, own)| amount + own).fold(0.0, f64::max)
        };
        self.sides.iter().map(|[below, above]| (far(below) + far(above)) / 2.0).fold(0.0, f64::max)
    }
}

/// Computes a result for both sides, only once if they are equal, as those of a median are.
fn alike<T: Clone>(sides: [&Shortfall; 2], of: impl Fn(&Shortfall) -> T) -> [T; 2] {
    let below = of(sides[0]);
    let above = if sides[0] == sides[1] { below.clone() } else { of(sides[1]) };
    [below, above]
}

/// Returns the approximate least distance u, at most `most`, with Σ (h_{i+1} − h_i)·P(more than u +
/// u_i is missing) of at most `enough`; h_i and u_i ascend, and the last h is 1.
fn least(most: f64, short: &Shortfall, (misses, further): (&[f64], &[f64]), enough: f64) -> f64 {
    let next = misses.iter().skip(1).chain([&1.0]);
    let parts: Vec<(f64, f64)> = misses
        .iter()
        .zip(next)
        .map(|(miss, next)| next - miss)
        .zip(further.iter().copied())
        .collect();
    let (mut low, mut high) = (0.0, most);
    // The sum falls in steps: each whole step is enough, or is not.
    let (mut too_near, mut far_enough) = (f64::NEG_INFINITY, f64::INFINITY);
    for _ in 0..HALVINGS {
        let middle = 0.5 * (low + high);
        if middle >= too_near && middle < far_enough {
            let (sum, [from, to]) = short.beyond_all(middle, &parts);
            if sum <= enough { far_enough = from } else { too_near = to }
        }
        if middle >= far_enough { high = middle } else { low = middle }
    }
    high
}

/// Returns the ranks at which both ends of the interval of a q-quantile are asked for, to be drawn
/// around its estimate ([`EndsQuery`](crate::EndsQuery)), if they may miss with a probability of
/// `miss`.
///
/// An end is the bound if hardly anything would lie beyond it; but if more lies beyond the other
/// end, that one is asked for alone.
///
/// `scale` is that of the exponent: a choice at a distance d, as a share of all weight, is accepted
/// with probability exp(−d/`scale`). There are `others` choices beside one that is right.
///
/// # Formula
///
/// With δ and δ' the distances, and what sampling takes on either side less than them, choices that
/// miss are at a distance of at least the lesser difference −d, and one of them is returned with a
/// probability of at most φ(d) = ½·`others`·exp(d/`scale`), or 1. Its mean is at most the sum of
/// φ(d_0) and of (φ(d_{i+1}) − φ(d_i))·P(d > d_i) for all i, where d > d_i only if more than
/// δ + d_i is missing below, or more than δ' + d_i above.
pub(crate) fn ends(
    (scale, others): (f64, u32),
    q: f64,
    [below, above]: &[Shortfall; 2],
    miss: f64,
) -> (Option<f64>, Option<f64>) {
    let of = |sides: [Option<&Shortfall>; 2]| {
        let [one, other] = distances((scale, others), sides, miss);
        let left = |tail: f64, far: Option<f64>| far.map(|far| 1.0 - (far + ROUNDING) / tail);
        let (one, other) = (left(q, one), left(1.0 - q, other));
        let is_far = [one, other].into_iter().flatten().any(|left| left > BEYOND);
        let least = if is_far { BEYOND } else { 0.0 };
        let rank = |tail: f64, left: Option<f64>| Some(tail * left.filter(|left| *left > least)?);
        (rank(q, one), rank(1.0 - q, other))
    };
    let (lower, upper) = match of([Some(below), Some(above)]) {
        (Some(_), None) => of([Some(below), None]),
        (None, Some(_)) => of([None, Some(above)]),
        both => both,
    };
    (lower, upper.map(|upper| 1.0 - upper))
}

/// Returns δ and δ', each for a side that can be missed.
fn distances(
    (scale, others): (f64, u32),
    sides: [Option<&Shortfall>; 2],
    miss: f64,
) -> [Option<f64>; 2] {
    let count = sides.iter().flatten().count().max(1) as f64;
    if scale == 0.0 {
        return sides.map(|side| Some(side?.bound(miss / count)));
    }
    // If the nearest choice misses, it may be returned with certainty.
    let half = (f64::from(others) / 2.0).max(1.0);
    let firsts: &[f64] = match sides.iter().flatten().all(|side| side.is_certain()) {
        true => &[1.0],
        false => &FIRST,
    };
    let each = firsts.iter().map(|first| {
        let first = (first * miss).min(1.0);
        let power = |step| 1.0 - f64::from(step) / f64::from(STEPS);
        let misses: Vec<f64> = (0..=STEPS).map(|step| first.powf(power(step))).collect();
        let d: Vec<f64> = misses.iter().map(|miss| scale * (miss / half).ln()).collect();
        let most = 1.0 - d[0].min(0.0);
        let half_width =
            |side: &Shortfall| least(most, side, (&misses, &d), (miss - first) / count);
        match sides {
            [Some(below), Some(above)] => alike([below, above], half_width).map(Some),
            sides => sides.map(|side| side.map(half_width)),
        }
    });
    let length = |one: &[Option<f64>; 2]| one.iter().flatten().sum::<f64>();
    let shorter = |one, other| if length(&other) < length(&one) { other } else { one };
    each.reduce(shorter).unwrap_or([None, None])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::answer::tail::Sample;

    /// Returns q − k/n for each number k of n records below the quantile, with its binomial
    /// probability.
    fn missing(n: u32, q: f64) -> Vec<(f64, f64)> {
        let mut log = f64::from(n) * (1.0 - q).ln();
        let mut all = Vec::new();
        for k in 0..=n {
            all.push((q - f64::from(k) / f64::from(n), log.exp()));
            log += (f64::from(n - k) / f64::from(k + 1)).ln() + (q / (1.0 - q)).ln();
        }
        all
    }

    fn sides(n: u32, q: f64, sample: Sample, miss: f64) -> [Shortfall; 2] {
        let groups = [(f64::from(n), 1.0 / f64::from(n))];
        [q, 1.0 - q].map(|q| Shortfall::from_groups(&groups, q, sample, miss))
    }

    /// The probability that an end is missed, summed up over all samples, with normal noise as
    /// planned, half as much and twice as much: never too large, and not small as planned.
    #[test]
    fn ends_of_noisy_shares_are_missed_as_often_as_stated() {
        for (n, q) in [(60, 0.5), (500, 0.5), (500, 0.9), (2000, 0.05), (20_000, 0.5)] {
            let own = (q * (1.0 - q) / f64::from(n)).sqrt();
            for (miss, ratio) in
                [0.05, 0.025, 1e-3].into_iter().flat_map(|m| [0.1, 0.5, 1.0, 4.0].map(|r| (m, r)))
            {
                let sd = ratio * own;
                let slack = Slack::new([(sides(n, q, Sample::Independent, miss), sd)], miss);
                let [below, _] = &slack.sides()[0];
                let missed = |sd: f64| -> f64 {
                    let t = slack.misses().iter().map(|miss| match *miss < 0.5 {
                        true => half_width(1.0 - 2.0 * miss, 0.0, sd),
                        false => 0.0,
                    });
                    let far = below.iter().zip(t).map(|(u, t)| u + t).fold(0.0, f64::max);
                    let each = missing(n, q).into_iter();
                    each.map(|(u, p)| p * normal_tail((far - u) / sd)).sum()
                };
                let name = format!("{n} {q} {miss} {ratio}");
                let all = [0.5 * sd, sd, 2.0 * sd].map(missed);
                assert!(all.iter().all(|missed| *missed <= miss), "{name}: {all:?}");
                let is_sharp = f64::from(n) * q * (1.0 - q) < 400.0 || all[1] > 0.4 * miss;
                assert!(is_sharp, "{name}: {all:?}");
            }
        }
    }

    /// The probability that the draw of both ends misses, at most, summed up over all samples.
    #[test]
    fn both_ends_are_missed_as_often_as_stated() {
        for (n, q) in [(60, 0.5), (500, 0.5), (500, 0.9), (20_000, 0.1)] {
            for (miss, scale) in
                [0.1, 0.05, 1e-4].into_iter().flat_map(|m| [1e-4, 3e-3, 0.02, 0.5].map(|s| (m, s)))
            {
                let others = 60;
                let own = sides(n, q, Sample::Independent, miss);
                let both = distances((scale, others), [Some(&own[0]), Some(&own[1])], miss);
                let [below, above] = both.map(Option::unwrap);
                let missed = |shorter: f64| -> f64 {
                    let each = missing(n, q).into_iter().map(|(u, p)| {
                        let nearest = (below - u).min(above + u) - shorter;
                        p * (30.0 * (-nearest / scale).exp()).min(1.0)
                    });
                    each.sum()
                };
                let name = format!("{n} {q} {miss} {scale}: {below} {above}");
                assert!(missed(0.0) <= miss, "{name}: {}", missed(0.0));
                // A third less would not be enough.
                assert!(n < 2000 || missed(below.max(above) / 3.0) > miss, "{name}");
            }
        }
        // Without chance in the sample all is left to the draw: ½·60·exp(−t/scale).
        let certain = [Shortfall::certain(0.01), Shortfall::certain(0.01)];
        let both = [Some(&certain[0]), Some(&certain[1])];
        let [below, above] = distances((0.02, 60), both, 0.05).map(Option::unwrap);
        let t = 0.02 * (30.0f64 / 0.05).ln();
        assert!((below - 0.01 - t).abs() < 1e-9 && (above - below).abs() < 1e-9);
        // Without noise all is left to the sample, and to one side of it if the other is a bound.
        let own = sides(500, 0.995, Sample::Independent, 0.05);
        let (lower, upper) = ends((0.0, 60), 0.995, &own, 0.05);
        let expected = 0.995 - own[0].bound(0.05) - ROUNDING;
        assert!((lower.unwrap() - expected).abs() < 1e-9 && upper.is_none());
        let own = sides(500, 0.5, Sample::Independent, 0.05);
        let (lower, upper) = ends((0.0, 60), 0.5, &own, 0.05);
        let expected = 0.5 - own[0].bound(0.025) - ROUNDING;
        assert!((lower.unwrap() - expected).abs() < 1e-9);
        assert!((upper.unwrap() - 1.0 + expected).abs() < 1e-9);
    }

    /// A certain shortfall leaves the whole probability of a miss to the noise; without noise,
    /// chance has all of it.
    #[test]
    fn one_step_is_enough_without_chance_or_noise() {
        let certain = [Shortfall::certain(0.1), Shortfall::certain(0.2)];
        let slack = Slack::new([(certain, 0.03)], 0.025);
        assert_eq!((slack.misses(), &slack.sides()[0]), (&[0.025][..], &[vec![0.1], vec![0.2]]));
        let own = sides(500, 0.5, Sample::Bounded, 0.025);
        let slack = Slack::new([(own.clone(), 0.0)], 0.025);
        assert_eq!(
            (slack.misses(), slack.sides()[0][0].as_slice()),
            (&[0.0][..], &[own[0].bound(0.025)][..])
        );
    }
}
