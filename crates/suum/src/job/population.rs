//! For whom a plan is made.

use schemars::JsonSchema;
use suum_core::{Profile, Result};

use crate::query::{Entries, schema};
use crate::simulation::Shape;

/// For whom a plan is made, where that is not for the people in the data.
#[derive(Debug, Clone, PartialEq, Default, JsonSchema)]
pub struct Population {
    /// The profile in place of data: EPSILON:COUNT pairs, for example "0.1:3400,0.5:4300,inf:23".
    #[schemars(with = "String")]
    pub profile: Option<Profile>,
    /// Compare with other people: EPSILON:+N or EPSILON:-N, for example "inf:+500,0.1:-20".
    #[schemars(schema_with = "schema::number_or_text", extend("x-value" = "CHANGE"))]
    pub what_if: Option<String>,
    /// Simulate releases of data of a shape, for the errors and half widths they would have:
    /// normal, skewed, lumpy or two-valued.
    #[schemars(with = "String", extend("x-value" = "SHAPE"))]
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
