//! The estimators side by side.

use maud::{Markup, Render, html};
use suum_core::{AddRemovePlan, QuantilePlan, WeightedPlan};

use super::markup::data;
use super::table::Table;
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
pub(crate) fn of_plan(plan: &WeightedPlan, parts: bool) -> Markup {
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
    let caption = "Expected errors (root mean squared): worst case, before seeing the data";
    html! {
        (table(caption, "error", rows))
        @if let Some(words) = not_the_best(plan) { p { (words) } }
    }
}

/// Every estimator of quantiles, best first.
pub(crate) fn of_quantiles(plan: &QuantilePlan) -> Markup {
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
    table(caption, "rank error, percentage points", rows)
}

/// The estimators that hide who takes part, for people as they were assumed to be.
pub(crate) fn of_add_remove(plan: &AddRemovePlan, factor: f64) -> Markup {
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
    table(caption, "error", rows)
}

fn table(caption: &str, error: &str, rows: impl Iterator<Item = Row>) -> Markup {
    let rows: Vec<Row> = rows.collect();
    let figure = |figure: f64| significant(figure, 4);
    let parts = |row: &&Row| row.parts.unwrap_or((f64::NAN, f64::NAN));
    Table::new(caption, &rows)
        .words("estimator", |row| row.name())
        .number(error, |row| data(row.error, &figure(row.error)))
        .when(rows.iter().any(|row| row.parts.is_some()), |table| {
            table
                .number("noise", move |row| figure(parts(row).0))
                .number("sampling", move |row| figure(parts(row).1))
        })
        .when(rows.iter().any(|row| row.tau.is_some()), |table| {
            table.number("τ", move |row| row.tau.map_or_else(String::new, figure))
        })
        .number("compared with the best", |row| row.versus.clone())
        .render()
}

impl Row {
    fn name(&self) -> Markup {
        let for_study = if self.for_study { " (for study)" } else { "" };
        html! {
            @if self.chosen {
                span class="chosen" { (self.name) " (chosen)" (for_study) }
            } @else {
                (self.name) (for_study)
            }
        }
    }
}
