//! Several statistics in words.

use std::fmt::Write;

use suum_core::{
    Loss, Procedure, Protected, Release, SummaryPart, SummaryPlan, SummaryProcedure, Target,
};

use crate::figures::{count, percent, significant};
use crate::headline;
use crate::html::figure::Figure;
use crate::prose::Text;
use crate::scale::OF_RANK;
use crate::tiers::{self, Tier};
use crate::{guarantee, how, spending};

/// How several statistics were made: how budgets were split, and what everybody spent.
pub(crate) fn write_how(
    out: &mut Text,
    parts: &[SummaryPart],
    release: &Release,
) -> std::fmt::Result {
    out.heading("How every budget was split");
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
    let Procedure::Summary(SummaryProcedure { parts, .. }) = &release.procedure else {
        return String::new();
    };
    made(parts).map_or_else(String::new, |(confidence, target)| {
        format!(
            "Intervals have {} confidence, each alone, for {}.",
            how::confidence(confidence),
            how::of_target(target)
        )
    })
}

/// Whom the estimates are about.
pub(crate) fn whom(parts: &[SummaryPart]) -> Option<&'static str> {
    made(parts).map(|(_, target)| how::of_target(target))
}

/// The confidence of intervals, and the target.
fn made(parts: &[SummaryPart]) -> Option<(f64, Target)> {
    parts.first().and_then(|part| match &part.release.procedure {
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
    })
}

/// The text of the plan of a summary.
pub(crate) fn write_plan(out: &mut Text, plan: &SummaryPlan, tiers: &[Tier]) -> std::fmt::Result {
    writeln!(out, "Plan for several statistics of {} records", count(plan.allowed().records()))?;
    out.heading("How every budget would be split");
    for (measured, share) in plan.shares() {
        writeln!(out, "  {:>6}  {measured}", percent(share.get()))?;
    }
    out.heading("Expected errors (root mean squared; worst case, before seeing the data)");
    for error in errors(plan) {
        writeln!(out, "  {error}")?;
    }
    out.heading("What each tier allows and what this release would spend");
    let losses: Vec<Loss> = plan.losses().collect();
    let lines = tiers::lines_of(tiers, |tier| {
        Some((losses.get(plan.allowed().position(tier.epsilon)?)?.clone(), None))
    });
    tiers::write(out, &lines, "would spend", Protected::Record);
    Ok(())
}

/// The expected error of each statistic.
pub(crate) fn errors(plan: &SummaryPlan) -> Vec<String> {
    let mean = plan.mean_plan().map(|plan| {
        let (error, name) = (plan.chosen().risk.rmse(), plan.chosen().estimator);
        format!("mean: {}, by {name}", significant(error, 4))
    });
    let mean = mean.or_else(|| {
        let rmse = plan.rmse_of_mean()?;
        Some(format!("mean: {}, measured with the variance", significant(rmse, 4)))
    });
    let variance = plan.variance_plan().map(|plan| {
        let error = significant(plan.error().rmse, 4);
        format!("variance: {error}, at the distribution that is hardest to sample")
    });
    let quantiles = plan.quantile_plan().map(|plan| {
        let chosen = plan.chosen();
        let points = significant(chosen.rank_error.rmse() * 100.0, 3);
        format!("quantiles: {points}{OF_RANK}, by {}", chosen.estimator)
    });
    [mean, variance, quantiles].into_iter().flatten().collect()
}
