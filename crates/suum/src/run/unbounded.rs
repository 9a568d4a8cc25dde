//! Releases of numbers without declared bounds (`--bounds auto`).

use std::sync::Arc;

use suum_core::{
    Bounds, Cells, DeclaredBudgets, Epsilon, Error, Grid, Key, LevelTable, Numbers, Profile,
    Records, Request, Result, StrataRecords, UnboundedAddRemove, UnboundedPlan, option, say,
};
use suum_data::{Phase, Progress, RecordBuffer, Scan};

use super::grouped::PerGroup;
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
        let (kept, query) = (kept.of_compared(query)?, query.clone());
        let (.., request) = add_remove_request(task)?;
        return Ok(Box::new(move |randomness| {
            kept.release_in_turn(&query, |mut records| request.release(&mut records, randomness))
        }));
    }
    let kept = match kept {
        PerGroup::Groups(cells) if query.has_strata() => strata::joined(query, cells, Ok)?,
        kept => kept.try_map(|records| Ok(vec![records]))?,
    };
    let is_used = |records: &RecordBuffer| {
        records
            .profile()
            .is_ok_and(|profile| profile.levels().iter().any(|level| !level.epsilon.is_unused()))
    };
    let kept = kept.of_used(query, |strata: &Vec<_>| strata.iter().any(is_used));
    let kept = kept.of_compared(query)?;
    kept.check()?;
    let of_all = |strata: &Vec<RecordBuffer>| strata.iter().map(RecordBuffer::records).sum();
    let (kept, small) = kept.without_small(query, of_all)?;
    task.progress.enter(Phase::Planning, None);
    let (_, request) = request(task)?;
    // All plans before anything is drawn: what is public is refused for nothing.
    let planned = kept.try_map(|strata| {
        strata.iter().try_for_each(|records| records.check(&anywhere(&request)))?;
        let profiles = strata.iter().map(RecordBuffer::profile).collect::<Result<Vec<_>>>()?;
        let plan = UnboundedPlan::new(request.clone(), Profile::in_strata(&profiles)?)?;
        Ok((plan, StrataRecords::new(strata)))
    })?;
    let query = query.clone();
    let (names, progress) = (accounts::names(task), Arc::clone(&task.progress));
    Ok(Box::new(move |randomness| {
        progress.enter(Phase::Searching, None);
        let releases = planned.release_in_turn(&query, |(plan, records)| {
            let (names, progress) = (names.clone(), Arc::clone(&progress));
            plan.release(&mut NamedRecords { records, names, progress }, randomness)
        })?;
        Ok(releases.without_small(small))
    }))
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
    Ok(Scan { group: task.query.divided_by()?, ..tables::asked(task, Some(value))? })
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
    records: StrataRecords<RecordBuffer>,
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
