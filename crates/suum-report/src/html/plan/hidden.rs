//! Pages of plans that do not show who takes part.

use maud::{Markup, html};
use suum_core::{AddRemovePartsPlan, AddRemovePlan, Protected};

use super::{guarantee, learning, left_out, planned, sentence, split};
use crate::add_remove::{GUESS, name_of, parts_name, parts_split, unit_of_part};
use crate::figures::{count, percent};
use crate::html::comparison;
use crate::html::method::Method;
use crate::html::page::Page;
use crate::html::tiers::Spent;
use crate::{adaptive, add_remove, how, scale};

const SPENT: &str = "What records with the declared budgets allow and would spend";

/// The page of a plan that hides who takes part.
pub(super) fn page(plan: &AddRemovePlan) -> Page {
    let (request, chosen) = (plan.request(), plan.chosen());
    let (factor, unit) = scale::of_error(request.statistic());
    let records = count(plan.assumed().records());
    let mut page =
        planned(format!("Plan for {} of {records} records that are assumed", name_of(request)));
    let rmse = chosen.error.rmse * factor;
    page.answer.add(sentence("The error is expected to be ", rmse, 4, &format!("{unit}.")));
    page.answer.paragraph(&format!(
        "Root mean squared error, hiding who takes part, for {}. The estimator would be {}.",
        how::of_target(request.options().target),
        chosen.estimator
    ));
    if plan.learning().is_some() {
        page.answer.paragraph(adaptive::PLANNED);
    }
    page.answer.paragraph(GUESS);
    let spent =
        Spent::of_release(&chosen.privacy, request.options().neighbors, false, Protected::Record);
    page.cost.section("tiers", SPENT, spent.table());
    if let Some(cost) = plan.learning() {
        learning(&mut page, adaptive::declared_costs(cost));
    }
    let compared = html! {
        (comparison::of_add_remove(plan, factor))
        (left_out(plan.excluded()))
        @if let Some(bound) = add_remove::bound(plan) { p { (bound) } }
    };
    page.comparison.section("comparison", "The estimators compared", compared);
    guarantee(&mut page, &spent);
    page.method = Method::of_add_remove_plan(plan);
    page
}

/// The page of a plan of several parts that hide who takes part.
pub(super) fn parts_page(plan: &AddRemovePartsPlan) -> Page {
    let records = count(plan.assumed().records());
    let name = parts_name(plan);
    let mut page = planned(format!("Plan for {name} of {records} records that are assumed"));
    for (at, (_, part)) in plan.parts().enumerate() {
        let ((factor, unit), what) = (unit_of_part(plan, part), part.request().statistic());
        let before = if at == 0 { "The expected error of the" } else { "That of the" };
        let rmse = part.chosen().error.rmse * factor;
        let before = format!("{before} {what} is ");
        page.answer.add(sentence(&before, rmse, 4, &format!("{unit}.")));
    }
    page.answer.paragraph(&format!(
        "Root mean squared errors, hiding who takes part, for {}.",
        how::of_target(plan.made().1)
    ));
    page.answer.paragraph(GUESS);
    let parts = parts_split(plan).into_iter();
    let parts = parts.map(|(share, what)| format!("{}: {what}", percent(share)));
    split(&mut page, parts, Markup::default());
    let spent = Spent::of_release(plan.privacy(), plan.made().0, false, Protected::Record);
    page.cost.section("tiers", SPENT, spent.table());
    guarantee(&mut page, &spent);
    for (what, part) in plan.parts() {
        page.method.part(&format!("The {what}"), Method::of_add_remove_plan(part));
    }
    page
}
