//! Intervals as drawings. Positions along an axis are in percent of its width, so that a drawing
//! fills the available width while its text keeps its size.

use maud::{Markup, html};
use suum_core::Interval;

use super::markup::label;
use crate::axis::Axis;
use crate::data_value;
use crate::figure::{Figure, Writing};
use crate::figures::{capitalised, decimals};
use crate::how;
use crate::rounding::Direction;

/// Number on an axis.
pub(crate) fn written(writing: Writing, tick: f64, places: i32) -> String {
    match writing {
        Writing::Share(_) => format!("{} %", decimals(tick * 100.0, (places - 2).max(0))),
        Writing::Points(_) => decimals(tick * 100.0, (places - 2).max(0)),
        // No ticks are nearer to each other than such digits.
        Writing::Timestamp(scale, _) => {
            data_value::shown(scale, tick, 20.0 * 10f64.powi(-places), Direction::Nearest)
        }
        _ => decimals(tick, places),
    }
}

/// Text anchor at a position, chosen so that no text sticks out at the ends.
fn anchor(place: f64, margin: f64) -> &'static str {
    match place {
        place if place < margin => "start",
        place if place > 100.0 - margin => "end",
        _ => "middle",
    }
}

pub(crate) fn percent(place: f64) -> String {
    format!("{place:.2}%")
}

/// Height, in pixels.
pub(crate) fn pixels(height: f64) -> f64 {
    (height * 10.0).round() / 10.0
}

/// Line between two points.
pub(crate) fn line(class: &str, [x1, x2]: [f64; 2], [y1, y2]: [f64; 2]) -> Markup {
    html! {
        line x1=(percent(x1)) x2=(percent(x2)) y1=(pixels(y1)) y2=(pixels(y2)) class=(class) {}
    }
}

/// Text at a point.
pub(crate) fn text(class: &str, anchor: &str, x: f64, y: f64, text: &str) -> Markup {
    html! {
        text x=(percent(x)) y=(pixels(y)) text-anchor=(anchor) class=(class) { (text) }
    }
}

/// Title of the axis of several numbers: their quantity, and the unit.
pub(crate) fn axis_title(name: &str, column: Option<&str>, figure: &Figure) -> String {
    titled(name, column, figure, |confidence| format!("with {confidence} intervals"))
}

/// Title of the axis of one number.
pub(crate) fn axis_title_of_one(name: &str, column: Option<&str>, figure: &Figure) -> String {
    titled(name, column, figure, |confidence| format!("with its {confidence} interval"))
}

fn titled(
    name: &str,
    column: Option<&str>,
    figure: &Figure,
    with: impl Fn(&str) -> String,
) -> String {
    let unit = unit(figure.writing);
    let interval = figure.interval.map_or_else(String::new, |interval| {
        format!(", {}", with(&how::confidence(interval.confidence)))
    });
    let quantity = format!("{name}{}{unit}{interval}", how::column_suffix(column));
    capitalised(&quantity)
}

/// Unit of numbers on an axis, after their quantity.
pub(crate) fn unit(writing: Writing) -> String {
    match writing {
        Writing::Share(_) => " in percent".to_owned(),
        Writing::Points(_) => " in percentage points".to_owned(),
        Writing::Span(scale, _) => format!(" in {}", scale.unit()),
        _ => String::new(),
    }
}

/// Draws one interval with its numbers, on an axis that is as long as it takes. `of` names its
/// quantity; `bounds` is the range of possible values, if bounds are declared, in which an inset
/// shows how small the interval is.
pub(crate) fn interval(
    figure: &Figure,
    of: &str,
    title_of_axis: &str,
    bounds: Option<[f64; 2]>,
) -> Markup {
    let Some(interval) = figure.interval else { return Markup::default() };
    let whole = bounds.and_then(|[from, to]| Axis::between(from, to));
    let around = Axis::around([interval], 0.35);
    let around = match bounds {
        Some(bounds) => around.map(|axis| axis.within(bounds)),
        None => around.map(Axis::with_zero_if_near),
    };
    let Some(axis) = around else { return Markup::default() };
    let estimate = figure.writing.text(figure.estimate);
    let ends = figure.interval_text();
    let title = format!("{of}: {estimate}, interval {ends}");
    let inset = whole.filter(|whole| axis.to - axis.from < 0.7 * (whole.to - whole.from));
    let description = match inset {
        Some(_) => {
            "A dot for the estimate on a line from the lower to the upper end of the interval. \
            Below the axis a second one reaches from bound to bound, on which a box is what the \
            first axis shows."
        }
        None => {
            "A dot for the estimate on a line from the lower to the upper end of the interval, \
            above an axis."
        }
    };
    let label = |class, value, y, words: &str| {
        let at = axis.place(value);
        text(class, anchor(at, 20.0), at, y, words)
    };
    let bottom = 78.0;
    let drawn = html! {
        (grid(axis, 26.0, bottom))
        (zero(axis, 26.0, bottom))
        (whisker(axis, figure.estimate, interval, 40.0, 7.0))
        (label("strong", figure.estimate, 18.0, &estimate))
        (label("faint", (interval.lower + interval.upper) / 2.0, 67.0, &ends))
        (scale(axis, figure.writing, bottom, WHOLE))
        @if let Some(whole) = inset { (bounds_inset(axis, whole, figure, bottom + 46.0)) }
    };
    let caption = match inset {
        Some(_) => format!("{title_of_axis}. The line below reaches from bound to bound."),
        None => title_of_axis.to_owned(),
    };
    let height = if inset.is_some() { bottom + 86.0 } else { bottom + 26.0 };
    named("interval", height, &title, description, Some(&caption), drawn)
}

/// Inset: all that is possible, from bound to bound, and in it the part that an axis shows.
fn bounds_inset(axis: Axis, whole: Axis, figure: &Figure, top: f64) -> Markup {
    let [from, to] = [axis.from, axis.to].map(|end| whole.place(end));
    let (middle, writing) = (top + 10.0, figure.writing);
    let (_, places) = whole.ticks();
    html! {
        (line("grid", [0.0, from], [top - 20.0, top]))
        (line("grid", [100.0, to], [top - 20.0, top]))
        rect x=(percent(from)) width=(percent(to - from)) y=(top) height="20" class="band" {}
        (line("axis", [0.0, 100.0], [middle; 2]))
        @for end in [0.0, 100.0] { (line("axis", [end; 2], [middle - 5.0, middle + 5.0])) }
        @if let Some(Interval { lower, upper, .. }) = figure.interval {
            (line("extent", [whole.place(lower), whole.place(upper)], [middle; 2]))
        }
        circle cx=(percent(whole.place(figure.estimate))) cy=(middle) r="3.5" class="point" {}
        (text("faint", "start", 0.0, top + 36.0, &bound_text(writing, whole.from, places)))
        (text("faint", "end", 100.0, top + 36.0, &bound_text(writing, whole.to, places)))
    }
}

/// Several numbers on one axis, a row for each.
pub(crate) struct Chart<'a> {
    pub(crate) title: &'a str,
    pub(crate) axis: String,
    pub(crate) shape: Shape,
    /// True if zero has a meaning of its own, so that the axis always shows it.
    pub(crate) is_difference: bool,
    pub(crate) rows: &'a [(&'a str, &'a Figure)],
}

/// Shape of the numbers of a chart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shape {
    /// Bars from zero.
    Bars,
    /// Dots, whose axis need not begin at zero.
    Dots,
}

/// Draws several numbers with their intervals below one another: on the left their names, on the
/// right the numbers.
pub(crate) fn rows(chart: &Chart<'_>) -> Markup {
    let Chart { title, axis: title_of_axis, shape, is_difference, rows } = chart;
    let ends = |figure: &Figure| {
        let at = figure.estimate;
        figure.interval.unwrap_or(Interval { confidence: 1.0, lower: at, upper: at })
    };
    let least = rows.iter().map(|(_, figure)| ends(figure).lower).fold(0.0, f64::min);
    let axis = Axis::around(rows.iter().map(|(_, figure)| ends(figure)), 0.04);
    let axis = axis.map(|axis| match (shape, is_difference) {
        (Shape::Bars, _) => Axis { from: least, ..axis },
        (Shape::Dots, true) => axis.with_zero(),
        (Shape::Dots, false) => axis.with_zero_if_near(),
    });
    let (Some(axis), Some((_, first)), false) = (axis, rows.first(), rows.len() > MOST) else {
        return Markup::default();
    };
    let middle = HEIGHT / 2.0;
    html! {
        figure class="chart" {
            div class="rows" role="img" aria-label={ (title) ". " (ROWS) } {
                @for (name, figure) in rows.iter() {
                    span class="name" { (label(name)) }
                    svg aria-hidden="true" height=(HEIGHT) width="100%" {
                        (grid(axis, 0.0, HEIGHT))
                        @if *shape == Shape::Bars { (bar_from_zero(axis, figure.estimate)) }
                        (zero(axis, 0.0, HEIGHT))
                        @if let Some(interval) = figure.interval {
                            (whisker(axis, figure.estimate, interval, middle, 5.0))
                        } @else {
                            circle cx=(percent(axis.place(figure.estimate))) cy=(middle) r="4"
                                class="point" {}
                        }
                    }
                    span class="figure" { (figure.text()) }
                }
                span {}
                svg aria-hidden="true" height="24" width="100%" {
                    (scale(axis, first.writing, 1.0, BESIDE))
                }
                span {}
            }
            figcaption { (title_of_axis) }
        }
    }
}

/// Bar from zero to a number.
fn bar_from_zero(axis: Axis, value: f64) -> Markup {
    let [from, to] = [value.min(0.0), value.max(0.0)].map(|end| axis.place(end));
    html! {
        rect x=(percent(from)) width=(percent(to - from)) y="6" height=(HEIGHT - 12.0)
            class="bar" {}
    }
}

/// Description of a drawing of several numbers.
const ROWS: &str = "For each a dot for the estimate on a line from the lower to the upper end of \
    its interval, above a common axis. The table has the numbers.";

/// Height of a row of several numbers, and the largest number of rows.
const HEIGHT: f64 = 30.0;
const MOST: usize = 40;

/// Drawing with a title and a description for those who do not see it, and possibly a caption for
/// all.
pub(crate) fn named(
    id: &str,
    height: f64,
    title: &str,
    description: &str,
    caption: Option<&str>,
    drawn: Markup,
) -> Markup {
    html! {
        figure {
            svg role="img" aria-labelledby={ (id) "-title " (id) "-description" }
                height=(height) width="100%"
            {
                title id={ (id) "-title" } { (title) }
                desc id={ (id) "-description" } { (description) }
                (drawn)
            }
            @if let Some(caption) = caption { figcaption { (caption) } }
        }
    }
}

/// Zero, as a line through a drawing.
fn zero(axis: Axis, top: f64, bottom: f64) -> Markup {
    html! {
        @if (axis.from..=axis.to).contains(&0.0) {
            (line("axis", [axis.place(0.0); 2], [top, bottom]))
        }
    }
}

/// Lines through a drawing at the ticks of its axis.
fn grid(axis: Axis, top: f64, bottom: f64) -> Markup {
    html! {
        @for tick in axis.ticks().0 { (line("grid", [axis.place(tick); 2], [top, bottom])) }
    }
}

/// Bound with all its digits: those of a tick would make 80 of 77.
fn bound_text(writing: Writing, bound: f64, places: i32) -> String {
    match writing {
        Writing::Share(_) | Writing::Timestamp(..) => written(writing, bound, places),
        _ => Writing::Exact.text(bound),
    }
}

/// Number of letters that a narrow screen has room for, in a drawing of its width and in a row of
/// one that has names and numbers beside it.
pub(crate) const WHOLE: usize = 40;
const BESIDE: usize = 20;

/// Axis with ticks at a height; numbers that would not fit among so many letters are left out.
pub(crate) fn scale(axis: Axis, writing: Writing, y: f64, letters: usize) -> Markup {
    let (ticks, places) = axis.ticks();
    let longest = ticks.iter().map(|tick| written(writing, *tick, places).chars().count()).max();
    let every = (ticks.len() * (longest.unwrap_or(0) + 2)).div_ceil(letters).max(1);
    html! {
        (line("axis", [0.0, 100.0], [y; 2]))
        @for (index, tick) in ticks.into_iter().enumerate() {
            @let at = axis.place(tick);
            (line("axis", [at; 2], [y, y + 5.0]))
            @if index % every == 0 {
                (text("faint", anchor(at, 5.0), at, y + 20.0, &written(writing, tick, places)))
            }
        }
    }
}

/// Line of an interval with its ends and a dot for the estimate.
fn whisker(axis: Axis, estimate: f64, interval: Interval, y: f64, half: f64) -> Markup {
    let ends = [interval.lower, interval.upper].map(|end| axis.place(end));
    html! {
        (line("extent", ends, [y; 2]))
        @for end in ends { (line("extent", [end; 2], [y - half, y + half])) }
        circle cx=(percent(axis.place(estimate))) cy=(y) r=(half - 1.0) class="point" {}
    }
}

/// Bar that is filled to `share` of its length. Its number stands beside it.
pub(crate) fn bar(share: f64) -> Markup {
    html! {
        svg aria-hidden="true" height="12" width="100%" {
            rect width="100%" height="12" class="rest" {}
            rect width=(percent(100.0 * share.clamp(0.0, 1.0))) height="12" class="part" {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bound_keeps_its_digits() {
        let (_, places) = Axis::between(0.0, 77.0).unwrap().ticks();
        assert_eq!(bound_text(Writing::ToError(0.1), 77.0, places), "77");
        assert_eq!(bound_text(Writing::ToError(0.1), 76.5, places), "76.5");
        assert_eq!(bound_text(Writing::Share(0.1), 1.0, 1), "100 %");
    }
}
