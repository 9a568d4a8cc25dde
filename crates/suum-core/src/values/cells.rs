//! Cells that divide the bounds, each around one candidate of a quantile.

use crate::error::{for_example, option, say};
use crate::{Bounds, Error, Grid, Result};

/// Cells over the bounds, in which records are counted or added up. Each lies around one candidate,
/// which is a possible value of a released quantile.
///
/// With K steps there are K + 1 cells, and equally spaced candidates: number 0 is the lower bound,
/// number K the upper. A value is in the cell whose candidate is nearest to its grid index, so that
/// one integer per value serves sums and quantiles alike.
///
/// # Formula
///
/// candidate(g) = ⌊(g·K + G/2)/G⌋ for a grid index g in 0..=G; value(c) = lo + h·c/K.
///
/// # Example
///
/// ```
/// use suum_core::{Bounds, Cells, Grid};
///
/// let bounds = Bounds::new(0.0, 77.0)?;
/// let visits = Cells::with_step(bounds, 1.0)?;
/// assert_eq!(visits.steps(), 77);
/// let grid = Grid::new(bounds);
/// let three = grid.index(3.0).map(|index| visits.nearest_candidate(&grid, index));
/// assert_eq!(three, Some(3));
/// assert_eq!(visits.value(bounds, 3), 3.0);
/// # Ok::<(), suum_core::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cells {
    steps: u32,
    rows: u32,
    sums: bool,
}

impl Cells {
    /// Default number of steps.
    pub const STEPS: u32 = 65_536;
    /// Number of steps for a mean that learns where the values lie.
    pub const STEPS_OF_SUMS: u32 = 8192;
    /// Largest number of steps.
    pub const MOST: u32 = 1 << 20;
    /// Largest number of rows that one record can stand for.
    pub const MOST_ROWS: u32 = 1000;

    /// Returns `steps` steps over the bounds, with each record counting as one row.
    ///
    /// # Errors
    ///
    /// Refuses no steps, and more than [`Cells::MOST`].
    pub fn new(steps: u32) -> Result<Self> {
        if steps == 0 || steps > Self::MOST {
            return Err(Error::parameter(
                option::CELLS,
                "there must be between 1 and 1048576 steps over the bounds",
            )
            .with_fix(for_example(option::CELLS, "65536")));
        }
        Ok(Self { steps, rows: 1, sums: false })
    }

    /// Returns cells in which grid indices and their squares are added up as well, from which a
    /// mean learns where the values lie. A person counts once, with the mean of their rows.
    pub const fn for_sums() -> Self {
        Self { steps: Self::STEPS_OF_SUMS, rows: 1, sums: true }
    }

    /// Returns steps of this size, in units of the data: 1 for integers.
    ///
    /// # Errors
    ///
    /// Refuses a step that is not positive, that does not divide the width of the bounds, or that
    /// is too small.
    pub fn with_step(bounds: Bounds, step: f64) -> Result<Self> {
        let steps = bounds.width() / step;
        if !(step > 0.0 && steps.round() >= 1.0 && (steps - steps.round()).abs() <= 1e-9 * steps) {
            return Err(Error::parameter(
                option::STEP,
                "must be positive and divide the width of the bounds",
            )
            .with_fix(say("for integers declare integer bounds and").set(option::STEP, "1")));
        }
        if steps.round() > f64::from(Self::MOST) {
            return Err(Error::parameter(
                option::STEP,
                "there are more than 1048576 steps between the bounds",
            )
            .with_fix("declare a larger step, or narrower bounds"));
        }
        Self::new(steps.round() as u32)
    }

    /// Returns the largest distance of a value inside the bounds from the candidate it counts at;
    /// zero if values are candidates themselves.
    pub(crate) fn half_step(self, bounds: Bounds, whole: bool) -> f64 {
        if whole { 0.0 } else { bounds.width() / (2.0 * f64::from(self.steps)) }
    }

    /// Returns the refusal of a level table whose cells differ from these of a request or plan.
    pub(crate) fn mismatch(of: &str) -> Error {
        Error::table("level table", format!("its bounds or candidates are not those of the {of}"))
            .with_fix(
                say("make the table with the same bounds,")
                    .option(option::CELLS)
                    .say("or")
                    .option(option::STEP)
                    .say("and")
                    .option(option::ROWS),
            )
    }

    /// Returns the cells with each record standing for `rows` rows.
    ///
    /// # Errors
    ///
    /// Refuses no rows, and more than [`Cells::MOST_ROWS`].
    pub fn with_rows(self, rows: u32) -> Result<Self> {
        if rows == 0 || rows > Self::MOST_ROWS {
            return Err(Error::parameter(
                option::ROWS,
                "a person stands for between 1 and 1000 rows",
            )
            .with_fix(for_example(option::ROWS, "1").say(", each person's median")));
        }
        Ok(Self { rows, ..self })
    }

    /// Returns K, the number of steps and the number of the last candidate.
    pub fn steps(self) -> u32 {
        self.steps
    }

    /// Returns R, the number of rows that each record stands for.
    pub fn rows(self) -> u32 {
        self.rows
    }

    /// Returns true if grid indices and squares are added up at each candidate.
    pub fn has_sums(self) -> bool {
        self.sums
    }

    /// Returns the cells with or without sums at each candidate.
    #[must_use]
    pub fn with_sums(self, sums: bool) -> Self {
        Self { sums, ..self }
    }

    /// Returns the least grid index whose nearest candidate is this one or a later one; G for a
    /// candidate beyond the last.
    pub(crate) fn first_index(self, grid: &Grid, candidate: u32) -> u64 {
        let (points, steps) = (u128::from(grid.points()), u128::from(self.steps));
        let middle = (u128::from(candidate) * points).saturating_sub(points / 2);
        middle.div_ceil(steps).min(points) as u64
    }

    /// Returns the candidate nearest to a grid index.
    #[inline]
    pub fn nearest_candidate(self, grid: &Grid, index: u64) -> u32 {
        let points = grid.points();
        // At most 2^20 steps: the product fits, and division by a power of two is fast.
        if points.is_power_of_two() && points <= 1 << 43 {
            let nearest = (index * u64::from(self.steps) + points / 2) >> points.trailing_zeros();
            return nearest.min(u64::from(self.steps)) as u32;
        }
        let points = u128::from(points);
        let nearest = (u128::from(index) * u128::from(self.steps) + points / 2) / points;
        // An index is at most G, so the candidate is at most K.
        nearest.min(u128::from(self.steps)) as u32
    }

    /// Appends the candidate nearest to each grid index to `candidates`, as
    /// [`nearest_candidate`](Self::nearest_candidate) does one by one.
    // Inlined so that callers can compile it for instructions that not every processor has.
    #[inline(always)]
    pub fn nearest_candidates(self, grid: &Grid, indices: &[u64], candidates: &mut Vec<u32>) {
        let (points, steps) = (grid.points(), u64::from(self.steps));
        if !points.is_power_of_two() || points > 1 << 31 {
            candidates.extend(indices.iter().map(|index| self.nearest_candidate(grid, *index)));
            return;
        }
        let (half, bits) = (points / 2, points.trailing_zeros());
        candidates.extend(indices.iter().map(|index| {
            // An index fits 32 bits, and processors multiply several of these at once.
            let nearest = (u64::from(*index as u32) * steps + half) >> bits;
            nearest.min(steps) as u32
        }));
    }

    /// The value of a candidate, in units of the data.
    pub fn value(self, bounds: Bounds, candidate: u32) -> f64 {
        bounds.clamp(bounds.lower() + bounds.width() * f64::from(candidate) / f64::from(self.steps))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn refuses_what_makes_no_candidates() {
        let bounds = Bounds::new(0.0, 10.0).unwrap();
        for bad in [0.0, -1.0, 3.0, f64::NAN, f64::INFINITY, 1e-9, 20.0] {
            assert!(Cells::with_step(bounds, bad).is_err(), "{bad}");
        }
        assert!(Cells::new(0).is_err() && Cells::new(Cells::MOST + 1).is_err());
        assert!(Cells::new(5).unwrap().with_rows(0).is_err());
        assert_eq!(Cells::with_step(bounds, 0.1).unwrap().steps(), 100);
        assert_eq!(Cells::with_step(bounds, 0.1).unwrap().value(bounds, 3), 0.3);
    }

    #[test]
    fn cells_begin_where_the_one_before_ends() {
        let grid = Grid::new(Bounds::new(0.0, 10.0).unwrap());
        for cells in [Cells::for_sums(), Cells::new(77).unwrap(), Cells::new(1).unwrap()] {
            assert_eq!(cells.first_index(&grid, 0), 0);
            assert_eq!(cells.first_index(&grid, cells.steps() + 1), grid.points());
            for candidate in 1..=cells.steps() {
                let first = cells.first_index(&grid, candidate);
                assert_eq!(cells.nearest_candidate(&grid, first), candidate);
                assert_eq!(cells.nearest_candidate(&grid, first - 1), candidate - 1);
            }
        }
    }

    proptest! {
        #[test]
        fn integers_keep_their_value(
            lower in -1000i32..1000,
            width in 1u32..5000,
            at in 0.0..1.0_f64,
        ) {
            let bounds =
                Bounds::new(f64::from(lower), f64::from(lower) + f64::from(width)).unwrap();
            let cells = Cells::with_step(bounds, 1.0).unwrap();
            let value = f64::from(lower) + (at * f64::from(width)).floor();
            let grid = Grid::new(bounds);
            let candidate = cells.nearest_candidate(&grid, grid.index(value).unwrap());
            prop_assert_eq!(cells.value(bounds, candidate), value);
        }

        #[test]
        fn many_indices_are_put_where_each_is(
            bits in 20u32..=50,
            steps in prop_oneof![1..=Cells::MOST, Just(Cells::MOST), Just(1)],
            indices in prop::collection::vec(any::<u64>(), 0..40),
        ) {
            let grid = Grid::with_points(Bounds::UNIT, 1 << bits).unwrap();
            let part = grid.part(3, grid.points() - 4).unwrap();
            for grid in [grid, part] {
                let cells = Cells::new(steps).unwrap();
                let mut indices: Vec<u64> =
                    indices.iter().map(|index| index % (grid.points() + 1)).collect();
                indices.push(grid.points());
                let mut candidates = vec![7];
                cells.nearest_candidates(&grid, &indices, &mut candidates);
                let each = indices.iter().map(|index| cells.nearest_candidate(&grid, *index));
                prop_assert!(candidates[1..].iter().copied().eq(each));
            }
        }
    }
}
