//! Estimator `stretch`: values are shrunk towards the lower bound by ε/ε_max, then averaged at
//! ε_max (Alaggan et al.).
//!
//! A baseline for comparison: shrinking biases it by up to (1 − mean ε/ε_max)·h, which no amount of
//! data removes (CC23 Example 2).

use super::Design;
use crate::{Method, Setting, Weights};

pub(super) fn design(setting: &Setting) -> Design {
    let levels = setting.profile.levels();
    let largest = levels.last().map_or(1.0, |level| level.epsilon.get());
    let n = setting.records();
    let weights = Weights::from_levels(
        &setting.profile,
        levels.iter().map(|level| level.epsilon.get() / largest / n).collect(),
    );
    Design { weights, method: Method::Stretch, tau: None, objective: None }
}
