//! Several statistics in words.

use std::fmt::Write;

use suum_core::{Loss, Procedure, Protected, Release, SummaryPart, SummaryPlan};

use crate::figures::{count, percent, significant};
use crate::headline;
use crate::html::figure::Figure;
use crate::tiers::{self, Tier};
use crate::{guarantee, how, spending};

/// How several statistics were made: how budgets were split, and what everybody spent.
pub(crate) fn write_how(
    out: &mut String,
    parts: &[SummaryPart],
    release: &Release,
) -> std::fmt::Result {
    writeln!(out, "\nHow every budget was split")?;
    for part in parts {
        writeln!(out, "  {:>6}  {}", percent(part.share.get()), part.measured)?;
    }
    spending::write(out, release)?;
    guarantee::write(out, &guarantee::of(release))
}

/// The answers in a sentence: the mean and the median, or the first one that there is.
pub(crate) fn headline(figures: &[Figure]) -> Vec<headline::Piece> {
    let central = |figure: &&Figure| matches!(figure.name.as_str(), "mean" | "median");
    let mut named: Vec<&Figure> = figures.iter().filter(central).collect();
    if named.is_empty() {
        named.extend(figures.first());
    }
    headline::several(&named)
}

/// What intervals are, and for whom; all parts are made alike.
pub(crate) fn alone(release: &Release) -> String {
    let Procedure::Summary { parts, .. } = &release.procedure else { return String::new() };
    let alone = parts.first().and_then(|part| match &part.release.procedure {
        Procedure::Weighted(plan) => {
            Some((plan.request().options().confidence, plan.setting().target))
        }
        Procedure::Variance(plan) => {
            let options = plan.request().options();
            Some((options.confidence, options.target))
        }
        Procedure::Quantiles(plan) => {
            let options = plan.request().options();
            Some((options.confidence, options.target))
        }
        Procedure::AddRemove(how) => {
            let options = how.request.options();
            Some((options.confidence, options.target))
        }
        Procedure::Exact | Procedure::Summary { .. } => None,
    });
    alone.map_or_else(String::new, |(confidence, target)| {
        format!(
            "Intervals have {} confidence, each alone, for {}.",
            how::confidence(confidence),
            how::of_target(target)
        )
    })
}

/// The text of the plan of a summary.
pub(crate) fn write_plan(out: &mut String, plan: &SummaryPlan, tiers: &[Tier]) -> std::fmt::Result {
    writeln!(out, "Plan for several statistics of {} records", count(plan.allowed().records()))?;
    writeln!(out, "\nHow every budget would be split")?;
    for (measured, share) in plan.shares() {
        writeln!(out, "  {:>6}  {measured}", percent(share.get()))?;
    }
    writeln!(out, "\nExpected errors (root mean squared; worst case, before seeing the data)")?;
    if let Some(mean) = plan.mean_plan() {
        writeln!(
            out,
            "  mean: {}, by {}",
            significant(mean.chosen().risk.rmse(), 4),
            mean.chosen().estimator
        )?;
    }
    if let (None, Some(rmse)) = (plan.mean_plan(), plan.rmse_of_mean()) {
        writeln!(out, "  mean: {}, measured with the variance", significant(rmse, 4))?;
    }
    if let Some(variance) = plan.variance_plan() {
        let error = significant(variance.error().rmse, 4);
        writeln!(out, "  variance: {error}, at the distribution that is hardest to sample")?;
    }
    if let Some(quantiles) = plan.quantile_plan() {
        let chosen = quantiles.chosen();
        let points = significant(chosen.rank_error.rmse() * 100.0, 3);
        writeln!(out, "  quantiles: {points} percentage points of rank, by {}", chosen.estimator)?;
    }
    writeln!(out, "\nWhat each tier allows and what this release would spend")?;
    let losses: Vec<Loss> = plan.losses().collect();
    let lines = tiers::lines_of(tiers, |tier| {
        Some((losses.get(plan.allowed().position(tier.epsilon)?)?.clone(), None))
    });
    tiers::write(out, &lines, "would spend", Protected::Record);
    Ok(())
}
