//! Plan of a release under hidden participation.

use suum_core::{Bounds, Error, LevelName, Plan, Profile, Result, UnboundedAddRemove, option, say};
use suum_report::Tier;

use super::groups::{PlannedGroups, build_groups_answer, compared_means, planned_groups};
use super::people::people_taken;
use super::plan_answer::{PlanAnswer, build_answer};
use crate::run::assumed::{self, AddRemoveKind, Simulator};
use crate::run::goal::{Simulate, needed};
use crate::run::{Task, accounts, add_remove, declared, statistic};
use crate::{Answer, Population};

/// Plans a release under hidden participation, for assumed people.
pub(super) fn run_add_remove(task: &Task<'_>, population: &Population) -> Result<Answer> {
    let query = task.query;
    let Some(assumed) = &population.profile else {
        return Err(Error::request(
            "plan",
            "where participation is hidden, the profile of the data is private",
        )
        .with_fix(say("assume one:").set(option::PROFILE, "0.1:3400,inf:23")));
    };
    if population.what_if.is_some() {
        return Err(Error::request(
            option::WHAT_IF,
            say("is planned for").set(option::NEIGHBORS, "replace").say("only"),
        )
        .with_fix(say("plan twice, with").option(option::PROFILE)));
    }
    let budgets = declared::budgets(task)?;
    // With a ledger of tiers a profile says what they allow in all.
    let left = accounts::people(task, assumed)?.map(|table| table.profile()).transpose()?;
    let assumed = left.as_ref().unwrap_or(assumed);
    let add_remove = if query.wants_range() {
        let cells = add_remove::cells(task, Bounds::UNIT, &budgets)?;
        let asked = statistic::request(query, cells)?;
        let request = UnboundedAddRemove::new(budgets.clone(), asked)?;
        AddRemoveKind::Unbounded(request.spending(query.share_of_group()?))
    } else {
        let bounds = || Ok(query.declared_bounds()?.unwrap_or(Bounds::UNIT));
        let cells = |bounds| query.cells(bounds);
        let (query, budgets) = add_remove::resolve_query(task)?;
        AddRemoveKind::Declared(statistic::add_remove(&query, budgets, bounds, cells)?)
    };
    let plan = |assumed: Profile| add_remove.plan(assumed);
    let tier = |(level, epsilon)| Tier { level: LevelName::Label(level), epsilon, count: 0 };
    let planned = || -> Result<PlanAnswer> {
        let tiers = budgets.rows().into_iter().map(tier).collect();
        let shape = population.assume;
        let simulated = |people: &Profile, _: &Plan| match shape {
            Some(shape) => {
                let simulator = Simulator::AddRemove(&add_remove);
                assumed::expected(task, shape, (people, None), simulator, 1)
            }
            None => Err(assumed::no_numbers()),
        };
        let simulate = shape.is_some().then_some(&simulated as Simulate<'_>);
        let (plan, needed) = (plan(assumed.clone())?, needed(task, assumed, plan, simulate)?);
        let people = people_taken(assumed, needed.as_ref());
        let expected = shape
            .map(|shape| {
                assumed::expected(task, shape, people, Simulator::AddRemove(&add_remove), 1)
            })
            .transpose()?;
        Ok(PlanAnswer { plan, tiers, in_range: false, needed, expected })
    };
    match query.groups()? {
        None => Ok(build_answer(task, planned()?)),
        // The same people are assumed in every group.
        Some(groups) => {
            let planned = planned()?;
            let names = planned_groups(query, &groups)?;
            let each = names.into_iter().map(|name| (name, Some(planned.clone()))).collect();
            let planned = PlannedGroups {
                by: groups.by(),
                each,
                small: None,
                assumed: true,
                between: compared_means(query)?,
                memberships: query.hidden_memberships(),
            };
            Ok(build_groups_answer(task, planned))
        }
    }
}
