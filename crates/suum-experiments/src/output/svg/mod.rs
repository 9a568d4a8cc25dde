//! Pictures. Colours follow the light or dark scheme of the page, or of the viewer if a picture
//! stands alone.

mod chart;
mod contour;
mod dots;
mod heatmap;
mod picture;
mod scale;

use maud::{Markup, PreEscaped, html};

use crate::outcome::Panel;

/// Picture of a panel, complete and alone; `None` for tables.
pub fn svg(panel: &Panel) -> Option<String> {
    match panel {
        Panel::Chart(chart) => Some(chart::draw(chart)),
        Panel::Heatmap(heatmap) => Some(heatmap::draw(heatmap)),
        Panel::Dots(dots) => Some(dots::draw(dots)),
        Panel::Table(_) => None,
    }
}

/// Width of all pictures, in units of their own: on a phone of 390 pixels a picture has 340, and
/// letters 12.
const WIDTH: f64 = 360.0;
/// Sides of the plot: left, top, right, bottom.
const LEFT: f64 = 70.0;
const TOP: f64 = 14.0;
const RIGHT: f64 = WIDTH - 14.0;
const BOTTOM: f64 = 240.0;
/// Height of letters.
const LETTERS: f64 = 13.0;

/// Generous estimate of the width of a label, since fonts differ.
fn wide(text: &str) -> f64 {
    text.chars().count() as f64 * 0.58 * LETTERS
}

/// Style with the colours of series, in their order, light and dark; colour-blind readers can tell
/// them apart (after Okabe and Ito).
const STYLE: &str = "\
.plot{font:13px system-ui,sans-serif;--ink:#1d2328;--soft:#66707a;--rule:#d9dee3;--paper:#fff;\
--s0:#0072b2;--s1:#d55e00;--s2:#009e73;--s3:#cc79a7;--s4:#b07d00;--s5:#56a0d3;--s6:#8a6bbe;\
--s7:#7a7a7a;--auto:#1d2328}\
@media(prefers-color-scheme:dark){.plot{--ink:#e8ecef;--soft:#9aa5af;--rule:#3a434b;\
--paper:#15191c;\
--s0:#4aa8e0;--s1:#f08a45;--s2:#35c79b;--s3:#e0a0c4;--s4:#e0b040;--s5:#8cc8f0;--s6:#b79ee6;\
--s7:#a0a0a0;--auto:#fff}}\
.plot .paper{fill:var(--paper)}.plot text{fill:var(--ink)}.plot .soft{fill:var(--soft)}.plot \
.rule{stroke:var(--rule);stroke-width:1}\
.plot .frame{stroke:var(--soft);stroke-width:1;fill:none}.plot \
.mark{stroke:var(--soft);stroke-width:1.2;stroke-dasharray:5 4}\
.plot .line{fill:none;stroke-width:2;stroke-linejoin:round}.plot \
.auto{stroke:var(--auto);stroke-width:3.2;stroke-dasharray:1.5 5;stroke-linecap:round}\
.plot .bound{stroke:var(--soft);stroke-width:1.6;stroke-dasharray:7 4}.plot \
.band{opacity:.18;stroke:none}\
.plot .auto.second{stroke-dasharray:9 7}.plot .bound.second{stroke-dasharray:2 4}.plot \
.cut{stroke:var(--ink);stroke-width:1;stroke-dasharray:2 3;opacity:.7}";

/// Wraps a drawing into a picture.
fn frame(height: f64, caption: &str, drawn: Markup) -> String {
    let picture = html! {
        svg xmlns="http://www.w3.org/2000/svg" class="plot" width=(WIDTH) height=(height)
            viewBox={ "0 0 " (WIDTH) " " (height) } role="img" aria-label=(caption)
        {
            style { (PreEscaped(STYLE)) }
            rect class="paper" width=(WIDTH) height=(height) {}
            (drawn)
        }
    };
    picture.into_string() + "\n"
}

/// Draws the frame of the plot.
fn border(bottom: f64) -> Markup {
    html! {
        rect class="frame" x=(LEFT) y=(TOP) width=(RIGHT - LEFT) height=(fine(bottom - TOP)) {}
    }
}

/// Draws a text at a position.
fn text(class: &str, anchor: &str, x: f64, y: f64, words: &str) -> Markup {
    html! { text class=(class) x=(fine(x)) y=(fine(y)) text-anchor=(anchor) { (words) } }
}

/// Draws a line or an area of a class, along a path.
fn path(class: &str, path: &str) -> Markup {
    html! { path class=(class) d=(path) {} }
}

/// Coordinate, rounded to a tenth of a unit.
fn fine(place: f64) -> f64 {
    (place * 10.0).round() / 10.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_can_be_read_on_a_phone() {
        let svg = frame(1.0, "a", Markup::default());
        let number = |after: &str, end: char| -> f64 {
            svg.split(after).nth(1).unwrap().split(end).next().unwrap().parse().unwrap()
        };
        // Width of a picture on a page of 390 pixels: see the style of the page.
        assert!(number("font:", 'p') * 340.0 / number("viewBox=\"0 0 ", ' ') >= 12.0);
    }
}
