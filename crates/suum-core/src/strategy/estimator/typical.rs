//! Estimator `typical`: clipped weights for values of a usual spread.
//!
//! [`affine`](super::Estimator::Affine) is made for the worst case, half of the values at each
//! bound. Real values spread less, and then more of the error is noise, which larger weights make
//! smaller. The price in the worst case is at most 24 % more error (`docs/mechanisms/typical.md`
//! has the proof). Of people far below τ with (Σε)² = x·m and m people far above it, the squared
//! error is (8x + 900)(x + 8)/(8(x + 30)²) times as large, 1.505 times at x = 30.3: 22.7 % more
//! error.

use super::designs::Designs;
use super::{Design, affine};
use crate::error::option;
use crate::{Error, Result, Setting, Target};

/// Variance that the weights of [`typical`](super::Estimator::Typical) are optimal for, as a share
/// of the squared width of the bounds: a standard deviation of about a quarter of the width.
pub const VARIANCE: f64 = 1.0 / 15.0;

pub(super) fn design(setting: &Setting, designs: &Designs) -> Result<Design> {
    if setting.target == Target::DatasetCorrelated {
        return Err(Error::request(
            option::ESTIMATOR,
            "typical has no meaning for the target dataset-correlated, whose worst case no spread \
             makes better",
        )
        .with_fix("choose auto, or another target"));
    }
    Ok(affine::design_for_variance(setting, designs, VARIANCE))
}
