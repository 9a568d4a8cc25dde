//! The estimators side by side.

use suum_core::{AddRemovePlan, QuantilePlan, WeightedPlan};

use super::answer::{cell, column, scrolled};
use super::markup::Markup;
use crate::comparison::{best_first, not_the_best};
use crate::figures::{excess, significant};

/// One estimator.
struct Row {
    name: &'static str,
    /// The error and its parts.
    error: f64,
    parts: Option<(f64, f64)>,
    tau: Option<f64>,
    versus: String,
    chosen: bool,
    /// Whether it is there to be compared with only.
    for_study: bool,
}

/// Every estimator of a mean, a sum or a frequency, best first; with the parts of the errors if
/// they are wanted.
pub(crate) fn of_plan(out: &mut Markup, plan: &WeightedPlan, parts: bool) {
    let (unit, chosen) = (plan.unit(), plan.chosen().estimator);
    let candidates = best_first(plan);
    let best = candidates.first().map_or(f64::NAN, |candidate| candidate.risk.rmse());
    let rows = candidates.iter().enumerate().map(|(at, candidate)| Row {
        name: candidate.estimator.name(),
        error: candidate.risk.rmse() * unit,
        parts: parts
            .then(|| (candidate.risk.noise_sd() * unit, candidate.risk.sampling_sd() * unit)),
        tau: candidate.design.tau.filter(|_| parts),
        versus: if at == 0 { "best".into() } else { excess(candidate.risk.rmse(), best) },
        chosen: candidate.estimator == chosen,
        for_study: candidate.estimator.is_for_study(),
    });
    table(
        out,
        "Expected errors (root mean squared): worst case, before seeing the data",
        "error",
        &rows.collect::<Vec<_>>(),
    );
    if let Some(words) = not_the_best(plan) {
        out.paragraph(words);
    }
}

/// Every estimator of quantiles, best first.
pub(crate) fn of_quantiles(out: &mut Markup, plan: &QuantilePlan) {
    let mut candidates: Vec<_> = plan.candidates().iter().collect();
    candidates.sort_by(|a, b| a.risk.total_cmp(&b.risk));
    let best = candidates.first().map_or(f64::NAN, |candidate| candidate.risk.sqrt());
    let rows = candidates.iter().map(|candidate| Row {
        name: candidate.estimator.name(),
        error: candidate.rank_error.rmse() * 100.0,
        parts: None,
        tau: candidate.tau,
        versus: excess(candidate.risk.sqrt(), best),
        chosen: candidate.estimator == plan.chosen().estimator,
        for_study: false,
    });
    let caption =
        "Compared by their error on normal data of which 16 standard deviations fill the bounds";
    table(out, caption, "rank error, percentage points", &rows.collect::<Vec<_>>());
}

/// The estimators that hide who takes part, for people as they were assumed to be.
pub(crate) fn of_add_remove(out: &mut Markup, plan: &AddRemovePlan, factor: f64) {
    let best = plan.candidates().iter().map(|one| one.error.rmse).fold(f64::INFINITY, f64::min);
    let rows = plan.candidates().iter().map(|one| Row {
        name: one.estimator.name(),
        error: one.error.rmse * factor,
        parts: Some((one.error.noise_sd * factor, one.error.sampling_sd * factor)),
        tau: Some(one.tau),
        versus: if one.error.rmse == best { "best".into() } else { excess(one.error.rmse, best) },
        chosen: one.estimator == plan.chosen().estimator,
        for_study: false,
    });
    let caption = "Expected errors (root mean squared), if the people are as assumed";
    table(out, caption, "error", &rows.collect::<Vec<_>>());
}

fn table(out: &mut Markup, caption: &str, error: &str, rows: &[Row]) {
    let (parts, taus) =
        (rows.iter().any(|row| row.parts.is_some()), rows.iter().any(|row| row.tau.is_some()));
    scrolled(out, caption, |table| {
        table.element("thead", &[], |head| {
            head.element("tr", &[], |row| {
                column(row, "estimator", false);
                column(row, error, true);
                if parts {
                    column(row, "noise", true);
                    column(row, "sampling", true);
                }
                if taus {
                    column(row, "τ", true);
                }
                column(row, "compared with the best", true);
            });
        });
        table.element("tbody", &[], |body| {
            for one in rows {
                body.element(
                    "tr",
                    &[("class", if one.chosen { "chosen" } else { "other" })],
                    |row| {
                        row.element("th", &[("scope", "row")], |name| {
                            name.text(one.name);
                            if one.chosen {
                                name.text(" (chosen)");
                            }
                            if one.for_study {
                                name.text(" (for study)");
                            }
                        });
                        row.element("td", &[("class", "number")], |cell| {
                            cell.element("data", &[("value", &one.error.to_string())], |data| {
                                data.text(&significant(one.error, 4));
                            });
                        });
                        if parts {
                            let (noise, sampling) = one.parts.unwrap_or((f64::NAN, f64::NAN));
                            cell(row, "number", &significant(noise, 4));
                            cell(row, "number", &significant(sampling, 4));
                        }
                        if taus {
                            cell(
                                row,
                                "number",
                                &one.tau.map_or_else(String::new, |tau| significant(tau, 4)),
                            );
                        }
                        cell(row, "number", &one.versus);
                    },
                );
            }
        });
    });
}
