//! Pages of the plans of quantiles, variances and several statistics, of declared bounds.

use maud::Markup;
use suum_core::{Loss, Protected, QuantilePlan, SummaryPlan, VariancePlan};

use super::{guarantee, planned, sentence, spending, split, with_steps};
use crate::figures::{count, percent};
use crate::html::budget;
use crate::html::check::Check;
use crate::html::comparison;
use crate::html::markup::said;
use crate::html::method::Method;
use crate::html::page::Page;
use crate::html::tiers::Spent;
use crate::scale::OF_RANK;
use crate::tiers::{self, Tier};
use crate::{how, quantiles, strata, variance};

/// The page of the plan of quantiles.
pub(super) fn quantiles_page(plan: &QuantilePlan, tiers: &[Tier]) -> Page {
    let (request, chosen) = (plan.request(), plan.chosen());
    let records = count(plan.profile().records());
    let which = quantiles::which(request.ranks());
    let mut page = planned(format!("Plan for {which} of {records} records"));
    let points = chosen.rank_error.rmse() * 100.0;
    let (before, after) = ("The rank is expected to be off by ", " percentage points of records.");
    page.answer.add(sentence(before, points, 3, after));
    page.answer.paragraph(&format!(
        "Root mean squared error, for {}. The estimator would be {}: {}.",
        how::of_target(request.options().target),
        chosen.estimator,
        chosen.estimator.describe()
    ));
    for words in strata::of_quantiles(plan) {
        page.answer.paragraph(&words);
    }
    page.answer.add(said(|text| quantiles::write_split(text, plan)));
    let spent = Spent::of_plan(quantiles::lines(plan, tiers));
    spending(&mut page, &spent);
    let compared = comparison::of_quantiles(plan);
    page.comparison.section("comparison", "The estimators compared", compared);
    guarantee(&mut page, &spent);
    page.method = Method::of_quantiles(plan, None);
    page.check = Check::of_quantiles(plan);
    with_steps(page, &plan.clone().into(), tiers)
}

/// The page of the plan of a variance.
pub(super) fn variance_page(plan: &VariancePlan, tiers: &[Tier]) -> Page {
    let (options, error) = (plan.request().options(), plan.error());
    let mut page =
        planned(format!("Plan for the variance of {} records", count(plan.profile().records())));
    let before = "The error of the variance is expected to be ";
    page.answer.add(sentence(before, error.rmse, 4, "."));
    page.answer.paragraph(&format!(
        "Root mean squared error at the distribution that is hardest to sample, for {}.",
        how::of_target(options.target)
    ));
    let rows = variance::error_rows(error, Protected::Record);
    let errors = budget::errors(variance::ERROR_UNIT, variance::ERROR_BASIS, &rows, 4);
    page.cost.section("error", how::ERRORS, errors);
    let losses: Vec<Loss> = plan.losses().collect();
    let lines = tiers::lines_of(tiers, |tier| {
        let position = plan.position(tier.epsilon)?;
        Some((losses.get(position)?.clone(), plan.weights().per_level().get(position).copied()))
    });
    let spent = Spent::of_plan(lines);
    spending(&mut page, &spent);
    guarantee(&mut page, &spent);
    page.method = Method::of_variance(options.target, plan.tau());
    page.check = Check::of_variance(plan);
    with_steps(page, &plan.clone().into(), tiers)
}

/// The page of the plan of several statistics.
pub(super) fn summary_page(plan: &SummaryPlan, tiers: &[Tier]) -> Page {
    let records = count(plan.allowed().records());
    let mut page = planned(format!("Plan for several statistics of {records} records"));
    let errors = [
        plan.rmse_of_mean().map(|rmse| ("the mean", rmse, 4, "")),
        plan.variance_plan().map(|variance| ("the variance", variance.error().rmse, 4, "")),
        plan.quantile_plan().map(|quantiles| {
            ("the quantiles", quantiles.chosen().rank_error.rmse() * 100.0, 3, OF_RANK)
        }),
    ];
    for (at, (of, error, digits, unit)) in errors.into_iter().flatten().enumerate() {
        let before = if at == 0 {
            format!("The expected error of {of} is ")
        } else {
            format!("That of {of} is ")
        };
        page.answer.add(sentence(&before, error, digits, &format!("{unit}.")));
    }
    page.answer.paragraph(
        "Root mean squared errors, worst case, before seeing the data; that of the variance is at \
        the distribution that is hardest to sample.",
    );
    let parts = plan
        .shares()
        .map(|(measured, share)| format!("{} would buy {measured}", percent(share.get())));
    split(&mut page, parts, Markup::default());
    let losses: Vec<Loss> = plan.losses().collect();
    let lines = tiers::lines_of(tiers, |tier| {
        Some((losses.get(plan.allowed().position(tier.epsilon)?)?.clone(), None))
    });
    let spent = Spent::of_plan(lines);
    spending(&mut page, &spent);
    guarantee(&mut page, &spent);
    if let Some(mean) = plan.mean_plan() {
        page.method.part("The mean", Method::of_plan(mean));
    }
    if let Some(variance) = plan.variance_plan() {
        page.method.part(
            "The variance",
            Method::of_variance(variance.request().options().target, variance.tau()),
        );
    }
    if let Some(quantiles) = plan.quantile_plan() {
        page.method.part("The quantiles", Method::of_quantiles(quantiles, None));
    }
    page
}
