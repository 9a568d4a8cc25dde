//! One release, or one for each of several disjoint groups.

use serde::{Serialize, Serializer};

use super::{Release, Spending, largest_losses};

/// What was published at once: a release of all records, or one of each declared group.
#[derive(Debug, Clone, PartialEq)]
pub enum Releases {
    /// Of all records.
    One(Box<Release>),
    /// Of each group.
    Groups(GroupReleases),
}

/// A release of each declared group of records; each record is in one group.
#[derive(Debug, Clone, PartialEq)]
pub struct GroupReleases {
    /// The column of groups.
    pub by: String,
    /// The groups in the order declared. One without records has no release.
    pub groups: Vec<(String, Option<Release>)>,
}

impl From<Release> for Releases {
    fn from(release: Release) -> Self {
        Self::One(Box::new(release))
    }
}

impl Releases {
    /// The release of all records, if it is one.
    pub fn one(&self) -> Option<&Release> {
        match self {
            Self::One(release) => Some(release),
            Self::Groups(_) => None,
        }
    }

    /// All releases that there are.
    pub fn iter(&self) -> impl Iterator<Item = &Release> {
        let (one, groups) = match self {
            Self::One(release) => (Some(&**release), None),
            Self::Groups(groups) => (None, Some(groups.iter())),
        };
        one.into_iter().chain(groups.into_iter().flatten())
    }

    /// What each level lost: of disjoint groups the most that it lost in any.
    pub fn certificate(&self) -> Vec<Spending> {
        match self {
            Self::One(release) => release.privacy.clone(),
            Self::Groups(groups) => groups.certificate(),
        }
    }
}

impl GroupReleases {
    /// The releases of the groups that have records.
    pub fn iter(&self) -> impl Iterator<Item = &Release> {
        self.groups.iter().filter_map(|(_, release)| release.as_ref())
    }

    /// What each level lost: the most that it lost in any group, since nobody is in two.
    pub fn certificate(&self) -> Vec<Spending> {
        largest_losses(self.iter().flat_map(|release| &release.privacy).cloned())
    }

    /// Whether all noise came from secret entropy.
    pub fn is_private(&self) -> bool {
        self.iter().all(|release| release.private)
    }
}

impl Serialize for Releases {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::One(release) => release.serialize(serializer),
            Self::Groups(groups) => groups.serialize(serializer),
        }
    }
}

/// A group without records has `"records": 0` and nothing else.
impl Serialize for GroupReleases {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Record<'a> {
            statistic: Option<&'static str>,
            column: Option<&'a str>,
            group_by: &'a str,
            groups: Vec<Group<'a>>,
            private: bool,
        }
        #[derive(Serialize)]
        struct Group<'a> {
            group: &'a str,
            #[serde(flatten)]
            release: Option<&'a Release>,
            #[serde(skip_serializing_if = "Option::is_none")]
            records: Option<u64>,
        }
        let groups = self.groups.iter().map(|(group, release)| Group {
            group,
            release: release.as_ref(),
            records: release.is_none().then_some(0),
        });
        let first = self.iter().next();
        Record {
            statistic: first.map(Release::statistic),
            column: first.and_then(|release| release.column.as_deref()),
            group_by: &self.by,
            groups: groups.collect(),
            private: self.is_private(),
        }
        .serialize(serializer)
    }
}
