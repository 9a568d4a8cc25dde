//! Bounds that hold for everybody: how good any estimator can be, and what personalisation can
//! gain.

mod gaussian;
mod le_cam;
mod ratio;

pub use gaussian::gaussian_lower_bound;
pub use le_cam::lower_bound;
pub use ratio::threshold_ratio_bound;
