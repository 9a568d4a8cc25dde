//! Ranges of cells, and the many among which one is chosen.

use crate::CellBlocks;

/// In how many places of a range a narrower one is looked for, evenly spaced from end to end.
pub(super) const POSITIONS: u32 = 5;
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
    /// The range of whole blocks that is nearest to this one: of one at least, and none that lies
    /// outside a range of whole blocks in which this one lies.
    pub(super) fn of_blocks(self, blocks: CellBlocks) -> Self {
        let (first, end) = (blocks.nearest(self.first), blocks.nearest(self.last + 1));
        match first < end {
            true => Self { first, last: end - 1 },
            false => Self { first: blocks.first(self.first), last: blocks.last(self.first) },
        }
    }

    /// A narrower range, at the `position`th of [`POSITIONS`] places of this one.
    pub(super) fn narrower(self, position: u32) -> Self {
        let cells = self.last - self.first + 1;
        // At most 2^20 cells, so that products fit.
        let narrow = (cells * NARROWER.0 / NARROWER.1).max(1);
        let first = self.first + (cells - narrow) * position / (POSITIONS - 1);
        Self { first, last: first + narrow - 1 }
    }
}

/// Which ranges there are: thousands, which are listed only where one of them is drawn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Ranges {
    /// By how many cells the last one is behind the first.
    OfWidths {
        /// Widths of ranges that begin at every quarter of themselves, or end at the last cell.
        anywhere: Vec<u32>,
        /// Widths of those alone that begin or end at a bound or, if it lies between these, at
        /// the cell of zero, or have that in their middle.
        at_ends: Vec<u32>,
    },
    /// These.
    #[cfg(test)]
    Each(Vec<CellRange>),
}

impl Ranges {
    /// All of them, each of whole blocks.
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
            all.extend(ranges.map(|range| range.of_blocks(blocks)));
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
            let whole = range.of_blocks(blocks);
            assert!(whole.first <= whole.last && is_of_blocks(whole), "{range:?}");
            if !is_of_blocks(range) {
                continue;
            }
            assert_eq!(whole, range);
            seen += 1;
            for part in (0..POSITIONS).map(|at| range.narrower(at).of_blocks(blocks)) {
                assert!(part.first >= first && part.last <= last, "{range:?}");
                assert!(part.first <= part.last && is_of_blocks(part), "{range:?}");
            }
        }
        assert!(seen > 2000, "{seen}");
    }
}
