//! `affine`: clipped weights whose τ minimises the exact risk of the target.
//!
//! For `population` this is ADPM of CC23; for the two dataset targets the same family with the risk of
//! CC24's uncorrelated and correlated settings in place of its bounds.

use super::Design;
use crate::weights::{l1, l2};
use crate::{Setting, Target};

pub(super) fn design(setting: &Setting) -> Design {
    let (n, variance) = (setting.records(), setting.relative_variance());
    let tau = match setting.target {
        // σ²‖w‖² + 2h²·max(w/ε)².
        Target::Population => l2::clip_level(&setting.profile, 2.0 / variance),
        // (n/(n−1))·σ²·(‖w‖² − 1/n) + 2h²·max(w/ε)².
        Target::Dataset => l2::clip_level(&setting.profile, 2.0 * (n - 1.0) / (n * variance)),
        // (h/2)²·‖w − 1/n‖₁² + 2h²·max(w/ε)².
        Target::DatasetCorrelated => l1::clip_level(&setting.profile, 8f64.sqrt()),
    };
    Design::clipped(setting, tau)
}
