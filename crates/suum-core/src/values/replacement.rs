//! Treatment of records whose value is missing.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::number::NumberOrText;

/// Treatment of missing values, if they are not refused: a public constant replaces them, or their
/// records are left out.
///
/// With a constant the statistic includes it for every missing value. In JSON a constant is a
/// number or a text, and [`Excluded`](Self::Excluded) is the text `exclude`.
///
/// # Example
///
/// ```
/// use suum_core::Replacement;
///
/// assert_eq!(Replacement::Number(0.0).to_string(), "0");
/// assert_eq!(Replacement::Category("unknown".into()).to_string(), "unknown");
/// assert_eq!(Replacement::Excluded.to_string(), "exclude");
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(from = "NumberOrText", into = "NumberOrText")]
pub enum Replacement {
    /// Number, in units of the data.
    Number(f64),
    /// Declared category, in which missing values are counted.
    Category(String),
    /// Exclusion of records without a value. The number of the others is then private, so only
    /// add-remove releases can use them.
    Excluded,
}

impl Replacement {
    /// Word for [`Excluded`](Self::Excluded), which therefore cannot be the category of missing
    /// values.
    pub const EXCLUDE: &'static str = "exclude";
}

impl fmt::Display for Replacement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => write!(f, "{number}"),
            Self::Category(category) => f.write_str(category),
            Self::Excluded => f.write_str(Self::EXCLUDE),
        }
    }
}

impl From<NumberOrText> for Replacement {
    fn from(form: NumberOrText) -> Self {
        match form {
            NumberOrText::Number(number) => Self::Number(number),
            NumberOrText::Text(text) if text == Self::EXCLUDE => Self::Excluded,
            NumberOrText::Text(text) => Self::Category(text),
        }
    }
}

impl From<Replacement> for NumberOrText {
    fn from(replacement: Replacement) -> Self {
        match replacement {
            Replacement::Number(number) => Self::Number(number),
            text => Self::Text(text.to_string()),
        }
    }
}
