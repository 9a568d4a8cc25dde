//! What a level is called.

use std::fmt;

use serde::{Serialize, Serializer};

use crate::Epsilon;

/// What a level is called: the label of its tier, or its ε where budgets are numbers.
///
/// Its text is made when it is asked for: data in which all budgets differ have very many levels.
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
    /// The label of a tier.
    Label(String),
    /// A budget.
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

/// Whether it is this text.
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
