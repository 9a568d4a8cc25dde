//! A level table for each declared group.

use std::collections::HashSet;

use suum_core::{
    Categories, Error, GroupName, LevelTable, OptionName, Phrase, Result, for_example, option, say,
};

use crate::scan::category_rule::CategoryRule;

/// A column of declared groups.
#[derive(Debug, Clone, PartialEq)]
pub struct GroupColumn {
    /// The name of the column.
    pub column: String,
    /// Groups that may occur, and the one for all others if there is one. They are labels.
    pub groups: CategoryRule,
}

/// Columns that assign records to groups: there is a group for each combination of their labels.
///
/// # Example
///
/// ```
/// use suum_data::{CategoryRule, GroupColumn, Grouping};
///
/// let column = |name: &str, labels: [&str; 2]| {
///     let labels = labels.map(str::to_owned).to_vec();
///     Ok::<_, suum_core::Error>(GroupColumn {
///         column: name.to_owned(),
///         groups: CategoryRule::labels(labels, None)?,
///     })
/// };
/// let columns = vec![column("region", ["north", "south"])?, column("sex", ["f", "m"])?];
/// let grouping = Grouping::new(columns)?;
/// let names: Vec<String> = grouping.names().map(|name| name.to_string()).collect();
/// assert_eq!(names, ["north, f", "north, m", "south, f", "south, m"]);
/// # Ok::<(), suum_core::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Grouping {
    columns: Vec<GroupColumn>,
    groups: usize,
    ends_in_strata: bool,
}

/// Role of the labels of a column that groups records.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GroupKind {
    /// Groups, each of which has a release.
    Group,
    /// Strata, whose shares an estimate preserves.
    Stratum,
    /// Design weights; records of equal weight form a stratum.
    Weight,
}

impl Grouping {
    /// Largest number of columns that records can be grouped by.
    pub const MOST_COLUMNS: usize = 4;

    /// Creates groups by these columns.
    ///
    /// # Errors
    ///
    /// Refuses no columns, more than [`MOST_COLUMNS`](Self::MOST_COLUMNS), a repeated column, and
    /// more groups than [`Categories::MOST`].
    pub fn new(columns: Vec<GroupColumn>) -> Result<Self> {
        let refuse = |at: OptionName, what: &'static str, fix: Phrase| {
            Err(Error::parameter(at, what).with_fix(fix))
        };
        if columns.is_empty() || columns.len() > Self::MOST_COLUMNS {
            let hint = for_example(option::GROUP_BY, "region,sex");
            return refuse(option::GROUP_BY, "groups are those of one to four columns", hint);
        }
        let mut names = HashSet::new();
        if !columns.iter().all(|one| names.insert(one.column.trim_ascii())) {
            return refuse(
                option::GROUP_BY,
                "a column is there twice",
                say("name each column once"),
            );
        }
        let sizes = columns.iter().map(|one| one.groups.categories().len());
        let groups = sizes.fold(1, usize::saturating_mul);
        if groups > Categories::MOST {
            return refuse(
                option::GROUPS,
                "there are more than 65536",
                say("merge groups, or group by less"),
            );
        }
        Ok(Self { columns, groups, ends_in_strata: false })
    }

    /// Creates groups by one column.
    pub fn one(column: impl Into<String>, groups: CategoryRule) -> Self {
        Self {
            groups: groups.categories().len(),
            columns: vec![GroupColumn { column: column.into(), groups }],
            ends_in_strata: false,
        }
    }

    /// Returns the groups by some of these columns; `None` if none is left.
    #[must_use]
    pub fn by_some(&self, is_left: impl Fn(&GroupColumn) -> bool) -> Option<Self> {
        let columns: Vec<GroupColumn> =
            self.columns.iter().filter(|one| is_left(one)).cloned().collect();
        let ends_in_strata = self.ends_in_strata && self.columns.last().is_some_and(&is_left);
        let groups = columns.iter().map(|one| one.groups.categories().len()).product();
        (!columns.is_empty()).then_some(Self { columns, groups, ends_in_strata })
    }

    /// Marks the last column as one of strata.
    #[must_use]
    pub fn ending_in_strata(self) -> Self {
        Self { ends_in_strata: true, ..self }
    }

    /// Role of the labels of the column at this index.
    pub fn kind(&self, at: usize) -> GroupKind {
        match self.columns.get(at) {
            Some(column) if column.groups.as_weights().is_some() => GroupKind::Weight,
            Some(_) if self.ends_in_strata && at + 1 == self.columns.len() => GroupKind::Stratum,
            _ => GroupKind::Group,
        }
    }

    /// Columns; the labels of the last one vary fastest in the order of groups.
    pub fn columns(&self) -> &[GroupColumn] {
        &self.columns
    }

    /// Number of groups.
    pub fn count(&self) -> usize {
        self.groups
    }

    /// The names of the columns.
    pub fn by(&self) -> GroupName {
        GroupName::from_labels(self.columns.iter().map(|one| one.column.as_str()))
    }

    /// Names of all groups, in the order of their numbers.
    pub fn names(&self) -> impl Iterator<Item = GroupName> {
        (0..self.groups).map(|group| {
            let mut rest = group;
            let labels = self.columns.iter().rev().map(|one| {
                let names = one.groups.categories().names();
                let label = names[rest % names.len()].as_str();
                rest /= names.len();
                label
            });
            let mut labels: Vec<&str> = labels.collect();
            labels.reverse();
            GroupName::from_labels(labels)
        })
    }
}

impl From<GroupColumn> for Grouping {
    fn from(column: GroupColumn) -> Self {
        Self::one(column.column, column.groups)
    }
}

/// Result for each group: its level table, or its records.
#[derive(Debug, Clone, PartialEq)]
pub struct Groups<T = LevelTable> {
    /// Name of the column of groups, or of several.
    pub column: GroupName,
    /// Groups in the order declared, each with its table or its records; `None` for a group without
    /// records, which has an empty table with [`Scan::add_remove`](crate::Scan::add_remove).
    ///
    /// Presence of records in a group can depend on a single record. A list of groups is public
    /// because it was declared, not because it occurred in the data.
    pub each: Vec<(GroupName, Option<T>)>,
}

/// Tables computed elsewhere, by a level query or for a level-table file: one table, or one for
/// each declared group.
#[derive(Debug, Clone, PartialEq)]
pub enum LevelTables {
    /// Table of all records.
    One(LevelTable),
    /// Table for each group.
    Groups(Groups),
}
