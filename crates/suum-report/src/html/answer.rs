//! The answer: in a sentence and drawn, or, where there are several, as a table.

use maud::{Markup, html};
use suum_core::{Procedure, Release};

use super::drawing;
use super::figure::Figure;
use super::markup::{data, label};
use super::table::Table;
use crate::answer::{Answer, interval_heading};
use crate::caveats::{self, Said};
use crate::headline::{self, Piece};

/// One number: a sentence, its interval drawn, and what must be known of it.
pub(crate) fn one(answer: &Answer<'_>) -> Markup {
    let Answer { release, name, figures, whom, said } = answer;
    let Some(figure) = figures.first() else { return Markup::default() };
    let useless = release.uninformative().contains(&figure.key);
    let sentence = headline::single(name, answer.column(), figure, useless, release.protects());
    html! {
        (headline(&sentence, !useless))
        (drawing::interval(figure, &format!("Private {name}"), possible(release, figure)))
        @if !figure.is_exact() { p { "This is for " (whom) "." } }
        (known(said))
    }
}

/// The sentence that says what was found; the first number stands out if that is wanted.
pub(crate) fn headline(pieces: &[Piece], stands_out: bool) -> Markup {
    let number = |piece: &Piece| matches!(piece, Piece::Number(..));
    let first = pieces.iter().position(number).filter(|_| stands_out);
    html! {
        p class="answer" {
            @for (at, piece) in pieces.iter().enumerate() {
                @match piece {
                    Piece::Words(text) => (text),
                    Piece::Label(text) => (label(text)),
                    Piece::Number(text, value) => {
                        @let number = data(*value, text);
                        @if first == Some(at) { strong { (number) } } @else { (number) }
                    },
                }
            }
        }
    }
}

/// What must be known of an answer: what intervals promise and take for granted, and what was done
/// to the data.
pub(crate) fn known(said: &Said) -> Markup {
    html! {
        @for sentence in said.none.iter().chain(&said.promise) { p { (sentence) } }
        @if !said.assumed.is_empty() {
            ul class="assumed" { @for one in &said.assumed { li { (one) } } }
        }
        @if let Some(instead) = said.instead { p { (instead) } }
        @for sentence in &said.data { p { (sentence) } }
    }
}

/// After a table: what says next to nothing, that each interval stands alone, and what else must be
/// known.
pub(crate) fn after_table(useless: &[String], alone: &str, said: &Said) -> Markup {
    html! {
        @if let Some(sentence) = caveats::useless(useless) { p { (sentence) } }
        p { (alone) }
        (known(said))
    }
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
pub(crate) fn several(caption: &str, first: &str, figures: &[Figure]) -> Markup {
    let table = Table::new(caption, figures)
        .words(first, |figure| label(&figure.name))
        .number("estimate", |figure| figure.show())
        .number(interval_heading(figures), |figure| figure.show_interval());
    html! { (drawn(caption, figures)) (table) }
}

/// Several numbers, drawn on one axis.
pub(crate) fn drawn(caption: &str, figures: &[Figure]) -> Markup {
    let comparable = figures.iter().filter(|figure| figure.comparable);
    let rows: Vec<(&str, &Figure)> =
        comparable.map(|figure| (figure.name.as_str(), figure)).collect();
    drawing::several("answers", caption, &rows)
}

/// That a release must not be published.
pub(crate) fn warning() -> Markup {
    html! {
        div class="warning" role="note" {
            p {
                strong { "NOT PRIVATE." }
                " This was made with a fixed seed, for tests only, and not with the randomness of \
                the operating system: whoever knows the seed can take the noise off again. Nothing \
                on this page that is said to be guaranteed is. Do not publish it."
            }
        }
    }
}
