//! Blocks of cells, which learned ranges do not split.

use crate::{Cells, Grid};

/// Number of blocks, if there are at least as many cells.
const BLOCKS: u32 = 1024;
/// Number of blocks next to a bound, and on each side of the block of zero, that are split into
/// single cells.
const PARTED: u32 = 8;

/// Blocks of neighbouring cells. Every range that a mean learns begins and ends between blocks.
///
/// An engine may add up all records of a block in any one of its cells: the release is the same.
/// Narrow ranges lie only at the bounds and at zero, so blocks there have one cell each.
///
/// # Formula
///
/// With b = max(1, ⌊K/1024⌋) cell c is in block ⌊c/b⌋. A block is split into its cells if it is
/// less than 8 blocks from that of either bound, or at most 8 from that of zero if zero lies
/// between the bounds.
///
/// # Example
///
/// ```
/// use suum_core::{Bounds, CellBlocks, Cells, Grid};
///
/// let grid = Grid::new(Bounds::new(0.0, 77.0)?);
/// let blocks = CellBlocks::new(Cells::for_sums(), &grid);
/// assert_eq!((blocks.first(4001), blocks.last(4001)), (4000, 4007));
/// assert_eq!((blocks.first(3), blocks.last(3)), (3, 3));
/// # Ok::<(), suum_core::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CellBlocks {
    steps: u32,
    width: u32,
    zero: Option<u32>,
}

impl CellBlocks {
    /// Returns the blocks of cells over the bounds of a grid.
    pub fn new(cells: Cells, grid: &Grid) -> Self {
        let bounds = grid.bounds();
        let zero = (bounds.lower() < 0.0 && bounds.upper() > 0.0)
            .then(|| grid.index(0.0).map(|index| cells.nearest_candidate(grid, index)))
            .flatten();
        Self { steps: cells.steps(), width: Self::width_of(cells.steps()), zero }
    }

    /// Returns blocks of one cell each, over this many steps.
    #[cfg(test)]
    pub(crate) fn single(steps: u32) -> Self {
        Self { steps, width: 1, zero: None }
    }

    /// Returns the number of cells in a block, for this many steps.
    pub fn width_of(steps: u32) -> u32 {
        (steps / BLOCKS).max(1)
    }

    /// Returns the number of the last cell.
    pub(crate) fn steps(self) -> u32 {
        self.steps
    }

    /// Returns the number of cells in a block.
    pub fn width(self) -> u32 {
        self.width
    }

    /// Returns the cell of zero, if zero lies between the bounds.
    pub(crate) fn zero(self) -> Option<u32> {
        self.zero
    }

    /// Returns the half-open range of the blocks that are not split, and the range in it of those
    /// around zero that are, if any.
    pub fn whole(self) -> ([u32; 2], Option<[u32; 2]>) {
        let around = self.zero.map(|zero| {
            let block = zero / self.width;
            [block.saturating_sub(PARTED), block + PARTED]
        });
        ([PARTED, (self.steps / self.width).saturating_sub(PARTED)], around)
    }

    /// Returns the first cell of the block of this cell; the cell itself if its block is split.
    pub fn first(self, cell: u32) -> u32 {
        if self.is_whole(cell / self.width) { cell - cell % self.width } else { cell }
    }

    /// Returns the last cell of the block of this cell; the cell itself if its block is split.
    pub fn last(self, cell: u32) -> u32 {
        let last = if self.is_whole(cell / self.width) {
            self.first(cell) + (self.width - 1)
        } else {
            cell
        };
        last.min(self.steps)
    }

    /// Returns the border between blocks that is nearest to the border before this cell.
    pub(crate) fn nearest(self, cell: u32) -> u32 {
        let first = self.first(cell);
        match 2 * (cell - first) < self.width {
            true => first,
            false => self.last(cell) + 1,
        }
    }

    fn is_whole(self, block: u32) -> bool {
        let ([first, end], around) = self.whole();
        (first..end).contains(&block)
            && around.is_none_or(|[first, last]| !(first..=last).contains(&block))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Bounds;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn every_cell_is_in_one_block(
            steps in prop::sample::select(vec![1u32, 9, 77, 1024, 2047, 2048, 5000, 8192, 65536]),
            lower in prop::sample::select(vec![0.0, 1.0, -1e-9, -1.0, -500.0, -999.0, -1000.0]),
        ) {
            let grid = Grid::new(Bounds::new(lower, lower + 1000.0).unwrap());
            let blocks = CellBlocks::new(Cells::new(steps).unwrap(), &grid);
            let mut first = 0;
            while first <= steps {
                let last = blocks.last(first);
                prop_assert!(last <= steps && last - first < blocks.width());
                for cell in first..=last {
                    prop_assert_eq!((blocks.first(cell), blocks.last(cell)), (first, last));
                    let near = blocks.nearest(cell);
                    let is_later = 2 * (cell - first) >= blocks.width();
                    prop_assert_eq!(near, if is_later { last + 1 } else { first });
                }
                prop_assert_eq!(blocks.nearest(first), first);
                first = last + 1;
            }
            prop_assert_eq!(first, steps + 1);
            // Single cells at bounds and at zero, as far as the narrow ranges reach.
            let near = 8 * blocks.width();
            let zero = blocks.zero().map_or(0..1, |zero| zero.saturating_sub(near)..zero + near);
            for cell in (0..near).chain(steps.saturating_sub(near)..steps + 1).chain(zero) {
                let cell = cell.min(steps);
                prop_assert_eq!((blocks.first(cell), blocks.last(cell)), (cell, cell));
            }
        }
    }

    #[test]
    fn most_cells_are_in_blocks() {
        for (lower, most) in [(0.0, 1200), (-500.0, 1350)] {
            let grid = Grid::new(Bounds::new(lower, lower + 1000.0).unwrap());
            let blocks = CellBlocks::new(Cells::for_sums(), &grid);
            let firsts = (0..=8192).filter(|cell| blocks.first(*cell) == *cell).count();
            assert!(firsts <= most, "{firsts}");
        }
    }
}
