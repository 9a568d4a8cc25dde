//! Lines over an axis.

use std::fmt::Write;

use super::scale::{Scale, axes};
use super::{BOTTOM, LEFT, LETTERS, RIGHT, TOP, WIDTH, frame, wide};
use crate::outcome::{Chart, Role, Series};
use crate::output::number::escape;

/// How many standard errors a band reaches to each side: 95 % of a normal distribution.
const BAND: f64 = 1.959_964;
/// From a legend's row to the next.
const ROW: f64 = 1.55 * LETTERS;

pub(super) fn draw(chart: &Chart) -> String {
    let mut out = String::new();
    let points = || chart.series.iter().flat_map(|series| series.points.iter());
    let x = Scale::of(points().map(|(x, _)| *x), (LEFT, RIGHT), chart.x.logarithmic);
    let y = Scale::of(points().map(|(_, y)| y.value), (BOTTOM, TOP), chart.y.logarithmic);
    let (Some(x), Some(y)) = (x, y) else { return frame(BOTTOM, &chart.caption, "") };
    let (x, y) = (x.with_room(0.02), y.with_room(0.05));
    axes(&mut out, (&x, &chart.x.label), (&y, &chart.y.label), true);

    let mut legend = Vec::new();
    for (index, series) in chart.series.iter().enumerate() {
        if series.role == Role::Exact {
            continue;
        }
        let look = Look::of(series.role, &chart.series[..index]);
        band(&mut out, series, &look, &x, &y);
        match chart.series.get(index + 1).filter(|next| next.role == Role::Exact) {
            Some(exact) => {
                path(&mut out, exact, &look, &x, &y);
                dots(&mut out, series, &look, &x, &y);
            }
            None => line(&mut out, series, &look, &x, &y),
        }
        legend.push((series.name.as_str(), look));
    }
    for mark in chart.marks.iter().filter(|mark| x.contains(mark.at)) {
        let at = x.at(mark.at);
        // On the side with more room.
        let (anchor, shift) =
            if at > (LEFT + RIGHT) / 2.0 { ("end", -5.0) } else { ("start", 5.0) };
        // Writing to a string cannot fail.
        let _ = write!(
            out,
            "<path class=\"mark\" d=\"M{at:.1} {TOP}V{BOTTOM}\"/><text class=\"soft\" x=\"{:.1}\" \
            y=\"{}\" text-anchor=\"{anchor}\">{}</text>",
            at + shift,
            TOP + LETTERS,
            escape(&mark.label)
        );
    }
    let _ = write!(
        out,
        "<rect class=\"frame\" x=\"{LEFT}\" y=\"{TOP}\" width=\"{}\" height=\"{}\"/>",
        RIGHT - LEFT,
        BOTTOM - TOP
    );
    let height = draw_legend(&mut out, &legend);
    frame(height, &chart.caption, &out)
}

/// How a line looks: the classes of its kind, or the colour of its turn.
enum Look {
    Auto(&'static str),
    Bound(&'static str),
    Colour(usize),
}

impl Look {
    /// The look of a line after those before it.
    fn of(role: Role, before: &[Series]) -> Self {
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

    fn stroke(&self) -> String {
        match self {
            Look::Auto(class) | Look::Bound(class) => format!("class=\"line {class}\""),
            Look::Colour(turn) => format!("class=\"line\" style=\"stroke:var(--s{turn})\""),
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

/// The 95 % confidence band, where the numbers were measured.
fn band(out: &mut String, series: &Series, look: &Look, x: &Scale, y: &Scale) {
    if !series.has_band() {
        return;
    }
    let points: Vec<_> = series.known().collect();
    let upper = points.iter().map(|(at, n)| (*at, n.value + BAND * n.error));
    let lower = points.iter().rev().map(|(at, n)| (*at, n.value - BAND * n.error));
    let corners =
        upper.chain(lower).map(|(at, value)| format!("{:.1},{:.1}", x.at(at), y.at(value)));
    let corners: Vec<String> = corners.collect();
    // Writing to a string cannot fail.
    let _ = write!(
        out,
        "<polygon class=\"band\" style=\"{}\" points=\"{}\"/>",
        look.fill(),
        corners.join(" ")
    );
}

fn line(out: &mut String, series: &Series, look: &Look, x: &Scale, y: &Scale) {
    if series.role != Role::Published {
        path(out, series, look, x, y);
    }
    if series.role != Role::Bound && series.role != Role::Auto && series.known().count() <= 40 {
        dots(out, series, look, x, y);
    }
}

/// Where a series is on paper.
fn places<'a>(
    series: &'a Series,
    x: &'a Scale,
    y: &'a Scale,
) -> impl Iterator<Item = (f64, f64)> + 'a {
    series.known().map(|(at, number)| (x.at(*at), y.at(number.value)))
}

fn path(out: &mut String, series: &Series, look: &Look, x: &Scale, y: &Scale) {
    let places: Vec<String> = places(series, x, y).map(|(x, y)| format!("{x:.1} {y:.1}")).collect();
    // Writing to a string cannot fail.
    let _ = write!(out, "<path {} d=\"M{}\"/>", look.stroke(), places.join("L"));
}

fn dots(out: &mut String, series: &Series, look: &Look, x: &Scale, y: &Scale) {
    for (x, y) in places(series, x, y) {
        // Writing to a string cannot fail.
        let _ = write!(
            out,
            "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"2.6\" style=\"{}\"/>",
            look.fill()
        );
    }
}

/// Names below the plot, as many in a row as there is room for; where the picture ends.
fn draw_legend(out: &mut String, legend: &[(&str, Look)]) -> f64 {
    let (mut left, mut top) = (LEFT - 40.0, BOTTOM + 2.7 * LETTERS + ROW);
    for (name, look) in legend {
        let width = 34.0 + wide(name) + 12.0;
        if left + width > WIDTH && left > LEFT - 40.0 {
            (left, top) = (LEFT - 40.0, top + ROW);
        }
        // Writing to a string cannot fail.
        let _ = write!(
            out,
            "<path {} d=\"M{left:.1} {:.1}h26\"/><text x=\"{:.1}\" y=\"{top:.1}\">{}</text>",
            look.stroke(),
            top - 0.35 * LETTERS,
            left + 33.0,
            escape(name)
        );
        left += width;
    }
    top + 0.7 * LETTERS
}
