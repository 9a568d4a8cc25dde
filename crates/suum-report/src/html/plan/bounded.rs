//! Pages of the plans of quantiles, variances and several statistics, of declared bounds.

use suum_core::{Loss, Protected, QuantilePlan, SummaryPlan, VariancePlan};

use super::{answer, guarantee, planned, spending, with_steps};
use crate::figures::{count, percent};
use crate::html::budget;
use crate::html::check::Check;
use crate::html::comparison;
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
    answer(
        &mut page.answer,
        "The rank is expected to be off by ",
        points,
        3,
        " percentage points of records.",
    );
    page.answer.paragraph(&format!(
        "Root mean squared error, for {}. The estimator would be {}: {}.",
        how::of_target(request.options().target),
        chosen.estimator,
        chosen.estimator.describe()
    ));
    for sentence in strata::of_quantiles(plan) {
        page.answer.paragraph(&sentence);
    }
    page.answer.said(|text| quantiles::write_split(text, plan));
    let spent = Spent::of_plan(quantiles::lines(plan, tiers));
    spending(&mut page, &spent);
    page.comparison.section("comparison", "The estimators compared", |out| {
        comparison::of_quantiles(out, plan)
    });
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
    answer(&mut page.answer, "The error of the variance is expected to be ", error.rmse, 4, ".");
    page.answer.paragraph(&format!(
        "Root mean squared error at the distribution that is hardest to sample, for {}.",
        how::of_target(options.target)
    ));
    page.cost.section("error", how::ERRORS, |out| {
        let rows = variance::error_rows(error, Protected::Record);
        budget::table(out, variance::ERROR_UNIT, variance::ERROR_BASIS, &rows, 4);
    });
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
        answer(&mut page.answer, &before, error, digits, &format!("{unit}."));
    }
    page.answer.paragraph(
        "Root mean squared errors, worst case, before seeing the data; that of the variance is at \
        the distribution that is hardest to sample.",
    );
    page.cost.section("split", "How every budget would be split", |out| {
        out.element("ul", &[], |list| {
            for (measured, share) in plan.shares() {
                list.element("li", &[], |item| {
                    item.text(&format!("{} would buy {measured}", percent(share.get())))
                });
            }
        });
    });
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
