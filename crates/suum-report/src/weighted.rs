//! The plan of a mean, a sum or frequencies in words: what a release would do, and what would
//! change it.

use std::fmt::Write;

use serde::Serialize;
use suum_core::{Epsilon, Estimator, Protected, WeightedPlan};

use crate::figures::{
    count, percent_at_least, rounded_down, rounded_up, significant, spent, trimmed,
};
use crate::prose::Text;
use crate::tiers::{self, Tier};
use crate::{adaptive, comparison, moment, prose, strata};

/// The text of the plan of a mean, a sum or frequencies.
pub(crate) fn write_plan(
    out: &mut Text,
    plan: &WeightedPlan,
    tiers: &[Tier],
    in_range: bool,
) -> std::fmt::Result {
    let setting = plan.setting();
    let n = setting.profile.records();
    let factor = plan.unit();
    let scope = match plan.request().categories() {
        Some(categories) => format!("{} categories", categories.len()),
        None if in_range => "bounds not given: errors are shares of their width".to_owned(),
        None => {
            format!("bounds {}", moment::between(plan.request().bounds()))
        }
    };
    writeln!(
        out,
        "Plan for the {} of {} records, target {}, {}",
        plan.request().statistic().name(),
        count(n),
        setting.target.name(),
        scope,
    )?;
    if plan.adaptive().is_some() {
        prose::paragraph(out, adaptive::PLANNED);
    }
    for sentence in strata::of_plan(plan) {
        prose::paragraph(out, &sentence);
    }
    writeln!(
        out,
        "Expected {} (root mean squared): {}, by {};\nworst case, before seeing the data",
        if setting.categories.is_some() { "largest error over the categories" } else { "error" },
        significant(plan.chosen().risk.rmse() * factor, 4),
        plan.chosen().estimator,
    )?;
    if let Some(shrinkage) = plan.shrinkage() {
        writeln!(
            out,
            "Shrunk towards the middle of the bounds by the factor {}: {}",
            significant(shrinkage.factor, 3),
            significant(shrinkage.risk.sqrt() * factor, 4),
        )?;
    }

    writeln!(
        out,
        "\nEstimators (error² = noise² + sampling²; all from public facts, no value is read)"
    )?;
    comparison::write(out, plan, true);
    writeln!(out, "  {}", comparison::FOR_STUDY)?;
    for excluded in plan.excluded() {
        writeln!(out, "  left out: {}", excluded.reason.trim_start_matches("estimator: "))?;
    }
    write_gain(out, plan);
    prose::paragraph(out, &bound(plan, factor));

    out.heading("What each tier allows and what this release would spend");
    let heading = if plan.adaptive().is_some() { "spends at most" } else { "would spend" };
    tiers::write(out, &tiers::lines(plan, tiers), heading, Protected::Record);
    adaptive::write_plan(out, plan, tiers)
}

/// The gain of personal budgets over one threshold.
pub(crate) fn gain(plan: &WeightedPlan) -> Option<String> {
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

pub(crate) fn write_gain(out: &mut Text, plan: &WeightedPlan) {
    if let Some(gain) = gain(plan) {
        prose::paragraph(out, &gain);
    }
}

/// How far the best possible method could be.
pub(crate) fn bound(plan: &WeightedPlan, factor: f64) -> String {
    let (Some(bound), Some(gap)) = (plan.lower_bound(), plan.gap()) else {
        return NO_BOUND.to_owned();
    };
    let (name, rmse) = (plan.chosen().estimator, least(bound.sqrt() * factor));
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

/// The same in few words, beside that error; nothing where no bound is known.
pub(crate) fn brief_bound(plan: &WeightedPlan) -> Option<String> {
    let part = percent_at_least(1.0 / plan.gap()?.sqrt());
    Some(format!(" No method that keeps these budgets can have less than {part} of it."))
}

/// What is said where no bound is known.
pub(crate) const NO_BOUND: &str =
    "We know no lower bound on the error that any estimator must have here.";

/// An error that cannot be undercut, rounded down.
pub(crate) fn least(error: f64) -> String {
    significant(rounded_down(error, 3), 3)
}

/// A factor that is not exceeded, rounded up.
pub(crate) fn at_most(factor: f64) -> String {
    significant(rounded_up(factor, 3), 3)
}

/// A what-if question for JSON: the plan for the changed people, and `before`, what it is compared
/// with.
pub fn what_if_record<'a>(
    before: &WeightedPlan,
    after: &'a WeightedPlan,
) -> impl Serialize + use<'a> {
    let before = Before {
        records: before.setting().profile.records(),
        chosen: before.chosen().estimator,
        rmse: before.chosen().risk.rmse() * before.unit(),
    };
    WhatIf { after, before }
}

#[derive(Serialize)]
struct WhatIf<'a> {
    #[serde(flatten)]
    after: &'a WeightedPlan,
    before: Before,
}

#[derive(Serialize)]
struct Before {
    records: u64,
    chosen: Estimator,
    rmse: f64,
}

/// What would change, in sentences.
pub(crate) fn what_if(before: &WeightedPlan, after: &WeightedPlan) -> Vec<String> {
    let error = |plan: &WeightedPlan| plan.chosen().risk.rmse() * plan.unit();
    let (old, new) = (error(before), error(after));
    let mut said = vec![format!(
        "If so: {} records instead of {}, expected error {} instead of {} ({})",
        count(after.setting().profile.records()),
        count(before.setting().profile.records()),
        significant(new, 4),
        significant(old, 4),
        change(old, new),
    )];
    if after.chosen().estimator != before.chosen().estimator {
        let (new, old) = (after.chosen().estimator, before.chosen().estimator);
        said.push(format!("The estimator would be {new} instead of {old}."));
    }
    // What a mean that learns first spends is not known before.
    if after.adaptive().is_some() || before.adaptive().is_some() {
        return said;
    }
    said.push(match (largest_loss(after), largest_loss(before)) {
        (new, old) if new == old => format!("Nobody would lose more than ε = {new}, as before."),
        (new, old) => format!("Nobody would lose more than ε = {new} instead of {old}."),
    });
    said
}

fn change(old: f64, new: f64) -> String {
    if (new / old - 1.0).abs() < 5e-4 {
        "as good as no change".to_owned()
    } else if new < old {
        format!("{} % less", significant((1.0 - new / old) * 100.0, 2))
    } else {
        format!("{} % more", significant((new / old - 1.0) * 100.0, 2))
    }
}

/// The largest loss of any record, rounded up.
fn largest_loss(plan: &WeightedPlan) -> String {
    let largest = plan.losses().max_by(|a, b| a.rounded_up().total_cmp(&b.rounded_up()));
    largest.map_or_else(|| "0".to_owned(), |loss| spent(&loss, Epsilon::PUBLIC))
}
