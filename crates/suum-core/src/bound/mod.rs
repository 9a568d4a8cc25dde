//! Bounds that hold for everybody: how good any estimator can be, and what personalisation can gain.

mod le_cam;
mod ratio;

pub use le_cam::lower_bound;
pub use ratio::threshold_ratio_bound;
