//! Reading a query from entries.

use suum_core::Result;

use super::Query;
use crate::options::{Entries, check_uses};
use crate::statistic::StatisticEntry;

impl Query {
    /// Reads a query from entries.
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

    /// Reads a query from a JSON object, such as the `query` of a release.
    ///
    /// # Errors
    ///
    /// Fails like [`new`](Self::new).
    pub fn from_json(text: &str) -> Result<Self> {
        Self::new(Entries::from_json(text)?)
    }

    /// Returns the options that a statistic has use for, by name, without the statistic itself.
    /// `summary` stands for several statistics.
    ///
    /// # Errors
    ///
    /// Refuses names that no statistic has.
    ///
    /// # Example
    ///
    /// ```
    /// let options = suum::Query::options("count")?;
    /// assert!(options.contains(&"epsilon") && !options.contains(&"bounds"));
    /// # Ok::<(), suum::Error>(())
    /// ```
    pub fn options(statistic: &str) -> Result<Vec<&'static str>> {
        let leaves = |option: &str| {
            StatisticEntry::named(statistic).is_none_or(|entry| entry.leaves(option))
        };
        let statistic = statistic.parse()?;
        let used = Self::OPTIONS.iter().filter(|row| row.of.include(&statistic));
        let names = used.map(|row| row.name).filter(|name| *name != "statistic" && leaves(name));
        Ok(names.collect())
    }

    /// Refuses options that the statistic has no use for.
    pub(crate) fn check(&self) -> Result<()> {
        check_uses(&self.set_rows(), &self.statistic)
    }
}
