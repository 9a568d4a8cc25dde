//! The fixed-point grid: the one door through which data values enter the private path.

use crate::{Bounds, Error, Result};

/// A public grid of 2^B + 1 points over the bounds.
///
/// Point 0 is the lower and point G = 2^B the upper bound. Values enter as integers, so that everything after
/// this module is exact. B and κ depend on nothing but the bounds.
///
/// # Formula
///
/// index(x) = ⌊(clamp(x) − lo)·κ + ½⌋ with κ = G/(hi − lo) rounded once to a double: four IEEE operations in this
/// order, which every engine that computes level tables repeats to the last bit.
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
    bits: u32,
    kappa: f64,
}

impl Grid {
    /// B of the grid that suum chooses: 2^30 steps, finer than any noise it will meet, and small enough for
    /// an index to fit a 32-bit integer and for the sum of 2^33 records to fit 64 bits.
    pub const BITS: u32 = 30;

    /// The default grid over the bounds.
    pub fn new(bounds: Bounds) -> Self {
        let points = (1u64 << Self::BITS) as f64;
        Self { bounds, bits: Self::BITS, kappa: points / bounds.width() }
    }

    /// A grid with `points` = 2^B steps, for level tables made elsewhere.
    ///
    /// # Errors
    ///
    /// Refuses step counts that are not a power of two from 2^20 to 2^50.
    pub fn with_points(bounds: Bounds, points: u64) -> Result<Self> {
        if !points.is_power_of_two() || !(1 << 20..=1 << 50).contains(&points) {
            return Err(Error::table("grid: the number of steps must be a power of two from 2^20 to 2^50"));
        }
        Ok(Self { bounds, bits: points.trailing_zeros(), kappa: points as f64 / bounds.width() })
    }

    /// The bounds the grid spans.
    pub fn bounds(&self) -> Bounds {
        self.bounds
    }

    /// G: the number of steps, and the largest index.
    pub fn points(&self) -> u64 {
        1 << self.bits
    }

    /// κ: steps per unit of the data, as rounded.
    pub fn kappa(&self) -> f64 {
        self.kappa
    }

    /// The index of the grid point nearest to the clamped value; `None` for NaN.
    #[inline]
    pub fn index(&self, value: f64) -> Option<u64> {
        if value.is_nan() {
            return None;
        }
        let position = (self.bounds.clamp(value) - self.bounds.lower()) * self.kappa + 0.5;
        // Non-negative, so the cast truncates as floor does; rounding of κ can reach G + ½ but not beyond.
        Some((position as u64).min(self.points()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

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

    #[test]
    fn refuses_grids_that_are_not_powers_of_two() {
        for bad in [0, 1, 1 << 19, 1 << 51, (1 << 30) + 1] {
            assert!(Grid::with_points(Bounds::UNIT, bad).is_err());
        }
    }
}
