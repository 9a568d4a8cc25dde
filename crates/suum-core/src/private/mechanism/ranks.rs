//! How far every candidate is from a rank.

use std::ops::{AddAssign, Mul};

use dashu_int::{IBig, UBig};

use crate::private::noise::ShortRun;
use crate::{CellCounts, Epsilon, PrivacyUnits, Randomness, Rank};

/// One question to the ranks: which candidate is at `rank`, for `parts` of all parts of the budget.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RankQuery {
    /// q, the share of all weight that lies below the candidate sought.
    pub rank: Rank,
    /// The part of the budget that the answer may cost.
    pub parts: u64,
}

/// The weight below each candidate, and that of all rows behind the last.
///
/// It changes only where rows lie: a level of few records has few places, whatever the number of
/// candidates.
pub(super) struct Ranks {
    candidates: u32,
    // The candidates with rows that weigh something, in ascending order.
    places: Vec<u32>,
    // The weight of the rows before each of these places, and that of all.
    sums: Sums,
}

/// Weights that ascend, in short numbers where that of all rows is one.
enum Sums {
    Short(Vec<u128>),
    Long(Vec<UBig>),
}

/// What one of the rows of a list weighs, and their counts, which ascend.
type WeightedRow<'c, N> = (N, &'c CellCounts);

/// The counts at candidates that there are.
fn within(candidates: u32, counts: &CellCounts) -> impl Iterator<Item = (u32, u64)> {
    counts.expose_raw().take_while(move |(place, _)| *place < candidates)
}

impl Ranks {
    /// From the counts at `steps` + 1 candidates, each list with the weight of one of its rows.
    pub(super) fn of<'a>(
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

    /// The position of the weight of the rows before a candidate, or of all behind the last.
    fn position(&self, candidate: u32) -> usize {
        // Places ascend: one that stands at its own number has all before it below.
        match self.places.get(candidate as usize) == Some(&candidate) {
            true => candidate as usize,
            false => self.places.partition_point(|place| *place < candidate),
        }
    }

    /// The weight of the rows before a candidate, or of all behind the last.
    fn below(&self, candidate: u32) -> UBig {
        self.sum(self.position(candidate))
    }

    /// The weight of the rows before the place at this position, or of all.
    fn sum(&self, at: usize) -> UBig {
        match &self.sums {
            Sums::Short(sums) => UBig::from(sums[at]),
            Sums::Long(sums) => sums[at].clone(),
        }
    }

    /// The weight below every candidate, and that of all, as numbers that are made of it where it
    /// changes; `None` if one of them cannot be.
    pub(super) fn below_each<N: Clone>(&self, of: impl Fn(&UBig) -> Option<N>) -> Option<Vec<N>> {
        let mut below = Vec::with_capacity(self.candidates as usize + 1);
        for last in self.places.iter().copied().chain([self.candidates]) {
            below.resize(last as usize + 1, of(&self.below(last))?);
        }
        Some(below)
    }

    /// From the counts of levels, each by its position among the weights.
    pub(super) fn of_levels(
        steps: u32,
        weights: &[UBig],
        by_level: &[(usize, &CellCounts)],
    ) -> Self {
        let weighted = |(position, cells): &(usize, _)| Some((weights.get(*position)?, *cells));
        Self::of(steps, by_level.iter().filter_map(weighted))
    }

    /// From the counts of all who allow some ε, in privacy units.
    pub(super) fn in_units(
        steps: u32,
        units: PrivacyUnits,
        records: &[(Epsilon, &CellCounts)],
    ) -> Self {
        let weighted = |(budget, cells): &(Epsilon, _)| (units.weight(*budget), *cells);
        let weighted: Vec<(UBig, &CellCounts)> = records.iter().map(weighted).collect();
        Self::of(steps, weighted.iter().map(|(weight, cells)| (weight, *cells)))
    }

    /// The weight of all rows.
    pub(super) fn all(&self) -> UBig {
        self.below(self.candidates)
    }

    /// How many candidates there are.
    pub(super) fn candidates(&self) -> u32 {
        self.candidates
    }

    /// The weight below a position, in units of 1/`spread` of a weight, where the rows at each
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

    /// The first position from `from` to `to` with more weight than this below it, in the units of
    /// [`spread_below`](Self::spread_below); `to` + 1 if there is none.
    pub(super) fn first_above(&self, weight: &IBig, spread: u64, (from, to): (u64, u64)) -> u64 {
        let Ok(weight) = UBig::try_from(weight.clone()) else { return from };
        let units = &weight / UBig::from(spread);
        // The first of the sums that is more: the rows that make it so are at the place before.
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

    /// The weight of the rows at the candidates from `first` to the one before `end`.
    pub(super) fn between(&self, first: u32, end: u32) -> UBig {
        match end > first {
            true => self.below(end) - self.below(first),
            false => UBig::ZERO,
        }
    }

    /// The weight of the rows at no candidate from `first` to `last`.
    pub(super) fn outside(&self, first: u32, last: u32) -> UBig {
        self.all() - self.between(first, last.saturating_add(1))
    }

    /// The candidate drawn for a question by permute-and-flip, with exp(−parts·distance/`scale`).
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
                |candidate| short.of(candidate),
                short.runs(),
            ),
            _ => {
                let distance = self.distances(query);
                randomness.permute_and_flip(self.candidates, &UBig::ZERO, scale, distance)
            }
        };
        drawn.unwrap_or(0)
    }

    /// The distance of qT from [L, L + E] for each candidate, times the parts of the question, in
    /// units of 1/denominator of a weight, in which it is an integer.
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

    /// The same in short numbers, if all distances are.
    fn short_distances(&self, query: &RankQuery) -> Option<ShortDistances<'_>> {
        let Sums::Short(sums) = &self.sums else { return None };
        let (numerator, denominator) = query.rank.fraction();
        let [target, unit] = [numerator, denominator].map(|factor| factor.checked_mul(query.parts));
        let (target, unit) = (u128::from(target?), u128::from(unit?));
        // A numerator is less than its denominator, and no sum is more than the last one.
        let all = *sums.last()?;
        all.checked_mul(unit)?;
        Some(ShortDistances { ranks: self, sums, target: all * target, unit })
    }
}

/// The distances of a question, where all of them are short.
struct ShortDistances<'r> {
    ranks: &'r Ranks,
    sums: &'r [u128],
    target: u128,
    unit: u128,
}

impl ShortDistances<'_> {
    fn of(&self, candidate: u32) -> u128 {
        self.between([candidate, candidate + 1].map(|at| self.ranks.position(at)))
    }

    /// The distance of a candidate whose interval is between the sums at these positions.
    fn between(&self, ends: [usize; 2]) -> u128 {
        let [low, high] = ends.map(|at| self.sums[at] * self.unit);
        low.saturating_sub(self.target) + self.target.saturating_sub(high)
    }

    /// All candidates in ascending order: those between two places with rows are at the same
    /// distance.
    fn runs(&self) -> impl Iterator<Item = ShortRun> {
        let places = self.ranks.places.iter().enumerate();
        let up_to = places.flat_map(|(at, place)| [(*place, [at, at]), (*place + 1, [at, at + 1])]);
        let last = self.ranks.places.len();
        up_to
            .chain([(self.ranks.candidates, [last, last])])
            .map(|(end, ends)| ShortRun { end, distance: self.between(ends) })
    }
}

/// The candidates at which these lists have counts, in ascending order.
fn places(candidates: u32, lists: &[WeightedRow<'_, &UBig>]) -> Vec<u32> {
    let all = || {
        let counts = lists.iter().flat_map(|(_, counts)| within(candidates, counts));
        counts.map(|(place, _)| place)
    };
    if all().count() < candidates as usize {
        let mut places: Vec<u32> = all().collect();
        // Each list ascends, which this sort makes use of.
        places.sort();
        places.dedup();
        return places;
    }
    let mut is_there = vec![false; candidates as usize];
    all().for_each(|place| is_there[place as usize] = true);
    (0..candidates).filter(|place| is_there[*place as usize]).collect()
}

/// The same lists with short weights, if what all rows weigh together is short.
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

/// The weight of the rows of these lists before each place, and that of all.
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
            let ranks = Ranks::of(29, [(&weight, &cells)]);
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
                    prop_assert_eq!(UBig::from(short.of(candidate)), long(candidate));
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
                    prop_assert_eq!(run.distance, short.of(candidate));
                }
            }
            if let (Some(short), Ok(of_short)) = (short, u128::try_from(&scale)) {
                let short = |candidate| short.of(candidate);
                let (mut one, mut other) = (Randomness::insecure(seed), Randomness::insecure(seed));
                for _ in 0..5 {
                    let drawn = one.permute_and_flip(30, &UBig::ZERO, &scale, &long);
                    prop_assert_eq!(drawn, other.permute_and_flip_short(30, of_short, short));
                }
            }
        }
    }
}
