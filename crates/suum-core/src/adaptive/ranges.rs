//! The ranges among which one is chosen.

use crate::mechanism::UNIT;
use crate::{CellRange, Cells};

/// Widths go down to 2^-9 of the bounds anywhere, and further at their ends and at zero.
const ANYWHERE: u32 = 18;

/// All ranges: the whole of the bounds, three quarters, a half, three eighths and so on, each width
/// starting at every half of itself; and from 2^-9 on down to two cells those that begin or end
/// at a bound or at zero, if that lies between the bounds.
///
/// The more ranges there are of a width, the more each is disfavoured: by 2·ln of their number.
pub(super) fn ranges(cells: Cells, zero: Option<u32>) -> Vec<CellRange> {
    let steps = cells.steps();
    let mut all = Vec::new();
    let mut last_width = None;
    for half_octave in 0.. {
        let octave = f64::from(half_octave / 2).exp2();
        let width = if half_octave % 2 == 0 { 1.0 } else { 0.75 } / octave * f64::from(steps);
        if width < 0.5 {
            break;
        }
        // From a cell to the next one: the narrowest ranges are of two cells.
        let width = width.round() as u32;
        if last_width.replace(width) == Some(width) {
            continue;
        }
        let mut firsts: Vec<u32> = if half_octave <= ANYWHERE {
            let starts = (0..).map(|start| (f64::from(start) * f64::from(width) / 2.0) as u32);
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
        let penalty = (2.0 * (firsts.len() as f64).ln() * UNIT as f64).round() as u64;
        let range = |first| CellRange { first, last: first + width, penalty };
        all.extend(firsts.into_iter().map(range));
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
            let whole = CellRange { first: 0, last: steps, penalty: 0 };
            assert!(all.contains(&whole), "{steps}");
            assert!(all.len() < 10_000, "{steps}: {} ranges", all.len());
        }
        let all = ranges(Cells::of_sums(), Some(1000));
        let is_there = |first, last| all.iter().any(|one| (one.first, one.last) == (first, last));
        // A half in the middle, a 512th anywhere, and one cell or two at the ends and at zero.
        assert!(is_there(2048, 6144) && is_there(4000, 4016));
        assert!(is_there(0, 1) && is_there(8191, 8192) && is_there(1000, 1001));
    }
}
