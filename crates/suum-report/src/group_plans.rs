//! One plan per declared group.

use suum_core::{Memberships, Neighbors, Plan};

use crate::brief::{self, Beside};
use crate::content::Content;
use crate::document::{Document, What};
use crate::expected_errors::{self, ExpectedErrors};
use crate::figures::{budget, count, significant, spent, tier};
use crate::groups::LINES;
use crate::html::Page;
use crate::people_needed::{self, PeopleNeeded};
use crate::prose::Text;
use crate::sentence::Sentence;
use crate::statistic::{GUESS, planned};
use crate::table::Table;
use crate::tiers::Tier;
use crate::view::View;

/// Plan of a group, for these tiers.
#[derive(Debug, Clone, Copy)]
pub struct GroupPlan<'a> {
    /// The plan.
    pub plan: &'a Plan,
    /// People of the group.
    pub tiers: &'a [Tier],
    /// Number of people that a target takes, if there is a target.
    pub needed: Option<&'a PeopleNeeded>,
    /// Errors of simulated releases, if there were any.
    pub expected: Option<&'a ExpectedErrors>,
}

/// Text of plans of groups: one table of expected errors, one of spending, in short by tier and
/// with `view.explain` by group and tier. A group without records has no plan. The first of `whom`
/// says that a profile was given, which is that of each group; the second in how many groups one
/// person counts.
///
/// # Example
///
/// ```
/// use suum_core::{Bounds, Memberships, Options, Plan, Statistic, WeightedRequest};
/// use suum_report::{Beside, GroupPlan, Tier, View};
///
/// let plan = WeightedRequest::new(Statistic::Mean, Bounds::UNIT, Options::default())?
///     .plan("0.1:50,inf:2".parse()?)?;
/// let tiers = Tier::from_profile(plan.allowed());
/// let plan = Plan::from(plan);
/// let north = GroupPlan { plan: &plan, tiers: &tiers, needed: None, expected: None };
/// let groups = [("north", Some(north)), ("south", None)];
/// let whom = (false, &Memberships::One);
/// let (view, beside) = (View::default(), Beside::default());
/// let text = suum_report::group_plans_text("region", &groups, whom, &view, &beside);
/// assert!(text.contains("no records"));
/// # Ok::<(), suum_core::Error>(())
/// ```
pub fn group_plans_text(
    by: &str,
    groups: &[(&str, Option<GroupPlan<'_>>)],
    whom: (bool, &Memberships),
    view: &View,
    beside: &Beside,
) -> String {
    let mut out = Text::new(view);
    match view.explain {
        true => document(by, groups, whom).write(&mut out),
        false => brief::write_group_plans(&mut out, by, groups, whom, beside),
    }
    out.finish()
}

/// Page of plans of groups; see [`group_plans_text`].
pub fn group_plans_page(
    by: &str,
    groups: &[(&str, Option<GroupPlan<'_>>)],
    whom: (bool, &Memberships),
) -> Page {
    Page::from_document(document(by, groups, whom))
}

/// Complete content of the plans.
fn document(
    by: &str,
    groups: &[(&str, Option<GroupPlan<'_>>)],
    (assumed, memberships): (bool, &Memberships),
) -> Document {
    let scope = brief::scope_of_group_plans(groups, assumed, memberships);
    let mut all = Document::new(What::Plan, title(by, groups), scope);
    all.answer.table(errors("Expected errors", groups));
    all.answer.say(about(groups, assumed));
    let people = people(groups);
    all.cost.append(people_needed::section(people));
    all.cost.append(expected_errors::section(simulated(groups)));
    let mut inside = Content::default();
    inside.table(losses(groups));
    let heading = "What each tier allows, and what the releases would spend of it";
    all.cost.section("tiers", heading, inside);
    all
}

/// Sentence on the expected error of the difference of two groups. `plan` is that of one of them.
///
/// # Example
///
/// ```
/// use suum_core::{Bounds, Options, Plan, Statistic, WeightedRequest};
///
/// let plan = WeightedRequest::new(Statistic::Mean, Bounds::new(0.0, 77.0)?, Options::default())?
///     .plan("0.1:50,inf:2".parse()?)?;
/// let said = suum_report::planned_difference(["poor", "good"], 1.25, &Plan::from(plan));
/// assert_eq!(said, "Difference, poor less good: expected error 1.25.");
/// # Ok::<(), suum_core::Error>(())
/// ```
pub fn planned_difference([one, other]: [&str; 2], rmse: f64, plan: &Plan) -> String {
    let error = figure(Some(rmse), plan, 3);
    format!("Difference, {one} less {other}: expected error {error}.")
}

/// Number of people that a target takes in each group, if there is a target.
pub(crate) fn people(groups: &[(&str, Option<GroupPlan<'_>>)]) -> Vec<String> {
    let one = |(name, group): &(&str, Option<GroupPlan<'_>>)| {
        let needed = group.and_then(|group| group.needed)?;
        Some(format!("{name}: {}", people_needed::needed_words(needed)))
    };
    groups.iter().filter_map(one).collect()
}

/// Simulated errors of the groups that have any.
pub(crate) fn simulated<'a>(
    groups: &[(&'a str, Option<GroupPlan<'a>>)],
) -> Vec<(&'a str, &'a ExpectedErrors)> {
    let one = |(name, group): &(&'a str, Option<GroupPlan<'a>>)| {
        group.and_then(|group| group.expected).map(|expected| (*name, expected))
    };
    groups.iter().filter_map(one).collect()
}

/// Title of the plans.
fn title(by: &str, groups: &[(&str, Option<GroupPlan<'_>>)]) -> String {
    let plan = first(groups);
    let target = plan.and_then(Plan::options).map(|options| options.target);
    let target = target.map(|target| format!(", target {}", target.name()));
    format!(
        "Plan for {} of each of {} groups by {by}{}",
        plan.map_or_else(|| "the statistic".to_owned(), what),
        groups.len(),
        target.unwrap_or_default(),
    )
}

/// Plan of the first group that has records: all are made alike.
fn first<'a>(groups: &[(&str, Option<GroupPlan<'a>>)]) -> Option<&'a Plan> {
    groups.iter().find_map(|(_, group)| group.as_ref()).map(|group| group.plan)
}

/// Name of the planned statistic.
pub(crate) fn what(plan: &Plan) -> String {
    planned(plan).name()
}

/// Sentence on the unit of errors and on assumptions.
pub(crate) fn about(groups: &[(&str, Option<GroupPlan<'_>>)], assumed: bool) -> String {
    let plan = first(groups);
    let mut said = plan.map_or_else(String::new, |plan| planned(plan).about());
    let neighbors = plan.map_or(Neighbors::ReplaceOne, Plan::neighbors);
    let also = [
        (assumed, "Each group is assumed to have the whole profile."),
        (neighbors.hides_participation(), GUESS),
        (
            neighbors == Neighbors::Both,
            "A record that changes group is in two releases, so each group spends at most half of \
             a budget.",
        ),
    ];
    for (_, sentence) in also.iter().filter(|(holds, _)| *holds) {
        said = said + " " + sentence;
    }
    said
}

/// Figure of a plan, as it is shown.
fn figure(number: Option<f64>, plan: &Plan, digits: i32) -> String {
    let (factor, unit) = planned(plan).errors(false).pop().map_or((1.0, ""), |one| one.scale());
    match number.filter(|number| number.is_finite()) {
        Some(number) => format!("{}{unit}", significant(number * factor, digits)),
        None => "–".to_owned(),
    }
}

/// Number of records of a group; 0 if it is unknown.
pub(crate) fn records(one: &GroupPlan<'_>) -> u64 {
    one.tiers.iter().map(|tier| tier.count).sum()
}

/// Table with a row for each group, without columns that no plan has.
pub(crate) fn errors(caption: &str, groups: &[(&str, Option<GroupPlan<'_>>)]) -> Table {
    let plans = || groups.iter().filter_map(|(_, group)| *group);
    let none = || "no records".to_owned();
    let has_error = plans().any(|one| one.plan.rmse().is_some());
    let has_width = plans().any(|one| one.plan.half_width().is_some());
    Table::at_most(LINES, caption, groups)
        .words("group", |(name, _)| Sentence::from_label(*name))
        .when(plans().any(|one| records(&one) > 0), |table| {
            table.number("records", |(_, group)| count(group.map_or(0, |one| records(&one))))
        })
        .when(has_error, |table| {
            table.number("error", |(_, group)| {
                group.map_or_else(none, |one| figure(one.plan.rmse(), one.plan, 4))
            })
        })
        .when(has_width, |table| {
            table.number("half-width", |(_, group)| match group {
                None if has_error => String::new(),
                None => none(),
                Some(one) => figure(one.plan.half_width(), one.plan, 4),
            })
        })
        .words("estimator", |(_, group)| {
            group.map_or("", |one| one.plan.estimator().unwrap_or("several"))
        })
        .into()
}

/// Table with a row for each tier of each group.
fn losses(groups: &[(&str, Option<GroupPlan<'_>>)]) -> Table {
    let of_group = |(name, group): &(&str, Option<GroupPlan<'_>>)| {
        let Some(GroupPlan { plan, tiers, .. }) = *group else { return Vec::new() };
        let rows = tiers.iter().enumerate().map(|(at, tier)| {
            let name = if at == 0 { (*name).to_owned() } else { String::new() };
            (name, tier.clone(), plan.loss_of(tier.epsilon))
        });
        rows.collect()
    };
    let rows: Vec<_> = groups.iter().flat_map(of_group).collect();
    Table::at_most(LINES, "By group", &rows)
        .words("group", |(name, _, _)| match name.is_empty() {
            true => Sentence::default(),
            false => Sentence::from_label(name),
        })
        .words("tier", |(_, one, _)| Sentence::from_label(tier(&one.level, one.epsilon)))
        .number(
            "records",
            |(_, one, _)| {
                if one.count == 0 { String::new() } else { count(one.count) }
            },
        )
        .number("allowed ε", |(_, one, _)| budget(one.epsilon))
        .number("spends at most", |(_, one, loss)| spent(loss, one.epsilon))
        .into()
}
