//! The estimators side by side.

use suum_core::{Candidate, Estimator, WeightedPlan};

use crate::figures::{excess, significant};
use crate::prose;
use crate::prose::Text;
use crate::table::Table;

/// Every estimator with its expected error, best first.
pub(crate) fn write(out: &mut Text, plan: &WeightedPlan, parts: bool) {
    let factor = plan.unit();
    let (candidates, chosen) = (best_first(plan), plan.chosen());
    let best = candidates.first().map_or(f64::NAN, |c| c.risk.rmse());
    let mark = |c: &Candidate| mark(c.estimator, chosen.estimator);
    let first = candidates.first().map(|c| c.estimator);
    let relative = |c: &Candidate| {
        if first == Some(c.estimator) { "best".into() } else { excess(c.risk.rmse(), best) }
    };
    let figure = |value: f64| significant(value * factor, 4);
    let mut table = if parts {
        Table::new(1, ["estimator", "error", "noise", "sampling", "τ", "vs best", ""])
    } else {
        Table::new(1, ["estimator", "error", "vs best", ""])
    };
    for c in candidates {
        let (name, error) = (c.estimator.name().to_owned(), figure(c.risk.rmse()));
        if parts {
            let tau = c.design.tau.map_or_else(String::new, |tau| significant(tau, 4));
            let (noise, sampling) = (figure(c.risk.noise_sd()), figure(c.risk.sampling_sd()));
            table.row_with_tail([name, error, noise, sampling, tau, relative(c)], mark(c).into());
        } else {
            table.row_with_tail([name, error, relative(c)], mark(c).into());
        }
    }
    out.table(&table);
    if let Some(words) = not_the_best(plan) {
        prose::paragraph(out, words);
    }
}

/// What is said of an estimator besides its error.
fn mark(estimator: Estimator, chosen: Estimator) -> &'static str {
    if estimator == chosen {
        "chosen"
    } else if estimator.is_for_study() {
        "for study"
    } else {
        ""
    }
}

/// Why the estimator that `auto` takes need not be that of least risk.
pub(crate) fn not_the_best(plan: &WeightedPlan) -> Option<&'static str> {
    (plan.chosen().estimator == Estimator::Typical).then_some(
        "These errors are worst cases, half of all values at each bound. Values whose standard \
         deviation is below 0.32 of the width of the bounds have less error with typical than \
         with affine.",
    )
}

/// Who has the estimators that are for study.
pub(crate) const FOR_STUDY: &str = "for study: suum-experiments mean DATA --estimator NAME";

/// Every estimator, that of least risk first.
pub(crate) fn best_first(plan: &WeightedPlan) -> Vec<&Candidate> {
    let mut candidates: Vec<&Candidate> = plan.candidates().iter().collect();
    let chosen = plan.chosen();
    // Stable, so that ties stay in the order in which auto breaks them; the chosen one leads its
    // ties.
    candidates.sort_by(|a, b| {
        let key = |c: &Candidate| c.estimator != chosen.estimator;
        let tie = (a.risk.total() / b.risk.total() - 1.0).abs() < 1e-12;
        if tie { key(a).cmp(&key(b)) } else { a.risk.total().total_cmp(&b.risk.total()) }
    });
    candidates
}
