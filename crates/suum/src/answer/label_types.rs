//! Types of declared labels in the data of the caller.

use serde::{Deserialize, Serialize};

/// What the labels of an answer are in the data of whoever asks, where not all are text, which they
/// are in JSON.
///
/// # Example
///
/// ```
/// use suum::{LabelType, LabelTypes};
///
/// let types = LabelTypes { groups: vec![LabelType::Integer], ..LabelTypes::default() };
/// assert_ne!(types, LabelTypes::default());
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(
    feature = "schema",
    schemars(description = "What labels are in the data of whoever asks, where not all are text.")
)]
pub struct LabelTypes {
    /// Those of each column of groups.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub groups: Vec<LabelType>,
    /// Those of the column of categories, or of both columns of a table.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub categories: Vec<LabelType>,
}

/// What labels are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum LabelType {
    /// Text, or of several types.
    Text,
    /// Whole numbers.
    Integer,
    /// Numbers, of which some are not whole, or are doubles.
    Number,
    /// Truth values.
    Boolean,
    /// Dates.
    Date,
    /// Dates with a time of day.
    Time,
    /// Moments of a time zone, whose text is in UTC.
    Instant,
}
