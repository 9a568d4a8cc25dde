//! The ranges among which one is chosen.

use crate::private::mechanism::Ranges;

/// Widths in an octave.
const WIDTHS: u32 = 4;
/// Widths go down to 2^-7 of the bounds anywhere, and further at their ends and at zero.
const ANYWHERE: u32 = 7 * WIDTHS;

/// All ranges of `steps` + 1 cells: the whole of the bounds, 2^(-1/4) of them, 2^(-1/2) and so on,
/// each width starting at every quarter of itself; and from 2^-7 on down to two cells those that
/// begin or end at a bound or at zero, if that lies between the bounds. All begin and end between
/// blocks of cells.
pub(super) fn ranges(steps: u32) -> Ranges {
    let (mut anywhere, mut at_ends): (Vec<u32>, Vec<u32>) = Default::default();
    let mut last_width = None;
    for number in 0.. {
        let octaves = f64::from(number) / f64::from(WIDTHS);
        let width = f64::from(steps) / octaves.exp2();
        if width < 0.5 {
            break;
        }
        // From a cell to the next one: the narrowest ranges are of two cells.
        let width = width.round() as u32;
        if last_width.replace(width) != Some(width) {
            if number <= ANYWHERE { anywhere.push(width) } else { at_ends.push(width) }
        }
    }
    Ranges::OfWidths { anywhere, at_ends }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Bounds, CellBlocks, CellRange, Cells, Grid};

    /// All ranges of these cells, in bounds in which zero is at this one.
    fn listed(steps: u32, zero: Option<u32>) -> Vec<CellRange> {
        let below = f64::from(zero.unwrap_or(0));
        let bounds = Bounds::new(-below, f64::from(steps) - below).unwrap();
        let blocks = CellBlocks::new(Cells::new(steps).unwrap(), &Grid::new(bounds));
        assert_eq!(blocks.zero(), zero);
        let all = ranges(steps).list(blocks);
        let is_of_blocks = |range: &CellRange| {
            blocks.first(range.first) == range.first && blocks.last(range.last) == range.last
        };
        assert!(all.iter().all(is_of_blocks), "{steps}");
        all
    }

    #[test]
    fn ranges_lie_inside_and_reach_the_ends() {
        for (steps, zero) in [(8192, None), (8192, Some(1000)), (77, Some(5)), (1, None)] {
            let all = listed(steps, zero);
            assert!(all.iter().all(|range| range.first <= range.last && range.last <= steps));
            let whole = CellRange { first: 0, last: steps };
            assert!(all.contains(&whole), "{steps}");
            assert!(all.len() < 10_000, "{steps}: {} ranges", all.len());
        }
        let all = listed(Cells::for_sums().steps(), Some(1000));
        let is_there = |first, last| all.iter().any(|one| (one.first, one.last) == (first, last));
        // A half in the middle, a 128th anywhere, and one cell or two at the ends and at zero.
        assert!(is_there(2048, 6143) && is_there(4000, 4063));
        assert!(is_there(0, 1) && is_there(8191, 8192) && is_there(1000, 1001));
    }
}
