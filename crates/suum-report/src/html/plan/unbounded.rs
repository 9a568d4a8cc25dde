//! Pages of plans without declared bounds.

use suum_core::{Neighbors, RangePlan, UnboundedPlan};

use super::{answer, guarantee, planned, spending};
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
        answer(&mut page.answer, before, error.rmse, 4, " standard deviations of the values.");
        page.answer.paragraph(&format!(
            "Root mean squared error for normal data, for {whom}. The estimator would be {}: {}.",
            RangePlan::NAME,
            RangePlan::ABOUT,
        ));
        page.cost.section("error", how::ERRORS, |out| {
            let rows = [
                (error.noise_sd, "noise: what hides each record"),
                (error.sampling_sd, "sampling: the records are a sample"),
                (error.rmse, "together (root mean squared error)"),
            ];
            budget::table(
                out,
                "in standard deviations of the values",
                "for normal data, before seeing the data",
                &rows,
                4,
            );
        });
    } else {
        page.answer.paragraph(&format!("{}.", range::expected(plan).trim_end_matches('.')));
        page.answer.paragraph(&format!("All of it is for {whom}."));
    }
    page.cost.section("split", "How every budget would be split", |out| {
        out.element("ul", &[], |list| {
            for (share, what) in range::split(plan) {
                list.element("li", &[], |item| {
                    item.text(&format!("{}: {what}", percent(share.get())))
                });
            }
        });
        out.paragraph(&range::decision(plan));
    });
    let spent =
        Spent::of_plan(tiers::lines_of(tiers, |tier| Some((plan.loss_of(tier.epsilon), None))));
    spending(&mut page, &spent);
    page.comparison.section("comparison", "How good could anybody be?", |out| {
        out.paragraph(range::bound(plan).as_deref().unwrap_or(weighted::NO_BOUND));
    });
    guarantee(&mut page, &spent);
    page.method = match plan.expected_error() {
        Some(_) => Method::of_range(),
        None => Method::of_search(Neighbors::ReplaceOne),
    };
    page
}
