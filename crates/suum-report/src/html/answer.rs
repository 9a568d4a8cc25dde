//! The answer: in a sentence and drawn, or, where there are several, as a table.

use suum_core::Interval;

use super::drawing::{self, Axis};
use super::figure::{Figure, Writing};
use super::markup::Markup;
use crate::how;

/// One number: a sentence, and its interval drawn.
pub(crate) fn one(out: &mut Markup, name: &str, column: Option<&str>, figure: &Figure, whom: &str) {
    out.element("p", &[("class", "answer")], |p| {
        p.text(&format!("The {name}"));
        if let Some(column) = column {
            p.text(" of ");
            p.label(column);
        }
        let exact = matches!(figure.writing, Writing::Exact);
        p.text(if exact { " is " } else { " is about " });
        p.element("strong", &[], |strong| figure.writing.show(strong, figure.estimate));
        if let Some(interval) = figure.interval {
            p.text(&format!(
                "; with {} confidence it is between ",
                how::confidence(interval.confidence)
            ));
            figure.writing.show(p, interval.lower);
            p.text(" and ");
            figure.writing.show(p, interval.upper);
        }
        p.text(".");
    });
    let Some(Interval { confidence, .. }) = figure.interval else { return };
    drawing::interval(out, figure, &format!("Private {name}"));
    out.paragraph(&format!("This is for {whom}. {}", meaning(confidence)));
}

/// What an interval is, for somebody who has forgotten.
pub(crate) fn meaning(confidence: f64) -> String {
    format!(
        "Noise was added to protect people, and the interval allows for it: of many intervals that \
        are made like this one, {} contain the true \
         number.",
        how::confidence(confidence)
    )
}

/// Several numbers with their intervals on one axis.
pub(crate) fn table(out: &mut Markup, caption: &str, first: &str, figures: &[Figure]) {
    let comparable = || figures.iter().filter(|figure| figure.comparable);
    let axis = Axis::around(comparable().filter_map(|figure| figure.interval), 0.04);
    let confidence =
        figures.iter().find_map(|figure| figure.interval).map(|interval| interval.confidence);
    let interval = match confidence {
        Some(confidence) => format!("{} interval", how::confidence(confidence)),
        None => "interval".to_owned(),
    };
    scrolled(out, caption, |table| {
        table.element("thead", &[], |head| {
            head.element("tr", &[], |row| {
                column(row, first, false);
                column(row, "estimate", true);
                column(row, &interval, true);
                if let Some(axis) = axis {
                    let writing =
                        comparable().next().map_or(Writing::Value, |figure| figure.writing);
                    row.element("td", &[("class", "drawing")], |cell| {
                        drawing::heading(cell, axis, writing)
                    });
                }
            });
        });
        table.element("tbody", &[], |body| {
            for figure in figures {
                body.element("tr", &[], |row| {
                    row.element("th", &[("scope", "row")], |cell| cell.label(&figure.name));
                    row.element("td", &[("class", "number")], |cell| {
                        figure.writing.show(cell, figure.estimate)
                    });
                    row.element("td", &[("class", "number")], |cell| figure.show_interval(cell));
                    if let Some(axis) = axis {
                        row.element("td", &[("class", "drawing")], |cell| {
                            if figure.comparable {
                                drawing::in_row(cell, figure, axis);
                            }
                        });
                    }
                });
            }
        });
    });
}

/// A table that scrolls in its own box where it is too wide.
pub(crate) fn scrolled(out: &mut Markup, caption: &str, write: impl FnOnce(&mut Markup)) {
    let label =
        [("class", "scroll"), ("role", "region"), ("aria-label", caption), ("tabindex", "0")];
    out.element("div", &label, |div| {
        div.element("table", &[], |table| {
            table.element("caption", &[], |inside| {
                inside.element("span", &[], |span| span.text(caption))
            });
            write(table);
        });
    });
}

/// The heading of a column.
pub(crate) fn column(row: &mut Markup, heading: &str, number: bool) {
    let number = [("scope", "col"), ("class", if number { "number" } else { "words" })];
    row.element("th", &number, |cell| cell.text(heading));
}

/// A cell of text.
pub(crate) fn cell(row: &mut Markup, class: &str, text: &str) {
    row.element("td", &[("class", class)], |cell| cell.text(text));
}

/// That a release must not be published.
pub(crate) fn warning(out: &mut Markup, private: bool) {
    if !private {
        out.element("div", &[("class", "warning"), ("role", "note")], |div| {
            div.element("p", &[], |p| {
                p.element("strong", &[], |strong| strong.text("NOT PRIVATE."));
                p.text(
                    " This was made with a fixed seed, for tests only, and not with the randomness \
                    of the operating system: whoever knows the seed \
                     can take the noise off again. Nothing on this page that is said to be \
                     guaranteed is. Do not publish it.",
                );
            });
        });
    }
}
