//! The declared categories of a frequency.

use std::collections::HashSet;
use std::str::FromStr;

use serde::Serialize;

use crate::error::{for_example, option};
use crate::{Crosstab, Error, Result};

/// Categories whose shares are published, in the order declared.
///
/// Categories must come from public knowledge. Read off the data, they would reveal which values
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
pub struct Categories {
    names: Vec<String>,
    #[serde(skip)]
    crosstab: Option<Crosstab>,
    #[serde(skip)]
    is_divided: bool,
}

impl Categories {
    /// Largest number of categories of a frequency.
    pub const MOST: usize = 65_536;

    /// Number of steps of one record whose count is [divided](Self::divided) among categories.
    pub const STEPS: u64 = 1 << 20;

    /// Returns categories with these names.
    ///
    /// # Errors
    ///
    /// Refuses fewer than two categories, more than [`Categories::MOST`], and empty or repeated
    /// names.
    pub fn new(names: Vec<String>) -> Result<Self> {
        let example = || for_example(option::CATEGORIES, "good,fair,poor");
        if names.len() < 2 {
            return Err(Error::parameter(option::CATEGORIES, "there must be at least two")
                .with_fix(example()));
        }
        if names.len() > Self::MOST {
            return Err(Error::parameter(option::CATEGORIES, "there are more than 65536")
                .with_fix("merge rare ones"));
        }
        let mut seen = HashSet::new();
        for (position, name) in names.iter().enumerate() {
            if name.is_empty() || !seen.insert(name.as_str()) {
                let what = if name.is_empty() { "is empty" } else { "is repeated" };
                return Err(Error::parameter(
                    option::CATEGORIES,
                    format!("number {} {what}", position + 1),
                )
                .with_fix(example()));
            }
        }
        Ok(Self { names, crosstab: None, is_divided: false })
    }

    /// Returns the cells of a table of two columns as categories, row by row. The name of a cell
    /// has both labels, as in `north, f`.
    ///
    /// # Errors
    ///
    /// Refuses labels with commas that give two cells the same name.
    pub fn crossed(crosstab: Crosstab) -> Result<Self> {
        let names = crosstab.cells().map(|cell| cell.to_string()).collect();
        let cells = Self::new(names).map_err(|_| {
            Error::parameter(option::CROSSTAB, "two cells would have the same name")
                .with_fix("leave the commas out of the labels of the categories")
        })?;
        Ok(Self { crosstab: Some(crosstab), ..cells })
    }

    /// Returns the categories, counted so that each record divides one count among them: a person
    /// with several rows has a share in each category that these are in.
    ///
    /// # Example
    ///
    /// ```
    /// use suum_core::Categories;
    ///
    /// let health: Categories = "good,poor".parse()?;
    /// assert_eq!(health.steps(), 1);
    /// assert_eq!(health.divided().steps(), Categories::STEPS);
    /// # Ok::<(), suum_core::Error>(())
    /// ```
    #[must_use]
    pub fn divided(self) -> Self {
        Self { is_divided: true, ..self }
    }

    /// Returns true if a record can count in several categories, with a share in each.
    pub fn are_divided(&self) -> bool {
        self.is_divided
    }

    /// Returns the number of steps by which one record moves all counts together: 1 if it is in
    /// one category, and [`STEPS`](Self::STEPS) if it divides its count among several.
    pub fn steps(&self) -> u64 {
        if self.is_divided { Self::STEPS } else { 1 }
    }

    /// Returns true if these are the same categories, however records count in them.
    pub fn have_names_of(&self, other: &Self) -> bool {
        self.names == other.names && self.crosstab == other.crosstab
    }

    /// Returns the table whose cells these are; `None` for plain categories.
    pub fn crosstab(&self) -> Option<&Crosstab> {
        self.crosstab.as_ref()
    }

    /// Returns the number of shares that have an interval: every category, and the margins of a
    /// table.
    pub(crate) fn intervals(&self) -> usize {
        let margins = self.crosstab.iter().flat_map(Crosstab::labels).map(Vec::len);
        self.len() + margins.sum::<usize>()
    }

    /// The names, in the order declared.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Returns k, the number of categories; at least two.
    #[allow(clippy::len_without_is_empty, reason = "there are always at least two")]
    pub fn len(&self) -> usize {
        self.names.len()
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

    #[test]
    fn two_cells_have_two_names() {
        let labels = [vec!["a", "a, b"], vec!["c", "b, c"]];
        let labels = labels.map(|labels| labels.into_iter().map(str::to_owned).collect());
        let table = Crosstab::new(["x".into(), "y".into()], labels).unwrap();
        let refused = Categories::crossed(table).unwrap_err().to_string();
        assert_eq!(refused, "crosstab: two cells would have the same name");
    }
}
