//! `suum plan`.

use suum_core::{Bounds, Error, LevelTable, Neighbors, Plan, Result, Spending, WeightedPlan};
use suum_report::{Page, Tier};

use super::{Task, accounts, add_remove, statistic, tables};
use crate::answer::{Content, More};
use crate::query::{Asked, Entries, Query};
use crate::{Answer, Job, Population};

pub(crate) fn run(task: &Task<'_>, population: &Population) -> Result<Answer> {
    let query = task.query;
    check(task, population)?;
    if task.hides_participation() {
        return run_hidden(task, population);
    }
    let is_charged = task.charge.ledger.is_some();
    if population.what_if.is_some() && is_charged {
        return Err(Error::request("what-if: a ledger has accounts of the people there are")
            .with_hint("leave --what-if or --ledger out"));
    }
    if population.profile.is_some() && is_charged {
        return Err(Error::request(
            "profile: numbers of people do not say which tiers of the ledger they are in",
        )
        .with_hint("name the data, or a level table, in place of --profile"));
    }
    // Before the data are read: options that make no sense should not have to wait for them.
    if query.wants_range() {
        let cells = query.cells_without_bounds()?;
        statistic::number_request(query, cells)?.check_without_bounds()?;
    } else if is_weighted(&query.statistic) {
        query.mean_options()?;
    }
    let table = match &population.profile {
        Some(_) => None,
        None => {
            let table = tables::level_table(task)?;
            statistic::check_persons(query, &table)?;
            let error = |table: &LevelTable| {
                statistic::rmse(query, &statistic::assumed(query, Some(table))?, table.profile()?)
            };
            Some(accounts::aim_table(task, table, error)?)
        }
    };
    let (profile, tiers) = match (&table, &population.profile) {
        (Some(table), _) => (table.profile()?, Tier::of_table(table)),
        (None, profile) => {
            let profile = profile.clone().ok_or_else(nobody)?;
            task.noted.profile(&profile);
            let tiers = Tier::of_profile(&profile);
            (profile, tiers)
        }
    };
    let table = table.as_ref();
    let in_range = statistic::declared(query, table)?.is_none();
    let plan = statistic::plan(query, &statistic::assumed(query, table)?, profile)?;
    if let (Some(change), Plan::Weighted(asked)) = (&population.what_if, &plan) {
        let people = asked.setting().profile.what_if(change)?;
        let changed = statistic::plan(query, &statistic::assumed(query, table)?, people)?;
        let Plan::Weighted(changed) = changed else { return Err(no_what_if()) };
        task.noted.profile(&changed.setting().profile);
        let tiers = Tier::of_changed_profile(&changed.setting().profile, &tiers);
        let (asked, changed) = (asked.as_ref().clone(), *changed);
        return Ok(Answer::of(WhatIf { asked, changed, tiers, in_range }));
    }
    Ok(said(task, Planned { plan, tiers, in_range }))
}

/// Whether the plan is one of a mean, a sum or a frequency.
fn is_weighted(asked: &Asked) -> bool {
    matches!(asked, Asked::Mean | Asked::Sum | Asked::Frequency)
}

/// A plan as an answer, for these tiers.
struct Planned {
    plan: Plan,
    tiers: Vec<Tier>,
    /// Whether no bounds are declared, so that errors are in shares of their range.
    in_range: bool,
}

impl Content for Planned {
    fn text(&self) -> String {
        suum_report::plan_text(&self.plan, &self.tiers, self.in_range)
    }

    fn json(&self, more: &More) -> Result<String> {
        more.json(&self.plan)
    }

    fn page(&self) -> Option<Page> {
        Some(suum_report::plan_page(&self.plan, &self.tiers, self.in_range))
    }

    fn plan(&self) -> Option<&Plan> {
        Some(&self.plan)
    }
}

/// What a plan says, and what its release would do to the accounts.
fn said(task: &Task<'_>, planned: Planned) -> Answer {
    let statement = accounts::quote(task, &planned.tiers, |allowed| planned.plan.loss_of(allowed));
    Answer::of(planned).with_statement(statement)
}

/// The plan of a mean, a sum or frequencies for an assumed population, as `suum plan --profile …`
/// shows it.
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
            "statistic: simulations are of a mean, a sum or a frequency, with declared bounds",
        )
        .with_hint("choose one of the three with --statistic, and declare --bounds LO,HI"));
    }
    let profile = population.profile.ok_or_else(nobody)?;
    match statistic::plan(query, &statistic::assumed(query, None)?, profile)? {
        Plan::Weighted(plan) => Ok(*plan),
        _ => Err(Error::internal("internal error: the plan is one of another statistic")),
    }
}

fn no_what_if() -> Error {
    Error::request("what-if: is for the plan of a mean, a sum or a frequency")
        .with_hint("leave --what-if out")
}

/// Two plans: for the people there are, and for those that there might be.
struct WhatIf {
    asked: WeightedPlan,
    changed: WeightedPlan,
    tiers: Vec<Tier>,
    /// Whether no bounds are declared, so that errors are in shares of their range.
    in_range: bool,
}

impl Content for WhatIf {
    fn text(&self) -> String {
        let Self { asked, changed, tiers, in_range } = self;
        suum_report::what_if_text(asked, changed, tiers, *in_range)
    }

    fn json(&self, more: &More) -> Result<String> {
        more.json(&suum_report::what_if_record(&self.asked, &self.changed))
    }

    fn page(&self) -> Option<Page> {
        let Self { asked, changed, tiers, in_range } = self;
        Some(suum_report::what_if_page(asked, changed, tiers, *in_range))
    }
}

fn nobody() -> Error {
    Error::parameter("plan: it is not said for whom").with_hint(
        "give --profile \"0.1:3400,inf:23\", or data and their privacy column, or \
         --from-levels FILE",
    )
}

/// Refuses what would otherwise be ignored.
fn check(task: &Task<'_>, population: &Population) -> Result<()> {
    if population.profile.is_none() && !task.has_data() && task.source.from_levels.is_none() {
        return Err(nobody());
    }
    check_asked(task.query, population)
}

/// Refuses what a plan cannot be of.
fn check_asked(query: &Query, population: &Population) -> Result<()> {
    if query.statistic == Asked::Count {
        return Err(statistic::no_count());
    }
    if query.groups()?.is_some() {
        return Err(Error::request("group-by: a plan is for one group at a time").with_hint(
            "leave --group-by out, and plan for the people of one group with --profile",
        ));
    }
    if query.wants_variance() {
        return Err(Error::request("variance: a private one is not known before the release")
            .with_hint("plan with the variance that you expect, or --statistic variance"));
    }
    if query.wants_range() {
        if population.what_if.is_some() {
            return Err(Error::request("what-if: needs declared bounds")
                .with_hint("plan twice, with --profile"));
        }
        query.check_range_options()?;
    }
    if population.profile.is_some()
        && query.levels.is_some()
        && query.neighbors == Neighbors::ReplaceOne
    {
        return Err(Error::request("levels: a profile has budgets in place of tiers").with_hint(
            "leave --levels out, or name the data or a level table in place of --profile",
        ));
    }
    if population.what_if.is_some() && !is_weighted(&query.statistic) {
        return Err(no_what_if());
    }
    match &query.statistic {
        Asked::Several(_) => Ok(()),
        // Refuses parts where there is nothing to split.
        _ => query.variance_split().map(|_| ()),
    }
}

/// The plan of a release that hides who takes part, for people as one assumes them to be.
fn run_hidden(task: &Task<'_>, population: &Population) -> Result<Answer> {
    let query = task.query;
    let Some(assumed) = &population.profile else {
        return Err(Error::request(
            "plan: with add-remove neighbours the profile of the data is private",
        )
        .with_hint("assume one: --profile \"0.1:3400,inf:23\""));
    };
    if query.wants_range() || population.what_if.is_some() {
        let option = if query.wants_range() { "bounds: auto" } else { "what-if" };
        return Err(Error::request(format!("{option} is planned for --neighbors replace only"))
            .with_hint(
                "plan with --neighbors replace; hiding who takes part makes the error a little \
                 larger",
            ));
    }
    let budgets = add_remove::budgets(task)?;
    let bounds = || Ok(query.declared_bounds()?.unwrap_or(Bounds::UNIT));
    let request = statistic::hiding(query, budgets, bounds, |bounds| query.cells(bounds))?;
    let plan = request.expected(assumed.clone())?;
    let tier = |row: &Spending| Tier { level: row.level.clone(), epsilon: row.epsilon, count: 0 };
    let tiers: Vec<Tier> = plan.chosen().privacy.iter().map(tier).collect();
    Ok(said(task, Planned { plan: plan.into(), tiers, in_range: false }))
}
