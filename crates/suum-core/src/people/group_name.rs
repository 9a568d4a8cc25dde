//! Names of groups, with one label for each column.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Name of a group: its label, or one label for each of several columns. The names of these columns
/// form such a name as well.
///
/// In JSON it is a text if it has one label, and a list of texts if it has several.
///
/// # Example
///
/// ```
/// use suum_core::GroupName;
///
/// let (north, north_f) = (GroupName::from("north"), GroupName::from_labels(["north", "f"]));
/// assert_eq!((north.as_str(), north_f.as_str()), ("north", "north, f"));
/// assert_ne!(north_f, GroupName::from("north, f"));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct GroupName {
    labels: Vec<String>,
    text: String,
}

impl GroupName {
    /// Returns the name with these labels, one for each column.
    pub fn from_labels(labels: impl IntoIterator<Item = impl Into<String>>) -> Self {
        let labels: Vec<String> = labels.into_iter().map(Into::into).collect();
        Self { text: labels.join(", "), labels }
    }

    /// The labels, one for each column.
    pub fn labels(&self) -> &[String] {
        &self.labels
    }

    /// Returns the name for readers: labels with commas between them.
    ///
    /// Two names can read alike if labels contain commas.
    pub fn as_str(&self) -> &str {
        &self.text
    }
}

impl From<&str> for GroupName {
    fn from(label: &str) -> Self {
        Self::from_labels([label])
    }
}

impl From<String> for GroupName {
    fn from(label: String) -> Self {
        Self::from_labels([label])
    }
}

/// Equality with a text: the name has this label and no other.
impl PartialEq<&str> for GroupName {
    fn eq(&self, label: &&str) -> bool {
        self.labels == [*label]
    }
}

impl fmt::Display for GroupName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// One label as a text, several as a list; written by hand because both have one type here.
impl Serialize for GroupName {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.labels.as_slice() {
            [one] => serializer.serialize_str(one),
            several => serializer.collect_seq(several),
        }
    }
}

impl<'de> Deserialize<'de> for GroupName {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum OneOrSeveral {
            One(String),
            Several(Vec<String>),
        }
        Ok(match OneOrSeveral::deserialize(deserializer)? {
            OneOrSeveral::One(label) => Self::from(label),
            OneOrSeveral::Several(labels) => Self::from_labels(labels),
        })
    }
}
