//! Strata whose shares an estimate keeps, in words.

use suum_core::{Shares, Statistic, StrataSummary, Stratum, WeightedPlan};

use crate::figures::{percent, significant, trimmed};

/// Largest number of strata that are named.
const NAMED: usize = 6;

/// Sentence on the share of each stratum, and its share of the records.
pub(crate) fn shares(StrataSummary { column, strata, .. }: &StrataSummary) -> String {
    let all: u64 = strata.iter().map(|stratum| stratum.records).sum();
    let each: Vec<String> = strata.iter().take(NAMED).map(|stratum| share(stratum, all)).collect();
    let more = match strata.len() - each.len() {
        0 => String::new(),
        more => format!(", and {more} more"),
    };
    format!("Strata of {column} keep their shares: {}{more}.", each.join(", "))
}

/// Shares of the strata that a plan keeps, and the number of records that a sum is over.
pub(crate) fn describe_kept(plan: &WeightedPlan) -> Option<String> {
    let shares = plan.stratified().as_ref().map(shares)?;
    Some(stands_for(plan).into_iter().fold(shares, |shares, total| format!("{shares} {total}")))
}

/// Number of records that a sum counts, if each stands for several.
fn stands_for(plan: &WeightedPlan) -> Option<String> {
    let strata = plan.request().options().strata.as_ref()?;
    let total = trimmed(&significant(plan.unit(), 12));
    match (plan.request().statistic(), strata.shares()) {
        (Statistic::Sum, Shares::Design(_)) => Some(format!(
            "The sum counts each record as often as its design weight says: {total} in all."
        )),
        (Statistic::Sum, Shares::Population(_)) => {
            Some(format!("The sum is that of the declared population of {total}."))
        }
        _ => None,
    }
}

fn share(Stratum { name, records, share, .. }: &Stratum, all: u64) -> String {
    let of_records = *records as f64 / all as f64;
    let here = match (share - of_records).abs() < 5e-4 {
        true => String::new(),
        false => format!(" ({} of the records)", percent(of_records)),
    };
    // A number beside another one would be read as a part of it.
    match name.trim().parse::<f64>() {
        Ok(_) => format!("{name:?} {}{here}", percent(*share)),
        Err(_) => format!("{name} {}{here}", percent(*share)),
    }
}

/// Cost of keeping the shares, as a change of the expected error; `parts` converts errors to
/// `unit`.
pub(crate) fn price(
    StrataSummary { rmse_without, .. }: &StrataSummary,
    rmse: f64,
    parts: f64,
    unit: &str,
) -> String {
    format!(
        "Without strata the expected error would be {} in place of {}{unit}, if budgets had \
         nothing to do with values.",
        significant(rmse_without * parts, 3),
        significant(rmse * parts, 3),
    )
}
