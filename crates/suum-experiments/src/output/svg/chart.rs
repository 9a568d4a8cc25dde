//! Lines over an axis.

use maud::{Markup, html};

use super::scale::{Scale, axes};
use super::{BOTTOM, LEFT, LETTERS, RIGHT, TOP, WIDTH, border, fine, frame, path, text, wide};
use crate::outcome::{Chart, Mark, Role, Series};

/// Half-width of a band in standard errors: 95 % of a normal distribution.
const BAND: f64 = 1.959_964;
/// Distance between the rows of a legend.
const ROW: f64 = 1.55 * LETTERS;

pub(super) fn draw(chart: &Chart) -> String {
    let points = || chart.series.iter().flat_map(|series| series.points.iter());
    let x = Scale::fit(points().map(|(x, _)| *x), (LEFT, RIGHT), chart.x.logarithmic);
    let y = Scale::fit(points().map(|(_, y)| y.value), (BOTTOM, TOP), chart.y.logarithmic);
    let (Some(x), Some(y)) = (x, y) else {
        return frame(BOTTOM, &chart.caption, Markup::default());
    };
    let (x, y) = (x.with_room(0.02), y.with_room(0.05));
    let all = chart.series.iter().enumerate().filter(|(_, series)| series.role != Role::Exact);
    let shown: Vec<(usize, &Series, Look)> = all
        .map(|(at, series)| (at, series, Look::for_role(series.role, &chart.series[..at])))
        .collect();
    let (legend, height) = legend(&shown);
    let drawn = html! {
        (axes((&x, &chart.x.label), (&y, &chart.y.label), true))
        @for (at, series, look) in &shown {
            (band(series, look, &x, &y))
            @match chart.series.get(at + 1).filter(|next| next.role == Role::Exact) {
                Some(exact) => { (curve(exact, look, &x, &y)) (dots(series, look, &x, &y)) },
                None => (line(series, look, &x, &y)),
            }
        }
        @for one in chart.marks.iter().filter(|one| x.contains(one.at)) {
            (mark(one, x.at(one.at)))
        }
        (border(BOTTOM))
        (legend)
    };
    frame(height, &chart.caption, drawn)
}

fn mark(mark: &Mark, at: f64) -> Markup {
    // On the side with more room.
    let (anchor, shift) = if at > (LEFT + RIGHT) / 2.0 { ("end", -5.0) } else { ("start", 5.0) };
    html! {
        (path("mark", &format!("M{at:.1} {TOP}V{BOTTOM}")))
        (text("soft", anchor, at + shift, TOP + LETTERS, &mark.label))
    }
}

/// Style of a line: the classes of its kind, or the index of its colour.
enum Look {
    Auto(&'static str),
    Bound(&'static str),
    Colour(usize),
}

impl Look {
    /// Style of a line after those before it.
    fn for_role(role: Role, before: &[Series]) -> Self {
        let again = before.iter().any(|series| series.role == role);
        match role {
            Role::Auto => Look::Auto(if again { "auto second" } else { "auto" }),
            Role::Bound | Role::Exact => Look::Bound(if again { "bound second" } else { "bound" }),
            Role::Theirs | Role::Published => {
                let coloured =
                    |series: &&Series| matches!(series.role, Role::Theirs | Role::Published);
                Look::Colour(before.iter().filter(coloured).count() % 8)
            }
        }
    }

    /// Draws a line in this style.
    fn line(&self, path: &str) -> Markup {
        match self {
            Look::Auto(class) | Look::Bound(class) => {
                html! { path class={ "line " (class) } d=(path) {} }
            }
            Look::Colour(turn) => {
                html! { path class="line" style={ "stroke:var(--s" (turn) ")" } d=(path) {} }
            }
        }
    }

    fn fill(&self) -> String {
        match self {
            Look::Auto(_) => "fill:var(--auto)".to_owned(),
            Look::Bound(_) => "fill:var(--soft)".to_owned(),
            Look::Colour(turn) => format!("fill:var(--s{turn})"),
        }
    }
}

/// Draws the 95 % confidence band, if the numbers were measured.
fn band(series: &Series, look: &Look, x: &Scale, y: &Scale) -> Markup {
    if !series.has_band() {
        return Markup::default();
    }
    let points: Vec<_> = series.known_points().collect();
    let upper = points.iter().map(|(at, n)| (*at, n.value + BAND * n.error));
    let lower = points.iter().rev().map(|(at, n)| (*at, n.value - BAND * n.error));
    let corners =
        upper.chain(lower).map(|(at, value)| format!("{:.1},{:.1}", x.at(at), y.at(value)));
    let corners: Vec<String> = corners.collect();
    html! { polygon class="band" style=(look.fill()) points=(corners.join(" ")) {} }
}

fn line(series: &Series, look: &Look, x: &Scale, y: &Scale) -> Markup {
    let dotted = series.role != Role::Bound
        && series.role != Role::Auto
        && series.known_points().count() <= 40;
    html! {
        @if series.role != Role::Published { (curve(series, look, x, y)) }
        @if dotted { (dots(series, look, x, y)) }
    }
}

/// Positions of a series in the drawing.
fn places<'a>(
    series: &'a Series,
    x: &'a Scale,
    y: &'a Scale,
) -> impl Iterator<Item = (f64, f64)> + 'a {
    series.known_points().map(|(at, number)| (x.at(*at), y.at(number.value)))
}

fn curve(series: &Series, look: &Look, x: &Scale, y: &Scale) -> Markup {
    let places: Vec<String> = places(series, x, y).map(|(x, y)| format!("{x:.1} {y:.1}")).collect();
    look.line(&format!("M{}", places.join("L")))
}

fn dots(series: &Series, look: &Look, x: &Scale, y: &Scale) -> Markup {
    html! {
        @for (x, y) in places(series, x, y) {
            circle cx=(fine(x)) cy=(fine(y)) r="2.6" style=(look.fill()) {}
        }
    }
}

/// Draws names below the plot, as many in a row as there is room for; also returns the bottom of
/// the picture.
fn legend(shown: &[(usize, &Series, Look)]) -> (Markup, f64) {
    let (mut left, mut top) = (LEFT - 40.0, BOTTOM + 2.7 * LETTERS + ROW);
    let mut places = Vec::new();
    for (_, series, look) in shown {
        let width = 34.0 + wide(&series.name) + 12.0;
        if left + width > WIDTH && left > LEFT - 40.0 {
            (left, top) = (LEFT - 40.0, top + ROW);
        }
        places.push((left, top, series, look));
        left += width;
    }
    let legend = html! {
        @for (left, top, series, look) in places {
            (look.line(&format!("M{left:.1} {:.1}h26", top - 0.35 * LETTERS)))
            (text("name", "start", left + 33.0, top, &series.name))
        }
    };
    (legend, top + 0.7 * LETTERS)
}
