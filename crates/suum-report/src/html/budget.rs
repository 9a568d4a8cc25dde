//! Where the error comes from: the error budget.

use maud::{Markup, Render, html};

use super::drawing;
use super::markup::data;
use super::table::Table;
use crate::figures::{percent, significant};

/// The parts of the error and, last, all of it together, each with its meaning; `unit` says what
/// the figures are.
pub(crate) fn errors(unit: &str, basis: &str, rows: &[(f64, &str)], digits: i32) -> Markup {
    let total: f64 = rows.last().map_or(0.0, |(total, _)| total * total);
    let parts = rows.len().saturating_sub(1);
    Table::new(format!("Errors ({unit}): {basis}"), rows.iter().enumerate())
        .words("source", |(_, (_, meaning))| (*meaning).to_owned())
        .number("error", |(_, (figure, _))| data(*figure, &significant(*figure, digits)))
        .when(parts > 0, |table| {
            table.drawing("part of the squared error", move |(at, (figure, _))| {
                let share = figure * figure / total;
                html! {
                    @if *at < parts && !share.is_nan() {
                        (percent(share.min(1.0))) (drawing::bar(share))
                    }
                }
            })
        })
        .render()
}

/// A table of figures as they are written, of which the first column names the row.
pub(crate) fn plain<const N: usize>(
    caption: &str,
    headings: [&str; N],
    rows: Vec<[String; N]>,
) -> Markup {
    let mut table = Table::new(caption, rows);
    for (at, heading) in headings.into_iter().enumerate() {
        let text = move |row: &[String; N]| row[at].clone();
        table = if at == 0 { table.words(heading, text) } else { table.number(heading, text) };
    }
    table.render()
}
