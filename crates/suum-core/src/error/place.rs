//! Places of refusals: options and parts of a request, files, and cells of the data.

use std::borrow::Cow;
use std::fmt;

use super::option::OptionName;

/// Place of a refusal. It names options, files, columns and rows, and no data value.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Place {
    /// No particular place.
    #[default]
    Anywhere,
    /// Option of the request.
    Option(OptionName),
    /// Named part of a request, such as `level table`, or a file.
    Subject(Cow<'static, str>),
    /// File, folder or pattern of files.
    File(String),
    /// Cell of the data, or a part of it that is known.
    Cell {
        /// File, where there are several.
        file: Option<String>,
        /// Name of the column.
        column: Option<String>,
        /// Number of the row, from 1 on.
        row: Option<u64>,
    },
}

impl Place {
    /// Returns a file, a folder or a pattern of files, by its name.
    pub fn file(name: impl fmt::Display) -> Self {
        Self::File(name.to_string())
    }

    /// Returns a column of the data.
    pub fn column(name: impl Into<String>) -> Self {
        Self::Cell { file: None, column: Some(name.into()), row: None }
    }
}

impl From<OptionName> for Place {
    fn from(option: OptionName) -> Self {
        Self::Option(option)
    }
}

impl From<&'static str> for Place {
    fn from(name: &'static str) -> Self {
        Self::Subject(name.into())
    }
}

impl From<String> for Place {
    fn from(name: String) -> Self {
        Self::Subject(name.into())
    }
}

impl From<()> for Place {
    fn from((): ()) -> Self {
        Self::Anywhere
    }
}
