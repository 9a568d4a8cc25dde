//! Strata whose shares an estimate keeps, in words.

use suum_core::{Procedure, Release, Stratified, Stratum, WeightedPlan};

use crate::figures::{percent, significant};

/// How many strata are named.
const NAMED: usize = 6;

/// What is said of the strata of a plan.
pub(crate) fn of_plan(plan: &WeightedPlan) -> impl Iterator<Item = String> {
    shares(plan).into_iter().chain(price(plan))
}

/// The shares that a release has kept.
pub(crate) fn shares_kept(release: &Release) -> Option<String> {
    match &release.procedure {
        Procedure::Weighted(plan) => shares(plan),
        _ => None,
    }
}

/// What share each stratum has, and which it would have among the records.
fn shares(plan: &WeightedPlan) -> Option<String> {
    let Stratified { column, strata, .. } = plan.stratified()?;
    let all: u64 = strata.iter().map(|stratum| stratum.records).sum();
    let each: Vec<String> = strata.iter().take(NAMED).map(|stratum| share(stratum, all)).collect();
    let more = match strata.len() - each.len() {
        0 => String::new(),
        more => format!(", and {more} more"),
    };
    Some(format!("Strata of {column} keep their shares: {}{more}.", each.join(", ")))
}

fn share(Stratum { name, records, share, .. }: &Stratum, all: u64) -> String {
    let of_records = *records as f64 / all as f64;
    let here = match (share - of_records).abs() < 5e-4 {
        true => String::new(),
        false => format!(" ({} of the records)", percent(of_records)),
    };
    format!("{name} {}{here}", percent(*share))
}

/// What keeping the shares costs.
fn price(plan: &WeightedPlan) -> Option<String> {
    let Stratified { rmse_without, .. } = plan.stratified()?;
    let rmse = plan.chosen().risk.rmse() * plan.unit();
    Some(format!(
        "Without strata the expected error would be {} in place of {}, if budgets had nothing to \
         do with values.",
        significant(rmse_without, 3),
        significant(rmse, 3),
    ))
}
