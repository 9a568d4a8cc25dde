//! Bounds for all methods: on the error of any estimator, and on the gain from personalisation.

mod best;
mod flips;
mod gaussian;
mod hodges_lehmann;
mod information;
mod le_cam;
mod noise_rules;
mod people;
mod ratio;
mod van_trees;

pub use best::lower_bound;
pub use gaussian::gaussian_lower_bound;
pub use ratio::threshold_ratio_bound;
