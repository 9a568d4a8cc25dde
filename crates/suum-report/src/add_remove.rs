//! Releases and plans that hide who takes part, in words.

use std::fmt::{Result, Write};

use suum_core::{
    AddRemovePartsPlan, AddRemovePlan, AddRemoveProcedure, AddRemoveRequest, ExpectedError,
    Neighbors, Protected, RangePlan, Release, Target,
};

use crate::figures::{count, excess, percent, percent_at_least, significant};
use crate::how;
use crate::prose::Text;
use crate::table::Table;
use crate::{adaptive, guarantee, prose, quantiles, scale, spending, weighted};

/// How a release was made: its error, and what those with declared budgets spent.
pub(crate) fn write_how(out: &mut Text, how: &AddRemoveProcedure, release: &Release) -> Result {
    match error_rows(how, release) {
        None => writeln!(out, "\n{UNKNOWN}")?,
        Some((unit, rows)) => {
            let rows = rows.into_iter().map(|(value, meaning)| (significant(value, 3), meaning));
            how::write_errors(out, how::ERRORS, unit, BASIS, &rows.collect::<Vec<_>>())?;
        }
    }
    spending::write(out, release)?;
    adaptive::write_costs(out, release)?;
    writeln!(out)?;
    let name = match release.is_planned_in_range() {
        true => RangePlan::NAME,
        false => how.request.estimator().name(),
    };
    prose::paragraph(out, &format!("Estimator: {name}; {}", most("nobody", how.tau)));
    write_together(out, how);
    guarantee::write(out, &guarantee::hidden(release))
}

/// That several quantiles were asked for together, where it was so.
pub(crate) fn write_together(out: &mut Text, how: &AddRemoveProcedure) {
    if let Some(together) = &how.together {
        prose::paragraph(out, &format!("The quantiles were {}.", quantiles::of_together(together)));
    }
}

/// What nobody spends more than.
pub(crate) fn most(nobody: &str, tau: f64) -> String {
    format!("{nobody} spends more than τ = {} on the estimate.", significant(tau, 4))
}

/// Whom an estimate is about.
pub(crate) fn whom(request: &AddRemoveRequest) -> &'static str {
    match (request.statistic(), request.options().target) {
        ("count", _) => "the records with a declared budget",
        ("sum", _) => {
            "the records with a declared budget, if budgets have nothing to do with values"
        }
        (_, target) => how::of_target(target),
    }
}

/// Where the figures of an error come from.
pub(crate) const BASIS: &str = "estimated from noisy numbers";

/// What is said where even the noisy numbers tell nothing of the error.
pub(crate) const UNKNOWN: &str =
    "There are too few records, or too little ε, to say how large the error is.";

/// The parts of the error with their unit, each with its meaning; `None` where nothing is known.
pub(crate) fn error_rows(
    how: &AddRemoveProcedure,
    release: &Release,
) -> Option<(&'static str, Vec<(f64, &'static str)>)> {
    let ExpectedError { noise_sd, sampling_sd, rmse } =
        release.error.filter(|error| !error.rmse.is_nan())?;
    let (unit, factor) = match how.request.statistic() {
        "frequency" => ("root mean square, as a share of 1", 1.0),
        "quantile" => ("of the rank, in percentage points of records", 100.0),
        _ => ("standard deviation", 1.0),
    };
    let sampling = match how.request.options().target {
        Target::Dataset => "weighting: records of different budgets count differently",
        _ if release.range().is_some() || factor != 1.0 => "sampling: the records are a sample",
        _ if release.statistic() == "variance" => {
            "sampling: the records are a sample, of the distribution that is hardest to sample"
        }
        _ if release.spread().is_some() => {
            "sampling: the records are a sample, of the spread that was measured"
        }
        _ => "sampling: the records are a sample, at its worst for such a mean",
    };
    let mut rows = vec![(noise_sd * factor, how::noise_of(release.protects()))];
    // A count has nothing to sample.
    if sampling_sd != 0.0 {
        rows.push((sampling_sd * factor, sampling));
        rows.push((rmse * factor, "together (root mean squared error)"));
    }
    Some((unit, rows))
}

/// How far the best possible method could be, if people are as assumed.
pub(crate) fn bound(plan: &AddRemovePlan) -> Option<String> {
    let rmse = weighted::least(plan.lower_bound()?.sqrt());
    Some(match plan.gap() {
        Some(gap) => format!(
            "If people are as assumed, no method, known or unknown, that keeps these budgets can \
             have a worst-case error below {rmse} (root mean squared): {} of the error that is \
             expected of {}, or a factor of {} in squared error.",
            percent_at_least(1.0 / gap.sqrt()),
            plan.chosen().estimator,
            weighted::at_most(gap),
        ),
        None => format!(
            "If people are as assumed, no method, known or unknown, that keeps these budgets can \
             have a largest error over the categories below {rmse} in the worst case (root mean \
             squared).",
        ),
    })
}

/// The text of a plan that hides who takes part, for people as one assumes them to be.
pub(crate) fn write_plan(out: &mut Text, plan: &AddRemovePlan) -> Result {
    let request = plan.request();
    let both = request.options().neighbors == Neighbors::Both;
    let title = format!(
        "Plan for {} of {} records that are assumed, target {}, hiding who takes part{}",
        name_of(request),
        count(plan.assumed().records()),
        request.options().target.name(),
        if both { " and what they say" } else { "" },
    );
    prose::paragraph(out, &title);
    let (factor, unit) = scale::of_error(request.statistic());
    let figure = |value: f64| significant(value * factor, 4);
    let chosen = plan.chosen();
    writeln!(
        out,
        "Expected error (root mean squared): {}{unit}, by {}",
        figure(chosen.error.rmse),
        chosen.estimator
    )?;
    if plan.learning().is_some() {
        prose::paragraph(out, adaptive::PLANNED);
    }
    out.heading("Estimators");
    let best = plan.candidates().iter().map(|one| one.error.rmse).fold(f64::INFINITY, f64::min);
    let mut table = Table::new(1, ["estimator", "error", "noise", "sampling", "τ", "vs best", ""]);
    for one in plan.candidates() {
        table.row([
            one.estimator.name().to_owned(),
            figure(one.error.rmse),
            figure(one.error.noise_sd),
            figure(one.error.sampling_sd),
            significant(one.tau, 4),
            if one.error.rmse == best { "best".into() } else { excess(one.error.rmse, best) },
            if one.estimator == chosen.estimator { "chosen".into() } else { String::new() },
        ]);
    }
    out.table(&table);
    for excluded in plan.excluded() {
        writeln!(out, "  left out: {}", excluded.reason.trim_start_matches("estimator: "))?;
    }
    if let Some(bound) = bound(plan) {
        prose::paragraph(out, &bound);
    }
    let spends = would_spend(plan);
    spending::write_declared(out, &chosen.privacy, Protected::Record, spends)?;
    adaptive::write_declared(out, plan);
    prose::paragraph(out, GUESS);
    Ok(())
}

/// What the rows of a plan are.
pub(crate) fn would_spend(plan: &AddRemovePlan) -> &'static str {
    if plan.learning().is_some() { "spends at most" } else { "would spend" }
}

/// What a plan is made from, and a release is not.
pub(crate) const GUESS: &str = "The profile is a guess. A release does not see it, and finds its \
    weights from noisy numbers.";

/// The text of a plan of several parts that hide who takes part.
pub(crate) fn write_parts_plan(out: &mut Text, plan: &AddRemovePartsPlan) -> Result {
    let (neighbors, target) = plan.made();
    let title = format!(
        "Plan for {} of {} records that are assumed, target {}, hiding who takes part{}{}",
        parts_name(plan),
        count(plan.assumed().records()),
        target.name(),
        if neighbors == Neighbors::Both { " and what they say" } else { "" },
        if plan.search().is_some() { ", without declared bounds" } else { "" },
    );
    prose::paragraph(out, &title);
    out.heading("How every budget would be split");
    for (share, what) in parts_split(plan) {
        writeln!(out, "  {:>6}  {what}", percent(share))?;
    }
    let of = if plan.search().is_some() { "; normal data" } else { "" };
    writeln!(out, "\nExpected errors (root mean squared{of})")?;
    for error in parts_errors(plan) {
        writeln!(out, "  {error}")?;
    }
    spending::write_declared(out, plan.privacy(), Protected::Record, "would spend")?;
    prose::paragraph(out, GUESS);
    Ok(())
}

/// The expected error of each part.
pub(crate) fn parts_errors(plan: &AddRemovePartsPlan) -> Vec<String> {
    let errors = |part: &AddRemovePlan| {
        let (factor, unit) = unit_of_part(plan, part);
        let (what, chosen) = (part.request().statistic(), part.chosen());
        let mean = chosen.mean.filter(|_| plan.asks_mean()).map(|mean| {
            let unit = if plan.search().is_some() { DEVIATIONS } else { "" };
            format!("mean: {}{unit}, with the variance", significant(mean.rmse, 4))
        });
        let error = significant(chosen.error.rmse * factor, 4);
        let own = format!("{what}: {error}{unit}, by {}", chosen.estimator);
        mean.into_iter().chain([own])
    };
    plan.parts().flat_map(|(_, part)| errors(part)).collect()
}

/// What is planned, in words.
pub(crate) fn parts_name(plan: &AddRemovePartsPlan) -> String {
    match (plan.statistic(), plan.parts().next()) {
        ("summary", _) => "several statistics".to_owned(),
        ("quantile", Some((_, part))) => name_of(part.request()),
        (one, _) => format!("the {one}"),
    }
}

/// What is planned of one statistic, in words.
pub(crate) fn name_of(request: &AddRemoveRequest) -> String {
    match request.ranks() {
        [] => format!("the {}", request.statistic()),
        ranks => quantiles::which(ranks),
    }
}

/// The parts of every budget: for a search, and for what is asked.
pub(crate) fn parts_split(plan: &AddRemovePartsPlan) -> Vec<(f64, String)> {
    let mut split = Vec::new();
    if let Some(search) = plan.search() {
        split.push((0.05, "a rough count of people (at most)".to_owned()));
        let shares = search.shares();
        let searched = shares.centre.get() + shares.radius.get() + shares.check.get();
        split.push((searched, "the search for a range".to_owned()));
    }
    split.extend(plan.shares().map(|(what, share)| (share.get(), what.to_owned())));
    split
}

/// By what the error of a part is multiplied, and its unit behind that.
pub(crate) fn unit_of_part(plan: &AddRemovePartsPlan, part: &AddRemovePlan) -> (f64, &'static str) {
    match (part.request().statistic(), plan.search()) {
        (statistic @ "quantile", _) | (statistic, None) => scale::of_error(statistic),
        ("variance", _) => (1.0, " squared standard deviations of the values"),
        _ => (1.0, DEVIATIONS),
    }
}

/// The unit of an error where no bounds are declared.
const DEVIATIONS: &str = " standard deviations of the values";
