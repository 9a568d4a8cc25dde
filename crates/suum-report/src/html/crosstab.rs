//! A table of two columns on a page: each share with its interval below it, and the margins.

use super::answer::{column, scrolled};
use super::markup::Markup;
use crate::crosstab::{Cell, Crossed, LINES};
use crate::table::selection;

/// The table; of very many rows the first and the last.
pub(crate) fn show(out: &mut Markup, caption: &str, crossed: &Crossed) {
    scrolled(out, caption, |table| {
        table.element("thead", &[], |head| {
            head.element("tr", &[], |row| {
                column(row, &crossed.columns.join(" / "), false);
                crossed.labels[1].iter().for_each(|label| {
                    let number = [("scope", "col"), ("class", "number")];
                    row.element("th", &number, |cell| cell.label(label));
                });
            });
        });
        table.element("tbody", &[], |body| {
            for at in selection(crossed.rows.len(), LINES) {
                let found =
                    at.and_then(|at| Some((crossed.labels[0].get(at)?, crossed.rows.get(at)?)));
                body.element("tr", &[], |row| match found {
                    Some((label, cells)) => {
                        row.element("th", &[("scope", "row")], |name| name.label(label));
                        cells.iter().for_each(|cell| show_cell(row, cell));
                    }
                    None => {
                        let width = (crossed.labels[1].len() + 1).to_string();
                        row.element("td", &[("colspan", width.as_str())], |gap| {
                            gap.text("… (the JSON has all)");
                        });
                    }
                });
            }
        });
    });
}

fn show_cell(row: &mut Markup, cell: &Cell) {
    row.element("td", &[("class", "number")], |out| {
        data(out, cell.estimate, &cell.text);
        let Some((ends, interval)) = &cell.interval else { return };
        out.element("small", &[("class", "below")], |below| {
            data(below, interval.lower, &ends[0]);
            below.text(" to ");
            data(below, interval.upper, &ends[1]);
        });
    });
}

/// What is shown of a number, with all its digits beside it.
fn data(out: &mut Markup, value: f64, shown: &str) {
    out.element("data", &[("value", &value.to_string())], |data| data.text(shown));
}
