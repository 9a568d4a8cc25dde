//! Pages of plans of groups.

use maud::{Markup, Render, html};

use super::markup::{label, list};
use super::page::{Page, What};
use super::table::Table;
use crate::group_plans::{
    ERRORS, GroupPlan, LOSSES, about, errors, losses, people, simulated, title,
};
use crate::needed::NEEDED;
use crate::{brief, expected};

/// The page of plans of groups; see [`group_plans_text`](crate::group_plans_text).
pub fn group_plans_page(by: &str, groups: &[(&str, Option<GroupPlan<'_>>)], assumed: bool) -> Page {
    let mut page = Page::new(What::Plan, title(by, groups));
    page.scope = brief::scope_of_group_plans(groups, assumed);
    page.answer.add(labelled("Expected errors", &ERRORS, errors(groups)));
    page.answer.paragraph(&about(groups, assumed));
    let people = people(groups);
    if !people.is_empty() {
        page.cost.section("needed", NEEDED, html! { @for said in people { p { (said) } } });
    }
    if let [first, ..] = simulated(groups).as_slice() {
        let lines = simulated(groups).into_iter().flat_map(|(name, expected)| {
            expected::lines(expected).into_iter().map(move |line| format!("{name}: {line}"))
        });
        let inside = html! { (list(lines)) p { (expected::about(first.1)) } };
        page.cost.section("expected", &expected::heading(first.1), inside);
    }
    page.cost.section(
        "tiers",
        "What each tier allows, and what the releases would spend of it",
        labelled("By group", &LOSSES, losses(groups)),
    );
    page
}

/// A table whose first column has labels: none where it is that of the row above.
fn labelled(caption: &str, headings: &[&str; 5], rows: Vec<[String; 5]>) -> Markup {
    let mut table = Table::new(caption, rows).words(headings[0], |[name, ..]| {
        html! { @if !name.is_empty() { (label(name)) } }
    });
    for (at, heading) in headings.iter().enumerate().skip(1) {
        let text = move |row: &[String; 5]| row[at].clone();
        table = if at == 1 { table.words(heading, text) } else { table.number(heading, text) };
    }
    table.render()
}
