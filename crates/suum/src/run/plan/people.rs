//! Population of a plan, and the plan for it.

use suum_core::{Error, LevelTable, Measure, Plan, Profile, Result, option, say};
use suum_report::{PeopleNeeded, Tier};

use super::plan_answer::PlanAnswer;
use crate::Population;
use crate::query::Query;
use crate::run::assumed::{self, Simulator};
use crate::run::goal::{Goal, Simulate, needed, ordinary};
use crate::run::grouped::Tables;
use crate::run::{Task, accounts, statistic};
use crate::statistic::StatisticName;

/// Population of a plan.
#[derive(Clone)]
pub(super) enum People {
    /// People in the data, with the query of their plan.
    Counted(Box<(LevelTable, Query)>),
    /// People of a profile.
    Assumed(Profile),
}

/// People of a profile; with a ledger, those of the tiers that allow these budgets in all, at what
/// the tiers have left.
pub(super) fn assumed_people(task: &Task<'_>, profile: &Profile) -> Result<People> {
    if task.charge.ledger.is_none() {
        return Ok(People::Assumed(profile.clone()));
    }
    let table = accounts::people(task, profile)?.ok_or_else(|| {
        Error::request(option::PROFILE, "numbers of people do not say what each person has left")
            .with_fix(say("name the data in place of").option(option::PROFILE))
    })?;
    let (query, goal) = (task.query, Goal::for_task(task));
    let calibrated = accounts::calibrate(task, Tables::One(table), |table| {
        let measure = statistic::assumed(query, None)?;
        goal.measure(task, &statistic::plan(query, &measure, table.profile()?)?)
    })?;
    match calibrated {
        Tables::One(table) => Ok(People::Counted(Box::new((table, query.clone())))),
        Tables::Groups(_) => Err(Error::internal("one table became several")
            .with_fix("please report it, with the options")),
    }
}

/// Plan for these people, one of several plans.
pub(super) fn plan_for_people(
    task: &Task<'_>,
    population: &Population,
    people: &People,
    plans: usize,
) -> Result<PlanAnswer> {
    let (query, table, profile, tiers) = match people {
        People::Counted(counted) => {
            let (table, query) = &**counted;
            (query, Some(table), table.profile()?, Tier::from_table(table))
        }
        People::Assumed(profile) => {
            task.noted.profile(profile);
            (task.query, None, profile.clone(), Tier::from_profile(profile))
        }
    };
    let in_range = statistic::declared(query, table)?.is_none();
    let measure = statistic::assumed(query, table)?;
    let plan = statistic::plan(query, &measure, profile.clone())?;
    let planned = |profile: Profile| statistic::plan(query, &measure, profile);
    let simulate = |people: &Profile, plan: &Plan| match (population.assume, &measure) {
        (Some(shape), Measure::Numbers(numbers)) => {
            let simulated = Simulator::Known(plan, *numbers);
            assumed::expected(task, shape, (people, None), simulated, 1)
        }
        _ => Err(assumed::no_numbers()),
    };
    let is_assumed = population.assume.is_some() && matches!(measure, Measure::Numbers(_));
    let mut needed =
        needed(task, &profile, planned, is_assumed.then_some(&simulate as Simulate<'_>))?;
    if let (Some(needed), false) = (&mut needed, is_assumed) {
        needed.ordinary = ordinary_records(task, (query, table), &profile, needed);
    }
    let expected = match (population.assume, measure.clone()) {
        (Some(shape), Measure::Numbers(numbers)) => {
            // Plan of the number of people that the target takes.
            let larger = needed.as_ref().map(|needed| needed.profile.clone());
            let larger =
                larger.map(|people| statistic::plan(query, &measure, people)).transpose()?;
            let simulated = Simulator::Known(larger.as_ref().unwrap_or(&plan), numbers);
            let people = people_taken(&profile, needed.as_ref());
            Some(assumed::expected(task, shape, people, simulated, plans)?)
        }
        _ => None,
    };
    Ok(PlanAnswer { plan, tiers, in_range, needed, expected })
}

/// Number of records that reach the target for values of an ordinary spread, for a mean whose plan
/// is for the worst one.
fn ordinary_records(
    task: &Task<'_>,
    (query, table): (&Query, Option<&LevelTable>),
    profile: &Profile,
    needed: &PeopleNeeded,
) -> Option<u64> {
    let bounds = query.declared_bounds().ok().flatten()?;
    if query.statistic != StatisticName::Mean || query.variance.is_some() {
        return None;
    }
    let variance = Some((bounds.width() / 8.0).powi(2));
    let query = Query { variance, adapt: false, spare: None, ..query.clone() };
    let measure = statistic::assumed(&query, table).ok()?;
    ordinary(task, profile, needed, |people| statistic::plan(&query, &measure, people)).ok()
}

/// Population of simulations: these people, or the multiple of them that a target takes.
pub(super) fn people_taken<'a>(
    people: &'a Profile,
    needed: Option<&'a PeopleNeeded>,
) -> (&'a Profile, Option<f64>) {
    needed.map_or((people, None), |needed| (&needed.profile, Some(needed.factor)))
}
