//! The designs of one setting, of which some estimators share a part.

use std::cell::RefCell;

use crate::strategy::weights::l2::PowerSums;
use crate::{Design, Profile};

/// The designs of one setting: what one estimator has worked out, another one need not.
pub(crate) struct Designs {
    sums: PowerSums,
    designs: RefCell<Vec<(&'static str, Design)>>,
}

impl Designs {
    pub(crate) fn new(profile: &Profile) -> Self {
        Self { sums: PowerSums::new(profile), designs: RefCell::default() }
    }

    /// τ of the L2 objective with this noise factor.
    pub(super) fn clip_level(&self, c: f64) -> f64 {
        self.sums.clip_level(c)
    }

    /// The design of this name, which is made once.
    pub(super) fn once(&self, name: &'static str, make: impl FnOnce() -> Design) -> Design {
        let known = |designs: &[(&str, Design)]| {
            designs.iter().find(|(known, _)| *known == name).map(|(_, design)| design.clone())
        };
        if let Some(design) = known(&self.designs.borrow()) {
            return design;
        }
        let design = make();
        self.designs.borrow_mut().push((name, design.clone()));
        design
    }
}
