//! `affine`: clipped weights whose τ minimises the exact risk of the target.
//!
//! For means and `population` this is ADPM of CC23; for the two dataset targets the same family
//! with the risk of CC24's uncorrelated and correlated settings in place of its bounds. A frequency
//! differs by its noise factor alone.

use super::Design;
use super::designs::Designs;
use crate::strategy::weights::{l1, stratified};
use crate::{Setting, Target};

pub(super) fn design(setting: &Setting, designs: &Designs) -> Design {
    design_for_variance(setting, designs, setting.relative_variance())
}

/// Returns clipped weights for values of this variance, as a share of the squared width of the
/// bounds; with strata, each has its own clip level.
pub(super) fn design_for_variance(setting: &Setting, designs: &Designs, variance: f64) -> Design {
    match setting.strata.is_empty() {
        true => Design::clipped(setting, clip_level(setting, designs, variance)),
        false => Design::weighted(stratified(setting, variance)),
    }
}

/// Returns τ for values of this variance, as a share of the squared width of the bounds.
pub(crate) fn clip_level(setting: &Setting, designs: &Designs, variance: f64) -> f64 {
    let n = setting.records();
    // N is the squared error of noise max w/ε = 1; 2 for a mean.
    let noise = setting.noise_factor;
    match setting.target {
        // σ²‖w‖² + N·max(w/ε)².
        Target::Population => designs.clip_level(noise / variance),
        // (n/(n−1))·σ²·(‖w‖² − 1/n) + N·max(w/ε)².
        Target::Dataset => designs.clip_level(noise * (n - 1.0) / (n * variance)),
        // (1/2)²·‖w − 1/n‖₁² + N·max(w/ε)².
        Target::DatasetCorrelated => l1::clip_level(&setting.profile, (4.0 * noise).sqrt()),
    }
}
