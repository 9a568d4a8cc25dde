//! A query from what is said.

use suum_core::Result;

use super::{Entries, Query};

impl Query {
    /// The query that these entries say.
    ///
    /// # Errors
    ///
    /// Refuses names that do not exist, values that are malformed, and options that the statistic
    /// has no use for.
    pub fn new(mut entries: Entries) -> Result<Self> {
        let query = Self::take(&mut entries)?;
        entries.finish()?;
        query.check()?;
        Ok(query)
    }

    /// The query that a JSON object says, such as the `query` of a release.
    ///
    /// # Errors
    ///
    /// As [`new`](Self::new).
    pub fn from_json(text: &str) -> Result<Self> {
        Self::new(Entries::from_json(text)?)
    }
}
