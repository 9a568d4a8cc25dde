//! One plan per declared group, in one table.

use std::fmt::Write;

use suum_core::{Asked, Loss, Neighbors, Plan, Target};

use crate::add_remove::{GUESS, name_of, parts_name};
use crate::figures::{budget, count, significant, spent, tier};
use crate::groups::LINES;
use crate::needed::{self, NEEDED, Needed};
use crate::prose::Text;
use crate::scale::Scale;
use crate::table::{Table, selection};
use crate::tiers::Tier;
use crate::view::View;
use crate::{Beside, Expected, brief, expected, prose, quantiles, range};

/// The plan of a group, for these tiers.
#[derive(Debug, Clone, Copy)]
pub struct GroupPlan<'a> {
    /// The plan.
    pub plan: &'a Plan,
    /// Its people.
    pub tiers: &'a [Tier],
    /// How many people it takes to come as near as is asked for, if anything is.
    pub needed: Option<&'a Needed>,
    /// What simulations say of it, if there were any.
    pub expected: Option<&'a Expected>,
}

/// The text of plans of groups: one table of expected errors, one of what would be spent, in short
/// by tier and with `view.explain` by group and tier. A group without records has none. `assumed`
/// says that a profile was given, which is that of each group.
///
/// # Example
///
/// ```
/// use suum_core::{Bounds, Options, Plan, Statistic, WeightedRequest};
/// use suum_report::{Beside, GroupPlan, Tier, View};
///
/// let plan = WeightedRequest::new(Statistic::Mean, Bounds::UNIT, Options::default())?
///     .plan("0.1:50,inf:2".parse()?)?;
/// let tiers = Tier::of_profile(plan.allowed());
/// let plan = Plan::from(plan);
/// let north = GroupPlan { plan: &plan, tiers: &tiers, needed: None, expected: None };
/// let groups = [("north", Some(north)), ("south", None)];
/// let text = suum_report::group_plans_text("region", &groups, false, &View::default(),
///     &Beside::default());
/// assert!(text.contains("no records"));
/// # Ok::<(), suum_core::Error>(())
/// ```
pub fn group_plans_text(
    by: &str,
    groups: &[(&str, Option<GroupPlan<'_>>)],
    assumed: bool,
    view: &View,
    beside: &Beside,
) -> String {
    let mut out = Text::new(view);
    if !view.explain {
        // Writing to a text cannot fail.
        let _ = brief::write_group_plans(&mut out, by, groups, assumed, beside);
        return out.finish();
    }
    prose::paragraph(&mut out, &title(by, groups));
    let _ = writeln!(out);
    let mut table = Table::new(1, ERRORS);
    for row in errors(groups) {
        table.row(row);
    }
    out.table(&table);
    prose::paragraph(&mut out, &about(groups, assumed));
    out.heading("What each tier allows and what the releases would spend");
    let mut table = Table::new(2, LOSSES);
    for row in losses(groups) {
        table.row(row);
    }
    out.table(&table);
    for (at, said) in people(groups).into_iter().enumerate() {
        if at == 0 {
            out.heading(NEEDED);
        }
        prose::paragraph(&mut out, &said);
    }
    expected::of_groups(&mut out, &simulated(groups));
    out.finish()
}

/// What the error of the difference of two groups would be, in a sentence. `plan` is that of one of
/// them.
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
    let scale = Scale::of(plan);
    let error = format!("{}{}", significant(rmse * scale.factor(), 3), scale.unit());
    format!("Difference, {one} less {other}: expected error {error}.")
}

/// How many people each group takes to come as near as is asked for, if anything is.
pub(crate) fn people(groups: &[(&str, Option<GroupPlan<'_>>)]) -> Vec<String> {
    let one = |(name, group): &(&str, Option<GroupPlan<'_>>)| {
        let needed = group.and_then(|group| group.needed)?;
        Some(format!("{name}: {}", needed::needed_words(needed)))
    };
    groups.iter().filter_map(one).collect()
}

/// What simulations say of the groups of which there were any.
pub(crate) fn simulated<'a>(
    groups: &[(&'a str, Option<GroupPlan<'a>>)],
) -> Vec<(&'a str, &'a Expected)> {
    let one = |(name, group): &(&'a str, Option<GroupPlan<'a>>)| {
        group.and_then(|group| group.expected).map(|expected| (*name, expected))
    };
    groups.iter().filter_map(one).collect()
}

/// The columns of what is expected, and of what would be spent.
pub(crate) const ERRORS: [&str; 5] = ["group", "records", "error", "half-width", "estimator"];
pub(crate) const LOSSES: [&str; 5] = ["group", "tier", "records", "allowed ε", "spends at most"];

/// What it is a plan of.
pub(crate) fn title(by: &str, groups: &[(&str, Option<GroupPlan<'_>>)]) -> String {
    let plan = first(groups);
    let target = plan.and_then(target).map(|target| format!(", target {}", target.name()));
    format!(
        "Plan for {} of each of {} groups by {by}{}",
        plan.map_or_else(|| "the statistic".to_owned(), what),
        groups.len(),
        target.unwrap_or_default(),
    )
}

/// The plan of the first group that has records: all are made alike.
fn first<'a>(groups: &[(&str, Option<GroupPlan<'a>>)]) -> Option<&'a Plan> {
    groups.iter().find_map(|(_, group)| group.as_ref()).map(|group| group.plan)
}

/// What is planned, in words.
pub(crate) fn what(plan: &Plan) -> String {
    match plan {
        Plan::Quantiles(plan) => quantiles::which(plan.request().ranks()),
        Plan::AddRemove(plan) => name_of(plan.request()),
        Plan::AddRemoveParts(plan) => parts_name(plan),
        Plan::Summary(_) => "several statistics".to_owned(),
        Plan::Unbounded(plan) => match &plan.request().asked {
            Asked::Quantiles(asked) => quantiles::which(&asked.ranks),
            Asked::Summary { .. } => range::name(plan.request()).to_owned(),
            _ => format!("the {}", range::name(plan.request())),
        },
        Plan::Weighted(_) | Plan::Variance(_) => format!("the {}", plan.statistic()),
    }
}

/// What the estimates are meant to be close to.
fn target(plan: &Plan) -> Option<Target> {
    plan.options().map(|options| options.target)
}

/// In which units errors are, and what is assumed.
pub(crate) fn about(groups: &[(&str, Option<GroupPlan<'_>>)], assumed: bool) -> String {
    let plan = first(groups);
    let adapts = || {
        groups
            .iter()
            .filter_map(|(_, group)| group.as_ref())
            .any(|group| matches!(group.plan, Plan::Weighted(plan) if plan.adaptive().is_some()))
    };
    let mut said = match plan {
        Some(Plan::Quantiles(_)) => {
            "Errors (root mean squared) and half-widths are of the rank, in percentage points of \
             records."
                .to_owned()
        }
        Some(plan @ Plan::Weighted(_)) => format!(
            "Errors (root mean squared) and half-widths are worst cases, before seeing the data{}.",
            match adapts() {
                true => format!(", of a {} that does not learn first", plan.statistic()),
                false => String::new(),
            }
        ),
        Some(Plan::AddRemove(plan)) if !plan.request().ranks().is_empty() => {
            "Errors (root mean squared) are of the rank, in percentage points of records."
                .to_owned()
        }
        Some(Plan::Unbounded(_)) => {
            "Errors (root mean squared) are in standard deviations of the values, for normal data; \
             of quantiles of the rank, in percentage points of records."
                .to_owned()
        }
        Some(Plan::Summary(_) | Plan::AddRemoveParts(_)) => {
            "Plan one group alone for its errors.".to_owned()
        }
        _ => "Errors are root mean squared. Plan one group alone for all that is known of it."
            .to_owned(),
    };
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

/// A line for each group.
pub(crate) fn errors(groups: &[(&str, Option<GroupPlan<'_>>)]) -> Vec<[String; 5]> {
    let figure = |number: Option<f64>, scale: Scale| {
        let number = number.filter(|number| number.is_finite());
        let said = |number| format!("{}{}", significant(number * scale.factor(), 4), scale.unit());
        number.map_or_else(|| "–".to_owned(), said)
    };
    let row = |at: Option<usize>| {
        let Some((name, group)) = at.and_then(|at| groups.get(at)) else {
            return ["…"; 5].map(str::to_owned);
        };
        let Some(GroupPlan { plan, tiers, .. }) = group else {
            return [*name, "0", "no records", "", ""].map(str::to_owned);
        };
        let records = tiers.iter().map(|tier| tier.count).sum::<u64>();
        let records = if records == 0 { String::new() } else { count(records) };
        let estimator = plan.estimator().unwrap_or("several").to_owned();
        let [error, width] =
            [plan.rmse(), plan.half_width()].map(|number| figure(number, Scale::of(plan)));
        [(*name).to_owned(), records, error, width, estimator]
    };
    selection(groups.len(), LINES).into_iter().map(row).collect()
}

/// A line for each tier of each group.
pub(crate) fn losses(groups: &[(&str, Option<GroupPlan<'_>>)]) -> Vec<[String; 5]> {
    let mut rows = Vec::new();
    for (name, group) in groups {
        let Some(GroupPlan { plan, tiers, .. }) = group else { continue };
        for (at, one) in tiers.iter().enumerate() {
            let loss: Loss = plan.loss_of(one.epsilon);
            rows.push([
                if at == 0 { (*name).to_owned() } else { String::new() },
                tier(&one.level, one.epsilon),
                if one.count == 0 { String::new() } else { count(one.count) },
                budget(one.epsilon),
                spent(&loss, one.epsilon),
            ]);
        }
    }
    let gap = || ["…"; 5].map(str::to_owned);
    let shown = selection(rows.len(), LINES).into_iter();
    shown.map(|at| at.and_then(|at| rows.get(at)).cloned().unwrap_or_else(gap)).collect()
}
