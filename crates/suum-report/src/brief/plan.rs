//! The short text of a plan: the error to expect, how long the interval would be, and what every
//! tier would spend.

use std::fmt::Write;

use suum_core::{Bounds, Plan, Protected, Spending, WeightedPlan};

use super::{Beside, better, tiers, write_details, write_notes};
use crate::figures::{count, significant};
use crate::group_plans;
use crate::prose::{self, Text, Tone};
use crate::tiers::Tier;
use crate::{add_remove, moment, range, strata, summary, weighted};

/// The short text of a plan; `interval` says how long that would be.
pub(crate) fn write(
    out: &mut Text,
    plan: &Plan,
    tiers: &[Tier],
    in_range: bool,
    interval: Option<&str>,
    beside: &Beside,
) -> std::fmt::Result {
    let of = scope(plan, tiers, in_range);
    let name = group_plans::what(plan);
    out.pieces(&[
        (format!("plan for {name}"), Tone::Plain),
        (error(plan), Tone::Answer),
        (of.join(" · "), Tone::Quiet),
    ]);
    for note in notes(plan, in_range) {
        prose::indented(out, &note);
    }
    if let Some(interval) = interval {
        prose::indented(out, interval);
    }
    write_notes(out, &beside.below);
    writeln!(out)?;
    let heading = match plan {
        Plan::Weighted(plan) if plan.adaptive().is_some() => "spends at most",
        Plan::AddRemove(plan) => add_remove::would_spend(plan),
        _ => "would spend",
    };
    tiers::write(out, &spending(plan, tiers), Protected::Record, heading, &beside.tiers);
    write_notes(out, &beside.last);
    if let Plan::Weighted(plan) = plan
        && let Some(better) = better::estimator(plan)
    {
        prose::paragraph(out, &better);
    }
    write_details(out);
    Ok(())
}

/// How many records it is of, and which bounds.
pub(crate) fn scope(plan: &Plan, tiers: &[Tier], in_range: bool) -> Vec<String> {
    let records = match tiers.iter().map(|tier| tier.count).sum::<u64>() {
        0 => None,
        records => Some(format!("{} records", count(records))),
    };
    records.into_iter().chain(bounds(plan, in_range)).collect()
}

/// What every tier would spend.
fn spending(plan: &Plan, tiers: &[Tier]) -> Vec<Spending> {
    match plan {
        Plan::AddRemove(plan) => return plan.chosen().privacy.clone(),
        Plan::AddRemoveParts(plan) => return plan.privacy().to_vec(),
        _ => {}
    }
    let row = |tier: &Tier| Spending {
        level: tier.level.clone(),
        epsilon: tier.epsilon,
        count: Some(tier.count),
        spent: plan.loss_of(tier.epsilon),
        weight: None,
    };
    tiers.iter().map(row).collect()
}

/// The error to expect, in few words.
fn error(plan: &Plan) -> String {
    let Some(rmse) = plan.rmse() else {
        return match plan {
            Plan::Unbounded(plan) if plan.expected_error().is_some() => String::new(),
            _ => "several errors".to_owned(),
        };
    };
    match plan {
        Plan::Quantiles(_) => ranks(rmse),
        Plan::AddRemove(plan) if !plan.request().ranks().is_empty() => ranks(rmse),
        Plan::Weighted(plan) if is_of_shares(plan) => points(rmse),
        Plan::AddRemove(plan) if plan.request().categories().is_some() => points(rmse),
        Plan::Weighted(plan) => expected(rmse, Some(plan.request().bounds())),
        Plan::AddRemove(plan) => expected(rmse, plan.request().bounds()),
        _ => expected(rmse, None),
    }
}

/// An error in the units of the data.
fn expected(rmse: f64, bounds: Option<Bounds>) -> String {
    let unit = moment::unit(bounds.and_then(Bounds::scale));
    format!("expected error {}{unit}", significant(rmse, 3))
}

fn is_of_shares(plan: &WeightedPlan) -> bool {
    plan.setting().categories.is_some()
}

fn points(rmse: f64) -> String {
    format!("expected error {} percentage points", significant(rmse * 100.0, 3))
}

fn ranks(rmse: f64) -> String {
    format!("expected error of the rank {} percentage points", significant(rmse * 100.0, 3))
}

/// What the error is, and of which estimator.
fn notes(plan: &Plan, in_range: bool) -> Vec<String> {
    let by = plan.estimator().map_or_else(String::new, |name| format!(", by {name}"));
    match plan {
        Plan::Weighted(plan) => {
            let of = match is_of_shares(plan) {
                true => "The largest over the categories, root",
                false => "Root",
            };
            let unit = match in_range && !is_of_shares(plan) {
                true => " Errors are shares of the width of the bounds (--bounds LO,HI).",
                false => "",
            };
            let bound = weighted::brief_bound(plan).unwrap_or_default();
            let mut notes = vec![format!(
                "{of} mean squared, worst case, before seeing the data{by}.{bound}{unit}"
            )];
            if plan.adaptive().is_some() {
                notes.push(ADAPTS.to_owned());
            }
            notes.extend(strata::of_plan(plan));
            notes
        }
        Plan::Variance(_) => {
            vec![format!("Root mean squared, at the distribution that is hardest to sample{by}.")]
        }
        Plan::Unbounded(plan) => vec![
            format!("{}.", range::expected(plan)),
            range::brief_decision(plan),
            range::clipping(plan).to_owned(),
        ],
        Plan::AddRemove(plan) => {
            let assumed = format!(
                "Root mean squared{by}, if people are as assumed; a release does not see the \
                 profile."
            );
            let adapts = plan.learning().map(|_| ADAPTS.to_owned());
            [assumed].into_iter().chain(adapts).collect()
        }
        Plan::Quantiles(plan) => {
            let mut notes = vec![format!("Root mean squared{by}.")];
            notes.extend(strata::of_quantiles(plan));
            notes
        }
        Plan::Summary(plan) => several("in the worst case", &summary::errors(plan)),
        Plan::AddRemoveParts(plan) => {
            several("if people are as assumed", &add_remove::parts_errors(plan))
        }
    }
}

/// The errors of several statistics.
fn several(when: &str, errors: &[String]) -> Vec<String> {
    vec![format!("Expected, root mean squared, {when}: {}.", errors.join("; "))]
}

/// That a mean learns first.
const ADAPTS: &str = "The release would first learn where the values lie; no bound on its error is \
    known before, and all figures are of one that does not learn (--no-adapt).";

/// The bounds, where there are declared ones.
pub(super) fn bounds(plan: &Plan, in_range: bool) -> Option<String> {
    let bounds = match plan {
        Plan::Weighted(plan) if is_of_shares(plan) || in_range => return None,
        Plan::Weighted(plan) => plan.request().bounds(),
        Plan::Quantiles(plan) => plan.request().bounds(),
        Plan::Variance(plan) => plan.request().bounds(),
        Plan::AddRemove(plan) => plan.request().bounds()?,
        Plan::Summary(_) | Plan::Unbounded(_) | Plan::AddRemoveParts(_) => return None,
    };
    Some(format!("bounds {}", moment::between(bounds)))
}
