//! Short text of a plan for each group.

use suum_core::{Epsilon, Loss, Memberships, Neighbors, ProtectedUnit, Spending};

use super::{Beside, plan, tiers, write_details, write_notes};
use crate::expected_errors;
use crate::figures::count;
use crate::group_plans::{self, GroupPlan, people};
use crate::prose::{self, Text, Tone};
use crate::tiers::Tier;

/// Writes one table of errors, and one of the largest loss of each tier.
pub(crate) fn write(
    out: &mut Text,
    by: &str,
    groups: &[(&str, Option<GroupPlan<'_>>)],
    (assumed, memberships): (bool, &Memberships),
    beside: &Beside,
) {
    let first = groups.iter().find_map(|(_, group)| *group);
    let name = first.map_or_else(|| "the statistic".to_owned(), |one| group_plans::what(one.plan));
    let certificate = certificate(groups, assumed, memberships);
    let of = records_and_bounds(groups, &certificate);
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
            _ if memberships.are_several() => {
                "For each tier: the cost of all groups that one person can change."
            }
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
pub(crate) fn scope(
    groups: &[(&str, Option<GroupPlan<'_>>)],
    assumed: bool,
    memberships: &Memberships,
) -> Vec<String> {
    records_and_bounds(groups, &certificate(groups, assumed, memberships))
}

fn records_and_bounds(
    groups: &[(&str, Option<GroupPlan<'_>>)],
    certificate: &[Spending],
) -> Vec<String> {
    let records = certificate.iter().map(|row| row.count).sum::<Option<u64>>();
    let records = records.filter(|all| *all > 0).map(|all| format!("{} records", count(all)));
    let first = groups.iter().find_map(|(_, group)| *group);
    let bounds = first.and_then(|one| plan::bounds(one.plan, false));
    records.into_iter().chain(bounds).collect()
}

/// Largest loss of each tier: the total of the groups of which one record can change the releases.
/// People who are assumed to be in every group are counted once.
fn certificate(
    groups: &[(&str, Option<GroupPlan<'_>>)],
    assumed: bool,
    memberships: &Memberships,
) -> Vec<Spending> {
    let plans = || groups.iter().filter_map(|(_, group)| *group);
    let Some(first) = plans().next() else { return Vec::new() };
    let (neighbors, many) = (first.plan.neighbors(), plans().count());
    let losses = |part: Epsilon| plans().map(|one| one.plan.loss_of(part)).collect();
    let add = |sum: Loss, loss: Loss| sum.plus(&loss);
    let of_tier = |tier: &Tier| {
        let spent = memberships.most(tier.epsilon, neighbors, many, losses, Loss::ZERO, add);
        Spending {
            level: tier.level.clone(),
            epsilon: tier.epsilon,
            count: (tier.count > 0).then_some(tier.count),
            spent,
            weight: None,
            delta: None,
        }
    };
    let tiers: Vec<Tier> = match memberships {
        Memberships::Public(kinds) => kinds.iter().map(Tier::from).collect(),
        _ if assumed => first.tiers.to_vec(),
        Memberships::One | Memberships::AtMost(_) => {
            plans().flat_map(|one| one.tiers.iter().cloned()).collect()
        }
    };
    let mut rows: Vec<Spending> = Vec::new();
    for tier in &tiers {
        let is_same = |row: &&mut Spending| row.level == tier.level && row.epsilon == tier.epsilon;
        match rows.iter_mut().find(is_same) {
            Some(row) => row.count = row.count.map(|count| count.saturating_add(tier.count)),
            None => rows.push(of_tier(tier)),
        }
    }
    rows
}
