//! Cache of the designs of one setting, shared by its estimators.

use std::cell::RefCell;

use crate::strategy::weights::l2::PowerSums;
use crate::{Design, Profile};

/// Designs of one setting, each computed once for all estimators that use it.
pub(crate) struct Designs {
    sums: PowerSums,
    designs: RefCell<Vec<(&'static str, Design)>>,
}

impl Designs {
    pub(crate) fn new(profile: &Profile) -> Self {
        Self { sums: PowerSums::new(profile), designs: RefCell::default() }
    }

    /// Returns τ of the L2 objective with this noise factor.
    pub(super) fn clip_level(&self, c: f64) -> f64 {
        self.sums.clip_level(c)
    }

    /// Returns the design of this name, computed at the first call.
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
