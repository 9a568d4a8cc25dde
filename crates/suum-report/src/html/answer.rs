//! The answer: in a sentence and drawn, or, where there are several, as a table.

use suum_core::{Procedure, Release};

use super::drawing;
use super::figure::Figure;
use super::markup::Markup;
use crate::answer::{Answer, interval_heading};
use crate::caveats::{self, Said};
use crate::headline::{self, Piece};

/// One number: a sentence, its interval drawn, and what must be known of it.
pub(crate) fn one(out: &mut Markup, answer: &Answer<'_>) {
    let Answer { release, name, figures, whom, said } = answer;
    let Some(figure) = figures.first() else { return };
    let useless = release.uninformative().contains(&figure.key);
    let sentence = headline::single(name, answer.column(), figure, useless, release.protects());
    headline(out, &sentence, !useless);
    drawing::interval(out, figure, &format!("Private {name}"), possible(release, figure));
    if !figure.is_exact() {
        out.paragraph(&format!("This is for {whom}."));
    }
    known(out, said);
}

/// The sentence that says what was found; the first number stands out if that is wanted.
pub(crate) fn headline(out: &mut Markup, pieces: &[Piece], stands_out: bool) {
    out.element("p", &[("class", "answer")], |p| {
        let mut stands_out = stands_out;
        for piece in pieces {
            match piece {
                Piece::Words(text) => p.text(text),
                Piece::Label(label) => p.label(label),
                Piece::Number(text, value) => {
                    let write = |out: &mut Markup| {
                        let exact = value.to_string();
                        out.element("data", &[("value", &exact)], |data| data.text(text));
                    };
                    if std::mem::take(&mut stands_out) {
                        p.element("strong", &[], write);
                    } else {
                        write(p);
                    }
                }
            }
        }
    });
}

/// What must be known of an answer: what intervals promise and take for granted, and what was done
/// to the data.
pub(crate) fn known(out: &mut Markup, said: &Said) {
    said.none.iter().chain(&said.promise).for_each(|sentence| out.paragraph(sentence));
    if !said.assumed.is_empty() {
        out.element("ul", &[("class", "assumed")], |list| {
            said.assumed.iter().for_each(|one| list.element("li", &[], |item| item.text(one)));
        });
    }
    if let Some(instead) = said.instead {
        out.paragraph(instead);
    }
    said.data.iter().for_each(|sentence| out.paragraph(sentence));
}

/// After a table: what says next to nothing, that each interval stands alone, and what else must be
/// known.
pub(crate) fn after_table(out: &mut Markup, useless: &[String], alone: &str, said: &Said) {
    if let Some(sentence) = caveats::useless(useless) {
        out.paragraph(&sentence);
    }
    out.paragraph(alone);
    known(out, said);
}

/// All that a mean, a sum or a quantile can be, where bounds are declared.
fn possible(release: &Release, figure: &Figure) -> Option<[f64; 2]> {
    let bounds = release.bounds()?;
    let unit = match (&release.procedure, release.statistic()) {
        (_, "mean") => 1.0,
        _ if figure.is_of_rank() => 1.0,
        (Procedure::Weighted(plan), "sum") => plan.unit(),
        _ => return None,
    };
    Some([bounds.lower() * unit, bounds.upper() * unit])
}

/// Several numbers: drawn on one axis, then in a table.
pub(crate) fn table(out: &mut Markup, caption: &str, first: &str, figures: &[Figure]) {
    drawn(out, caption, figures);
    let interval = interval_heading(figures);
    scrolled(out, caption, |table| {
        table.element("thead", &[], |head| {
            head.element("tr", &[], |row| {
                column(row, first, false);
                column(row, "estimate", true);
                column(row, &interval, true);
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
                });
            }
        });
    });
}

/// Several numbers, drawn on one axis.
pub(crate) fn drawn(out: &mut Markup, caption: &str, figures: &[Figure]) {
    let comparable = figures.iter().filter(|figure| figure.comparable);
    let rows: Vec<(&str, &Figure)> =
        comparable.map(|figure| (figure.name.as_str(), figure)).collect();
    drawing::several(out, "answers", caption, &rows);
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
