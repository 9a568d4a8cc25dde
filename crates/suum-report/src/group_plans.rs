//! One plan per declared group, in one table.

use std::fmt::Write;

use suum_core::{Loss, Plan};

use crate::figures::{budget, count, significant, spent, tier};
use crate::groups::LINES;
use crate::table::{Table, selection};
use crate::tiers::Tier;

/// The plan of a group, for these tiers.
#[derive(Debug, Clone, Copy)]
pub struct GroupPlan<'a> {
    /// The plan.
    pub plan: &'a Plan,
    /// Its people.
    pub tiers: &'a [Tier],
}

/// The text of plans of groups: one table of expected errors, one of what would be spent. A group
/// without records has none.
///
/// # Example
///
/// ```
/// use suum_core::{Bounds, Options, Plan, Request, Statistic};
/// use suum_report::{GroupPlan, Tier};
///
/// let plan = Request::new(Statistic::Mean, Bounds::UNIT, Options::default())?
///     .plan("0.1:50,inf:2".parse()?)?;
/// let tiers = Tier::of_profile(plan.allowed());
/// let plan = Plan::from(plan);
/// let groups = [("north", Some(GroupPlan { plan: &plan, tiers: &tiers })), ("south", None)];
/// assert!(suum_report::group_plans_text("region", &groups).contains("no records"));
/// # Ok::<(), suum_core::Error>(())
/// ```
pub fn group_plans_text(by: &str, groups: &[(&str, Option<GroupPlan<'_>>)]) -> String {
    let mut out = title(by, groups) + "\n";
    let mut table = Table::new(1, ERRORS);
    for row in errors(groups) {
        table.row(row);
    }
    table.write(&mut out);
    let _ = writeln!(out, "{}", about(groups));
    let _ = writeln!(out, "\nWhat each tier allows and what the releases would spend");
    let mut table = Table::new(2, LOSSES);
    for row in losses(groups) {
        table.row(row);
    }
    table.write(&mut out);
    out
}

/// The columns of what is expected, and of what would be spent.
pub(crate) const ERRORS: [&str; 5] = ["group", "records", "error", "half-width", "estimator"];
pub(crate) const LOSSES: [&str; 5] = ["group", "tier", "records", "allowed ε", "spends at most"];

/// What it is a plan of.
pub(crate) fn title(by: &str, groups: &[(&str, Option<GroupPlan<'_>>)]) -> String {
    let what = groups.iter().find_map(|(_, group)| Some(group.as_ref()?.plan.statistic()));
    format!(
        "Plan for the {} of each of {} groups by {by}\n",
        what.unwrap_or("statistic"),
        groups.len()
    )
}

/// In which units errors are.
pub(crate) fn about(groups: &[(&str, Option<GroupPlan<'_>>)]) -> &'static str {
    match groups.iter().find_map(|(_, group)| group.as_ref()).map(|group| group.plan) {
        Some(Plan::Quantiles(_)) => {
            "Errors and half-widths are of the rank, as a share of records."
        }
        Some(Plan::Weighted(_)) => {
            "Errors (root mean squared) and half-widths of intervals are the worst case, before\n\
             seeing the data, of a mean that does not learn first."
        }
        _ => "Errors are root mean squared. Plan one group alone for all that is known of it.",
    }
}

/// A line for each group.
pub(crate) fn errors(groups: &[(&str, Option<GroupPlan<'_>>)]) -> Vec<[String; 5]> {
    let figure = |number: Option<f64>| {
        let number = number.filter(|number| number.is_finite());
        number.map_or_else(|| "–".to_owned(), |number| significant(number, 4))
    };
    let row = |at: Option<usize>| {
        let Some((name, group)) = at.and_then(|at| groups.get(at)) else {
            return ["…"; 5].map(str::to_owned);
        };
        let Some(GroupPlan { plan, tiers }) = group else {
            return [*name, "0", "no records", "", ""].map(str::to_owned);
        };
        let records = tiers.iter().map(|tier| tier.count).sum::<u64>();
        let records = if records == 0 { String::new() } else { count(records) };
        let estimator = plan.estimator().unwrap_or("several").to_owned();
        [(*name).to_owned(), records, figure(plan.rmse()), figure(plan.half_width()), estimator]
    };
    selection(groups.len(), LINES).into_iter().map(row).collect()
}

/// A line for each tier of each group.
pub(crate) fn losses(groups: &[(&str, Option<GroupPlan<'_>>)]) -> Vec<[String; 5]> {
    let mut rows = Vec::new();
    for (name, group) in groups {
        let Some(GroupPlan { plan, tiers }) = group else { continue };
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
