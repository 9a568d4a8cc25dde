//! Pages of plans without declared bounds.

use maud::html;
use suum_core::{Neighbors, RangePlan, UnboundedPlan};

use super::{guarantee, planned, sentence, spending, split};
use crate::figures::{count, percent};
use crate::html::budget;
use crate::html::method::Method;
use crate::html::page::Page;
use crate::html::tiers::Spent;
use crate::tiers::{self, Tier};
use crate::{how, range, weighted};

/// The page of a plan without declared bounds.
pub(super) fn page(plan: &UnboundedPlan, tiers: &[Tier]) -> Page {
    let (of, records) = (range::name(plan.request()), count(plan.allowed().records()));
    let title = format!("Plan for the {of} of {records} records, without declared bounds");
    let mut page = planned(title);
    let whom = how::of_target(plan.request().target());
    if let Some(error) = plan.expected_error() {
        let before = "The error is expected to be ";
        let after = " standard deviations of the values.";
        page.answer.add(sentence(before, error.rmse, 4, after));
        page.answer.paragraph(&format!(
            "Root mean squared error for normal data, for {whom}. The estimator would be {}: {}.",
            RangePlan::NAME,
            RangePlan::ABOUT,
        ));
        let rows = [
            (error.noise_sd, "noise: what hides each record"),
            (error.sampling_sd, "sampling: the records are a sample"),
            (error.rmse, "together (root mean squared error)"),
        ];
        let unit = "in standard deviations of the values";
        let basis = "for normal data, before seeing the data";
        page.cost.section("error", how::ERRORS, budget::errors(unit, basis, &rows, 4));
    } else {
        page.answer.paragraph(&format!("{}.", range::expected(plan).trim_end_matches('.')));
        page.answer.paragraph(&format!("All of it is for {whom}."));
    }
    let parts = range::split(plan).into_iter();
    let parts = parts.map(|(share, what)| format!("{}: {what}", percent(share.get())));
    split(&mut page, parts, html! { p { (range::decision(plan)) } });
    let spent =
        Spent::of_plan(tiers::lines_of(tiers, |tier| Some((plan.loss_of(tier.epsilon), None))));
    spending(&mut page, &spent);
    let bound = range::bound(plan);
    let bound = html! { p { (bound.as_deref().unwrap_or(weighted::NO_BOUND)) } };
    page.comparison.section("comparison", "How good could anybody be?", bound);
    guarantee(&mut page, &spent);
    page.method = match plan.expected_error() {
        Some(_) => Method::of_range(),
        None => Method::of_search(Neighbors::ReplaceOne),
    };
    page
}
