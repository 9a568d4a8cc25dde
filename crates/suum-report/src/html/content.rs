//! Content of texts and pages as HTML. A template escapes everything in it that is not a literal.

use maud::{Markup, Render, html};

use super::drawing;
use super::markup::{Pieces, data, label, list, section};
use crate::content::{Block, Content};
use crate::sentence::{Piece, Sentence};
use crate::table::{Kind, Table};

impl Render for Piece {
    fn render(&self) -> Markup {
        match self {
            Self::Words(text) => html! { (text) },
            Self::Chosen(text) => html! { span class="chosen" { (text) } },
            Self::Label(text) => label(text),
            Self::Number(text, number) => data(*number, text),
            Self::Code(text) => html! { code { (text) } },
            Self::Below(sentence) => html! { small class="below" { (sentence) } },
            Self::Break => html! { br; },
            Self::Bar(share) => drawing::bar(*share),
            Self::Shade(_) => Markup::default(),
        }
    }
}

impl Render for Sentence {
    fn render(&self) -> Markup {
        html! { @for piece in &self.0 { (piece) } }
    }
}

impl Render for Content {
    fn render(&self) -> Markup {
        html! { @for block in &self.0 { (block) } }
    }
}

impl Render for Block {
    fn render(&self) -> Markup {
        match self {
            Self::Answer(sentence, stands_out) => answer(sentence, *stands_out),
            Self::Paragraph(sentence) => html! { p { (sentence) } },
            Self::Note(words) => html! { div class="note" role="note" { p { (words) } } },
            Self::Warning(words) => html! { div class="warning" role="note" { p { (words) } } },
            Self::Small(words) => html! { p class="small" { (words) } },
            Self::Points(points) => list(points),
            Self::Table(table) | Self::Shares(table, _) => table.render(),
            Self::Crossed(caption, crossed) => crossed.whole(caption).render(),
            Self::Heading(heading) => html! { h3 { (heading) } },
            Self::Section(id, heading, inside) => section(id, heading, inside),
            Self::Within(name, inside) => Pieces::from_piece(inside).with_ids(name).render(),
            Self::Folded(summary, inside, is_printed) => {
                let class = is_printed.then_some("printed");
                html! { details class=[class] { summary { (summary) } (inside) } }
            }
            Self::Drawn(drawn) => drawn.clone(),
        }
    }
}

/// Sentence with the answer; the first number stands out if `stands_out`.
fn answer(sentence: &Sentence, stands_out: bool) -> Markup {
    let number = |piece: &Piece| matches!(piece, Piece::Number(..));
    let first = sentence.0.iter().position(number).filter(|_| stands_out);
    html! {
        p class="answer" {
            @for (at, piece) in sentence.0.iter().enumerate() {
                @if first == Some(at) { strong { (piece) } } @else { (piece) }
            }
        }
    }
}

impl Kind {
    fn class(self) -> &'static str {
        match self {
            Self::Words => "words",
            Self::Number => "number",
            Self::Drawing => "drawing",
            Self::Narrow => "drawing narrow",
        }
    }
}

/// Scrolls in its own box if it is too wide.
impl Render for Table {
    fn render(&self) -> Markup {
        html! {
            div class="scroll" role="region" aria-label=(self.caption) tabindex="0" {
                table {
                    caption {
                        span { (self.caption) }
                        // Shown where the table is wider than its box.
                        span class="more" aria-hidden="true" { "more columns →" }
                    }
                    thead {
                        tr {
                            @for column in &self.columns {
                                th scope="col" class=(column.kind.class()) { (column.heading) }
                            }
                        }
                    }
                    tbody {
                        @for at in 0..self.rows {
                            @if let Some((before, rows)) = self.gap && before == at {
                                tr { td colspan=(self.columns.len()) { (Table::left_out(rows)) } }
                            }
                            tr { (row(self, at)) }
                        }
                    }
                }
            }
        }
    }
}

/// Cells of a row, of which the first names it, unless the row above has the same name.
fn row(table: &Table, at: usize) -> Markup {
    html! {
        @for (place, column) in table.columns.iter().enumerate() {
            @let cell = &column.cells[at];
            @if place == 0 && !cell.0.is_empty() {
                th scope="row" { (cell) }
            } @else if let Some(shade) = shade(cell) {
                td class={ (column.kind.class()) " shaded shade-" (shade) } { (cell) }
            } @else {
                td class=(column.kind.class()) { (cell) }
            }
        }
    }
}

/// Shade of a cell, if it has one; the style has as many.
fn shade(cell: &Sentence) -> Option<u32> {
    cell.0.iter().find_map(|piece| match piece {
        Piece::Shade(share) => Some((share.clamp(0.0, 1.0) * SHADES).ceil() as u32),
        _ => None,
    })
}

/// Number of shades.
const SHADES: f64 = 8.0;
