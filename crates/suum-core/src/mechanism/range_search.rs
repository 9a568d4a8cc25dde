//! The range, of many, that holds most of the weight and is no wider than it must be: its distance.

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
        let distances = self.distances(ranks, scale);
        let least = distances.iter().min().cloned().unwrap_or(UBig::ZERO);
        // exp(−distance/2), where distances are in 2^-20 of `scale` steps.
        let unit = scale * UBig::from(2 * UNIT);
        let candidates = distances.len() as u32;
        let drawn = randomness
            .permute_and_flip(candidates, &least, &unit, |at| distances[at as usize].clone());
        let all = CellRange { first: 0, last: self.steps };
        drawn.and_then(|at| self.ranges.get(at as usize).copied()).unwrap_or(all)
    }

    /// The distances of all ranges, in 2^-20 of a step of weight.
    pub(super) fn distances(&self, ranks: &Ranks, scale: &UBig) -> Vec<UBig> {
        self.ranges.iter().map(|range| self.distance(*range, ranks, scale)).collect()
    }

    fn distance(&self, range: CellRange, ranks: &Ranks, scale: &UBig) -> UBig {
        let outside = |range: CellRange| ranks.outside(range.first, range.last) * UBig::from(UNIT);
        let within = (0..PLACES).map(|place| outside(range.narrower(place))).min();
        surplus(outside(range), scale * UBig::from(self.outside))
            + surplus(scale * UBig::from(self.within), within.unwrap_or(UBig::ZERO))
    }
}

/// (a − b)₊.
fn surplus(a: UBig, b: UBig) -> UBig {
    if a > b { a - b } else { UBig::ZERO }
}

#[cfg(test)]
mod tests {
    use super::*;

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
