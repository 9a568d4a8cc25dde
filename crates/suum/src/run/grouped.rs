//! One release, or one for each declared group.

use serde_json::Value;
use suum_core::{Error, LevelTable, Randomness, Result};
use suum_data::Groups;
use suum_report::{Grouped, Shown};

use super::{Task, accounts};
use crate::Answer;
use crate::meter::{Certified, LevelLoss, losses_of_groups};

/// The level table of all records, or one for each group.
pub(crate) enum Tables {
    One(LevelTable),
    Groups(Groups),
}

/// A release, or one for each group; a group without records has none.
pub(crate) enum Released<R> {
    One(R),
    Groups(String, Vec<(String, Option<R>)>),
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

    /// Lets `release` make a release of each table.
    pub(crate) fn release<R>(
        self,
        mut release: impl FnMut(LevelTable) -> Result<R>,
    ) -> Result<Released<R>> {
        match self {
            Tables::One(table) => release(table).map(Released::One),
            Tables::Groups(groups) => {
                let each = |(group, table): (String, Option<LevelTable>)| {
                    Ok((group, table.map(&mut release).transpose()?))
                };
                let releases = groups.tables.into_iter().map(each).collect::<Result<_>>()?;
                Ok(Released::Groups(groups.column, releases))
            }
        }
    }
}

impl<R: Grouped + Shown + Send + Sync + 'static> Released<R> {
    /// What the release says; `text` is that of a single one.
    pub(crate) fn answer(self, statistic: &'static str, text: fn(&R) -> String) -> Answer {
        let said = move |released: &Self| match released {
            Released::One(release) => text(release),
            Released::Groups(by, releases) => suum_report::groups_text(by, releases),
        };
        let page = |released: &Self| match released {
            Released::One(release) => release.page(),
            Released::Groups(by, releases) => suum_report::groups_page(by, releases),
        };
        Answer::shown(self, said, move |released| released.json(statistic), page)
    }

    /// The release as JSON.
    fn json(&self, statistic: &str) -> Result<String> {
        match self {
            Released::One(release) => suum_report::json(release),
            Released::Groups(by, releases) => suum_report::groups_json(statistic, by, releases),
        }
    }

    /// The release as a value, to be written down.
    fn certificate(&self, statistic: &str) -> Result<Value> {
        match self {
            Released::One(release) => accounts::certificate(release),
            Released::Groups(..) => serde_json::from_str(&self.json(statistic)?)
                .map_err(|_| Error::internal("internal error: a release has no JSON form")),
        }
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

/// Makes a release, charged to the accounts if there are any; `text` is that of a single one.
pub(crate) fn publish<R: Grouped + Shown + Certified + Send + Sync + 'static>(
    task: &Task<'_>,
    statistic: &'static str,
    randomness: Randomness,
    draw: impl FnOnce(&mut Randomness) -> Result<Released<R>>,
    text: fn(&R) -> String,
) -> Result<Answer> {
    let certificate = |released: &Released<R>| released.certificate(statistic);
    let (released, statement) = accounts::release(task, randomness, draw, certificate)?;
    Ok(released.answer(statistic, text).with_statement(statement))
}

impl<R: Certified> Certified for Released<R> {
    fn losses(&self) -> Vec<LevelLoss> {
        match self {
            Released::One(release) => release.losses(),
            Released::Groups(_, releases) => {
                losses_of_groups(releases.iter().filter_map(|(_, release)| release.as_ref()))
            }
        }
    }
}
