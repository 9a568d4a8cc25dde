//! Ranges of cells, and the set of candidates from which one is chosen.

use crate::CellBlocks;

/// Number of places of a range at which a narrower one is examined, evenly spaced from end to end.
pub(super) const POSITIONS: u32 = 5;
/// Width of the narrower range as a share of the whole: three fifths.
const NARROWER: (u32, u32) = (3, 5);

/// Range of cells, both ends included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CellRange {
    /// First cell.
    pub first: u32,
    /// Last cell.
    pub last: u32,
}

impl CellRange {
    /// Returns the nearest range of whole blocks: at least one block, and never outside a range of
    /// whole blocks that contains this range.
    pub(super) fn align_to_blocks(self, blocks: CellBlocks) -> Self {
        let (first, end) = (blocks.nearest(self.first), blocks.nearest(self.last + 1));
        match first < end {
            true => Self { first, last: end - 1 },
            false => Self { first: blocks.first(self.first), last: blocks.last(self.first) },
        }
    }

    /// Returns the narrower range at place `position` of [`POSITIONS`].
    pub(super) fn narrower(self, position: u32) -> Self {
        let cells = self.last - self.first + 1;
        // There are at most 2^20 cells, so products fit.
        let narrow = (cells * NARROWER.0 / NARROWER.1).max(1);
        let first = self.first + (cells - narrow) * position / (POSITIONS - 1);
        Self { first, last: first + narrow - 1 }
    }
}

/// Set of candidate ranges: thousands, which are listed only when one is drawn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Ranges {
    /// Ranges by width: the number of the last cell minus that of the first.
    OfWidths {
        /// Widths of ranges that begin at multiples of a quarter of their width, or end at the last
        /// cell.
        anywhere: Vec<u32>,
        /// Widths of ranges that begin or end at a bound, or begin, end or are centred at the cell
        /// of zero if it lies between the bounds.
        at_ends: Vec<u32>,
    },
    /// Explicit list of ranges.
    #[cfg(test)]
    Each(Vec<CellRange>),
}

impl Ranges {
    /// Returns all ranges, each of whole blocks.
    pub(crate) fn list(&self, blocks: CellBlocks) -> Vec<CellRange> {
        let steps = blocks.steps();
        let (anywhere, at_ends) = match self {
            Self::OfWidths { anywhere, at_ends } => (anywhere, at_ends),
            #[cfg(test)]
            Self::Each(ranges) => return ranges.clone(),
        };
        let mut all = Vec::new();
        let mut add = |width: u32, mut firsts: Vec<u32>| {
            firsts.push(steps - width);
            firsts.sort_unstable();
            firsts.dedup();
            let ranges = firsts.into_iter().map(|first| CellRange { first, last: first + width });
            all.extend(ranges.map(|range| range.align_to_blocks(blocks)));
        };
        for width in anywhere {
            // At most 2^20 cells, and four starts in each width.
            let starts = (0..).map(|start| (u64::from(*width) * start / 4) as u32);
            add(*width, starts.take_while(|first| first + width <= steps).collect());
        }
        for width in at_ends {
            let at_zero = blocks.zero().map(|zero| {
                let left = zero.saturating_sub(*width);
                [left, zero.saturating_sub(width / 2), zero].map(|first| first.min(steps - width))
            });
            add(*width, [0].into_iter().chain(at_zero.into_iter().flatten()).collect());
        }
        all.dedup();
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Bounds, Cells, Grid};

    #[test]
    fn parts_lie_inside() {
        let ends = (0..40).flat_map(|first| (first..40).map(move |last| (first, last)));
        for (first, last) in ends {
            let range = CellRange { first, last };
            let parts = (0..POSITIONS).map(|position| range.narrower(position));
            for part in parts {
                assert!(part.first >= first && part.last <= last, "{range:?}");
            }
            assert_eq!(range.narrower(0).first, first);
            assert_eq!(range.narrower(POSITIONS - 1).last, last);
        }
    }

    /// Blocks of three cells, of which the middle ones are whole: a range of them has parts of
    /// whole blocks, which lie inside.
    #[test]
    fn parts_are_of_blocks() {
        let grid = Grid::new(Bounds::new(-1.0, 1.0).unwrap());
        let steps = 3 * 1024 + 1;
        let blocks = CellBlocks::new(Cells::new(steps).unwrap(), &grid);
        let is_of_blocks = |range: CellRange| {
            blocks.first(range.first) == range.first && blocks.last(range.last) == range.last
        };
        let mut seen = 0;
        for (first, last) in (0..200).flat_map(|first| (first..200).map(move |last| (first, last)))
        {
            let range = CellRange { first, last };
            let whole = range.align_to_blocks(blocks);
            assert!(whole.first <= whole.last && is_of_blocks(whole), "{range:?}");
            if !is_of_blocks(range) {
                continue;
            }
            assert_eq!(whole, range);
            seen += 1;
            for part in (0..POSITIONS).map(|at| range.narrower(at).align_to_blocks(blocks)) {
                assert!(part.first >= first && part.last <= last, "{range:?}");
                assert!(part.first <= part.last && is_of_blocks(part), "{range:?}");
            }
        }
        assert!(seen > 2000, "{seen}");
    }
}
