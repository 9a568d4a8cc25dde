//! Short text of a plan for each group.

use suum_core::{Neighbors, ProtectedUnit, Spending};

use super::{Beside, plan, tiers, write_details, write_notes};
use crate::expected_errors;
use crate::figures::count;
use crate::group_plans::{self, GroupPlan, people};
use crate::prose::{self, Text, Tone};

/// Writes one table of errors, and one of the largest loss of each tier.
pub(crate) fn write(
    out: &mut Text,
    by: &str,
    groups: &[(&str, Option<GroupPlan<'_>>)],
    assumed: bool,
    beside: &Beside,
) {
    let first = groups.iter().find_map(|(_, group)| *group);
    let name = first.map_or_else(|| "the statistic".to_owned(), |one| group_plans::what(one.plan));
    let certificate = certificate(groups, assumed);
    let of = of_whom(groups, &certificate);
    out.pieces(&[
        (format!("plan for {name} by {by}"), Tone::Answer),
        (format!("{} groups", groups.len()), Tone::Plain),
        (of.join(" · "), Tone::Quiet),
    ]);
    out.table(&group_plans::errors("", groups));
    prose::indented(out, &group_plans::about(groups, assumed));
    write_notes(out, &beside.below);
    out.line();
    tiers::write(out, &certificate, ProtectedUnit::Record, "spends at most", &beside.tiers);
    let neighbors = first.map_or(Neighbors::ReplaceOne, |one| one.plan.neighbors());
    prose::paragraph(
        out,
        match neighbors {
            Neighbors::Both => {
                "For each tier: twice the cost in its most expensive group, since a record that \
                 changes group is in two."
            }
            Neighbors::ReplaceOne | Neighbors::AddRemove => {
                "For each tier: the cost in its most expensive group."
            }
        },
    );
    write_notes(out, &beside.last);
    write_notes(out, &people(groups));
    let simulated = group_plans::simulated(groups);
    write_notes(out, &expected_errors::named(&simulated));
    if let Some((_, expected)) = simulated.first() {
        prose::paragraph(out, &expected_errors::about(expected));
    }
    write_details(out);
}

/// Number of records of all groups, and the bounds.
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

/// Largest loss of each tier: that in one group, or that in two if a record that changes group is
/// in both. People who are assumed to be in every group are counted once.
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
                    delta: None,
                }),
            }
        }
    }
    rows
}
