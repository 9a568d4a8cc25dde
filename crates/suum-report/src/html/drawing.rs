//! Intervals as drawings. Positions along an axis are in percent of its width, so that a drawing
//! fills the available width while its text keeps its size.

use maud::{Markup, html};
use suum_core::Interval;

use crate::data_value;
use crate::figure::{Figure, Writing};
use crate::figures::decimals;
use crate::rounding::Direction;

/// Range of numbers on an axis.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Axis {
    from: f64,
    to: f64,
}

impl Axis {
    /// Axis that shows all intervals, with margins that are a part of their width; `None` if there
    /// is nothing to draw.
    pub(crate) fn around(
        intervals: impl IntoIterator<Item = Interval>,
        space: f64,
    ) -> Option<Self> {
        let (mut from, mut to) = (f64::INFINITY, f64::NEG_INFINITY);
        for interval in intervals {
            from = from.min(interval.lower);
            to = to.max(interval.upper);
        }
        // Without any width: a number that is exact, or a million times smaller than its digits.
        let width = (to - from).max(from.abs().max(to.abs()) * 1e-9);
        let width = if width == 0.0 { 1.0 } else { width };
        let axis = Self { from: from - space * width, to: to + space * width };
        (axis.to - axis.from).is_finite().then_some(axis)
    }

    /// Axis from the least number to the largest; `None` if there are no numbers.
    pub(crate) fn over(numbers: impl IntoIterator<Item = f64>) -> Option<Self> {
        let points =
            numbers.into_iter().map(|at| Interval { confidence: 1.0, lower: at, upper: at });
        Self::around(points, 0.0)
    }

    /// Axis between two numbers; `None` if they do not ascend or their distance is infinite.
    pub(crate) fn between(from: f64, to: f64) -> Option<Self> {
        (to > from && (to - from).is_finite()).then_some(Self { from, to })
    }

    /// Axis that is extended to zero if necessary.
    pub(crate) fn with_zero(self) -> Self {
        let space = 0.02 * (self.to.max(0.0) - self.from.min(0.0));
        Self {
            from: if self.from > 0.0 { -space } else { self.from },
            to: if self.to < 0.0 { space } else { self.to },
        }
    }

    /// Position of a number, in percent of the width.
    pub(crate) fn place(self, value: f64) -> f64 {
        (100.0 * (value - self.from) / (self.to - self.from)).clamp(0.0, 100.0)
    }

    /// Three or more round numbers on the axis, and their number of decimals.
    pub(crate) fn ticks(self) -> (Vec<f64>, i32) {
        let rough = (self.to - self.from) / 6.0;
        let unit = 10f64.powf(rough.log10().floor());
        let steps = [(1.0, 0), (2.0, 0), (2.5, 1), (5.0, 0), (10.0, 0)];
        let found = steps.into_iter().find(|(digit, _)| digit * unit >= rough);
        let (digit, more) = found.unwrap_or((10.0, 0));
        let step = digit * unit;
        let first = (self.from / step).ceil();
        let ticks =
            (0..8).map(|at| (first + f64::from(at)) * step).take_while(|tick| *tick <= self.to);
        (ticks.collect(), more - ((step * 1.0001).log10().floor() as i32))
    }
}

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

/// Name of a row of a drawing, and its number at the end.
pub(crate) fn named_row(y: f64, name: &str, number: &str) -> Markup {
    // Names can be written in any direction.
    html! { (text("name", "start", 0.0, y, name)) (text("strong", "end", 100.0, y, number)) }
}

/// Draws one interval with its numbers, above an axis. `of` names its quantity; `bounds` is the
/// range of possible values, if bounds are declared.
pub(crate) fn interval(figure: &Figure, of: &str, bounds: Option<[f64; 2]>) -> Markup {
    let Some(interval) = figure.interval else { return Markup::default() };
    let whole = bounds.and_then(|[from, to]| Axis::between(from, to));
    let around = || Axis::around([interval], 0.35).map(Axis::with_zero);
    let Some(axis) = whole.or_else(around) else { return Markup::default() };
    let estimate = figure.writing.text(figure.estimate);
    let ends = figure.interval_text();
    let title = format!("{of}: {estimate}, interval {ends}");
    let description = match whole {
        Some(_) => {
            "A dot for the estimate on a line from the lower to the upper end of the interval, \
            above an axis from bound to bound."
        }
        None => {
            "A dot for the estimate on a line from the lower to the upper end of the interval, \
            above an axis with zero."
        }
    };
    let label = |class, value, y, words: &str| {
        let at = axis.place(value);
        text(class, anchor(at, 20.0), at, y, words)
    };
    let drawn = html! {
        (mark(axis, whole.is_some(), 26.0, 78.0))
        (whisker(axis, figure.estimate, interval, 36.0, 7.0))
        (label("strong", figure.estimate, 18.0, &estimate))
        (label("faint", (interval.lower + interval.upper) / 2.0, 62.0, &ends))
        (scale(axis, figure.writing, 78.0))
        @if whole.is_some() { (bound(axis, figure.writing, 98.0)) }
    };
    named("interval", 104.0, &title, description, None, drawn)
}

/// Draws several intervals below one another, each with its name and its number, above an axis with
/// zero.
pub(crate) fn several(id: &str, of: &str, rows: &[(&str, &Figure)]) -> Markup {
    let intervals = rows.iter().filter_map(|(_, figure)| figure.interval);
    let axis = Axis::around(intervals, 0.04).map(Axis::with_zero);
    let (Some(axis), Some((_, first)), false) = (axis, rows.first(), rows.len() > MOST) else {
        return Markup::default();
    };
    let bottom = ROW * rows.len() as f64 + 8.0;
    let drawn = html! {
        (mark(axis, false, 0.0, bottom))
        @for (at, (name, figure)) in rows.iter().enumerate() {
            @let top = ROW * at as f64;
            (named_row(top + 15.0, name, &figure.text()))
            @if let Some(interval) = figure.interval {
                (whisker(axis, figure.estimate, interval, top + 29.0, 6.0))
            }
        }
        (scale(axis, first.writing, bottom))
    };
    named(id, bottom + 26.0, of, ROWS, None, drawn)
}

/// Description of a drawing of several intervals.
const ROWS: &str = "For each a dot for the estimate on a line from the lower to the upper end of \
    its interval, above an axis with zero. The table has the numbers.";

/// Height of a row of several intervals, and the largest number of rows.
const ROW: f64 = 42.0;
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

/// Zero, or both bounds, as lines through a drawing.
fn mark(axis: Axis, bounds: bool, top: f64, bottom: f64) -> Markup {
    let marks = if bounds { vec![axis.from, axis.to] } else { vec![0.0] };
    html! {
        @for value in marks.into_iter().filter(|value| (axis.from..=axis.to).contains(value)) {
            (line("axis", [axis.place(value); 2], [top, bottom]))
        }
    }
}

/// Upper bound at the end of an axis, if no tick is near.
fn bound(axis: Axis, writing: Writing, y: f64) -> Markup {
    let (ticks, places) = axis.ticks();
    let near = ticks.last().is_some_and(|last| axis.place(*last) > 80.0);
    html! {
        @if !near { (text("faint", "end", 100.0, y, &bound_text(writing, axis.to, places))) }
    }
}

/// Bound with all its digits: those of a tick would make 80 of 77.
fn bound_text(writing: Writing, bound: f64, places: i32) -> String {
    match writing {
        Writing::Share(_) | Writing::Timestamp(..) => written(writing, bound, places),
        _ => Writing::Exact.text(bound),
    }
}

/// Axis with ticks at a height; numbers that would not fit are left out.
pub(crate) fn scale(axis: Axis, writing: Writing, y: f64) -> Markup {
    let (ticks, places) = axis.ticks();
    let longest = ticks.iter().map(|tick| written(writing, *tick, places).chars().count()).max();
    // A narrow screen has room for about 40 letters.
    let every = (ticks.len() * (longest.unwrap_or(0) + 2)).div_ceil(40).max(1);
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

    fn interval(lower: f64, upper: f64) -> Interval {
        Interval { confidence: 0.95, lower, upper }
    }

    #[test]
    fn axes_are_wider_than_what_they_show() {
        let axis = Axis::around([interval(2.0, 3.0), interval(2.5, 4.0)], 0.25).unwrap();
        assert_eq!(axis, Axis { from: 1.5, to: 4.5 });
        assert_eq!(axis.place(3.0), 50.0);
        assert_eq!(axis.ticks(), (vec![1.5, 2.0, 2.5, 3.0, 3.5, 4.0, 4.5], 1));
        assert_eq!(axis.with_zero().place(0.0).round(), 2.0);
        assert_eq!(Axis::between(1.0, 1.0), None);
    }

    #[test]
    fn axes_of_exact_and_unknown_numbers() {
        let axis = Axis::around([interval(7.0, 7.0)], 0.35).unwrap();
        assert!(axis.from < 7.0 && axis.to > 7.0 && (axis.place(7.0) - 50.0).abs() < 1.0);
        assert!(Axis::around([interval(0.0, 0.0)], 0.35).is_some());
        assert_eq!(Axis::around([interval(f64::NEG_INFINITY, 1.0)], 0.35), None);
        assert_eq!(Axis::around([], 0.35), None);
        assert_eq!(Axis::around([interval(f64::NAN, f64::NAN)], 0.35), None);
    }

    #[test]
    fn a_bound_keeps_its_digits() {
        let (_, places) = Axis::between(0.0, 77.0).unwrap().ticks();
        assert_eq!(bound_text(Writing::ToError(0.1), 77.0, places), "77");
        assert_eq!(bound_text(Writing::ToError(0.1), 76.5, places), "76.5");
        assert_eq!(bound_text(Writing::Share(0.1), 1.0, 1), "100 %");
    }

    #[test]
    fn ticks_are_round_and_few() {
        for scale in [1e-12, 0.003, 1.0, 77.0, 1e9] {
            for shift in [0.0, -3.7, 12.3] {
                let axis = Axis { from: shift * scale, to: (shift + 1.0) * scale };
                let (ticks, _) = axis.ticks();
                assert!((3..=7).contains(&ticks.len()), "{axis:?}: {ticks:?}");
                assert!(
                    ticks.iter().all(|tick| (axis.from..=axis.to).contains(tick)),
                    "{axis:?}: {ticks:?}"
                );
            }
        }
    }
}
