//! Where the error comes from: the error budget.

use super::answer::{cell, column, scrolled};
use super::drawing;
use super::markup::Markup;
use crate::figures::{percent, significant};

/// The parts of the error and, last, all of it together, each with its meaning; `unit` says what
/// the figures are.
pub(crate) fn table(out: &mut Markup, unit: &str, basis: &str, rows: &[(f64, &str)], digits: i32) {
    let total: f64 = rows.last().map_or(0.0, |(total, _)| total * total);
    let parts = rows.len() > 1;
    scrolled(out, &format!("Errors ({unit}): {basis}"), |table| {
        table.element("thead", &[], |head| {
            head.element("tr", &[], |row| {
                column(row, "source", false);
                column(row, "error", true);
                if parts {
                    column(row, "part of the squared error", false);
                }
            });
        });
        table.element("tbody", &[], |body| {
            for (at, (figure, meaning)) in rows.iter().enumerate() {
                body.element("tr", &[], |row| {
                    row.element("th", &[("scope", "row")], |name| name.text(meaning));
                    row.element("td", &[("class", "number")], |cell| {
                        cell.element("data", &[("value", &figure.to_string())], |data| {
                            data.text(&significant(*figure, digits));
                        });
                    });
                    let share = figure * figure / total;
                    if parts && (at + 1 == rows.len() || share.is_nan()) {
                        cell(row, "words", "");
                    } else if parts {
                        row.element("td", &[("class", "drawing")], |cell| {
                            cell.text(&percent(share.min(1.0)));
                            drawing::bar(cell, share);
                        });
                    }
                });
            }
        });
    });
}

/// A table of figures as they are written, of which the first column names the row.
pub(crate) fn plain<const N: usize>(
    out: &mut Markup,
    caption: &str,
    headings: [&str; N],
    rows: Vec<[String; N]>,
) {
    scrolled(out, caption, |table| {
        table.element("thead", &[], |head| {
            head.element("tr", &[], |row| {
                headings.iter().enumerate().for_each(|(at, name)| column(row, name, at > 0));
            });
        });
        table.element("tbody", &[], |body| {
            for cells in rows {
                body.element("tr", &[], |row| {
                    for (at, text) in cells.iter().enumerate() {
                        match at {
                            0 => row.element("th", &[("scope", "row")], |name| name.text(text)),
                            _ => cell(row, "number", text),
                        }
                    }
                });
            }
        });
    });
}
