//! The ranges among which one is chosen.

use crate::{CellRange, Cells};

/// Widths in an octave.
const WIDTHS: u32 = 4;
/// Widths go down to 2^-7 of the bounds anywhere, and further at their ends and at zero.
const ANYWHERE: u32 = 7 * WIDTHS;

/// All ranges: the whole of the bounds, 2^(-1/4) of them, 2^(-1/2) and so on, each width starting
/// at every quarter of itself; and from 2^-7 on down to two cells those that begin or end at a
/// bound or at zero, if that lies between the bounds.
pub(super) fn ranges(cells: Cells, zero: Option<u32>) -> Vec<CellRange> {
    let steps = cells.steps();
    let mut all = Vec::new();
    let mut last_width = None;
    for number in 0.. {
        let width = f64::from(steps) / (f64::from(number) / f64::from(WIDTHS)).exp2();
        if width < 0.5 {
            break;
        }
        // From a cell to the next one: the narrowest ranges are of two cells.
        let width = width.round() as u32;
        if last_width.replace(width) == Some(width) {
            continue;
        }
        let mut firsts: Vec<u32> = if number <= ANYWHERE {
            let starts = (0..).map(|start| (f64::from(start) * f64::from(width) / 4.0) as u32);
            starts.take_while(|first| first + width <= steps).collect()
        } else {
            let at_zero = zero.map(|zero| {
                let left = zero.saturating_sub(width);
                [left, zero.saturating_sub(width / 2), zero].map(|first| first.min(steps - width))
            });
            [0].into_iter().chain(at_zero.into_iter().flatten()).collect()
        };
        firsts.push(steps - width);
        firsts.sort_unstable();
        firsts.dedup();
        all.extend(firsts.into_iter().map(|first| CellRange { first, last: first + width }));
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_lie_inside_and_reach_the_ends() {
        for (steps, zero) in [(8192, None), (8192, Some(1000)), (77, Some(5)), (1, None)] {
            let all = ranges(Cells::new(steps).unwrap(), zero);
            assert!(all.iter().all(|range| range.first <= range.last && range.last <= steps));
            let whole = CellRange { first: 0, last: steps };
            assert!(all.contains(&whole), "{steps}");
            assert!(all.len() < 10_000, "{steps}: {} ranges", all.len());
        }
        let all = ranges(Cells::of_sums(), Some(1000));
        let is_there = |first, last| all.iter().any(|one| (one.first, one.last) == (first, last));
        // A half in the middle, a 128th anywhere, and one cell or two at the ends and at zero.
        assert!(is_there(2048, 6144) && is_there(4000, 4064));
        assert!(is_there(0, 1) && is_there(8191, 8192) && is_there(1000, 1001));
    }
}
