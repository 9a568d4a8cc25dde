//! Release of any statistic: from a job to the output.

use std::sync::Arc;

use suum_core::{LevelTable, Memberships, Profile, Release, Result};
use suum_data::{Phase, Reading, RecordBuffer, Scan};

use super::goal::Goal;
use super::grouped::{PerGroup, Tables};
use super::members::{self, Members};
use super::ready::Ready;
use super::{Task, accounts, add_remove, reading, statistic, tables, unbounded};
use crate::Answer;
use crate::query::Query;
use crate::statistic::StatisticName;

/// Answers one query.
pub(crate) fn run(task: &Task<'_>) -> Result<Answer> {
    let randomness = task.query.randomness()?;
    let scan = scan(task)?;
    let reading = scan.map(|scan| reading::read(task, &scan)).transpose()?;
    match ready(task, input(task, reading)?)? {
        Ready::Free(releases) => {
            // From now on exact numbers of the columns are public.
            accounts::publish(task)?;
            Ok(Answer::from_content(releases))
        }
        Ready::Draw(draw) => {
            accounts::release(task, randomness, |randomness| draw(randomness, None))
        }
    }
}

/// Scan for the release, after impossible requests were refused; `None` if a level table replaces
/// the data.
pub(crate) fn scan(task: &Task<'_>) -> Result<Option<Scan>> {
    let query = task.query;
    accounts::check_small_groups(task)?;
    if query.wants_range() {
        return unbounded::scan(task).map(Some);
    }
    if task.hides_participation() {
        return add_remove::scan(task);
    }
    statistic::check(query)?;
    let cells = |bounds| query.cells(bounds);
    let value = tables::unless_counted(task, || statistic::value(query, cells))?;
    tables::scan(task, value)
}

/// Input of a release.
pub(crate) enum Input {
    Tables(Tables),
    /// Records of a release without declared bounds.
    Records(PerGroup<RecordBuffer>),
}

impl Input {
    /// People in the data, or in a group of median size, if bounds are declared.
    pub(crate) fn people(&self, query: &Query) -> Result<Option<Profile>> {
        match self {
            Self::Tables(tables) => members::people(query, tables),
            Self::Records(_) => Ok(None),
        }
    }
}

/// Input of a release: what was read, or the level table in place of the data.
pub(crate) fn input(task: &Task<'_>, reading: Option<Reading>) -> Result<Input> {
    match reading {
        Some(reading) if task.query.wants_range() => {
            PerGroup::<RecordBuffer>::from_reading(reading).map(Input::Records)
        }
        reading if task.hides_participation() => {
            add_remove::tables(task, reading).map(Input::Tables)
        }
        reading => tables::load(task, reading).map(Input::Tables),
    }
}

/// Prepares the release of its input.
pub(crate) fn ready(task: &Task<'_>, input: Input) -> Result<Ready> {
    let query = task.query;
    let tables = match input {
        Input::Records(records) => return unbounded::ready(task, records).map(Ready::Draw),
        Input::Tables(tables) => tables.keep_used_records(query).keep_compared(query)?,
    };
    if task.hides_participation() {
        return add_remove::ready(task, tables).map(Ready::Draw);
    }
    tables.check()?;
    let members = Members::from_tables(query, &tables)?;
    let (tables, small) = tables.without_small(query, LevelTable::records)?;
    let memberships = |tables: &Tables| {
        members.as_ref().map_or(Memberships::One, |members| members.memberships(tables))
    };
    if query.statistic == StatisticName::Count {
        let memberships = memberships(&tables);
        let options = query.estimation()?;
        let releases = tables.release_in_turn(query, memberships, |table| {
            let table = if members.is_some() { table.ignore_memberships()? } else { table };
            Release::count(&table, &options)
        })?;
        return Ok(Ready::Free(releases.without_small(small)));
    }
    tables.iter().try_for_each(|table| statistic::check_table(query, table))?;
    task.progress.enter(Phase::Planning, None);
    let goal = Goal::for_task(task);
    let tables = accounts::calibrate(task, tables, |table| {
        let (table, query) = members::divided(members.as_ref(), query, table.clone())?;
        goal.measure(task, &statistic::plan(&query, table.measure(), table.profile()?)?)
    })?;
    let memberships = memberships(&tables);
    let (query, progress) = (query.clone(), Arc::clone(&task.progress));
    Ok(Ready::Draw(Box::new(move |randomness, _| {
        // All plans before anything is drawn: what is refused then has cost nothing.
        let planned = tables.map_all(|table| {
            let (table, query) = members::divided(members.as_ref(), &query, table)?;
            let plan = statistic::plan(&query, table.measure(), table.profile()?)?;
            Ok((plan, table))
        });
        let planned = planned.try_map(|planned| planned)?;
        progress.enter(Phase::Drawing, None);
        let releases =
            planned.release_at_once(&query, memberships, randomness, |(plan, table), own| {
                plan.release(table, own)
            })?;
        Ok(releases.without_small(small))
    })))
}
