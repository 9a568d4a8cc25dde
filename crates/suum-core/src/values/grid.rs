//! The fixed-point grid: the one door through which data values enter the private path.

use crate::{Bounds, Error, Result};

/// Public grid of G + 1 points over the bounds, where G is a power of two; or a part of one.
///
/// Point 0 is the lower and point G the upper bound. Values enter as integers, so that everything
/// after this module is exact. G and κ depend on nothing but the bounds.
///
/// # Formula
///
/// index(x) = ⌊(clamp(x) − lo)·κ + ½⌋ with κ = G/(hi − lo) rounded once to a double: four IEEE
/// operations in this order, which every engine that computes level tables repeats to the last bit.
///
/// # Example
///
/// ```
/// use suum_core::{Bounds, Grid};
///
/// let grid = Grid::new(Bounds::new(0.0, 8.0)?);
/// assert_eq!(grid.index(2.0), Some(grid.points() / 4));
/// assert_eq!(grid.index(1e9), Some(grid.points()), "values are clamped");
/// assert_eq!(grid.index(f64::NAN), None, "a NaN has no place");
/// # Ok::<(), suum_core::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Grid {
    bounds: Bounds,
    points: u64,
    kappa: f64,
}

impl Grid {
    /// Default log₂ G: 2^30 steps are finer than any noise in practice, and few enough for an index
    /// to fit a 32-bit integer and for the sum of 2^33 records to fit 64 bits.
    pub const BITS: u32 = 30;

    /// Returns the default grid over the bounds.
    pub fn new(bounds: Bounds) -> Self {
        let points = 1u64 << Self::BITS;
        Self { bounds, points, kappa: points as f64 / bounds.width() }
    }

    /// Returns a grid with `points` steps, for level tables made elsewhere.
    ///
    /// # Errors
    ///
    /// Refuses step counts that are not a power of two from 2^20 to 2^50.
    pub fn with_points(bounds: Bounds, points: u64) -> Result<Self> {
        if !points.is_power_of_two() || !(1 << 20..=1 << 50).contains(&points) {
            return Err(Error::table(
                "grid",
                "the number of steps must be a power of two from 2^20 to 2^50",
            )
            .with_fix("use the default grid, 2^30 steps"));
        }
        Ok(Self { bounds, points, kappa: points as f64 / bounds.width() })
    }

    /// Returns the part of the grid from one index to a larger one. Values beyond it are clamped to
    /// the nearer end.
    ///
    /// # Errors
    ///
    /// If there is no such part, or it is too narrow for doubles to distinguish its ends.
    pub(crate) fn part(&self, from: u64, to: u64) -> Result<Self> {
        let bounds = Bounds::new(self.value(from), self.value(to))?.on(self.bounds.scale());
        Ok(Self { bounds, points: to.min(self.points).saturating_sub(from), kappa: self.kappa })
    }

    /// Returns the value of an index, in units of the data.
    pub(crate) fn value(&self, index: u64) -> f64 {
        // The upper bound is exact, whatever rounding loses.
        if index >= self.points {
            return self.bounds.upper();
        }
        let share = index as f64 / self.points as f64;
        self.bounds.clamp(self.bounds.lower() + self.bounds.width() * share)
    }

    /// Returns true if the grid's points are closer to each other than doubles between the bounds
    /// are, and those are more than 1 apart. Then some integers, and the grid points nearest to
    /// them, are no doubles.
    ///
    /// Its [`from_lower`](Self::from_lower) has no such values.
    ///
    /// The grid [`from_lower`](Self::from_lower) represents all its values.
    ///
    /// ```
    /// use suum_core::{Bounds, Grid};
    ///
    /// let grid = |lower, upper| Ok::<_, suum_core::Error>(Grid::new(Bounds::new(lower, upper)?));
    /// let large = 2f64.powi(53);
    /// assert!(grid(large, large + 4.0)?.is_finer_than_doubles());
    /// assert!(!grid(large - 4.0, large)?.is_finer_than_doubles());
    /// assert!(!grid(0.0, large * large)?.is_finer_than_doubles());
    /// # Ok::<(), suum_core::Error>(())
    /// ```
    pub fn is_finer_than_doubles(&self) -> bool {
        let largest = self.bounds.lower().abs().max(self.bounds.upper().abs());
        let apart = largest - largest.next_down();
        apart > 1.0 && self.bounds.width() / (self.points as f64) < apart
    }

    /// Returns a grid of the same steps for values less the lower bound: from 0 to the width.
    ///
    /// # Errors
    ///
    /// None for checked bounds, as all bounds are.
    ///
    /// # Example
    ///
    /// ```
    /// use suum_core::{Bounds, Grid};
    ///
    /// let grid = Grid::new(Bounds::new(2.0, 10.0)?);
    /// assert_eq!(grid.from_lower()?.index(4.0), grid.index(6.0));
    /// # Ok::<(), suum_core::Error>(())
    /// ```
    pub fn from_lower(&self) -> Result<Self> {
        Ok(Self { bounds: Bounds::new(0.0, self.bounds.width())?, ..*self })
    }

    /// Returns the bounds that the grid spans.
    pub fn bounds(&self) -> Bounds {
        self.bounds
    }

    /// Returns G, the number of steps and the largest index.
    pub fn points(&self) -> u64 {
        self.points
    }

    /// Returns κ, the number of steps per unit of the data, as rounded.
    pub fn kappa(&self) -> f64 {
        self.kappa
    }

    /// Returns the index of the grid point nearest to the clamped value; `None` for NaN.
    #[inline]
    pub fn index(&self, value: f64) -> Option<u64> {
        if value.is_nan() {
            return None;
        }
        let position = (self.bounds.clamp(value) - self.bounds.lower()) * self.kappa + 0.5;
        // Non-negative, so the cast truncates as floor does; rounding of κ can reach G + ½ but not
        // beyond.
        Some((position as u64).min(self.points()))
    }

    /// Appends the index of each value to `indices`, as [`index`](Self::index) does one by one.
    ///
    /// Returns false if some value is NaN; its index is then meaningless.
    ///
    /// # Example
    ///
    /// ```
    /// use suum_core::{Bounds, Grid};
    ///
    /// let grid = Grid::new(Bounds::new(0.0, 8.0)?);
    /// let mut indices = Vec::new();
    /// assert!(grid.indices(&[2.0, 1e9], &mut indices));
    /// assert_eq!(indices, [grid.points() / 4, grid.points()]);
    /// assert!(!grid.indices(&[f64::NAN], &mut indices));
    /// # Ok::<(), suum_core::Error>(())
    /// ```
    // Inlined so that callers can compile it for instructions that not every processor has.
    #[inline(always)]
    pub fn indices(&self, values: &[f64], indices: &mut Vec<u64>) -> bool {
        let (lower, upper) = (self.bounds.lower(), self.bounds.upper());
        // A short loop over all values makes the processor fetch them sooner than a loop that also
        // computes. It may report a zero of the other sign as outside; the code below is right
        // either way.
        let outside = values.iter().fold(0, |outside, value| {
            let clamped = if *value > lower { *value } else { lower };
            let clamped = if clamped < upper { clamped } else { upper };
            outside | (clamped.to_bits() ^ value.to_bits())
        });
        // With so few points doubles have bits to spare, so no value inside the bounds gets an
        // index beyond the last point.
        if outside == 0 && self.points <= 1 << 40 {
            indices.extend(values.iter().map(|value| floor((value - lower) * self.kappa + 0.5)));
            return true;
        }
        let points = self.points() as f64;
        indices.extend(values.iter().map(|value| {
            let value = if *value < lower { lower } else { *value };
            let value = if value > upper { upper } else { value };
            let position = (value - lower) * self.kappa + 0.5;
            floor(if position > points { points } else { position })
        }));
        values.iter().all(|value| !value.is_nan())
    }
}

/// Returns ⌊x⌋ for x from 0 to 2^51.
///
/// Compilers turn this into instructions on several numbers at once, which they do not for a cast
/// to u64.
#[inline(always)]
fn floor(x: f64) -> u64 {
    // Doubles of this size are 1 apart, so adding it rounds a smaller number to an integer in the
    // low bits.
    const INTEGERS: f64 = (1u64 << 52) as f64;
    let rounded = x + INTEGERS;
    // Rounding to nearest may have gone up.
    let above = u64::from(rounded - INTEGERS > x);
    rounded.to_bits().wrapping_sub(INTEGERS.to_bits()).wrapping_sub(above)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use suum_testing::Extent;

    proptest! {
        #[test]
        fn bounds_map_to_the_ends_and_order_is_kept(
            lower in -1e6..1e6_f64, width in 1e-3..1e9_f64, a in -2e9..2e9_f64, b in -2e9..2e9_f64,
        ) {
            let grid = Grid::new(Bounds::new(lower, lower + width).unwrap());
            prop_assert_eq!(grid.index(lower), Some(0));
            prop_assert_eq!(grid.index(grid.bounds().upper()), Some(grid.points()));
            prop_assert_eq!(grid.index(f64::NEG_INFINITY), Some(0));
            prop_assert_eq!(grid.index(f64::INFINITY), Some(grid.points()));
            let (low, high) = if a < b { (a, b) } else { (b, a) };
            prop_assert!(grid.index(low) <= grid.index(high));
        }

        #[test]
        fn the_grid_is_nearer_than_one_step(share in 0.0..1.0_f64) {
            let grid = Grid::new(Bounds::new(-3.0, 5.0).unwrap());
            let value = -3.0 + 8.0 * share;
            let back = -3.0 + 8.0 * grid.index(value).unwrap() as f64 / grid.points() as f64;
            prop_assert!((back - value).abs() <= 8.0 / grid.points() as f64);
        }
    }

    fn value() -> impl Strategy<Value = f64> {
        prop_oneof![
            2 => any::<u64>().prop_map(f64::from_bits),
            1 => prop::sample::select(vec![
                f64::NAN, -f64::NAN, f64::INFINITY, f64::NEG_INFINITY,
                0.0, -0.0, f64::MIN_POSITIVE, 5e-324, -5e-324,
            ]),
            4 => -1e6..1e6_f64,
        ]
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(Extent::get().cases(2000)))]

        #[test]
        fn many_at_once_are_as_one_by_one(
            lower in prop_oneof![-1e6..1e6_f64, Just(0.0)],
            width in prop_oneof![1e-3..1e9_f64, (-60..60i32).prop_map(|e| 2f64.powi(e))],
            bits in 20u32..=50,
            values in prop::collection::vec(value(), 0..20),
            steps in prop::collection::vec((any::<u64>(), -2i64..=2), 0..40),
        ) {
            let Ok(bounds) = Bounds::new(lower, lower + width) else { return Ok(()) };
            let grid = Grid::with_points(bounds, 1 << bits).unwrap();
            // Values at the border between two indices, and their neighbours.
            let borders = steps.into_iter().map(|(step, away)| {
                let border = lower + ((step % (grid.points() + 1)) as f64 - 0.5) / grid.kappa();
                f64::from_bits(border.to_bits().wrapping_add_signed(away))
            });
            let mut values: Vec<f64> = values.into_iter().chain(borders).collect();
            values.extend([bounds.lower(), bounds.upper(), bounds.midpoint()]);
            let mut found = vec![7];
            let complete = grid.indices(&values, &mut found);
            prop_assert_eq!(complete, values.iter().all(|value| !value.is_nan()));
            prop_assert_eq!(found[0], 7);
            for (value, index) in values.iter().zip(&found[1..]) {
                if let Some(expected) = grid.index(*value) {
                    prop_assert_eq!(*index, expected);
                }
            }
            // Without what is missing, and without what is outside of the bounds.
            let present: Vec<f64> = values.into_iter().filter(|value| !value.is_nan()).collect();
            let inside: Vec<f64> =
                present.iter().copied().filter(|value| bounds.clamp(*value) == *value).collect();
            for values in [present, inside] {
                let mut found = Vec::new();
                prop_assert!(grid.indices(&values, &mut found));
                let expected: Vec<u64> =
                    values.iter().filter_map(|value| grid.index(*value)).collect();
                prop_assert_eq!(found, expected);
            }
        }
    }

    #[test]
    fn refuses_grids_that_are_not_powers_of_two() {
        for bad in [0, 1, 1 << 19, 1 << 51, (1 << 30) + 1] {
            assert!(Grid::with_points(Bounds::UNIT, bad).is_err());
        }
    }
}
