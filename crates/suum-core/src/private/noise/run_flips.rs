//! Permute-and-flip among many candidates of which few are near.

use dashu_int::UBig;

use super::Randomness;
use super::exponential::{Coin, UpperBounds};

/// Number of candidates that are tried one by one, in random order, before the others are flipped
/// by runs. If many are near, one of these is accepted.
const TRIED: usize = 256;

/// Consecutive candidates at the same distance, in short numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ShortRun {
    /// First candidate after the run.
    pub(crate) end: u32,
    /// Distance of each candidate from the target.
    pub(crate) distance: u128,
}

/// Set of candidates that were tried: one bit each, and a list.
struct Trials {
    bits: Vec<u64>,
    list: Vec<u32>,
}

impl Trials {
    fn none(candidates: u32) -> Self {
        Self { bits: vec![0; candidates as usize / 64 + 1], list: Vec::with_capacity(TRIED) }
    }

    fn contains(&self, candidate: u32) -> bool {
        self.bits[candidate as usize / 64] >> (candidate % 64) & 1 == 1
    }

    fn insert(&mut self, candidate: u32) {
        self.bits[candidate as usize / 64] |= 1 << (candidate % 64);
        self.list.push(candidate);
    }
}

impl Randomness {
    /// Permutes and flips among the candidates of `runs`, in time that depends on the number of
    /// runs more than on that of candidates; `None` if there are none.
    ///
    /// Every candidate is accepted with probability exp(−distance/`scale`), and each accepted one
    /// is drawn with the same probability: this is the first accepted one in random order. If none
    /// of the first few in that order is accepted, the number of accepted ones among all others is
    /// drawn for each run at once. Some distance must be 0. All probabilities are exact.
    pub(crate) fn permute_and_flip_runs(
        &mut self,
        candidates: u32,
        scale: u128,
        distance: impl Fn(u32) -> u128,
        runs: impl Iterator<Item = ShortRun>,
    ) -> Option<u32> {
        if self.is_noiseless() || candidates as usize <= 4 * TRIED {
            return self.permute_and_flip_short(candidates, scale, distance);
        }
        let mut tried = Trials::none(candidates);
        for _ in 0..TRIED {
            let candidate = self.not_tried(0, candidates, &tried);
            if self.is_accepted(distance(candidate), scale) {
                return Some(candidate);
            }
            tried.insert(candidate);
        }
        tried.list.sort_unstable();
        self.flip_others(scale, runs, &tried)
    }

    /// Returns a uniform candidate from `first` up to, but not including, `end` that was not tried.
    fn not_tried(&mut self, first: u32, end: u32, tried: &Trials) -> u32 {
        loop {
            let candidate = first + self.index_below(u64::from(end - first)) as u32;
            if !tried.contains(candidate) {
                return candidate;
            }
        }
    }

    /// Returns one of the accepted candidates that were not tried.
    fn flip_others(
        &mut self,
        scale: u128,
        runs: impl Iterator<Item = ShortRun>,
        tried: &Trials,
    ) -> Option<u32> {
        let exponentials = UpperBounds::new();
        // Runs with accepted candidates: first, end, and the number accepted up to the end of the
        // run.
        let mut accepted: Vec<(u32, u32, u64)> = Vec::new();
        let (mut first, mut before, mut all) = (0u32, 0usize, 0u64);
        for run in runs {
            let behind = before + tried.list[before..].partition_point(|one| *one < run.end);
            let length = u64::from(run.end - first) - (behind - before) as u64;
            let count = self.flip_run(length, run.distance, scale, &exponentials);
            if count > 0 {
                all += count;
                accepted.push((first, run.end, all));
            }
            (first, before) = (run.end, behind);
        }
        let drawn = self.index_below(all);
        let at = accepted.partition_point(|(_, _, upto)| *upto <= drawn);
        // All sets of this size in a run are equally likely to be the accepted ones.
        accepted.get(at).map(|(first, end, _)| self.not_tried(*first, *end, tried))
    }

    /// Returns the number of accepted candidates, out of `length` at this distance.
    fn flip_run(
        &mut self,
        length: u64,
        distance: u128,
        scale: u128,
        exponentials: &UpperBounds,
    ) -> u64 {
        if distance == 0 || length == 0 {
            return length;
        }
        // exp(−γ) ≤ 2^−h for h = ⌊γ/0.693147181⌋, which never exceeds γ/ln 2.
        let halvings = match (distance.checked_mul(1_000_000_000), scale.checked_mul(693_147_181)) {
            _ if scale == 0 => return 0,
            (Some(distance), Some(scale)) => distance / scale,
            _ => {
                let halvings =
                    UBig::from(distance) * 1_000_000_000u64 / (UBig::from(scale) * 693_147_181u64);
                u128::try_from(halvings).unwrap_or(u128::MAX)
            }
        };
        // Fewer halvings are right as well.
        let halvings = usize::try_from(halvings).unwrap_or(usize::MAX);
        let (mut left, mut halved) = (length, 0);
        while left > 0 && halved < halvings {
            left = self.heads(left);
            halved += 1;
        }
        if left == 0 {
            return 0;
        }
        let coin = Coin::new(distance.into(), scale.into(), halved, exponentials);
        (0..left).filter(|_| coin.toss(self)).count() as u64
    }

    /// Returns the number of heads among `coins` fair coins.
    pub(super) fn heads(&mut self, coins: u64) -> u64 {
        let words = (0..coins / 64).map(|_| self.word().count_ones()).map(u64::from).sum::<u64>();
        match coins % 64 {
            0 => words,
            rest => words + u64::from((self.word() >> (64 - rest)).count_ones()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lengths and distances of runs.
    type Runs = &'static [(u32, u128)];

    /// The runs, from the end of each.
    fn runs(lengths: Runs) -> impl Iterator<Item = ShortRun> + Clone {
        lengths.iter().scan(0, |end, (length, distance)| {
            *end += length;
            Some(ShortRun { end: *end, distance: *distance })
        })
    }

    /// The probability of every run of candidates, from how many there are and the probability with
    /// which each of them is accepted.
    ///
    /// A candidate is drawn if it is accepted, and before all others that are: p·E[1/(1 + A)] for A
    /// others, which is p·∫ E[t^A] dt from 0 to 1.
    fn probabilities(runs: &[(u32, f64)]) -> Vec<f64> {
        const STEPS: u32 = 20_000;
        let mut chosen = vec![0.0; runs.len()];
        for step in 0..=STEPS {
            let t = f64::from(step) / f64::from(STEPS);
            // Simpson's rule.
            let share = match step {
                0 | STEPS => 1.0,
                odd if odd % 2 == 1 => 4.0,
                _ => 2.0,
            } / f64::from(3 * STEPS);
            for (own, (number, accepted)) in runs.iter().enumerate() {
                let others = runs.iter().enumerate().map(|(at, (number, p))| {
                    (1.0 - p + p * t).powf(f64::from(number - u32::from(at == own)))
                });
                chosen[own] += share * f64::from(*number) * accepted * others.product::<f64>();
            }
        }
        chosen
    }

    /// χ² of so many draws against the definition with the scale times `assumed`, by run, and its
    /// degrees of freedom; runs that are expected less than five times are one together.
    fn chi2(lengths: Runs, scale: u128, assumed: f64, seed: u64) -> (f64, f64) {
        const DRAWS: u32 = 8000;
        let candidates: u32 = lengths.iter().map(|(length, _)| length).sum();
        let distance = |candidate: u32| {
            let run = runs(lengths).find(|run| candidate < run.end);
            run.unwrap().distance
        };
        let mut randomness = Randomness::insecure(seed);
        let mut counts = vec![0.0; lengths.len()];
        for _ in 0..DRAWS {
            let all = runs(lengths);
            let drawn = randomness.permute_and_flip_runs(candidates, scale, distance, all);
            counts[runs(lengths).position(|run| drawn.unwrap() < run.end).unwrap()] += 1.0;
        }
        let accepted = |distance: u128| (-(distance as f64) / (scale as f64 * assumed)).exp();
        let rates =
            probabilities(&lengths.iter().map(|(n, d)| (*n, accepted(*d))).collect::<Vec<_>>());
        let (mut value, mut cells, mut rare) = (0.0, 0.0, (0.0, 0.0));
        for (count, rate) in counts.into_iter().zip(rates) {
            let expected = f64::from(DRAWS) * rate;
            if expected < 5.0 {
                rare = (rare.0 + count, rare.1 + expected);
            } else {
                (value, cells) = (value + (count - expected).powi(2) / expected, cells + 1.0);
            }
        }
        if rare.1 > 0.5 {
            (value, cells) = (value + (rare.0 - rare.1).powi(2) / rare.1, cells + 1.0);
        }
        (value, cells - 1.0)
    }

    const CASES: [(Runs, u128, u64); 5] = [
        // A quarter of the others are tried before they are flipped together.
        (&[(900, 13), (1, 0), (129, 12)], 2, 5),
        // One that is nearest, and many that are accepted now and then: no trial finds it.
        (&[(2000, 9), (1, 0), (3000, 11), (500, 7)], 1, 1),
        (&[(40_000, 70), (3, 0), (20, 13), (9, 25), (30_000, 60)], 6, 2),
        // Tried ones are accepted about as often as not.
        (&[(1500, 5), (4, 0), (60, 2), (600, 4)], 1, 3),
        // Distances whose products are long.
        (&[(2000, 9 << 100), (1, 0), (3000, 11 << 100), (500, 7 << 100)], 1 << 100, 4),
    ];

    /// At most 4 degrees of freedom: P(χ² > 30) = 5e-6 for each of the fixed seeds.
    const LIMIT: f64 = 30.0;

    fn follow_the_definition(cases: &[(Runs, u128, u64)]) {
        for (lengths, scale, seed) in cases {
            let (value, freedom) = chi2(lengths, *scale, 1.0, *seed);
            assert!(value < LIMIT && freedom >= 1.0, "{lengths:?}: χ² = {value}, {freedom}");
        }
    }

    #[test]
    fn draws_follow_the_definition() {
        follow_the_definition(&CASES[..1]);
    }

    #[test]
    #[ignore = "takes seconds"]
    fn all_draws_follow_the_definition() {
        follow_the_definition(&CASES[1..]);
    }

    #[test]
    #[ignore = "takes seconds"]
    fn draws_at_another_scale_are_told_apart() {
        for (lengths, scale, seed) in CASES {
            for off in [0.9, 1.1] {
                let (value, _) = chi2(lengths, scale, off, seed);
                assert!(value > LIMIT, "{lengths:?} taken for {off} of the scale: χ² = {value}");
            }
        }
    }

    /// All candidates of a near run are equally likely, although some draws end among those tried
    /// one by one and the others at the flip of whole runs.
    #[test]
    fn candidates_of_a_run_are_equally_likely() {
        let lengths: Runs = &[(1000, 1 << 30), (40, 0), (40_000, 1 << 30)];
        let distance = |candidate: u32| if (1000..1040).contains(&candidate) { 0 } else { 1 << 30 };
        let mut randomness = Randomness::insecure(9);
        let mut counts = [0.0; 40];
        for _ in 0..4000 {
            let drawn = randomness.permute_and_flip_runs(41_040, 3, distance, runs(lengths));
            counts[drawn.unwrap() as usize - 1000] += 1.0;
        }
        let value: f64 = counts.iter().map(|count: &f64| (count - 100.0).powi(2) / 100.0).sum();
        // 39 degrees of freedom: P(χ² > 95) = 1e-6.
        assert!(value < 95.0, "χ² = {value}");
    }

    #[test]
    fn scale_zero_chooses_among_the_nearest() {
        let lengths: Runs = &[(5000, 1), (2, 0), (7, 3)];
        let distance = |candidate: u32| u128::from(!(5000..5002).contains(&candidate));
        let mut randomness = Randomness::insecure(3);
        let mut draw = || randomness.permute_and_flip_runs(5009, 0, distance, runs(lengths));
        let drawn: Vec<u32> = (0..60).filter_map(|_| draw()).collect();
        let lower = drawn.iter().filter(|candidate| **candidate == 5000).count();
        assert!(drawn.iter().all(|at| (5000..5002).contains(at)) && (10..50).contains(&lower));
        assert_eq!(randomness.permute_and_flip_runs(0, 1, distance, runs(&[])), None);
    }
}
