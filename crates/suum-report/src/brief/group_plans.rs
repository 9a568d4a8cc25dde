//! The short text of a plan for each group.

use std::fmt::Write;

use suum_core::{Neighbors, Protected, Spending};

use super::{Beside, plan, tiers, write_details, write_notes};
use crate::expected;
use crate::figures::{count, significant};
use crate::group_plans::{self, GroupPlan, people};
use crate::groups::LINES;
use crate::prose::{self, Text, Tone};
use crate::scale::Scale;
use crate::table::{Table, selection};

/// One table of errors, and one of the most that each tier would spend.
pub(crate) fn write(
    out: &mut Text,
    by: &str,
    groups: &[(&str, Option<GroupPlan<'_>>)],
    assumed: bool,
    beside: &Beside,
) -> std::fmt::Result {
    let first = groups.iter().find_map(|(_, group)| *group);
    let name = first.map_or_else(|| "the statistic".to_owned(), |one| group_plans::what(one.plan));
    let certificate = certificate(groups, assumed);
    let of = of_whom(groups, &certificate);
    out.pieces(&[
        (format!("plan for {name} by {by}"), Tone::Answer),
        (format!("{} groups", groups.len()), Tone::Plain),
        (of.join(" · "), Tone::Quiet),
    ]);
    write_table(out, groups);
    prose::indented(out, &group_plans::about(groups, assumed));
    write_notes(out, &beside.below);
    writeln!(out)?;
    tiers::write(out, &certificate, Protected::Record, "spends at most", &beside.tiers);
    let neighbors = first.map_or(Neighbors::ReplaceOne, |one| one.plan.neighbors());
    prose::paragraph(
        out,
        match neighbors {
            Neighbors::Both => "This is what the two groups that cost a tier most cost together.",
            Neighbors::ReplaceOne | Neighbors::AddRemove => {
                "This is what the group that costs a tier most costs it."
            }
        },
    );
    write_notes(out, &beside.last);
    write_notes(out, &people(groups));
    let simulated = group_plans::simulated(groups);
    for (name, expected) in &simulated {
        let lines = expected::lines(expected);
        lines.iter().for_each(|line| prose::indented(out, &format!("{name}: {line}")));
    }
    if let Some((_, expected)) = simulated.first() {
        prose::paragraph(out, &expected::about(expected));
    }
    write_details(out);
    Ok(())
}

/// How many records all groups have, and which bounds.
pub(crate) fn scope(groups: &[(&str, Option<GroupPlan<'_>>)], assumed: bool) -> Vec<String> {
    of_whom(groups, &certificate(groups, assumed))
}

fn of_whom(groups: &[(&str, Option<GroupPlan<'_>>)], certificate: &[Spending]) -> Vec<String> {
    let records = certificate.iter().map(|row| row.count).sum::<Option<u64>>();
    let records = records.filter(|all| *all > 0).map(|all| format!("{} records", count(all)));
    let first = groups.iter().find_map(|(_, group)| *group);
    let bounds = first.and_then(|one| plan::bounds(one.plan, false));
    records.into_iter().chain(bounds).collect()
}

/// A line for each group; without errors where a plan has several.
fn write_table(out: &mut Text, groups: &[(&str, Option<GroupPlan<'_>>)]) {
    let plans = || groups.iter().filter_map(|(_, group)| *group);
    let counted = plans().any(|one| records(&one) > 0);
    let has_error = plans().any(|one| one.plan.rmse().is_some());
    let has_width = plans().any(|one| one.plan.half_width().is_some());
    let mut headings = vec!["group"];
    headings.extend(counted.then_some("records"));
    headings.extend(has_error.then_some("error"));
    headings.extend(has_width.then_some("half-width"));
    headings.push("");
    let row = |(name, group): &(&str, Option<GroupPlan<'_>>)| {
        let figure = |number: Option<f64>, scale: Scale| match number {
            Some(number) if number.is_finite() => {
                format!("{}{}", significant(number * scale.factor(), 3), scale.unit())
            }
            _ => "–".to_owned(),
        };
        let mut row = vec![(*name).to_owned()];
        let Some(one) = group else {
            row.extend(counted.then(|| "0".to_owned()));
            row.extend((has_error || has_width).then(|| "no records".to_owned()));
            row.extend((has_error && has_width).then(String::new));
            return (row, String::new());
        };
        let scale = Scale::of(one.plan);
        row.extend(counted.then(|| count(records(one))));
        row.extend(has_error.then(|| figure(one.plan.rmse(), scale)));
        row.extend(has_width.then(|| figure(one.plan.half_width(), scale)));
        (row, one.plan.estimator().map_or_else(String::new, |name| format!("by {name}")))
    };
    let mut table = Table::of(1, &headings);
    for at in selection(groups.len(), LINES) {
        let (cells, tail) = match at.and_then(|at| groups.get(at)) {
            Some(group) => row(group),
            None => {
                let gap = std::iter::once("…".to_owned());
                (gap.chain(vec![String::new(); headings.len() - 2]).collect(), String::new())
            }
        };
        table.row_of(cells, Some(tail));
    }
    out.table(&table);
}

fn records(one: &GroupPlan<'_>) -> u64 {
    one.tiers.iter().map(|tier| tier.count).sum()
}

/// The most that each tier spends: in one group, or in two where a record that changes group is in
/// both. Of people who are assumed to be in every group there are as many as in one.
fn certificate(groups: &[(&str, Option<GroupPlan<'_>>)], assumed: bool) -> Vec<Spending> {
    let mut rows: Vec<Spending> = Vec::new();
    for GroupPlan { plan, tiers, .. } in groups.iter().filter_map(|(_, group)| *group) {
        for tier in tiers {
            let one = plan.loss_of(tier.epsilon);
            let spent = match plan.neighbors() {
                Neighbors::Both => one.plus(&one),
                Neighbors::ReplaceOne | Neighbors::AddRemove => one,
            };
            let count = (tier.count > 0).then_some(tier.count);
            let is_same =
                |row: &&mut Spending| row.level == tier.level && row.epsilon == tier.epsilon;
            match rows.iter_mut().find(is_same) {
                Some(row) => {
                    if !assumed {
                        row.count = row.count.zip(count).map(|(one, other)| one + other);
                    }
                    if spent.rounded_up() > row.spent.rounded_up() {
                        row.spent = spent;
                    }
                }
                None => rows.push(Spending {
                    level: tier.level.clone(),
                    epsilon: tier.epsilon,
                    count,
                    spent,
                    weight: None,
                }),
            }
        }
    }
    rows
}
