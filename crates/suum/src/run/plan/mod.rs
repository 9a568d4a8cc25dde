//! `suum plan`.

mod add_remove;
mod groups;
mod people;
mod plan_answer;
mod what_if;

use suum_core::{Error, LevelTable, Neighbors, Plan, Result, WeightedPlan, leave_out, option, say};
use suum_data::{Groups, Phase};

use super::goal::{self, Goal};
use super::grouped::PerGroup;
use super::members::{self, Members};
use super::{Task, accounts, assumed, statistic, tables};
use crate::options::Entries;
use crate::query::Query;
use crate::statistic::StatisticName;
use crate::{Answer, Job, Population};
use add_remove::run_add_remove;
use groups::{PlannedGroups, build_groups_answer, compared_means, planned_groups};
use people::{People, assumed_people, plan_for_people};
use plan_answer::{PlanAnswer, build_answer};
use what_if::{no_what_if, what_if};

pub(crate) fn run(task: &Task<'_>, population: &Population) -> Result<Answer> {
    let query = task.query;
    check(task, population)?;
    if task.hides_participation() {
        return run_add_remove(task, population);
    }
    let is_charged = task.charge.ledger.is_some();
    if population.what_if.is_some() && is_charged {
        return Err(Error::request(
            option::WHAT_IF,
            "a ledger has accounts of the people there are",
        )
        .with_fix(
            say("leave").option(option::WHAT_IF).say("or").option(option::LEDGER).say("out"),
        ));
    }
    // Before the data are read: options that make no sense should not have to wait for them.
    if query.wants_range() {
        let cells = query.cells_without_bounds()?;
        statistic::request(query, cells)?.check_without_bounds()?;
    } else if is_weighted(&query.statistic) {
        query.estimation()?;
    }
    let (mut small, mut memberships) = (None, None);
    let assumed = population.profile.as_ref().map(|profile| assumed_people(task, profile));
    let tables = match (assumed.transpose()?, query.groups()?) {
        (Some(people), None) => PerGroup::One(people),
        // The same people are assumed in every group.
        (Some(people), Some(groups)) => {
            let names = planned_groups(query, &groups)?;
            let each = names.into_iter().map(|name| (name, Some(people.clone()))).collect();
            PerGroup::Groups(Groups { column: groups.by(), each })
        }
        (None, _) => {
            let tables = match task.tables.take() {
                Some(tables) => tables,
                None => tables::tables(task, None)?,
            };
            let tables = tables.keep_used_records(query).keep_compared(query)?;
            tables.check()?;
            let members = Members::from_tables(query, &tables)?;
            let (tables, left_out) = tables.without_small(query, LevelTable::records)?;
            small = left_out;
            tables.iter().try_for_each(|table| statistic::check_persons(query, table))?;
            let goal = Goal::for_task(task);
            let tables = accounts::calibrate(task, tables, |table| {
                let (table, query) = members::divided(members.as_ref(), query, table.clone())?;
                let measure = statistic::assumed(&query, Some(&table))?;
                goal.measure(task, &statistic::plan(&query, &measure, table.profile()?)?)
            })?;
            memberships = members.as_ref().map(|members| members.memberships(&tables));
            tables.try_map(|table| {
                let (table, query) = members::divided(members.as_ref(), query, table)?;
                Ok(People::Counted(Box::new((table, query))))
            })?
        }
    };
    task.progress.enter(Phase::Planning, None);
    match tables {
        PerGroup::One(people) => {
            if let Some(change) = &population.what_if {
                return what_if(task, &people, change);
            }
            Ok(build_answer(task, plan_for_people(task, population, &people, 1)?))
        }
        PerGroup::Groups(groups) => {
            let plan =
                |people: &People| plan_for_people(task, population, people, groups.each.len());
            // The same for the same people.
            let (assumed, mut first) = (population.profile.is_some(), None::<PlanAnswer>);
            let mut each = Vec::with_capacity(groups.each.len());
            for (name, people) in &groups.each {
                let planned = match (people, first.as_ref().filter(|_| assumed)) {
                    (Some(_), Some(first)) => Some(first.clone()),
                    (Some(people), None) => Some(plan(people)?),
                    (None, _) => None,
                };
                first = first.or_else(|| planned.clone());
                each.push((name.clone(), planned));
            }
            let between = compared_means(query)?;
            let memberships = memberships.unwrap_or_else(|| query.hidden_memberships());
            let by = groups.column;
            let planned = PlannedGroups { by, each, small, assumed, between, memberships };
            Ok(build_groups_answer(task, planned))
        }
    }
}

/// Returns true for a mean, a sum or a frequency.
fn is_weighted(asked: &StatisticName) -> bool {
    matches!(asked, StatisticName::Mean | StatisticName::Sum | StatisticName::Frequency)
}

/// Plan of a mean, a sum or frequencies for an assumed population, as `suum plan --profile …` shows
/// it.
///
/// # Errors
///
/// Refuses other statistics, and what the plan refuses.
///
/// # Example
///
/// ```
/// use suum::Entries;
///
/// let json = r#"{"statistic": "mean", "profile": {"0.1": 3400, "inf": 23}}"#;
/// let entries = Entries::from_json(json)?;
/// assert_eq!(suum::planned(entries)?.setting().profile.records(), 3423);
/// # Ok::<(), suum::Error>(())
/// ```
pub fn planned(entries: Entries) -> Result<WeightedPlan> {
    let (job, population) = Job::with_population(entries)?;
    // Simulations are of a mean that does not adapt.
    let query = &Query { no_adapt: true, ..job.query.clone() };
    job.check_population(&population)?;
    check_asked(query, &population)?;
    if !is_weighted(&query.statistic) || query.wants_range() {
        return Err(Error::request(
            option::STATISTIC,
            "simulations are of a mean, a sum or a frequency, with declared bounds",
        )
        .with_fix(
            say("choose one of the three with")
                .option(option::STATISTIC)
                .say(", and declare")
                .set(option::BOUNDS, "LO,HI"),
        ));
    }
    let profile = population.profile.ok_or_else(nobody)?;
    match statistic::plan(query, &statistic::assumed(query, None)?, profile)? {
        Plan::Weighted(plan) => Ok(*plan),
        _ => Err(Error::internal("the plan is one of another statistic")),
    }
}

fn nobody() -> Error {
    Error::parameter("plan", "it is not said for whom").with_fix(
        say("give")
            .set(option::PROFILE, "0.1:3400,inf:23")
            .say(", or data and their privacy column, or")
            .set(option::FROM_LEVELS, "FILE"),
    )
}

/// Refuses a plan without a population, and options that would be ignored.
pub(crate) fn check(task: &Task<'_>, population: &Population) -> Result<()> {
    if population.profile.is_none() && !task.has_data() && task.source.from_levels.is_none() {
        return Err(nobody());
    }
    accounts::check_small_groups(task)?;
    check_asked(task.query, population)?;
    assumed::check(task.query, population)?;
    goal::check(task, population)
}

/// Refuses requests that cannot be planned.
fn check_asked(query: &Query, population: &Population) -> Result<()> {
    if query.statistic == StatisticName::Count && query.neighbors == Neighbors::ReplaceOne {
        return Err(statistic::no_count());
    }
    if query.groups()?.is_some() && population.what_if.is_some() {
        return Err(Error::request(option::WHAT_IF, "is for the people of one group").with_fix(
            leave_out(option::GROUP_BY)
                .say(", and give the people of one group as")
                .option(option::PROFILE),
        ));
    }
    if query.wants_range() {
        if population.what_if.is_some() {
            return Err(Error::request(option::WHAT_IF, "needs declared bounds")
                .with_fix(say("plan twice, with").option(option::PROFILE)));
        }
        query.check_range_options()?;
    }
    if population.profile.is_some()
        && query.levels.is_some()
        && query.neighbors == Neighbors::ReplaceOne
    {
        return Err(Error::request(option::LEVELS, "a profile has budgets in place of tiers")
            .with_fix(
                leave_out(option::LEVELS)
                    .say(", or name the data or a level table in place of")
                    .option(option::PROFILE),
            ));
    }
    if population.what_if.is_some() && !is_weighted(&query.statistic) {
        return Err(no_what_if());
    }
    Ok(())
}
