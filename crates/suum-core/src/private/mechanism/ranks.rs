//! Weights below each candidate, and the distances of candidates from a rank.

use std::ops::{AddAssign, Mul};

use dashu_int::{IBig, UBig};

use crate::private::noise::ShortRun;
use crate::private::weights::Weighting;
use crate::{CellCounts, Randomness, Rank};

/// Question about one rank: the candidate at `rank`, for `parts` of all parts of the budget.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RankQuery {
    /// Rank q: the share of all weight that lies below the candidate.
    pub rank: Rank,
    /// Parts of the budget that the answer may cost.
    pub parts: u64,
}

/// Weight below each candidate, and the total weight of all rows.
///
/// It changes only at candidates with rows: a level of few records has few such places, whatever
/// the number of candidates.
pub(super) struct Ranks {
    candidates: u32,
    // Candidates with rows of positive weight, in ascending order.
    places: Vec<u32>,
    // Weight of the rows before each of these places, and then that of all rows.
    sums: Sums,
}

/// Ascending weights, in 128 bits if the total weight fits.
enum Sums {
    Short(Vec<u128>),
    Long(Vec<UBig>),
}

/// Weight of one row of a list, and the list's counts, in ascending order of candidates.
type WeightedRow<'c, N> = (N, &'c CellCounts);

/// Returns the counts at existing candidates.
fn within(candidates: u32, counts: &CellCounts) -> impl Iterator<Item = (u32, u64)> {
    counts.expose_raw().take_while(move |(place, _)| *place < candidates)
}

impl Ranks {
    /// Returns the weights for counts at `steps` + 1 candidates, each list with the weight of one
    /// of its rows.
    pub(super) fn new<'a>(
        steps: u32,
        weighted: impl IntoIterator<Item = (&'a UBig, &'a CellCounts)>,
    ) -> Self {
        let candidates = steps + 1;
        let lists: Vec<WeightedRow<'a, &UBig>> =
            weighted.into_iter().filter(|(weight, _)| **weight != UBig::ZERO).collect();
        let places = places(candidates, &lists);
        let sums = match short(candidates, &lists) {
            Some(lists) => Sums::Short(sums(candidates, &places, lists)),
            None => {
                let lists = lists.into_iter().map(|(weight, counts)| (weight.clone(), counts));
                Sums::Long(sums(candidates, &places, lists.collect()))
            }
        };
        Self { candidates, places, sums }
    }

    /// Returns the position of the weight of the rows before a candidate, or of all rows for a
    /// candidate beyond the last.
    fn position(&self, candidate: u32) -> usize {
        // Places are in ascending order. If place number c is c, all candidates before it have
        // rows.
        match self.places.get(candidate as usize) == Some(&candidate) {
            true => candidate as usize,
            false => self.places.partition_point(|place| *place < candidate),
        }
    }

    /// Returns the weight of the rows before a candidate, or of all rows for a candidate beyond the
    /// last.
    fn below(&self, candidate: u32) -> UBig {
        self.sum(self.position(candidate))
    }

    /// Returns the weight of the rows before the place at this position, or of all rows.
    fn sum(&self, at: usize) -> UBig {
        match &self.sums {
            Sums::Short(sums) => UBig::from(sums[at]),
            Sums::Long(sums) => sums[at].clone(),
        }
    }

    /// Returns the weight below every candidate, and that of all rows, converted by `of` wherever
    /// it changes; `None` if a conversion fails.
    pub(super) fn below_each<N: Clone>(&self, of: impl Fn(&UBig) -> Option<N>) -> Option<Vec<N>> {
        let mut below = Vec::with_capacity(self.candidates as usize + 1);
        for last in self.places.iter().copied().chain([self.candidates]) {
            below.resize(last as usize + 1, of(&self.below(last))?);
        }
        Some(below)
    }

    /// Returns the weights for counts of rows of records that have the same weight each.
    pub(super) fn weighted<W: Weighting>(
        steps: u32,
        weights: &W,
        records: &[(W::Key, &CellCounts)],
    ) -> Self {
        let weighted = |(key, cells): &(W::Key, _)| (weights.weight(*key), *cells);
        let weighted: Vec<(UBig, &CellCounts)> = records.iter().map(weighted).collect();
        Self::new(steps, weighted.iter().map(|(weight, cells)| (weight, *cells)))
    }

    /// Returns the weight of all rows.
    pub(super) fn all(&self) -> UBig {
        self.below(self.candidates)
    }

    /// Returns the number of candidates.
    pub(super) fn candidates(&self) -> u32 {
        self.candidates
    }

    /// Returns the weight below a position, in units of 1/`spread` of a weight. The rows at each
    /// candidate are spread evenly over `spread` positions.
    pub(super) fn spread_below(&self, position: u64, spread: u64) -> UBig {
        let cell = u32::try_from(position / spread).unwrap_or(self.candidates);
        let (ends, part) = ([cell, cell.saturating_add(1)], position % spread);
        if let Sums::Short(sums) = &self.sums {
            let [low, high] = ends.map(|end| sums[self.position(end)]);
            let (all, some) =
                (low.checked_mul(spread.into()), (high - low).checked_mul(part.into()));
            if let Some(below) = all.zip(some).and_then(|(all, some)| all.checked_add(some)) {
                return UBig::from(below);
            }
        }
        let [low, high] = ends.map(|end| self.below(end));
        &low * UBig::from(spread) + (high - &low) * UBig::from(part)
    }

    /// Returns the first position from `from` to `to` with more weight than this below it, in the
    /// units of [`spread_below`](Self::spread_below); `to` + 1 if there is none.
    pub(super) fn first_above(&self, weight: &IBig, spread: u64, (from, to): (u64, u64)) -> u64 {
        let Ok(weight) = UBig::try_from(weight.clone()) else { return from };
        let units = &weight / UBig::from(spread);
        // The first sum above the weight. The rows that raise it so far are at the place before.
        let at = match (&self.sums, u128::try_from(&units)) {
            (Sums::Short(sums), Ok(units)) => sums.partition_point(|sum| *sum <= units),
            (Sums::Short(sums), Err(_)) => sums.len(),
            (Sums::Long(sums), _) => sums.partition_point(|sum| *sum <= units),
        };
        let Some(place) = at.checked_sub(1).and_then(|before| self.places.get(before)) else {
            return to + 1;
        };
        let [low, high] = [at - 1, at].map(|at| self.sum(at));
        // low·spread + part·(high − low) > weight.
        let part = (weight - &low * UBig::from(spread)) / (high - low) + UBig::ONE;
        let part = u64::try_from(part).unwrap_or(spread);
        (u64::from(*place) * spread + part).clamp(from, to + 1)
    }

    /// Returns the weight of the rows at candidates from `first` up to, but not including, `end`.
    pub(super) fn between(&self, first: u32, end: u32) -> UBig {
        match end > first {
            true => self.below(end) - self.below(first),
            false => UBig::ZERO,
        }
    }

    /// Returns the weight of the rows at candidates outside `first` to `last`.
    pub(super) fn outside(&self, first: u32, last: u32) -> UBig {
        self.all() - self.between(first, last.saturating_add(1))
    }

    /// Returns the candidate drawn for a question by permute-and-flip, with
    /// exp(−parts·distance/`scale`).
    pub(super) fn choose(
        &self,
        query: &RankQuery,
        scale: &UBig,
        randomness: &mut Randomness,
    ) -> u32 {
        // The intervals [L, L + E] cover [0, T], so some candidate has distance zero.
        let drawn = match (self.short_distances(query), u128::try_from(scale)) {
            (Some(short), Ok(scale)) => randomness.permute_and_flip_runs(
                self.candidates,
                scale,
                |candidate| short.distance(candidate),
                short.runs(),
            ),
            _ => {
                let distance = self.distances(query);
                randomness.permute_and_flip(self.candidates, &UBig::ZERO, scale, distance)
            }
        };
        drawn.unwrap_or(0)
    }

    /// Returns the distance of qT from [L, L + E] for each candidate, times the parts of the
    /// question, in units of 1/denominator of a weight, in which it is an integer.
    fn distances(&self, query: &RankQuery) -> impl Fn(u32) -> UBig {
        let (numerator, denominator) = query.rank.fraction();
        let times = |factor: u64| UBig::from(factor) * UBig::from(query.parts);
        let (target, unit) = (self.all() * times(numerator), times(denominator));
        move |candidate| {
            let [low, high] = [candidate, candidate + 1].map(|at| self.below(at) * &unit);
            match (low > target, high < target) {
                (true, _) => low - &target,
                (_, true) => &target - high,
                _ => UBig::ZERO,
            }
        }
    }

    /// Returns the distances in 128 bits, if all of them fit.
    fn short_distances(&self, query: &RankQuery) -> Option<ShortDistances<'_>> {
        let Sums::Short(sums) = &self.sums else { return None };
        let (numerator, denominator) = query.rank.fraction();
        let [target, unit] = [numerator, denominator].map(|factor| factor.checked_mul(query.parts));
        let (target, unit) = (u128::from(target?), u128::from(unit?));
        // A numerator is less than its denominator, and every sum is at most the last one.
        let all = *sums.last()?;
        all.checked_mul(unit)?;
        Some(ShortDistances { ranks: self, sums, target: all * target, unit })
    }
}

/// Distances of a question, in 128 bits.
struct ShortDistances<'r> {
    ranks: &'r Ranks,
    sums: &'r [u128],
    target: u128,
    unit: u128,
}

impl ShortDistances<'_> {
    fn distance(&self, candidate: u32) -> u128 {
        self.between([candidate, candidate + 1].map(|at| self.ranks.position(at)))
    }

    /// Returns the distance of a candidate whose interval lies between the sums at these positions.
    fn between(&self, ends: [usize; 2]) -> u128 {
        let [low, high] = ends.map(|at| self.sums[at] * self.unit);
        low.saturating_sub(self.target) + self.target.saturating_sub(high)
    }

    /// Returns runs of candidates in ascending order. Those between two places with rows are at the
    /// same distance.
    fn runs(&self) -> impl Iterator<Item = ShortRun> {
        let places = self.ranks.places.iter().enumerate();
        let up_to = places.flat_map(|(at, place)| [(*place, [at, at]), (*place + 1, [at, at + 1])]);
        let last = self.ranks.places.len();
        up_to
            .chain([(self.ranks.candidates, [last, last])])
            .map(|(end, ends)| ShortRun { end, distance: self.between(ends) })
    }
}

/// Returns the candidates at which these lists have counts, in ascending order.
fn places(candidates: u32, lists: &[WeightedRow<'_, &UBig>]) -> Vec<u32> {
    let all = || {
        let counts = lists.iter().flat_map(|(_, counts)| within(candidates, counts));
        counts.map(|(place, _)| place)
    };
    if all().count() < candidates as usize {
        let mut places: Vec<u32> = all().collect();
        // Each list is in ascending order, which makes this sort fast.
        places.sort();
        places.dedup();
        return places;
    }
    let mut is_there = vec![false; candidates as usize];
    all().for_each(|place| is_there[place as usize] = true);
    (0..candidates).filter(|place| is_there[*place as usize]).collect()
}

/// Returns the lists with 128-bit weights, if the total weight of all rows fits.
fn short<'c>(
    candidates: u32,
    lists: &[WeightedRow<'c, &UBig>],
) -> Option<Vec<WeightedRow<'c, u128>>> {
    let mut all = 0u128;
    let short = lists.iter().map(|(weight, counts)| {
        let weight = u128::try_from(*weight).ok()?;
        for (_, count) in within(candidates, counts) {
            all = all.checked_add(weight.checked_mul(u128::from(count))?)?;
        }
        Some((weight, *counts))
    });
    short.collect()
}

/// Returns the weight of the rows of these lists before each place, and then that of all rows.
fn sums<N>(candidates: u32, places: &[u32], lists: Vec<WeightedRow<'_, N>>) -> Vec<N>
where
    N: Clone + Default + From<u64> + Mul<Output = N> + AddAssign,
{
    let mut weights = vec![N::default(); places.len()];
    for (weight, counts) in lists {
        let mut at = 0;
        for (place, count) in within(candidates, counts) {
            at += places[at..].iter().take_while(|other| **other < place).count();
            weights[at] += weight.clone() * N::from(count);
        }
    }
    let mut sums = Vec::with_capacity(places.len() + 1);
    let mut sum = N::default();
    for weight in weights {
        sums.push(sum.clone());
        sum += weight;
    }
    sums.push(sum);
    sums
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// Short distances are those of long numbers, wherever there are some, and so are draws.
        #[test]
        fn short_distances_agree_with_long_ones(
            rows in prop::collection::btree_map(0u32..30, 0u64..1 << 50, 0..20),
            shift in prop::sample::select(vec![0usize, 30, 55, 60, 65, 70, 75, 200]),
            rank in (1u64..1000).prop_map(|q| Rank::new(q, 1000).unwrap()),
            parts in 1u64..50,
            seed: u64,
        ) {
            let weight = UBig::ONE << shift;
            let cells = CellCounts::from_raw(rows.iter().map(|(at, n)| (*at, *n)).collect());
            let ranks = Ranks::new(29, [(&weight, &cells)]);
            let query = RankQuery { rank, parts };
            let (long, short) = (ranks.distances(&query), ranks.short_distances(&query));
            let (numerator, denominator) = rank.fraction();
            let largest = ranks.all() * UBig::from(denominator) * UBig::from(parts);
            let is_short = u128::try_from(&largest).is_ok();
            prop_assert_eq!(short.is_some(), is_short && u128::try_from(&weight).is_ok());
            for candidate in 0..30 {
                // By the definition.
                let until = |end: u32| -> UBig {
                    let before = rows.range(..end).map(|(_, count)| UBig::from(*count));
                    before.fold(UBig::ZERO, |sum, count| sum + count * &weight)
                };
                let [low, high] = [candidate, candidate + 1].map(|at| until(at) * denominator);
                let target = ranks.all() * UBig::from(numerator);
                let expected = match (low > target, high < target) {
                    (true, _) => low - target,
                    (_, true) => target - high,
                    _ => UBig::ZERO,
                };
                prop_assert_eq!(long(candidate), expected * UBig::from(parts));
                if let Some(short) = &short {
                    prop_assert_eq!(UBig::from(short.distance(candidate)), long(candidate));
                }
                // A part of the rows at the candidate, by the definition.
                let [low, high] = [candidate, candidate + 1].map(until);
                let between = &low * 5u64 + (high - low) * 3u64;
                let position = u64::from(candidate) * 5 + 3;
                prop_assert_eq!(ranks.spread_below(position, 5), between.clone());
                // The first position that has more below, among others than all.
                for weight in [IBig::from(between.clone()), IBig::from(between) - IBig::ONE] {
                    let is_above = |at: &u64| IBig::from(ranks.spread_below(*at, 5)) > weight;
                    let expected = (7..=130).find(is_above).unwrap_or(131);
                    prop_assert_eq!(ranks.first_above(&weight, 5, (7, 130)), expected);
                }
            }
            let scale = largest / UBig::from(7u8) + UBig::ONE;
            if let Some(short) = &short {
                let runs: Vec<ShortRun> = short.runs().collect();
                prop_assert!(runs.windows(2).all(|pair| pair[0].end <= pair[1].end));
                prop_assert_eq!(runs.last().map(|run| run.end), Some(30));
                for candidate in 0..30 {
                    let run = runs.iter().find(|run| candidate < run.end).unwrap();
                    prop_assert_eq!(run.distance, short.distance(candidate));
                }
            }
            if let (Some(short), Ok(of_short)) = (short, u128::try_from(&scale)) {
                let short = |candidate| short.distance(candidate);
                let (mut one, mut other) = (Randomness::insecure(seed), Randomness::insecure(seed));
                for _ in 0..5 {
                    let drawn = one.permute_and_flip(30, &UBig::ZERO, &scale, &long);
                    prop_assert_eq!(drawn, other.permute_and_flip_short(30, of_short, short));
                }
            }
        }
    }
}
