//! Pages of plans of groups.

use super::answer::{cell, column, scrolled};
use super::markup::Markup;
use super::page::{Page, What};
use crate::group_plans::{
    ERRORS, GroupPlan, LOSSES, about, errors, losses, people, simulated, title,
};
use crate::needed::NEEDED;
use crate::{brief, expected};

/// The page of plans of groups; see [`group_plans_text`](crate::group_plans_text).
pub fn group_plans_page(by: &str, groups: &[(&str, Option<GroupPlan<'_>>)], assumed: bool) -> Page {
    let mut page = Page::new(What::Plan, title(by, groups));
    page.scope = brief::scope_of_group_plans(groups, assumed);
    table(&mut page.answer, "Expected errors", &ERRORS, &errors(groups));
    page.answer.paragraph(&about(groups, assumed));
    let people = people(groups);
    if !people.is_empty() {
        page.cost.section("needed", NEEDED, |out| {
            people.iter().for_each(|said| out.paragraph(said));
        });
    }
    if let [first, ..] = simulated(groups).as_slice() {
        page.cost.section("expected", &expected::heading(first.1), |out| {
            out.element("ul", &[], |list| {
                for (name, expected) in simulated(groups) {
                    for line in expected::lines(expected) {
                        list.element("li", &[], |item| item.text(&format!("{name}: {line}")));
                    }
                }
            });
            out.paragraph(&expected::about(first.1));
        });
    }
    page.cost.section(
        "tiers",
        "What each tier allows, and what the releases would spend of it",
        |out| table(out, "By group", &LOSSES, &losses(groups)),
    );
    page
}

/// A table whose first column has labels.
fn table(out: &mut Markup, caption: &str, headings: &[&str; 5], rows: &[[String; 5]]) {
    scrolled(out, caption, |table| {
        table.element("thead", &[], |head| {
            head.element("tr", &[], |row| {
                headings.iter().enumerate().for_each(|(at, name)| column(row, name, at > 1));
            });
        });
        table.element("tbody", &[], |body| {
            for row in rows {
                body.element("tr", &[], |tr| {
                    let [label, rest @ ..] = row;
                    match label.is_empty() {
                        // The group is that of the row above.
                        true => cell(tr, "words", ""),
                        false => tr.element("th", &[("scope", "row")], |name| name.label(label)),
                    }
                    rest.iter().for_each(|text| cell(tr, "number", text));
                });
            }
        });
    });
}
