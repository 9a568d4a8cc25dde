//! Releases of numbers without declared bounds (`--bounds auto`).

use std::sync::Arc;

use suum_core::{
    Bounds, Cells, DeclaredBudgets, Epsilon, Error, Grid, GroupName, Key, LevelTable,
    MemberRecords, Numbers, Profile, Records, Request, Result, StrataRecords, UnboundedAddRemove,
    UnboundedPlan, option, say,
};
use suum_data::{Groups, Phase, Progress, RecordBuffer, Scan};

use super::grouped::PerGroup;
use super::members::{self, Members};
use super::ready::Draw;
use super::{Task, accounts, add_remove, declared, statistic, strata, tables};
use crate::accountant::{Names, named};
use crate::query::needs_bounds;
use crate::statistic::StatisticName;

/// Scan of the records.
pub(crate) fn scan(task: &Task<'_>) -> Result<Scan> {
    check(task)?;
    // Before the data are read: a request that makes no sense should not have to wait for them.
    if task.hides_participation() {
        let (budgets, cells, _) = add_remove_request(task)?;
        return Ok(Scan { add_remove: Some(budgets), ..columns(task, cells)? });
    }
    let (cells, request) = request(task)?;
    request.check_without_bounds()?;
    columns(task, cells)
}

/// Prepares the release of the kept records.
pub(crate) fn ready(task: &Task<'_>, kept: PerGroup<RecordBuffer>) -> Result<Draw> {
    let query = task.query;
    if task.hides_participation() {
        let (kept, query) = (kept.keep_compared(query)?, query.clone());
        let (.., request) = add_remove_request(task)?;
        return Ok(Box::new(move |randomness, small| {
            let memberships = query.hidden_memberships();
            let kept = kept.without(small.as_ref());
            let releases = kept.release_in_turn(&query, memberships, |mut records| {
                request.release(&mut records, randomness)
            })?;
            Ok(releases.without_small(small))
        }));
    }
    let kept = match kept {
        PerGroup::Groups(cells) if query.has_strata() => strata::joined(query, cells, Ok)?,
        PerGroup::Groups(buffers) if query.person_groups.is_some() => joined(buffers),
        kept => kept.try_map(|records| Ok(vec![records]))?,
    };
    let is_used = |records: &RecordBuffer| {
        records
            .profile()
            .is_ok_and(|profile| profile.levels().iter().any(|level| !level.epsilon.is_unused()))
    };
    let kept = kept.keep_used(query, |strata: &Vec<_>| strata.iter().any(is_used));
    let kept = kept.keep_compared(query)?;
    kept.check()?;
    let names = accounts::names(task);
    let members = match query.person_groups {
        Some(_) => {
            let people = kept.try_map_ref(|buffers| people(buffers, &names))?;
            Members::from_tables(query, &people)?
                .map(|members| (members.memberships(&people), members))
        }
        None => None,
    };
    let (memberships, members) = members.unzip();
    let of_all = |strata: &Vec<RecordBuffer>| strata.iter().map(RecordBuffer::records).sum();
    let (kept, small) = kept.without_small(query, of_all)?;
    task.progress.enter(Phase::Planning, None);
    let (cells, request) = request(task)?;
    let progress = Arc::clone(&task.progress);
    let named =
        |records| NamedRecords { records, names: names.clone(), progress: Arc::clone(&progress) };
    // All plans before anything is drawn: what is public is refused for nothing.
    let planned = kept.try_map(|strata| {
        strata.iter().try_for_each(|records| records.check(&anywhere(&request)))?;
        let Some(members) = &members else {
            let profiles = strata.iter().map(RecordBuffer::profile).collect::<Result<Vec<_>>>()?;
            let plan = UnboundedPlan::new(request.clone(), Profile::in_strata(&profiles)?)?;
            let records = StrataRecords::new(strata.into_iter().map(&named).collect());
            return Ok((plan, Box::new(records) as Box<dyn Records>));
        };
        let people = people(&strata, &names)?;
        let (people, query) = members::divided(Some(members), query, people)?;
        let plan = UnboundedPlan::new(statistic::request(&query, cells)?, people.profile()?)?;
        let of_class = |records: RecordBuffer| (records.groups_of_person(), named(records));
        let each = strata.into_iter().map(of_class).collect();
        let records = MemberRecords::new(each, members.classes().clone());
        Ok((plan, Box::new(records) as Box<dyn Records>))
    })?;
    let query = query.clone();
    let memberships = memberships.unwrap_or_default();
    Ok(Box::new(move |randomness, _| {
        progress.enter(Phase::Searching, None);
        let releases = planned.release_in_turn(&query, memberships, |(plan, mut records)| {
            plan.release(records.as_mut(), randomness)
        })?;
        Ok(releases.without_small(small))
    }))
}

/// Groups of buffers one after the other, each of persons in another number of groups, by group.
fn joined(buffers: Groups<RecordBuffer>) -> PerGroup<Vec<RecordBuffer>> {
    let mut each: Vec<(GroupName, Option<Vec<RecordBuffer>>)> = Vec::new();
    for (name, buffer) in buffers.each {
        match each.last_mut() {
            Some((last, Some(of_group))) if *last == name => of_group.extend(buffer),
            _ => each.push((name, buffer.map(|buffer| vec![buffer]))),
        }
    }
    PerGroup::Groups(Groups { column: buffers.column, each })
}

/// Table of the persons of a group with their whole budgets, and no values, by the number of their
/// groups.
fn people(buffers: &[RecordBuffer], names: &Names) -> Result<LevelTable> {
    let of_buffer = |buffer: &RecordBuffer| {
        let table = buffer.table(Grid::new(Bounds::UNIT).into())?;
        Ok((buffer.groups_of_person(), named(table, names)?))
    };
    LevelTable::from_members(buffers.iter().map(of_buffer).collect::<Result<_>>()?)
}

/// Request, with the candidates of quantiles.
fn request(task: &Task<'_>) -> Result<(Cells, Request)> {
    let cells = task.query.cells_without_bounds()?;
    Ok((cells, statistic::request(task.query, cells)?))
}

/// Request under hidden participation, like [`request`], with the declared budgets.
fn add_remove_request(task: &Task<'_>) -> Result<(DeclaredBudgets, Cells, UnboundedAddRemove)> {
    let budgets = declared::budgets(task)?;
    // The bounds play no part in how many candidates there may be.
    let cells = add_remove::cells(task, Bounds::UNIT, &budgets)?;
    let asked = statistic::request(task.query, cells)?;
    let share = task.query.share_of_group()?;
    let request = UnboundedAddRemove::new(budgets.clone(), asked)?.spending(share);
    Ok((budgets, cells, request))
}

/// Columns that are read, with these candidates of quantiles.
fn columns(task: &Task<'_>, cells: Cells) -> Result<Scan> {
    let value = task.query.unbounded_column(cells)?;
    Ok(Scan { group: task.query.divided_by()?, ..tables::scan_without_groups(task, Some(value))? })
}

/// Measure over bounds that are not known yet.
fn anywhere(request: &Request) -> Numbers {
    request.numbers(Grid::new(Bounds::UNIT))
}

/// Refuses options that need declared bounds.
fn check(task: &Task<'_>) -> Result<()> {
    let query = task.query;
    if matches!(query.statistic, StatisticName::Count | StatisticName::Frequency) {
        return Err(needs_bounds());
    }
    if task.source.from_levels.is_some() {
        return Err(Error::request(
            option::FROM_LEVELS,
            "a range is found in records, which a level table has not",
        )
        .with_fix(
            say("name the data, or declare the range that values can take, from public knowledge:")
                .set(option::BOUNDS, "LO,HI"),
        ));
    }
    query.check_range_options()
}

/// Records whose levels are named after the tiers of persons with accounts.
struct NamedRecords {
    records: RecordBuffer,
    names: Names,
    progress: Arc<Progress>,
}

impl Records for NamedRecords {
    fn budgets(&self) -> &[Epsilon] {
        self.records.budgets()
    }

    fn weigh(&mut self, key: Key, cuts: &[u64], weights: &[u64]) -> Result<Vec<u128>> {
        self.progress.step();
        self.records.weigh(key, cuts, weights)
    }

    fn table(&mut self, numbers: Numbers) -> Result<LevelTable> {
        named(self.records.table(numbers)?, &self.names)
    }
}
