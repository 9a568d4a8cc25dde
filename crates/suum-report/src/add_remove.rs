//! Releases and plans that hide who takes part, in words.

use std::fmt::{Result, Write};

use suum_core::{
    AddRemoveAnswer, AddRemovePlan, AddRemoveRelease, DeclaredSpending, ExpectedError, Interval,
    Target,
};

use crate::figures::{budget, count, excess, significant, spent, tier, to_error};
use crate::how::{self, write_figures};
use crate::table::{Table, selection};
use crate::tiers::{LINES, kept};
use crate::{frequencies, quantiles, range};

/// The text of a release that does not tell whether anybody takes part.
///
/// # Example
///
/// ```
/// use suum_core::*;
///
/// let bounds = Bounds::new(0.0, 10.0)?;
/// let request = AddRemoveRequest::mean(bounds, "0.1,1".parse()?, AddRemoveOptions::default())?;
/// let measure = Measure::Numbers(Grid::new(bounds).into());
/// let nobody = LevelTable::possibly_empty(Some("score".into()), measure, vec![])?;
/// let release = request.release(nobody, &mut Randomness::insecure(1))?;
/// assert!(suum_report::add_remove_text(&release).contains("mean of score"));
/// # Ok::<(), suum_core::Error>(())
/// ```
pub fn add_remove_text(release: &AddRemoveRelease) -> String {
    let mut out = String::new();
    // Writing to a string cannot fail.
    let _ = write_release(&mut out, release);
    out
}

fn write_release(out: &mut String, release: &AddRemoveRelease) -> Result {
    how::write_warning(out, release.private)?;
    let rmse = release.error.rmse;
    let of = how::of_column(release.column.as_deref());
    let whom = whom(release);
    match &release.answer {
        AddRemoveAnswer::Number { estimate, interval } => {
            let what =
                if release.statistic == "count" { "number of records" } else { release.statistic };
            writeln!(out, "Private {what}{of}: {}", to_error(*estimate, rmse))?;
            match interval {
                Some(Interval { confidence, lower, upper }) => writeln!(
                    out,
                    "{} confidence interval: {} to {}, for {whom}",
                    how::confidence(*confidence),
                    to_error(*lower, rmse),
                    to_error(*upper, rmse),
                )?,
                None => writeln!(out, "{}", range::no_interval(release.no_interval()))?,
            }
        }
        AddRemoveAnswer::Frequencies { frequencies, post } => {
            writeln!(out, "Private frequencies{of}, for {whom}")?;
            let confidence = frequencies.first().map_or(f64::NAN, |one| one.interval.confidence);
            frequencies::write_shares(out, frequencies, rmse, confidence, *post)?;
        }
        AddRemoveAnswer::Quantiles { quantiles, .. } => {
            let confidence = quantiles.iter().find_map(|one| Some(one.interval?.confidence));
            writeln!(out, "Private quantiles{of}, for {whom}")?;
            let confidence = confidence.map_or_else(|| "confidence".to_owned(), how::confidence);
            quantiles::write_table(out, quantiles, &confidence);
            writeln!(out, "Each interval holds for its quantile alone.")?;
            quantiles::write_no_interval(out, release.no_interval())?;
        }
    }
    if let Some(range) = &release.range {
        range::write_found(out, range)?;
    }
    write_error(out, release)?;
    write_spending(out, &release.privacy, "spent ε")?;
    let name = release.range.map_or(release.estimator.name(), |range| range.estimator.name());
    writeln!(
        out,
        "\nEstimator: {name}; nobody spends more than τ = {} on the estimate",
        significant(release.tau, 4)
    )?;
    write_guarantee(out, release)
}

/// Whom an estimate is about.
pub(crate) fn whom(release: &AddRemoveRelease) -> &'static str {
    match (release.statistic, release.target) {
        ("count", _) => "the records with a declared budget",
        ("sum", _) => {
            "the records with a declared budget, if budgets have nothing to do with values"
        }
        (_, target) => how::of_target(target),
    }
}

fn write_error(out: &mut String, release: &AddRemoveRelease) -> Result {
    if release.error.rmse.is_nan() {
        return writeln!(out, "\n{UNKNOWN}");
    }
    let (unit, rows) = error_rows(release);
    writeln!(out, "\nWhere the error comes from ({unit}; estimated from noisy numbers)")?;
    let rows: Vec<_> =
        rows.into_iter().map(|(value, meaning)| (significant(value, 3), meaning)).collect();
    write_figures(out, &rows)
}

/// What is said where even the noisy numbers tell nothing of the error.
pub(crate) const UNKNOWN: &str =
    "There are too few people, or too little ε, to say how large the error is.";

/// The unit of the error, its parts, and all of it, each with its meaning.
pub(crate) fn error_rows(release: &AddRemoveRelease) -> (&'static str, Vec<(f64, &'static str)>) {
    let (unit, factor) = match &release.answer {
        AddRemoveAnswer::Number { .. } => ("standard deviation", 1.0),
        AddRemoveAnswer::Frequencies { .. } => ("root mean square, as a share of 1", 1.0),
        AddRemoveAnswer::Quantiles { .. } => ("of the rank, in percentage points of people", 100.0),
    };
    let ExpectedError { noise_sd, sampling_sd, rmse } = release.error;
    let sampling = match release.target {
        Target::Dataset => "weighting: records of different budgets count differently",
        _ if release.range.is_some() || factor != 1.0 => "sampling: the records are a sample",
        _ => "sampling: the records are a sample, at its worst for such a mean",
    };
    let mut rows = vec![(noise_sd * factor, "noise: what hides each person")];
    // A count has nothing to sample.
    if sampling_sd != 0.0 {
        rows.push((sampling_sd * factor, sampling));
        rows.push((rmse * factor, "together (root mean squared error)"));
    }
    (unit, rows)
}

/// The certificate: declared budgets, whether or not anybody has them.
fn write_spending(out: &mut String, privacy: &[DeclaredSpending], heading: &str) -> Result {
    writeln!(
        out,
        "\nWhat people with the declared budgets allow and spend, whether or not there are any"
    )?;
    let mut table = Table::new(1, ["tier", "allowed ε", heading, "kept"]);
    for position in selection(privacy.len(), LINES) {
        table.row(match position.and_then(|position| privacy.get(position)) {
            Some(row) => [
                tier(&row.level, row.epsilon),
                budget(row.epsilon),
                spent(&row.spent, row.epsilon),
                kept(&row.spent, row.epsilon),
            ],
            None => {
                let more = format!("… {} more", count((privacy.len() - LINES) as u64));
                [more, String::new(), String::new(), String::new()]
            }
        });
    }
    table.write(out);
    Ok(())
}

fn write_guarantee(out: &mut String, release: &AddRemoveRelease) -> Result {
    writeln!(out, "\nWhat is guaranteed")?;
    guarantee(out, release)
}

/// The words of the guarantee.
pub(crate) fn guarantee(out: &mut String, release: &AddRemoveRelease) -> Result {
    let whose = match &release.person {
        Some(column) => format!("all rows of one person (whom {column} names)"),
        None => "one record".to_owned(),
    };
    let public = match (&release.answer, release.range.is_some()) {
        (AddRemoveAnswer::Frequencies { .. }, _) => "the declared budgets and categories",
        (AddRemoveAnswer::Number { .. }, true) => "the declared budgets",
        (AddRemoveAnswer::Number { .. }, _) if release.statistic == "count" => {
            "the declared budgets"
        }
        _ => "the declared budgets and bounds",
    };
    writeln!(
        out,
        "  Whether {whose} is in the data or not, the probability of any result differs by at\n  \
         most a factor of exp(spent ε): 1.01 for ε = 0.01, 1.11 for ε = 0.1, 2.72 for ε = 1. \
         Losses of several\n  \
         releases add up. Nothing here tells how many people there are or what they allow, except \
         through\n  \
         noise; {public} are public."
    )?;
    match release.person {
        Some(_) => {
            writeln!(out, "  Each person counts once, at the strictest budget of their rows.")
        }
        None => Ok(()),
    }
}

/// The text of a plan that hides who takes part, for people as one assumes them to be.
pub fn add_remove_plan_text(plan: &AddRemovePlan) -> String {
    let mut out = String::new();
    // Writing to a string cannot fail.
    let _ = write_plan(&mut out, plan);
    out
}

fn write_plan(out: &mut String, plan: &AddRemovePlan) -> Result {
    let request = plan.request();
    writeln!(
        out,
        "Plan for the {} of {} records that are assumed, target {}, hiding who takes part",
        request.statistic(),
        count(plan.assumed().records()),
        request.options().target.name(),
    )?;
    let (factor, unit) = match request.statistic() {
        "quantile" => (100.0, " percentage points of rank"),
        _ => (1.0, ""),
    };
    let figure = |value: f64| significant(value * factor, 4);
    let chosen = plan.chosen();
    writeln!(
        out,
        "Expected error (root mean squared): {}{unit}, by {}",
        figure(chosen.error.rmse),
        chosen.estimator
    )?;
    writeln!(out, "\nEstimators")?;
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
    table.write(out);
    for excluded in plan.excluded() {
        writeln!(out, "  left out: {}", excluded.reason.trim_start_matches("estimator: "))?;
    }
    write_spending(out, &chosen.privacy, "would spend")?;
    writeln!(
        out,
        "The profile is your guess. A release does not see it, and finds its weights from noisy \
        numbers."
    )
}
