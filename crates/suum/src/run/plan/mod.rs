//! `suum plan`.

use serde::Serialize;
use suum_core::{
    Bounds, Error, GroupName, LevelTable, Loss, Measure, Neighbors, Plan, PlannedInterval, Profile,
    Result, Rho, UnboundedAddRemove, WeightedPlan,
};
use suum_data::{Grouping, Groups, Phase};
use suum_report::{Beside, Expected, GroupPlan, Needed, Page, Tier, View};

use super::assumed::{self, Hiding, Simulated};
use super::goal::{self, Goal, needed};
use super::grouped::{Read, Tables};
use super::{Task, accounts, add_remove, declared, statistic, tables};
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
    // Before the data are read: options that make no sense should not have to wait for them.
    if query.wants_range() {
        let cells = query.cells_without_bounds()?;
        statistic::number_request(query, cells)?.check_without_bounds()?;
    } else if is_weighted(&query.statistic) {
        query.mean_options()?;
    }
    let assumed = population.profile.as_ref().map(|profile| assumed_people(task, profile));
    let tables = match (assumed.transpose()?, query.groups()?) {
        (Some(people), None) => Read::One(people),
        // The same people are assumed in every group.
        (Some(people), Some(groups)) => {
            let names = planned_groups(query, &groups)?;
            let each = names.into_iter().map(|name| (name, Some(people.clone()))).collect();
            Read::Groups(Groups { column: groups.by(), each })
        }
        (None, _) => {
            let tables = match task.tables.take() {
                Some(tables) => tables,
                None => tables::tables(task, None)?,
            };
            let tables = tables.of_compared(query)?;
            tables.check()?;
            tables.iter().try_for_each(|table| statistic::check_persons(query, table))?;
            let goal = Goal::of(task);
            accounts::aim(task, tables, |table| {
                let measure = statistic::assumed(query, Some(table))?;
                goal.reached(task, &statistic::plan(query, &measure, table.profile()?)?)
            })?
            .try_map(|table| Ok(People::Counted(Box::new(table))))?
        }
    };
    task.progress.enter(Phase::Planning, None);
    match tables {
        Read::One(people) => {
            if let Some(change) = &population.what_if {
                return what_if(task, &people, change);
            }
            Ok(said(task, of_people(task, population, &people, 1)?))
        }
        Read::Groups(groups) => {
            let plan = |people: &People| of_people(task, population, people, groups.each.len());
            // The same for the same people.
            let (assumed, mut first) = (population.profile.is_some(), None::<Planned>);
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
            let planned = PlannedGroups { by: groups.column, each, assumed, between };
            Ok(said_of_groups(task, planned))
        }
    }
}

/// For whom a plan is made.
#[derive(Clone)]
enum People {
    /// Those in the data.
    Counted(Box<LevelTable>),
    /// Those of a profile.
    Assumed(Profile),
}

/// The people of a profile: with a ledger of tiers as many of each tier as allow so much in all.
fn assumed_people(task: &Task<'_>, profile: &Profile) -> Result<People> {
    if task.charge.ledger.is_none() {
        return Ok(People::Assumed(profile.clone()));
    }
    let table = accounts::people(task, profile)?.ok_or_else(|| {
        Error::request("profile: numbers of people do not say what each person has left")
            .with_hint("name the data in place of --profile")
    })?;
    let (query, goal) = (task.query, Goal::of(task));
    let aimed = accounts::aim(task, Tables::One(table), |table| {
        let measure = statistic::assumed(query, None)?;
        goal.reached(task, &statistic::plan(query, &measure, table.profile()?)?)
    })?;
    match aimed {
        Tables::One(table) => Ok(People::Counted(Box::new(table))),
        Tables::Groups(_) => Err(Error::internal("internal error: one table became several")
            .with_hint("please report it, with the options")),
    }
}

/// The plan for these people, one of so many plans.
fn of_people(
    task: &Task<'_>,
    population: &Population,
    people: &People,
    plans: usize,
) -> Result<Planned> {
    let query = task.query;
    let (table, profile, tiers) = match people {
        People::Counted(table) => (Some(&**table), table.profile()?, Tier::of_table(table)),
        People::Assumed(profile) => {
            task.noted.profile(profile);
            (None, profile.clone(), Tier::of_profile(profile))
        }
    };
    let in_range = statistic::declared(query, table)?.is_none();
    let measure = statistic::assumed(query, table)?;
    let plan = statistic::plan(query, &measure, profile.clone())?;
    let needed = needed(task, &profile, |profile| statistic::plan(query, &measure, profile))?;
    let expected = match (population.assume, measure.clone()) {
        (Some(shape), Measure::Numbers(numbers)) => {
            // Of as many people as a target takes.
            let larger = needed.as_ref().map(|needed| needed.profile.clone());
            let larger =
                larger.map(|people| statistic::plan(query, &measure, people)).transpose()?;
            let simulated = Simulated::Known(larger.as_ref().unwrap_or(&plan), numbers);
            let people = people_taken(&profile, needed.as_ref());
            Some(assumed::expected(task, shape, people, simulated, plans)?)
        }
        _ => None,
    };
    Ok(Planned { plan, tiers, in_range, needed, expected })
}

/// Of whom simulations are: of these people, or of as many times as many as a target takes.
fn people_taken<'a>(people: &'a Profile, needed: Option<&'a Needed>) -> (&'a Profile, Option<f64>) {
    needed.map_or((people, None), |needed| (&needed.profile, Some(needed.factor)))
}

/// The plan for these people, and that for others.
fn what_if(task: &Task<'_>, people: &People, change: &str) -> Result<Answer> {
    let query = task.query;
    let nothing = Population::default();
    let Planned { plan, tiers, in_range, .. } = of_people(task, &nothing, people, 1)?;
    let Plan::Weighted(asked) = plan else { return Err(no_what_if()) };
    let table = match people {
        People::Counted(table) => Some(&**table),
        People::Assumed(_) => None,
    };
    let others = asked.setting().profile.what_if(change)?;
    let changed = statistic::plan(query, &statistic::assumed(query, table)?, others)?;
    let Plan::Weighted(changed) = changed else { return Err(no_what_if()) };
    task.noted.profile(&changed.setting().profile);
    let tiers = Tier::of_changed_profile(&changed.setting().profile, &tiers);
    Ok(Answer::of(WhatIf { asked: *asked, changed: *changed, tiers, in_range }))
}

/// Whether the plan is one of a mean, a sum or a frequency.
fn is_weighted(asked: &Asked) -> bool {
    matches!(asked, Asked::Mean | Asked::Sum | Asked::Frequency)
}

/// A plan as an answer, for these tiers.
#[derive(Clone)]
struct Planned {
    plan: Plan,
    tiers: Vec<Tier>,
    /// Whether no bounds are declared, so that errors are in shares of their range.
    in_range: bool,
    /// How many people it takes to come as near as is asked for.
    needed: Option<Needed>,
    /// What simulations of data of a shape say.
    expected: Option<Expected>,
}

/// A plan, and what else is said of it as JSON.
#[derive(Serialize)]
struct PlanRecord<'a> {
    #[serde(flatten)]
    plan: &'a Plan,
    /// Half the length of the interval that is expected.
    half_width: Option<f64>,
    /// The same of each statistic that has one, with what it is.
    intervals: Vec<PlannedInterval>,
    #[serde(skip_serializing_if = "Option::is_none")]
    needed: Option<&'a Needed>,
    #[serde(skip_serializing_if = "Option::is_none")]
    expected: Option<&'a Expected>,
}

impl<'a> PlanRecord<'a> {
    fn of(planned: &'a Planned) -> Self {
        let (half_width, intervals) = (planned.plan.half_width(), planned.plan.intervals());
        let (needed, expected) = (planned.needed.as_ref(), planned.expected.as_ref());
        Self { plan: &planned.plan, half_width, intervals, needed, expected }
    }
}

impl Content for Planned {
    fn text(&self, view: &View, beside: &Beside) -> String {
        let mut beside = beside.clone();
        if !view.explain {
            beside.last.extend(self.needed.as_ref().map(suum_report::needed_words));
            beside.last.extend(self.expected.iter().flat_map(suum_report::expected_words));
        }
        let mut text =
            suum_report::plan_text(&self.plan, &self.tiers, self.in_range, view, &beside);
        if view.explain {
            if let Some(needed) = &self.needed {
                text += &suum_report::needed_text(needed, view);
            }
            if let Some(expected) = &self.expected {
                text += &suum_report::expected_text(expected, view);
            }
        }
        text
    }

    fn json(&self, more: &More) -> Result<String> {
        more.json(&PlanRecord::of(self))
    }

    fn page(&self) -> Option<Page> {
        let (needed, expected) = (self.needed.as_ref(), self.expected.as_ref());
        Some(suum_report::plan_page(&self.plan, &self.tiers, self.in_range, needed, expected))
    }

    fn plan(&self) -> Option<&Plan> {
        Some(&self.plan)
    }
}

/// What a plan says, and what its release would do to the accounts.
fn said(task: &Task<'_>, planned: Planned) -> Answer {
    let statement = accounts::quote(task, &planned.tiers, |allowed| {
        (planned.plan.loss_of(allowed), planned.plan.rho_of(allowed))
    });
    Answer::of(planned).with_statement(statement)
}

/// The plans of several groups as an answer.
struct PlannedGroups {
    by: GroupName,
    each: Vec<(GroupName, Option<Planned>)>,
    /// Whether they are for people of a profile, the same in every group.
    assumed: bool,
    /// The groups whose means or sums are compared, if two are.
    between: Option<[GroupName; 2]>,
}

/// The groups of which the error of a difference follows from those of both: of means or sums. The
/// error of a share is the largest of all, and that of a quantile one of its rank.
fn compared_means(query: &Query) -> Result<Option<[GroupName; 2]>> {
    Ok(query.compared()?.filter(|_| query.statistic.is_mean_or_sum()))
}

/// The groups that a release would be of: two if these are compared.
fn planned_groups(query: &Query, groups: &Grouping) -> Result<Vec<GroupName>> {
    let compared = query.compared()?;
    let is_planned =
        |name: &GroupName| compared.as_ref().is_none_or(|between| between.contains(name));
    Ok(groups.names().filter(is_planned).collect())
}

/// The expected error of a difference.
#[derive(Serialize)]
struct PlannedDifference<'a> {
    between: &'a [GroupName; 2],
    rmse: f64,
}

impl PlannedGroups {
    /// What the groups have to say, as far as they have records.
    fn shown<'a>(&'a self) -> Vec<(&'a str, Option<GroupPlan<'a>>)> {
        let each = self.each.iter().map(|(name, planned)| {
            let shown = |one: &'a Planned| {
                let (needed, expected) = (one.needed.as_ref(), one.expected.as_ref());
                GroupPlan { plan: &one.plan, tiers: &one.tiers, needed, expected }
            };
            (name.as_str(), planned.as_ref().map(shown))
        });
        each.collect()
    }

    /// The error of the difference of two means or sums: those of both are independent of each
    /// other.
    fn difference(&self) -> Option<PlannedDifference<'_>> {
        let between = self.between.as_ref()?;
        let rmse = |name: &GroupName| {
            let mut named = self.each.iter().filter(|(group, _)| group == name);
            named.next()?.1.as_ref()?.plan.rmse()
        };
        let [one, other] = between.each_ref().map(rmse);
        Some(PlannedDifference { between, rmse: one?.hypot(other?) })
    }

    /// The same in words.
    fn difference_words(&self) -> Option<String> {
        let PlannedDifference { between, rmse } = self.difference()?;
        let plan = self.each.iter().find_map(|(_, planned)| planned.as_ref())?;
        let names = between.each_ref().map(GroupName::as_str);
        Some(suum_report::planned_difference(names, rmse, &plan.plan))
    }
}

impl Content for PlannedGroups {
    fn text(&self, view: &View, beside: &Beside) -> String {
        let mut beside = beside.clone();
        let difference = self.difference_words();
        beside.last.extend(difference.clone().filter(|_| !view.explain));
        let (by, shown) = (self.by.as_str(), self.shown());
        let text = suum_report::group_plans_text(by, &shown, self.assumed, view, &beside);
        match difference.filter(|_| view.explain) {
            Some(words) => text + "\n" + &words + "\n",
            None => text,
        }
    }

    fn json(&self, more: &More) -> Result<String> {
        #[derive(Serialize)]
        struct Record<'a> {
            statistic: Option<&'static str>,
            group_by: &'a GroupName,
            groups: Vec<Group<'a>>,
            #[serde(skip_serializing_if = "Option::is_none")]
            difference: Option<PlannedDifference<'a>>,
        }
        #[derive(Serialize)]
        struct Group<'a> {
            group: &'a GroupName,
            #[serde(flatten)]
            plan: Option<PlanRecord<'a>>,
            #[serde(skip_serializing_if = "Option::is_none")]
            records: Option<u64>,
        }
        let groups = self.each.iter().map(|(group, planned)| Group {
            group,
            plan: planned.as_ref().map(PlanRecord::of),
            records: planned.is_none().then_some(0),
        });
        let first = self.each.iter().find_map(|(_, planned)| planned.as_ref());
        more.json(&Record {
            statistic: first.map(|planned| planned.plan.statistic()),
            group_by: &self.by,
            groups: groups.collect(),
            difference: self.difference(),
        })
    }

    fn page(&self) -> Option<Page> {
        Some(suum_report::group_plans_page(self.by.as_str(), &self.shown(), self.assumed))
    }
}

/// What the plans of groups say, and what their releases would do to the accounts: the most that a
/// tier loses in any group; with both kinds of neighbours twice that, since a record that changes
/// group is in two.
fn said_of_groups(task: &Task<'_>, planned: PlannedGroups) -> Answer {
    let all = || planned.each.iter().filter_map(|(_, planned)| planned.as_ref());
    let mut tiers: Vec<Tier> = Vec::new();
    for tier in all().flat_map(|planned| &planned.tiers) {
        match tiers.iter_mut().find(|one| one.level == tier.level && one.epsilon == tier.epsilon) {
            Some(known) => known.count = known.count.saturating_add(tier.count),
            None => tiers.push(tier.clone()),
        }
    }
    let statement = accounts::quote(task, &tiers, |allowed| {
        let losses = all().map(|planned| planned.plan.loss_of(allowed));
        let more = |one: &Loss, other: &Loss| one.rounded_up().total_cmp(&other.rounded_up());
        let most = losses.max_by(more).unwrap_or(Loss::ZERO);
        let rho = all().map(|planned| planned.plan.rho_of(allowed)).max().unwrap_or(Rho::ZERO);
        match task.query.neighbors {
            Neighbors::Both => (most.plus(&most), rho.plus(rho)),
            Neighbors::ReplaceOne | Neighbors::AddRemove => (most, rho),
        }
    });
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
    fn text(&self, view: &View, beside: &Beside) -> String {
        let Self { asked, changed, tiers, in_range } = self;
        suum_report::what_if_text(asked, changed, tiers, *in_range, view, beside)
    }

    fn json(&self, more: &More) -> Result<String> {
        #[derive(Serialize)]
        struct Record<T> {
            #[serde(flatten)]
            said: T,
            half_width: Option<f64>,
            intervals: Vec<PlannedInterval>,
        }
        let said = suum_report::what_if_record(&self.asked, &self.changed);
        let changed = Plan::from(self.changed.clone());
        let (half_width, intervals) = (changed.half_width(), changed.intervals());
        more.json(&Record { said, half_width, intervals })
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
pub(crate) fn check(task: &Task<'_>, population: &Population) -> Result<()> {
    if population.profile.is_none() && !task.has_data() && task.source.from_levels.is_none() {
        return Err(nobody());
    }
    check_asked(task.query, population)?;
    assumed::check(task.query, population)?;
    goal::check(task, population)
}

/// Refuses what a plan cannot be of.
fn check_asked(query: &Query, population: &Population) -> Result<()> {
    if query.statistic == Asked::Count && query.neighbors == Neighbors::ReplaceOne {
        return Err(statistic::no_count());
    }
    if query.groups()?.is_some() && population.what_if.is_some() {
        return Err(Error::request("what-if: is for the people of one group")
            .with_hint("leave --group-by out, and give the people of one group as --profile"));
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
    Ok(())
}

/// The plan of a release that hides who takes part, for people as one assumes them to be.
fn run_hidden(task: &Task<'_>, population: &Population) -> Result<Answer> {
    let query = task.query;
    let Some(assumed) = &population.profile else {
        return Err(Error::request(
            "plan: where participation is hidden, the profile of the data is private",
        )
        .with_hint("assume one: --profile \"0.1:3400,inf:23\""));
    };
    if population.what_if.is_some() {
        return Err(Error::request("what-if: is planned for --neighbors replace only")
            .with_hint("plan twice, with --profile"));
    }
    let budgets = declared::budgets(task)?;
    // With a ledger of tiers a profile says what they allow in all.
    let left = accounts::people(task, assumed)?.map(|table| table.profile()).transpose()?;
    let assumed = left.as_ref().unwrap_or(assumed);
    let hiding = if query.wants_range() {
        let cells = add_remove::cells(task, Bounds::UNIT, &budgets)?;
        let asked = statistic::number_request(query, cells)?;
        let request = UnboundedAddRemove::new(budgets.clone(), asked)?;
        Hiding::Unbounded(request.spending(query.share_of_group()?))
    } else {
        let bounds = || Ok(query.declared_bounds()?.unwrap_or(Bounds::UNIT));
        let cells = |bounds| query.cells(bounds);
        let query = add_remove::query(task, &budgets)?;
        Hiding::Declared(statistic::hiding(&query, budgets.clone(), bounds, cells)?)
    };
    let plan = |assumed: Profile| hiding.plan(assumed);
    let tier = |(level, epsilon)| Tier { level, epsilon, count: 0 };
    let planned = || -> Result<Planned> {
        let tiers = budgets.rows().into_iter().map(tier).collect();
        let shape = population.assume;
        let (plan, needed) = (plan(assumed.clone())?, needed(task, assumed, plan)?);
        let people = people_taken(assumed, needed.as_ref());
        let expected = shape
            .map(|shape| assumed::expected(task, shape, people, Simulated::Hidden(&hiding), 1))
            .transpose()?;
        Ok(Planned { plan, tiers, in_range: false, needed, expected })
    };
    match query.groups()? {
        None => Ok(said(task, planned()?)),
        // The same people are assumed in every group.
        Some(groups) => {
            let planned = planned()?;
            let names = planned_groups(query, &groups)?;
            let each = names.into_iter().map(|name| (name, Some(planned.clone()))).collect();
            let (by, between) = (groups.by(), compared_means(query)?);
            Ok(said_of_groups(task, PlannedGroups { by, each, assumed: true, between }))
        }
    }
}
