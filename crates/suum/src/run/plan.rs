//! `suum plan`.

use serde::Serialize;
use suum_core::{
    AddRemovePlan, AddRemoveRequest, Bounds, Epsilon, Error, Grid, LevelTable, Loss, Neighbors,
    Plan, Profile, QuantilePlan, QuantileRequest, Result, Spending, Statistic, Statistics,
    SummaryPlan, UnboundedMean, VariancePlan, VarianceRequest,
};
use suum_report::{Page, Tier};

use super::{Task, accounts, add_remove, tables};
use crate::answer::{Content, More};
use crate::query::{Asked, Entries, Query};
use crate::{Answer, Job, Population, statistics};

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
        query.range_options()?.check()?;
    } else if number(&query.statistic).is_some() {
        query.mean_options()?;
    }
    let table = match &population.profile {
        Some(_) => None,
        None => {
            let table = tables::level_table(task, None)?;
            Some(accounts::aim_table(task, table, |table| expected(query, table))?)
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
    if query.wants_range() {
        let plan = UnboundedMean::new(profile, query.range_options()?)?;
        let (text, page) = (suum_report::unbounded_plan_text, suum_report::unbounded_plan_page);
        return Ok(said(task, plan, tiers, UnboundedMean::loss, text, page));
    }
    let table = table.as_ref();
    match &query.statistic {
        Asked::Mean | Asked::Sum | Asked::Frequency => {
            of_number(task, population, table, profile, tiers)
        }
        Asked::Quantile => {
            let plan = quantile(query, table)?.plan(profile)?;
            let (text, page) = (suum_report::quantile_plan_text, suum_report::quantile_plan_page);
            Ok(said(task, plan, tiers, QuantilePlan::loss_of, text, page))
        }
        Asked::Variance => {
            let plan = variance(query, table)?.plan(profile)?;
            let (text, page) = (suum_report::variance_plan_text, suum_report::variance_plan_page);
            Ok(said(task, plan, tiers, VariancePlan::loss_of, text, page))
        }
        Asked::Several(statistics) => {
            let plan = several(query, statistics, table, profile)?;
            let (text, page) = (suum_report::summary_plan_text, suum_report::summary_plan_page);
            Ok(said(task, plan, tiers, SummaryPlan::loss_of, text, page))
        }
        Asked::Count => Err(no_count()),
    }
}

fn no_count() -> Error {
    Error::request("statistic: a count has no plan; it is exact, or one noisy number")
        .with_hint("choose mean, sum, frequency, quantile or variance, or several")
}

/// The mean or the sum that is asked for, or the frequency, which is none of numbers: then it is
/// `Some(None)`.
fn number(asked: &Asked) -> Option<Option<Statistic>> {
    match asked {
        Asked::Mean => Some(Some(Statistic::Mean)),
        Asked::Sum => Some(Some(Statistic::Sum)),
        Asked::Frequency => Some(None),
        Asked::Count | Asked::Quantile | Asked::Variance | Asked::Several(_) => None,
    }
}

fn several(
    query: &Query,
    statistics: &Statistics,
    table: Option<&LevelTable>,
    profile: Profile,
) -> Result<SummaryPlan> {
    let bounds = bounds(query, table)?;
    let numbers = statistics.numbers(Grid::new(bounds), query.cells(bounds)?);
    let split = query.split(statistics)?;
    SummaryPlan::new(statistics.clone(), numbers, profile, split, &query.summary_options())
}

/// The error that is expected of the statistic, for people like those of the table.
fn expected(query: &Query, table: &LevelTable) -> Result<f64> {
    let profile = table.profile()?;
    match &query.statistic {
        Asked::Mean | Asked::Sum => {
            let plan = plan_number(query, Some(table), profile)?;
            Ok(plan.chosen().risk.rmse() * plan.unit())
        }
        Asked::Frequency => Ok(plan_number(query, Some(table), profile)?.chosen().risk.rmse()),
        Asked::Quantile => {
            Ok(quantile(query, Some(table))?.plan(profile)?.chosen().rank_error.rmse())
        }
        Asked::Variance => Ok(variance(query, Some(table))?.plan(profile)?.error().rmse),
        Asked::Count | Asked::Several(_) => {
            Err(Error::request("target-rmse: several statistics have different errors")
                .with_hint("use --spend SHARE in place of --target-rmse"))
        }
    }
}

fn quantile(query: &Query, table: Option<&LevelTable>) -> Result<QuantileRequest> {
    let bounds = bounds(query, table)?;
    let options = query.quantile_options()?;
    QuantileRequest::new(bounds, query.cells(bounds)?, query.q.0.clone(), options)
}

fn variance(query: &Query, table: Option<&LevelTable>) -> Result<VarianceRequest> {
    VarianceRequest::new(bounds(query, table)?, query.variance_options())
}

/// A plan as an answer: for these tiers, in these words and on such a page.
struct Planned<P, T, G> {
    plan: P,
    tiers: Vec<Tier>,
    text: T,
    page: G,
}

impl<P, T, G> Content for Planned<P, T, G>
where
    P: Serialize + Send + Sync,
    T: Fn(&P, &[Tier]) -> String + Send + Sync,
    G: Fn(&P, &[Tier]) -> Page + Send + Sync,
{
    fn text(&self) -> String {
        (self.text)(&self.plan, &self.tiers)
    }

    fn json(&self, more: &More) -> Result<String> {
        more.json(&self.plan)
    }

    fn page(&self) -> Option<Page> {
        Some((self.page)(&self.plan, &self.tiers))
    }
}

/// What a plan says, and what its release, in which records that allow so much lose so much, would
/// do to the accounts.
fn said<P: Serialize + Send + Sync + 'static>(
    task: &Task<'_>,
    plan: P,
    tiers: Vec<Tier>,
    loss: impl Fn(&P, Epsilon) -> Loss,
    text: impl Fn(&P, &[Tier]) -> String + Send + Sync + 'static,
    page: impl Fn(&P, &[Tier]) -> Page + Send + Sync + 'static,
) -> Answer {
    let statement = accounts::quote(task, &tiers, |allowed| loss(&plan, allowed));
    Answer::of(Planned { plan, tiers, text, page }).with_statement(statement)
}

/// The declared bounds, those of the level table, or the unit interval.
fn bounds(query: &Query, table: Option<&LevelTable>) -> Result<Bounds> {
    Ok(declared(query, table)?.unwrap_or(Bounds::UNIT))
}

fn declared(query: &Query, table: Option<&LevelTable>) -> Result<Option<Bounds>> {
    let of_table = table.and_then(|table| table.grid().map(Grid::bounds));
    Ok(query.declared_bounds()?.or(of_table))
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
pub fn planned(entries: Entries) -> Result<Plan> {
    let (job, population) = Job::with_population(entries)?;
    let query = &job.query;
    job.check_population(&population)?;
    check_asked(query, &population)?;
    if number(&query.statistic).is_none() || query.wants_range() {
        return Err(Error::request(
            "statistic: simulations are of a mean, a sum or a frequency, with declared bounds",
        )
        .with_hint("choose one of the three with --statistic, and declare --bounds LO,HI"));
    }
    plan_number(query, None, population.profile.ok_or_else(nobody)?)
}

fn plan_number(query: &Query, table: Option<&LevelTable>, profile: Profile) -> Result<Plan> {
    let options = query.mean_options()?;
    match number(&query.statistic) {
        Some(Some(statistic)) => {
            statistics::plan(statistic, profile, bounds(query, table)?, &options)
        }
        _ => {
            let categories = tables::planned_categories(query, table)?;
            statistics::plan_frequency(profile, categories, &options)
        }
    }
}

/// What the plan of a mean, a sum or frequencies says.
fn of_number(
    task: &Task<'_>,
    population: &Population,
    table: Option<&LevelTable>,
    profile: Profile,
    tiers: Vec<Tier>,
) -> Result<Answer> {
    let query = task.query;
    let in_range = declared(query, table)?.is_none();
    let text = move |plan: &Plan, tiers: &[Tier]| suum_report::plan_text(plan, tiers, in_range);
    let page = move |plan: &Plan, tiers: &[Tier]| suum_report::plan_page(plan, tiers, in_range);
    let asked = plan_number(query, table, profile)?;
    let Some(change) = &population.what_if else {
        return Ok(said(task, asked, tiers, Plan::loss_of, text, page));
    };
    let changed = plan_number(query, table, asked.setting().profile.what_if(change)?)?;
    task.noted.profile(&changed.setting().profile);
    let tiers = Tier::of_changed_profile(&changed.setting().profile, &tiers);
    Ok(Answer::of(WhatIf { asked, changed, tiers, in_range }))
}

/// Two plans: for the people there are, and for those that there might be.
struct WhatIf {
    asked: Plan,
    changed: Plan,
    tiers: Vec<Tier>,
    /// Whether no bounds are declared, so that errors are in shares of their range.
    in_range: bool,
}

impl Content for WhatIf {
    fn text(&self) -> String {
        let Self { asked, changed, tiers, in_range } = self;
        suum_report::what_if_text(asked, changed)
            + &suum_report::plan_text(changed, tiers, *in_range)
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
        return Err(no_count());
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
    if population.what_if.is_some() && number(&query.statistic).is_none() {
        return Err(Error::request("what-if: is for the plan of a mean, a sum or a frequency")
            .with_hint("leave --what-if out"));
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
    let options = match query.statistic {
        Asked::Quantile => (&query.quantile_options()?).try_into()?,
        _ => (&query.mean_options()?).try_into()?,
    };
    let options = query.add_remove(options);
    let bounds = bounds(query, None)?;
    let request = match query.statistic {
        Asked::Sum => AddRemoveRequest::sum(bounds, budgets, options)?,
        Asked::Mean => AddRemoveRequest::mean(bounds, budgets, options)?,
        Asked::Frequency => {
            let categories = tables::planned_categories(query, None)?;
            AddRemoveRequest::frequency(categories, budgets, options)?
        }
        Asked::Quantile => {
            let (cells, ranks) = (query.cells(bounds)?, query.q.0.clone());
            AddRemoveRequest::quantiles(bounds, cells, ranks, budgets, options)?
        }
        Asked::Count | Asked::Variance | Asked::Several(_) => {
            return Err(Error::request(
                "neighbors: add-remove is not available for this statistic",
            )
            .with_hint(
                "plan a mean, a sum, a frequency or quantiles, or use --neighbors replace",
            ));
        }
    };
    let plan = request.expected(assumed.clone())?;
    let tier = |row: &Spending| Tier { level: row.level.clone(), epsilon: row.epsilon, count: 0 };
    let tiers: Vec<Tier> = plan.chosen().privacy.iter().map(tier).collect();
    let text = |plan: &AddRemovePlan, _: &[Tier]| suum_report::add_remove_plan_text(plan);
    let page = |plan: &AddRemovePlan, _: &[Tier]| suum_report::add_remove_plan_page(plan);
    let loss = |plan: &AddRemovePlan, allowed| {
        let mut rows = plan.chosen().privacy.iter();
        rows.find(|row| row.epsilon == allowed).map_or(Loss::ZERO, |row| row.spent.clone())
    };
    Ok(said(task, plan, tiers, loss, text, page))
}
