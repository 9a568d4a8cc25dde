//! Password that is never shown.

use std::fmt;

/// Password; its `Debug` has none of it.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Password(String);

impl Password {
    pub(crate) fn new(word: impl Into<String>) -> Self {
        Self(word.into())
    }

    /// Password itself, for the protocol alone.
    pub(crate) fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Password {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("***")
    }
}
