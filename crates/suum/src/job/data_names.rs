//! Names of the data of a job.

use serde::{Serialize, Serializer};
use suum_core::{Error, Result, option};

use crate::options::{Entries, OptionForm, OptionRow, Shape, Word, malformed};

/// Names of the data: of one place, or of several files that are read as one.
///
/// # Example
///
/// ```
/// let job = suum::query(suum::DataNames::new(["2024.csv", "2025.csv"])?).epsilon("eps");
/// assert_eq!(serde_json::to_string(&job.source)?, r#"{"data":["2024.csv","2025.csv"]}"#);
/// assert!(suum::DataNames::new([""; 0]).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DataNames(Vec<String>);

impl DataNames {
    /// Creates a list of at least one name.
    ///
    /// # Errors
    ///
    /// Refuses an empty list.
    pub fn new(names: impl IntoIterator<Item = impl Into<String>>) -> Result<Self> {
        let names: Vec<String> = names.into_iter().map(Into::into).collect();
        match names.is_empty() {
            true => Err(Error::parameter(option::DATA, "the list names no file")
                .with_fix("name at least one, or leave data out")),
            false => Ok(Self(names)),
        }
    }

    /// Only name; `None` if there are several.
    pub fn only(&self) -> Option<&str> {
        match self.0.as_slice() {
            [name] => Some(name),
            _ => None,
        }
    }

    /// All names, in the order in which they were given.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(String::as_str)
    }

    /// Returns other names in place of these, each made of one.
    #[must_use]
    pub(crate) fn map(self, rename: impl FnMut(String) -> String) -> Self {
        Self(self.0.into_iter().map(rename).collect())
    }
}

impl From<String> for DataNames {
    fn from(name: String) -> Self {
        Self(vec![name])
    }
}

impl From<&String> for DataNames {
    fn from(name: &String) -> Self {
        name.clone().into()
    }
}

impl From<&str> for DataNames {
    fn from(name: &str) -> Self {
        name.to_owned().into()
    }
}

/// Serialized as a text, or as a list of several.
impl Serialize for DataNames {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        match self.only() {
            Some(name) => serializer.serialize_str(name),
            None => self.0.serialize(serializer),
        }
    }
}

/// Form of one name, or of a list of names, with any characters.
pub(crate) struct NameList;

impl OptionForm<DataNames> for NameList {
    const SHAPE: Shape = Shape::NAME;

    fn read(row: &OptionRow, word: Word, _: &Entries) -> Result<DataNames> {
        let refused = || malformed(row.name, "a text, or a list of texts");
        let items = match word {
            Word::List(items) => items,
            one => vec![one],
        };
        let text = |item: Word| match item {
            Word::Text(text) => Ok(text),
            _ => Err(refused()),
        };
        DataNames::new(items.into_iter().map(text).collect::<Result<Vec<_>>>()?)
    }
}
