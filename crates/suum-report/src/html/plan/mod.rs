//! Pages of plans: what they share. `weighted` are those of means, sums and frequencies, `bounded`
//! those of other statistics of declared bounds, `unbounded` those without, `hidden` those that do
//! not show who takes part.

mod bounded;
mod hidden;
mod unbounded;
mod weighted;

use maud::{Markup, Render, html};
use suum_core::{Excluded, Plan};

use super::markup::list;
use super::page::{Page, What};
use super::tiers::Spent;
use super::{answer, budget};
use crate::expected::{self, Expected};
use crate::figures::significant;
use crate::headline::Piece;
use crate::needed::{self, NEEDED, Needed};
use crate::plan::{INTERVAL, half_width};
use crate::tiers::Tier;
use crate::what_if::steps;
use crate::{adaptive, brief};

pub use weighted::what_if_page;

/// An answer in a sentence whose number stands out.
fn sentence(before: &str, number: f64, digits: i32, after: &str) -> Markup {
    let pieces = [
        Piece::Words(before.to_owned()),
        Piece::Number(significant(number, digits), number),
        Piece::Words(after.to_owned()),
    ];
    answer::headline(&pieces, true)
}

/// The sections on what tiers would spend and what that means.
fn spending(page: &mut Page, spent: &Spent) {
    let heading = "What each tier allows, and what this release would spend of it";
    page.cost.section("tiers", heading, spent.table());
}

/// The section on how budgets would be split.
fn split(page: &mut Page, parts: impl IntoIterator<Item = String>, then: impl Render) {
    let inside = html! { (list(parts)) (then) };
    page.cost.section("split", "How every budget would be split", inside);
}

/// The section on what learning would cost.
fn learning(page: &mut Page, costs: Vec<[String; 2]>) {
    let caption = "Of the budgets, for learning where the values lie";
    let inside = html! {
        (budget::plain(caption, adaptive::PLANNED_COSTS, costs))
        p { (adaptive::MORE) }
    };
    page.cost.section("learning", "What learning would cost", inside);
}

/// The estimators that were left out, each with its reason.
fn left_out(excluded: &[Excluded]) -> Markup {
    html! {
        @for one in excluded {
            p { "Left out: " (one.reason.trim_start_matches("estimator: ")) }
        }
    }
}

/// What the losses of a release would mean.
fn guarantee(page: &mut Page, spent: &Spent) {
    page.guarantee.section("guarantee", "What would be guaranteed", spent.meaning());
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
        page.cost.section("interval", INTERVAL, html! { p { (words) } });
    }
    if let Some(expected) = expected {
        let inside = html! { (list(expected::lines(expected))) p { (expected::about(expected)) } };
        page.cost.section("expected", &expected::heading(expected), inside);
    }
    if let Some(needed) = needed {
        page.cost.section("needed", NEEDED, html! { p { (needed::needed_words(needed)) } });
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
