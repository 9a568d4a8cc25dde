//! Which range is looked for, by how much can be spent on it.

use super::ranges::ranges;
use crate::private::mechanism::{RangeSearch, UNIT};
use crate::{Bounds, CellBlocks, CellRange, Cells, Grid, Options};

/// How much a good range leaves out, and by how much it is widened.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct RangeRule {
    /// The blocks of cells in which grid indices were added up, between which ranges begin and end.
    pub(crate) blocks: CellBlocks,
    /// Σ of what is spent on the range.
    pub(crate) units: f64,
    /// Σ of what the mean is likely to spend.
    pub(crate) of_mean: f64,
    /// The least part of the bounds to which values are clamped.
    pub(crate) least: f64,
}

/// By how much a range is widened at least, and the factor of the rule beyond that.
const WIDER: (f64, f64) = (1.5, 0.7);
/// The units that the narrower parts of a good range leave out, and the part of all if those are
/// few.
const WITHIN: (f64, f64) = (18.0, 0.25);
/// A bound that is no further away than this part of the range becomes its end.
const SNAP: f64 = 0.3;
/// Narrower bounds are none.
const NARROWEST: f64 = 1e-138;

impl RangeRule {
    /// The least part of these bounds to which values are clamped: as wide as the fewest steps of
    /// which a mean learns, if values are known to have steps.
    pub(crate) fn least(bounds: Bounds, options: &Options) -> f64 {
        let fewest = f64::from(Options::FEWEST_STEPS);
        options.step.map_or(0.0, |step| (fewest * step / bounds.width()).min(1.0))
    }

    /// Whether doubles tell the ends of every part of the bounds apart that cells can make.
    pub(crate) fn is_possible(grid: &Grid, cells: Cells) -> bool {
        let bounds = grid.bounds();
        let largest = bounds.lower().abs().max(bounds.upper().abs());
        // Cells at the ends are half as wide as others.
        let narrowest = bounds.width() / f64::from(cells.steps()) / 2.0;
        let steps = u64::from(cells.steps());
        narrowest > 16.0 * f64::EPSILON * largest
            && narrowest > NARROWEST
            && grid.points() > 4 * steps
    }

    /// The ranges there are, with the slacks for these units.
    pub(crate) fn search(&self) -> RangeSearch {
        let ranges = ranges(self.blocks.steps());
        let slack = |units: f64| (units * UNIT as f64).round() as u64;
        let within = self.within();
        RangeSearch::new(self.blocks, ranges, (slack(within / 3.0), slack(within)))
    }

    /// The units that the narrower parts of a good range leave out at least.
    fn within(&self) -> f64 {
        WITHIN.0.min(WITHIN.1 * self.units)
    }

    /// The units that a good range may leave out.
    pub(crate) fn outside(&self) -> f64 {
        self.within() / 3.0
    }

    /// By how much a range is widened: so that noise, which grows with its width, and what is cut
    /// off, which falls with it, are together smallest.
    ///
    /// A range of width w that leaves out a share f of the values leaves out f·w·λ^−1.5/1.5 of a
    /// Pareto tail with exponent 2.5 once it is λ times as wide, and the mean has noise of √2·λ·w/S
    /// with S units. The sum of squares is least for λ = (f·S)^0.4/3^0.2.
    pub(crate) fn wider(&self) -> f64 {
        let outside = self.outside() / self.units * self.of_mean;
        (WIDER.1 * outside.powf(0.4)).max(WIDER.0)
    }

    /// The range to which values are clamped: wider than the one that was chosen, of whole blocks,
    /// and up to a bound that is near; and how many times as wide it is as the values in it are
    /// likely to be.
    pub(crate) fn widened(&self, chosen: CellRange) -> (CellRange, f64) {
        let steps = f64::from(self.blocks.steps());
        let middle = f64::from(chosen.first + chosen.last + 1) / 2.0;
        let half = self.wider() * f64::from(width(chosen)) / 2.0;
        let (low, high) = ((middle - half).max(0.0), (middle + half).min(steps + 1.0));
        let (low, high) = self.with_steps(low, high);
        let near = SNAP * (high - low);
        let first = if low <= near { 0.0 } else { low.floor() };
        let last = if steps + 1.0 - high <= near { steps } else { high.ceil() - 1.0 };
        let [first, last] = [self.blocks.first(first as u32), self.blocks.last(last as u32)];
        let range = CellRange { first, last };
        // Where it is wider because of steps, values may fill it as they fill a range that is not.
        let fewest = self.least * (steps + 1.0) / self.wider();
        (range, f64::from(width(range)) / f64::from(width(chosen)).max(fewest))
    }

    /// The least range around this one that has enough steps, inside the bounds.
    fn with_steps(&self, low: f64, high: f64) -> (f64, f64) {
        let all = f64::from(self.blocks.steps()) + 1.0;
        let width = self.least * all;
        if width <= high - low {
            return (low, high);
        }
        let low = ((low + high - width) / 2.0).min(all - width).max(0.0);
        (low, (low + width).min(all))
    }

    /// On which sides a range ends inside the bounds.
    pub(crate) fn cut(&self, range: CellRange) -> [bool; 2] {
        [range.first > 0, range.last < self.blocks.steps()]
    }
}

/// How many cells a range has.
fn width(range: CellRange) -> u32 {
    range.last - range.first + 1
}
