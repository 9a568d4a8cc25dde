//! Estimator `proportional`: weights proportional to ε (PropDPM in CC23, PROP in CC24); with public
//! records, those alone.

use super::Design;
use crate::{Setting, Weights};

pub(super) fn design(setting: &Setting) -> Design {
    let weights = Weights::proportional_to(&setting.profile, |epsilon| epsilon);
    Design::weighted(weights)
}
