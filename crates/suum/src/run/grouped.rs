//! One release, or one for each declared group.

use suum_core::{Error, GroupReleases, LevelTable, Release, Releases, Result};
use suum_data::Groups;

use super::{Task, accounts};

/// The level table of all records, or one for each group.
pub(crate) enum Tables {
    One(LevelTable),
    Groups(Groups),
}

impl Tables {
    /// All tables that there are.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &LevelTable> {
        let (one, groups) = match self {
            Tables::One(table) => (Some(table), &[][..]),
            Tables::Groups(groups) => (None, groups.tables.as_slice()),
        };
        one.into_iter().chain(groups.iter().filter_map(|(_, table)| table.as_ref()))
    }

    /// Refuses groups of which none has records.
    pub(crate) fn check(&self) -> Result<()> {
        match self.iter().next() {
            Some(_) => Ok(()),
            None => Err(Error::data("groups: none of the declared groups has records")
                .with_hint("check the spelling of --groups, and the column of --group-by")),
        }
    }

    /// Lets `release` make a release of each table.
    pub(crate) fn release(
        self,
        mut release: impl FnMut(LevelTable) -> Result<Release>,
    ) -> Result<Releases> {
        let groups = match self {
            Tables::One(table) => return release(table).map(Releases::from),
            Tables::Groups(groups) => groups,
        };
        let each = |(group, table): (String, Option<LevelTable>)| {
            Ok((group, table.map(&mut release).transpose()?))
        };
        let releases = groups.tables.into_iter().map(each).collect::<Result<_>>()?;
        GroupReleases::new(groups.column, releases).map(Releases::Groups)
    }
}

/// The tables at the least share of all budgets with which the expected error is the one asked for,
/// if one is.
pub(crate) fn aim(
    task: &Task<'_>,
    tables: Tables,
    error: impl Fn(&LevelTable) -> Result<f64>,
) -> Result<Tables> {
    match tables {
        Tables::One(table) => accounts::aim_table(task, table, error).map(Tables::One),
        Tables::Groups(_) if task.charge.target_rmse.is_none() => Ok(tables),
        Tables::Groups(_) => Err(Error::request("target-rmse: groups have different errors")
            .with_hint("use --spend SHARE in place of --target-rmse")),
    }
}
