//! Distances of candidate ranges: a good range holds most of the weight, and is no wider than
//! necessary.

use std::ops::{Add, Sub};

use dashu_int::UBig;

use super::ranges::{CellRange, POSITIONS, Ranges};
use super::ranks::Ranks;
use crate::{CellBlocks, Randomness};

/// Number of steps in one unit of ε for declared slacks.
pub(crate) const UNIT: u64 = 1 << 20;

/// Candidate ranges and their distances.
///
/// # Formula
///
/// Let N be the weight outside a range and M the least weight outside any of five parts of it that
/// are 3/5 as wide, as nearly as blocks of cells let them be, both in units of ε. The distance of
/// the range is (N − t₁)₊ + (t₂ − M)₊: it should leave out no more than about t₁, and every such
/// part at least t₂. The answer is drawn by permute-and-flip with exp(−distance/2).
///
/// # Guarantee
///
/// A record of weight W that joins outside the range raises N by W, and M by at most W, because the
/// parts lie inside: the two parts of the distance change in opposite directions. One that joins
/// inside leaves N as it is, and raises M by at most W. One that moves over the border changes N by
/// W, and M by at most W in the same direction; one that moves within the range changes M by at
/// most W, and one that moves outside nothing. So no distance changes by more than W, and the draw
/// costs a record of weight W that joins, leaves or has another value W units, where the slacks are
/// public.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct RangeSearch {
    pub(super) blocks: CellBlocks,
    pub(super) ranges: Ranges,
    pub(super) outside: u64,
    pub(super) within: u64,
}

impl RangeSearch {
    /// Returns a search over these ranges of blocks of cells; the slacks t₁ and t₂ are in 2^-20
    /// units of ε.
    pub(crate) fn new(blocks: CellBlocks, ranges: Ranges, (outside, within): (u64, u64)) -> Self {
        Self { blocks, ranges, outside, within }
    }

    /// Returns the number of the last cell.
    pub(super) fn steps(&self) -> u32 {
        self.blocks.steps()
    }

    /// Returns the range that was drawn, where `scale` steps of weight are one unit of ε.
    pub(super) fn draw(
        &self,
        ranks: &Ranks,
        scale: &UBig,
        randomness: &mut Randomness,
    ) -> CellRange {
        let ranges = self.ranges();
        let drawn = match self.distances::<u128>(&ranges, ranks, scale) {
            Some(distances) => drawn(&distances, scale, randomness),
            None => {
                let distances = self.distances::<UBig>(&ranges, ranks, scale).unwrap_or_default();
                drawn(&distances, scale, randomness)
            }
        };
        let all = CellRange { first: 0, last: self.steps() };
        drawn.and_then(|at| ranges.get(at as usize).copied()).unwrap_or(all)
    }

    /// Returns the candidate ranges.
    pub(super) fn ranges(&self) -> Vec<CellRange> {
        self.ranges.list(self.blocks)
    }

    /// Returns the distances of these ranges, in 2^-20 of a step of weight; `None` if a sum might
    /// not fit the number type.
    pub(super) fn distances<N: Number>(
        &self,
        ranges: &[CellRange],
        ranks: &Ranks,
        scale: &UBig,
    ) -> Option<Vec<N>>
    where
        for<'n> &'n N: Sub<&'n N, Output = N>,
    {
        // Every distance is at most the total weight plus the larger slack.
        let half = |sum: UBig| N::try_from(sum << 1).is_ok();
        let [outside, within] = [self.outside, self.within].map(|slack| scale * UBig::from(slack));
        let all = ranks.all() * UBig::from(UNIT);
        if !(half(all.clone()) && half(outside.clone()) && half(within.clone())) {
            return None;
        }
        let number = |sum: UBig| N::try_from(sum).ok();
        let below = ranks.below_each(|sum| number(sum * UBig::from(UNIT)))?;
        let (all, outside, within) = (number(all)?, number(outside)?, number(within)?);
        let inside =
            |range: CellRange| &below[range.last as usize + 1] - &below[range.first as usize];
        let distance = |range: &CellRange| {
            let part = |position| range.narrower(position).align_to_blocks(self.blocks);
            let most = (0..POSITIONS).map(|position| inside(part(position))).max();
            surplus(&(&all - &inside(*range)), &outside)
                + surplus(&within, &(&all - &most.unwrap_or_default()))
        };
        Some(ranges.iter().map(distance).collect())
    }
}

/// Returns the position of the range that was drawn by these distances.
fn drawn<N: Number>(distances: &[N], scale: &UBig, randomness: &mut Randomness) -> Option<u32> {
    let least = distances.iter().min().cloned().unwrap_or_default().into();
    // exp(−distance/2), with distances in 2^-20 of `scale` steps.
    let unit = scale * UBig::from(2 * UNIT);
    let candidates = distances.len() as u32;
    randomness
        .permute_and_flip(candidates, &least, &unit, |at| distances[at as usize].clone().into())
}

/// Number type of weights and distances.
pub(super) trait Number:
    Clone + Default + Ord + Add<Output = Self> + TryFrom<UBig> + Into<UBig>
{
}

impl Number for u128 {}
impl Number for UBig {}

/// Returns (a − b)₊.
fn surplus<N: Number>(a: &N, b: &N) -> N
where
    for<'n> &'n N: Sub<&'n N, Output = N>,
{
    if a > b { a - b } else { N::default() }
}

#[cfg(test)]
mod tests {
    use dashu_int::ops::BitTest;
    use proptest::prelude::*;

    use super::*;
    use crate::CellCounts;

    proptest! {
        /// Short numbers give the distances that long ones give, or none; and weights that are too
        /// large for them are no matter.
        #[test]
        fn short_numbers_agree_with_long_ones(
            rows in prop::collection::vec((0u32..30, 0u64..1 << 50), 0..20),
            shift in prop::sample::select(vec![0usize, 10, 30, 56, 57, 58, 59, 60, 70, 200]),
            slacks in (0u64..1 << 40, 0u64..1 << 40),
            scale in 1u64..,
        ) {
            let weight = UBig::ONE << shift;
            let mut rows = rows;
            rows.sort_unstable();
            rows.dedup_by_key(|(position, _)| *position);
            let cells = CellCounts::from_raw(rows.clone());
            let ranks = Ranks::new(29, [(&weight, &cells)]);
            let ends = (0..30).flat_map(|first| (first..30).map(move |last| (first, last)));
            let ranges: Vec<CellRange> =
                ends.map(|(first, last)| CellRange { first, last }).collect();
            let blocks = CellBlocks::single(29);
            let search = RangeSearch::new(blocks, Ranges::Each(ranges.clone()), slacks);
            let scale = UBig::from(scale) << (shift / 2);
            let long = search.distances::<UBig>(&ranges, &ranks, &scale).unwrap();
            let short = search.distances::<u128>(&ranges, &ranks, &scale);
            let fits = |sum: UBig| sum.bit_len() <= 127;
            let slack = UBig::from(slacks.0.max(slacks.1)) * &scale;
            prop_assert_eq!(short.is_some(), fits(ranks.all() << 20) && fits(slack));
            if let Some(short) = short {
                prop_assert!(short.into_iter().map(UBig::from).eq(long.iter().cloned()));
            }
            // By the definition.
            let outside = |range: CellRange| -> UBig {
                let out = rows.iter().filter(|(at, _)| *at < range.first || *at > range.last);
                out.fold(UBig::ZERO, |sum, (_, count)| sum + ((&weight * UBig::from(*count)) << 20))
            };
            let surplus = |a: UBig, b: UBig| if a > b { a - b } else { UBig::ZERO };
            for (range, distance) in ranges.iter().zip(&long).step_by(7) {
                let within = (0..POSITIONS).map(|at| outside(range.narrower(at))).min().unwrap();
                let defined = surplus(outside(*range), &scale * UBig::from(slacks.0))
                    + surplus(&scale * UBig::from(slacks.1), within);
                prop_assert_eq!(distance, &defined);
            }
        }
    }
}
