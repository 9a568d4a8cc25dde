//! Names of levels.

use std::fmt;

use serde::{Serialize, Serializer};

use crate::Epsilon;

/// Name of a level: the label of its tier, or its ε if budgets are numbers.
///
/// The text is made on demand: data in which all budgets differ have very many levels.
///
/// # Example
///
/// ```
/// use suum_core::{Epsilon, LevelName};
///
/// assert_eq!(LevelName::Label("strict".into()).to_string(), "strict");
/// assert_eq!(LevelName::Budget(Epsilon::new(0.10)?).to_string(), "0.1");
/// # Ok::<(), suum_core::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum LevelName {
    /// Label of a tier.
    Label(String),
    /// Budget.
    Budget(Epsilon),
}

impl fmt::Display for LevelName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Label(label) => f.write_str(label),
            Self::Budget(epsilon) => f.write_str(&epsilon.name()),
        }
    }
}

/// Equality with the text of the name.
impl PartialEq<str> for LevelName {
    fn eq(&self, text: &str) -> bool {
        match self {
            Self::Label(label) => label == text,
            Self::Budget(epsilon) => epsilon.name() == text,
        }
    }
}

impl Serialize for LevelName {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}
