//! Estimators of a mean, a sum or frequencies side by side, and a bound on the best possible one.

use suum_core::{Candidate, Estimator, Phrase, WeightedPlan, option, say};

use crate::comparison::{self, Row};
use crate::content::Content;
use crate::figures::{percent_at_least, rounded_down, rounded_up, significant, trimmed};

/// Every estimator, best first; with the parts of the errors if `parts`.
pub(super) fn compared(plan: &WeightedPlan, parts: bool) -> Content {
    let (unit, chosen) = (plan.unit(), plan.chosen().estimator);
    let rows = best_first(plan).into_iter().map(|one| Row {
        name: one.estimator.name(),
        error: one.risk.rmse() * unit,
        parts: parts.then(|| [one.risk.noise_sd() * unit, one.risk.sampling_sd() * unit]),
        tau: one.design.tau.filter(|_| parts),
        root: one.risk.rmse(),
        chosen: one.estimator == chosen,
        for_study: one.estimator.is_for_study(),
    });
    let caption = "Expected errors (root mean squared): worst case, before seeing the data";
    let mut content = Content::from_sentences([
        "There are many ways to make the same statistic. They are compared from public facts \
         alone, before any value is read.",
    ]);
    content.table(comparison::table(caption, "error", &rows.collect::<Vec<_>>()));
    // Why the estimator that `auto` takes need not be that of least risk.
    content.say_all((chosen == Estimator::Typical).then_some(
        "These errors are worst cases, half of all values at each bound. Values whose standard \
         deviation is below 0.32 of the width of the bounds have less error with typical than \
         with affine.",
    ));
    content
}

/// Every estimator, that of least risk first.
fn best_first(plan: &WeightedPlan) -> Vec<&Candidate> {
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

/// Suggestion of another estimator whose worst-case error is less by a twentieth or more.
pub(super) fn better(plan: &WeightedPlan) -> Option<Phrase> {
    let chosen = plan.chosen();
    // It is better where values are as they mostly are, or where tiers differ.
    let is_for_length =
        plan.request().options().tiers_apart || !plan.setting().difference.is_none();
    if chosen.estimator == Estimator::Typical || is_for_length {
        return None;
    }
    let best = best_first(plan).into_iter().find(|one| !one.estimator.is_for_study())?;
    let less = 1.0 - best.risk.rmse() / chosen.risk.rmse();
    (less >= 0.05).then(|| {
        say("Wide?").set(option::ESTIMATOR, best.estimator.to_string()).say(format!(
            "has {} less error than {} in the worst case.",
            percent_at_least(less),
            chosen.estimator,
        ))
    })
}

/// Gain of personal budgets over one threshold.
pub(super) fn gain(plan: &WeightedPlan) -> Option<String> {
    let gain = plan.personalization_gain()?;
    let at_most = match plan.ratio_bound() {
        Some(bound) if bound > 1.0 => format!(
            " With tiers like these it is at most {} times.",
            trimmed(&significant(bound, 4))
        ),
        _ => String::new(),
    };
    Some(format!(
        "One threshold for all ({}) would have {} times the squared error of personal \
         budgets.{at_most}",
        Estimator::Threshold,
        significant(gain, 4),
    ))
}

/// Bound on the best possible method.
pub(super) fn bound(plan: &WeightedPlan) -> String {
    let (Some(bound), Some(gap)) = (plan.lower_bound(), plan.gap()) else {
        return NO_BOUND.to_owned();
    };
    let (name, rmse) = (plan.chosen().estimator, least(bound.sqrt() * plan.unit()));
    let (part, squared) = (percent_at_least(1.0 / gap.sqrt()), at_most(gap));
    if plan.setting().categories.is_some() {
        return format!(
            "No method, known or unknown, that keeps these budgets can have a largest error over \
             the categories below {rmse} in the worst case (root mean squared): {part} of the \
             figure for {name}, or a factor of {squared} in squared error.",
        );
    }
    format!(
        "No method, known or unknown, that keeps these budgets can have less than {part} of the \
         worst-case error of {name}: every method's is {rmse} or more (root mean squared). In \
         squared error {name} is within a factor of {squared} of the best possible.",
    )
}

/// Note if no bound is known.
pub(crate) const NO_BOUND: &str =
    "We know no lower bound on the error that any estimator must have here.";

/// Lower bound on an error, rounded down.
pub(crate) fn least(error: f64) -> String {
    significant(rounded_down(error, 3), 3)
}

/// Upper bound on a factor, rounded up.
pub(crate) fn at_most(factor: f64) -> String {
    significant(rounded_up(factor, 3), 3)
}
