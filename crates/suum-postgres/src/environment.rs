//! Environment variables of the process, or those of a test.

use std::path::PathBuf;

/// Looks up environment variables.
pub(crate) struct Environment<'a>(&'a dyn Fn(&str) -> Option<String>);

impl<'a> Environment<'a> {
    pub(crate) fn new(lookup: &'a dyn Fn(&str) -> Option<String>) -> Self {
        Self(lookup)
    }

    /// Value of a variable; an empty one counts as unset.
    pub(crate) fn get(&self, variable: &str) -> Option<String> {
        (self.0)(variable).filter(|value| !value.is_empty())
    }

    /// File in the folder where libpq keeps a user's files on Windows, otherwise in the home
    /// folder.
    pub(crate) fn file_of_user(&self, windows: &str, elsewhere: &str) -> Option<PathBuf> {
        if cfg!(windows) {
            let folder = self.get("APPDATA")?;
            return Some(PathBuf::from(folder).join("postgresql").join(windows));
        }
        Some(PathBuf::from(self.get("HOME")?).join(elsewhere))
    }
}
