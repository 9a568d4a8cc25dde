//! Pages of the plans of means, sums and frequencies.

use maud::html;
use suum_core::{Protected, WeightedPlan};

use super::{guarantee, learning, left_out, planned, sentence, spending, with_steps};
use crate::comparison::FOR_STUDY;
use crate::figures::{count, significant};
use crate::html::budget;
use crate::html::check::Check;
use crate::html::comparison;
use crate::html::method::Method;
use crate::html::page::Page;
use crate::html::tiers::Spent;
use crate::tiers::{self, Tier};
use crate::what_if::{WHAT_IF_SCRIPT, what_if_section};
use crate::{adaptive, brief, how, moment, strata, weighted};

/// The page of the plan of a mean, a sum or frequencies. That of a mean has a section in which
/// readers change tiers, bounds and target, where [`what_if_section`] has one.
pub(super) fn page(plan: &WeightedPlan, tiers: &[Tier], in_range: bool) -> Page {
    let (setting, request) = (plan.setting(), plan.request());
    let records = count(setting.profile.records());
    let mut page =
        planned(format!("Plan for the {} of {records} records", request.statistic().name()));
    let what = if setting.categories.is_some() {
        "The largest error over the categories"
    } else {
        "The error"
    };
    // Shares have no bounds to be given.
    let in_range = in_range && setting.categories.is_none();
    let unit = if in_range { " of the width of the bounds" } else { "" };
    let rmse = plan.chosen().risk.rmse() * plan.unit();
    let before = format!("{what} is expected to be ");
    page.answer.add(sentence(&before, rmse, 4, &format!("{unit}.")));
    let scope = match request.categories() {
        Some(categories) => format!("{} categories", categories.len()),
        None if in_range => "bounds not given, so errors are shares of their width".to_owned(),
        None => format!("bounds {}", moment::between(request.bounds())),
    };
    page.answer.paragraph(&format!(
        "Root mean squared error, worst case, before seeing the data, for {}; {scope}. The \
        estimator would be {}: {}.",
        how::estimand(plan),
        plan.chosen().estimator,
        plan.chosen().estimator.describe(),
    ));
    if plan.adaptive().is_some() {
        page.answer.paragraph(adaptive::PLANNED);
    }
    for words in strata::of_plan(plan) {
        page.answer.paragraph(&words);
    }
    if let Some(shrinkage) = plan.shrinkage() {
        page.answer.paragraph(&format!(
            "Shrunk towards the middle of the bounds by the factor {} it is {}.",
            significant(shrinkage.factor, 3),
            significant(shrinkage.risk.sqrt() * plan.unit(), 4),
        ));
    }
    let (risk, unit) = (plan.chosen().risk, plan.unit());
    let error = suum_core::ExpectedError {
        noise_sd: risk.noise_sd() * unit,
        sampling_sd: risk.sampling_sd() * unit,
        rmse: risk.rmse() * unit,
    };
    let (unit, basis) = how::error_unit(plan, how::Basis::Worst);
    let rows = how::error_rows(error, plan, Protected::Record, how::Basis::Worst);
    page.cost.section("error", how::ERRORS, budget::errors(unit, basis, &rows, 4));
    let spent = Spent::of_plan(tiers::lines(plan, tiers));
    spending(&mut page, &spent);
    if let Some(adaptive) = plan.adaptive() {
        learning(&mut page, adaptive::planned_costs(plan, adaptive, tiers));
    }
    let compared = html! {
        p {
            "There are many ways to make the same statistic. They are compared from public facts \
            alone, before any value is read."
        }
        (comparison::of_plan(plan, true))
        p { (FOR_STUDY) "." }
        (left_out(plan.excluded()))
        @if let Some(gain) = weighted::gain(plan) { p { (gain) } }
        p { (weighted::bound(plan, plan.unit())) }
    };
    page.comparison.section("comparison", "The estimators compared", compared);
    guarantee(&mut page, &spent);
    page.method = Method::of_plan(plan);
    page.check = Check::of_plan(plan);
    // The section computes the error of a mean that does not learn.
    match what_if_section(&plan.without_adapting(), tiers) {
        Some(section) => page.with_section(&section, WHAT_IF_SCRIPT),
        None => with_steps(page, &plan.clone().into(), tiers),
    }
}

/// The page of a what-if question: the plan for the changed people, after what would change.
pub fn what_if_page(
    before: &WeightedPlan,
    after: &WeightedPlan,
    tiers: &[Tier],
    in_range: bool,
) -> Page {
    let mut page = page(after, tiers, in_range);
    page.scope = brief::scope_of_plan(&after.clone().into(), tiers, in_range);
    let planned = std::mem::take(&mut page.answer);
    page.answer.add(html! {
        div class="note" { @for said in weighted::what_if(before, after) { p { (said) } } }
        (planned)
    });
    page
}
