//! What stands in place of missing values.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The public constant that was put in place of missing values: the statistic is one of the values
/// with it, not of those that are there.
///
/// # Example
///
/// ```
/// use suum_core::Replacement;
///
/// assert_eq!(Replacement::Number(0.0).to_string(), "0");
/// assert_eq!(Replacement::Category("unknown".into()).to_string(), "unknown");
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Replacement {
    /// A number, in units of the data.
    Number(f64),
    /// A declared category, in which missing values are counted.
    Category(String),
}

impl fmt::Display for Replacement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => write!(f, "{number}"),
            Self::Category(category) => f.write_str(category),
        }
    }
}
