//! The declared categories of a frequency.

use std::collections::HashSet;
use std::str::FromStr;

use serde::Serialize;

use crate::{Error, Result};

/// The categories whose shares are published, in the order they were declared.
///
/// Categories must come from public knowledge. Read off the data they would reveal which values
/// occur.
///
/// # Example
///
/// ```
/// use suum_core::Categories;
///
/// let health: Categories = "excellent,good,fair,poor".parse()?;
/// assert_eq!(health.len(), 4);
/// assert!("good,good".parse::<Categories>().is_err());
/// # Ok::<(), suum_core::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Categories(Vec<String>);

impl Categories {
    /// The most categories a frequency can have.
    pub const MOST: usize = 65_536;

    /// Categories of these names.
    ///
    /// # Errors
    ///
    /// Refuses fewer than two categories, more than [`Categories::MOST`], and empty or repeated
    /// names.
    pub fn new(names: Vec<String>) -> Result<Self> {
        let hint = "for example --categories good,fair,poor";
        if names.len() < 2 {
            return Err(Error::parameter("categories: there must be at least two").with_hint(hint));
        }
        if names.len() > Self::MOST {
            return Err(Error::parameter("categories: there are more than 65536")
                .with_hint("merge rare ones"));
        }
        let mut seen = HashSet::new();
        for (position, name) in names.iter().enumerate() {
            if name.is_empty() || !seen.insert(name.as_str()) {
                let what = if name.is_empty() { "is empty" } else { "is repeated" };
                return Err(Error::parameter(format!(
                    "categories: number {} {what}",
                    position + 1
                ))
                .with_hint(hint));
            }
        }
        Ok(Self(names))
    }

    /// The names, in the order declared.
    pub fn names(&self) -> &[String] {
        &self.0
    }

    /// k: how many there are; at least two.
    #[allow(clippy::len_without_is_empty, reason = "there are always at least two")]
    pub fn len(&self) -> usize {
        self.0.len()
    }
}

/// Names separated by commas; spaces around them are dropped.
impl FromStr for Categories {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        Self::new(text.split(',').map(|name| name.trim().to_owned()).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refuses_what_is_no_list_of_categories() {
        for bad in ["", "a", "a,", "a,a", " , "] {
            assert!(bad.parse::<Categories>().is_err(), "{bad}");
        }
        assert!(Categories::new((0..65_537).map(|i| i.to_string()).collect()).is_err());
    }
}
