//! Estimator `uniform`: equal weights for all, at the budget of the strictest (UNI in CC23 and
//! CC24).

use super::Design;
use crate::{Setting, Weights};

pub(super) fn design(setting: &Setting) -> Design {
    let weights = Weights::proportional_to(&setting.profile, |_| 1.0);
    Design::weighted(weights)
}
