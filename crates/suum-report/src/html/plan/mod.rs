//! Pages of plans: what they share. `weighted` are those of means, sums and frequencies, `bounded`
//! those of other statistics of declared bounds, `unbounded` those without, `hidden` those that do
//! not show who takes part.

mod bounded;
mod hidden;
mod unbounded;
mod weighted;

use suum_core::Plan;

use super::budget;
use super::markup::Markup;
use super::page::{Page, What};
use super::tiers::Spent;
use crate::expected::{self, Expected};
use crate::figures::significant;
use crate::needed::{self, NEEDED, Needed};
use crate::plan::{INTERVAL, half_width};
use crate::tiers::Tier;
use crate::what_if::steps;
use crate::{adaptive, brief};

pub use weighted::what_if_page;

/// An answer in a sentence whose number stands out.
pub(super) fn answer(out: &mut Markup, before: &str, number: f64, digits: i32, after: &str) {
    out.element("p", &[("class", "answer")], |p| {
        p.text(before);
        p.element("strong", &[], |strong| {
            strong.element("data", &[("value", &number.to_string())], |data| {
                data.text(&significant(number, digits))
            });
        });
        p.text(after);
    });
}

/// The sections on what tiers would spend and what that means.
pub(super) fn spending(page: &mut Page, spent: &Spent) {
    page.cost.section(
        "tiers",
        "What each tier allows, and what this release would spend of it",
        |out| spent.table(out),
    );
}

/// The section on what learning would cost.
fn learning(page: &mut Page, costs: Vec<[String; 2]>) {
    page.cost.section("learning", "What learning would cost", |out| {
        let caption = "Of the budgets, for learning where the values lie";
        budget::plain(out, caption, adaptive::PLANNED_COSTS, costs);
        out.paragraph(adaptive::MORE);
    });
}

/// What the losses of a release would mean.
pub(super) fn guarantee(page: &mut Page, spent: &Spent) {
    page.guarantee.section("guarantee", "What would be guaranteed", |out| spent.meaning(out));
}

pub(super) fn planned(title: String) -> Page {
    Page::new(What::Plan, title)
}

/// The page with a section in which readers step one tier at a time, where there is one.
fn with_steps(page: Page, plan: &Plan, tiers: &[Tier]) -> Page {
    match steps::section(plan, tiers, page.check.options.as_deref()) {
        Some(section) => page.with_section(&section, steps::SCRIPT),
        None => page,
    }
}

/// The page of a plan; see [`plan_text`](crate::plan_text). `needed` says how many people a target
/// takes, `expected` what simulations say.
pub fn plan_page(
    plan: &Plan,
    tiers: &[Tier],
    in_range: bool,
    needed: Option<&Needed>,
    expected: Option<&Expected>,
) -> Page {
    let mut page = page_of(plan, tiers, in_range);
    page.scope = brief::scope_of_plan(plan, tiers, in_range);
    if let Some(words) = half_width(plan, in_range) {
        page.cost.section("interval", INTERVAL, |out| out.paragraph(&words));
    }
    if let Some(expected) = expected {
        page.cost.section("expected", &expected::heading(expected), |out| {
            out.element("ul", &[], |list| {
                for line in expected::lines(expected) {
                    list.element("li", &[], |item| item.text(&line));
                }
            });
            out.paragraph(&expected::about(expected));
        });
    }
    if let Some(needed) = needed {
        page.cost.section("needed", NEEDED, |out| out.paragraph(&needed::needed_words(needed)));
    }
    page
}

fn page_of(plan: &Plan, tiers: &[Tier], in_range: bool) -> Page {
    match plan {
        Plan::Weighted(plan) => weighted::page(plan, tiers, in_range),
        Plan::Quantiles(plan) => bounded::quantiles_page(plan, tiers),
        Plan::Variance(plan) => bounded::variance_page(plan, tiers),
        Plan::Summary(plan) => bounded::summary_page(plan, tiers),
        Plan::Unbounded(plan) => unbounded::page(plan, tiers),
        Plan::AddRemove(plan) => hidden::page(plan),
        Plan::AddRemoveParts(plan) => hidden::parts_page(plan),
    }
}
