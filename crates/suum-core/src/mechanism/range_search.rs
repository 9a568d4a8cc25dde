//! The range, of many, that holds most of the weight and is no wider than it must be: its distance.

use std::ops::{Add, Sub};

use dashu_int::UBig;

use super::ranks::Ranks;
use crate::Randomness;

/// Steps of one unit of ε in which slacks are declared.
pub(crate) const UNIT: u64 = 1 << 20;

/// In how many places of a range a narrower one is looked for, evenly spaced from end to end.
pub(super) const PLACES: u32 = 5;
/// Which part of the range that is: three fifths.
const NARROWER: (u32, u32) = (3, 5);

/// A range of cells, both ends included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CellRange {
    /// The first cell.
    pub first: u32,
    /// The last cell.
    pub last: u32,
}

impl CellRange {
    /// A narrower range, at the `place`th of [`PLACES`] places of this one.
    pub(super) fn narrower(self, place: u32) -> Self {
        let cells = self.last - self.first + 1;
        // At most 2^20 cells, so that products fit.
        let narrow = (cells * NARROWER.0 / NARROWER.1).max(1);
        let first = self.first + (cells - narrow) * place / (PLACES - 1);
        Self { first, last: first + narrow - 1 }
    }
}

/// The ranges there are, and how good each is.
///
/// # Formula
///
/// Let N be the weight outside a range and M the least weight outside any of five parts of it that
/// are 3/5 as wide, both in units of ε. The distance of the range is (N − t₁)₊ + (t₂ − M)₊: it
/// should leave out no more than about t₁, and every such part at least t₂. The answer is drawn by
/// permute-and-flip with exp(−distance/2).
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
    pub(super) steps: u32,
    pub(super) ranges: Vec<CellRange>,
    pub(super) outside: u64,
    pub(super) within: u64,
}

impl RangeSearch {
    /// These ranges of `steps` + 1 cells; the slacks t₁ and t₂ are in 2^-20 units of ε.
    pub(crate) fn new(steps: u32, ranges: Vec<CellRange>, (outside, within): (u64, u64)) -> Self {
        Self { steps, ranges, outside, within }
    }

    /// The range drawn, where `scale` steps of weight are a unit of ε.
    pub(super) fn draw(
        &self,
        ranks: &Ranks,
        scale: &UBig,
        randomness: &mut Randomness,
    ) -> CellRange {
        match self.distances::<u128>(ranks, scale) {
            Some(distances) => self.drawn(&distances, scale, randomness),
            None => {
                let distances = self.distances::<UBig>(ranks, scale).unwrap_or_default();
                self.drawn(&distances, scale, randomness)
            }
        }
    }

    /// The range drawn by these distances.
    fn drawn<N: Number>(
        &self,
        distances: &[N],
        scale: &UBig,
        randomness: &mut Randomness,
    ) -> CellRange {
        let least = distances.iter().min().cloned().unwrap_or_default().into();
        // exp(−distance/2), where distances are in 2^-20 of `scale` steps.
        let unit = scale * UBig::from(2 * UNIT);
        let candidates = distances.len() as u32;
        let drawn = randomness.permute_and_flip(candidates, &least, &unit, |at| {
            distances[at as usize].clone().into()
        });
        let all = CellRange { first: 0, last: self.steps };
        drawn.and_then(|at| self.ranges.get(at as usize).copied()).unwrap_or(all)
    }

    /// The distances of all ranges, in 2^-20 of a step of weight; `None` if a sum might be too
    /// large for such numbers.
    pub(super) fn distances<N: Number>(&self, ranks: &Ranks, scale: &UBig) -> Option<Vec<N>>
    where
        for<'n> &'n N: Sub<&'n N, Output = N>,
    {
        // No distance is more than the weight of all and the larger slack.
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
            let most = (0..PLACES).map(|place| inside(range.narrower(place))).max();
            surplus(&(&all - &inside(*range)), &outside)
                + surplus(&within, &(&all - &most.unwrap_or_default()))
        };
        Some(self.ranges.iter().map(distance).collect())
    }
}

/// What weights and distances are added up in.
pub(super) trait Number:
    Clone + Default + Ord + Add<Output = Self> + TryFrom<UBig> + Into<UBig>
{
}

impl Number for u128 {}
impl Number for UBig {}

/// (a − b)₊.
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
            rows.dedup_by_key(|(place, _)| *place);
            let cells = CellCounts::from_raw(rows.clone());
            let ranks = Ranks::of(29, [(&weight, &cells)]);
            let ends = (0..30).flat_map(|first| (first..30).map(move |last| (first, last)));
            let ranges = ends.map(|(first, last)| CellRange { first, last });
            let search = RangeSearch::new(29, ranges.collect(), slacks);
            let scale = UBig::from(scale) << (shift / 2);
            let long = search.distances::<UBig>(&ranks, &scale).unwrap();
            let short = search.distances::<u128>(&ranks, &scale);
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
            for (range, distance) in search.ranges.iter().zip(&long).step_by(7) {
                let within = (0..PLACES).map(|place| outside(range.narrower(place))).min().unwrap();
                let defined = surplus(outside(*range), &scale * UBig::from(slacks.0))
                    + surplus(&scale * UBig::from(slacks.1), within);
                prop_assert_eq!(distance, &defined);
            }
        }
    }

    #[test]
    fn parts_lie_inside() {
        let ends = (0..40).flat_map(|first| (first..40).map(move |last| (first, last)));
        for (first, last) in ends {
            let range = CellRange { first, last };
            let parts = (0..PLACES).map(|place| range.narrower(place));
            for part in parts {
                assert!(part.first >= first && part.last <= last, "{range:?}");
            }
            assert_eq!(range.narrower(0).first, first);
            assert_eq!(range.narrower(PLACES - 1).last, last);
        }
    }
}
