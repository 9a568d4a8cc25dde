//! Unit that a guarantee protects.

use serde::Serialize;

/// Unit that a guarantee protects: one row of the data, or one person with all their rows.
///
/// Only a column that names persons shows which rows belong together. Without one, a person with
/// several rows can lose the sum of what their rows lose.
///
/// # Example
///
/// ```
/// use suum_core::ProtectedUnit;
///
/// assert_eq!(ProtectedUnit::by(None).many(), "records");
/// assert_eq!(ProtectedUnit::by(Some("id")).one(), "person");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum ProtectedUnit {
    /// One row of the data.
    Record,
    /// One person, with all their rows.
    Person,
}

impl ProtectedUnit {
    /// Returns the unit for this column that names persons; without one it is each record.
    pub fn by(person: Option<&str>) -> Self {
        if person.is_some() { Self::Person } else { Self::Record }
    }

    /// Returns the word for one unit.
    pub fn one(self) -> &'static str {
        match self {
            Self::Record => "record",
            Self::Person => "person",
        }
    }

    /// Returns the word for several units.
    pub fn many(self) -> &'static str {
        match self {
            Self::Record => "records",
            Self::Person => "people",
        }
    }
}
