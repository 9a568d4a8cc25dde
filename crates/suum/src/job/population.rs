//! For whom a plan is made.

use suum_core::{Profile, Result};

use crate::query::Entries;
use crate::simulation::Shape;

/// For whom a plan is made, where that is not for the people in the data.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Population {
    /// How many people have which budget.
    pub profile: Option<Profile>,
    /// Other people to compare with, as in `inf:+500,0.1:-20`.
    pub what_if: Option<String>,
    /// The shape of data for which releases are simulated.
    pub assume: Option<Shape>,
}

impl Population {
    /// Takes what the entries say of people, and leaves the rest.
    pub(crate) fn take(entries: &mut Entries) -> Result<Self> {
        Ok(Self {
            profile: entries.counts("profile", "")?.map(|text| text.parse()).transpose()?,
            what_if: entries.counts("what_if", "+")?,
            assume: entries.choice("assume")?,
        })
    }
}
