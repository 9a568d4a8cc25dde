//! Intervals as drawings. Places along an axis are in percent of its width, so that a drawing fills
//! whatever width there is while its text keeps its size.

use suum_core::Interval;

use super::figure::{Figure, Writing};
use super::markup::Markup;
use crate::figures::decimals;

/// A stretch of numbers that is drawn.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Axis {
    from: f64,
    to: f64,
}

impl Axis {
    /// An axis that shows all intervals with some space around them, a part of their width; none if
    /// there is nothing to draw.
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

    /// An axis from the least number to the largest; none if there are no numbers.
    pub(crate) fn over(numbers: impl IntoIterator<Item = f64>) -> Option<Self> {
        let points =
            numbers.into_iter().map(|at| Interval { confidence: 1.0, lower: at, upper: at });
        Self::around(points, 0.0)
    }

    /// Where a number is, in percent of the width.
    pub(crate) fn place(self, value: f64) -> f64 {
        (100.0 * (value - self.from) / (self.to - self.from)).clamp(0.0, 100.0)
    }

    /// Some round numbers on it, and with how many decimals they are written.
    fn ticks(self) -> (Vec<f64>, i32) {
        let rough = (self.to - self.from) / 4.0;
        let power = rough.log10().floor();
        let unit = 10f64.powf(power);
        let step =
            [1.0, 2.0, 5.0, 10.0].into_iter().map(|digit| digit * unit).find(|step| *step >= rough);
        let step = step.unwrap_or(rough);
        let first = (self.from / step).ceil();
        let ticks =
            (0..8).map(|at| (first + f64::from(at)) * step).take_while(|tick| *tick <= self.to);
        (ticks.collect(), -((step * 1.0001).log10().floor() as i32))
    }
}

pub(crate) fn percent(place: f64) -> String {
    format!("{place:.2}%")
}

/// One interval with its numbers, and an axis below. `of` says what it is the interval of.
pub(crate) fn interval(out: &mut Markup, figure: &Figure, of: &str) {
    let Some(interval) = figure.interval else { return };
    let Some(axis) = Axis::around([interval], 0.35) else { return };
    let text = |value| figure.writing.text(value);
    let title = format!(
        "{of}: {}, interval {} to {}",
        text(figure.estimate),
        text(interval.lower),
        text(interval.upper)
    );
    out.element("figure", &[], |out| {
        let named = [
            ("role", "img"),
            ("aria-labelledby", "interval-title interval-description"),
            ("height", "104"),
            ("width", "100%"),
        ];
        out.element("svg", &named, |svg| {
            svg.element("title", &[("id", "interval-title")], |title_of| title_of.text(&title));
            svg.element("desc", &[("id", "interval-description")], |description| {
                description.text(
                    "A dot for the estimate on a line from the lower to the upper end \
                    of the interval, above an axis.",
                );
            });
            whisker(svg, axis, figure.estimate, interval, 36.0, 7.0);
            let label = |svg: &mut Markup, value: f64, y: &str, class: &str| {
                let place = percent(axis.place(value));
                let attributes =
                    [("x", place.as_str()), ("y", y), ("text-anchor", "middle"), ("class", class)];
                svg.element("text", &attributes, |label| label.text(&text(value)));
            };
            label(svg, figure.estimate, "18", "strong");
            label(svg, interval.lower, "62", "faint");
            label(svg, interval.upper, "62", "faint");
            scale(svg, axis, figure.writing, 78);
        });
    });
}

/// An axis with ticks at a height.
pub(crate) fn scale(svg: &mut Markup, axis: Axis, writing: Writing, y: i32) {
    let (top, tick_end, text) = (y.to_string(), (y + 5).to_string(), (y + 20).to_string());
    let line = [
        ("x1", "0"),
        ("x2", "100%"),
        ("y1", top.as_str()),
        ("y2", top.as_str()),
        ("class", "axis"),
    ];
    svg.shape("line", &line);
    let (ticks, places) = axis.ticks();
    for tick in ticks {
        let at = axis.place(tick);
        let x = percent(at);
        svg.shape(
            "line",
            &[("x1", &x), ("x2", &x), ("y1", &top), ("y2", &tick_end), ("class", "axis")],
        );
        // Labels at the very ends would stick out.
        let anchor = if at < 5.0 {
            "start"
        } else if at > 95.0 {
            "end"
        } else {
            "middle"
        };
        let written = match writing {
            Writing::Share(_) => format!("{} %", decimals(tick * 100.0, (places - 2).max(0))),
            _ => decimals(tick, places),
        };
        let attributes =
            [("x", x.as_str()), ("y", &text), ("text-anchor", anchor), ("class", "faint")];
        svg.element("text", &attributes, |label| label.text(&written));
    }
}

/// The line of an interval with its ends and a dot for the estimate.
fn whisker(svg: &mut Markup, axis: Axis, estimate: f64, interval: Interval, y: f64, half: f64) {
    let (from, to) = (percent(axis.place(interval.lower)), percent(axis.place(interval.upper)));
    let (at, top, bottom) = (y.to_string(), (y - half).to_string(), (y + half).to_string());
    svg.shape("line", &[("x1", &from), ("x2", &to), ("y1", &at), ("y2", &at), ("class", "reach")]);
    for end in [&from, &to] {
        svg.shape(
            "line",
            &[("x1", end), ("x2", end), ("y1", &top), ("y2", &bottom), ("class", "reach")],
        );
    }
    let dot = percent(axis.place(estimate));
    svg.shape(
        "circle",
        &[("cx", &dot), ("cy", &at), ("r", &(half - 1.0).to_string()), ("class", "point")],
    );
}

/// The interval of one row of a table, whose numbers stand beside it.
pub(crate) fn in_row(out: &mut Markup, figure: &Figure, axis: Axis) {
    let Some(interval) = figure.interval else { return };
    out.element("svg", &[("aria-hidden", "true"), ("height", "20"), ("width", "100%")], |svg| {
        whisker(svg, axis, figure.estimate, interval, 10.0, 5.0);
    });
}

/// The axis that the intervals of a table share, as its heading.
pub(crate) fn heading(out: &mut Markup, axis: Axis, writing: Writing) {
    out.element("svg", &[("aria-hidden", "true"), ("height", "26"), ("width", "100%")], |svg| {
        scale_above(svg, axis, writing);
    });
}

/// An axis whose numbers are above it; only two of them, which fit anywhere.
fn scale_above(svg: &mut Markup, axis: Axis, writing: Writing) {
    svg.shape(
        "line",
        &[("x1", "0"), ("x2", "100%"), ("y1", "24"), ("y2", "24"), ("class", "axis")],
    );
    let (ticks, places) = axis.ticks();
    let ends = [ticks.first(), ticks.last().filter(|_| ticks.len() > 1)];
    for tick in ends.into_iter().flatten() {
        let at = axis.place(*tick);
        let x = percent(at);
        svg.shape("line", &[("x1", &x), ("x2", &x), ("y1", "19"), ("y2", "24"), ("class", "axis")]);
        let anchor = if at < 30.0 {
            "start"
        } else if at > 70.0 {
            "end"
        } else {
            "middle"
        };
        let written = match writing {
            Writing::Share(_) => format!("{} %", decimals(tick * 100.0, (places - 2).max(0))),
            _ => decimals(*tick, places),
        };
        let attributes =
            [("x", x.as_str()), ("y", "14"), ("text-anchor", anchor), ("class", "faint")];
        svg.element("text", &attributes, |label| label.text(&written));
    }
}

/// A bar of which a part is filled: what `share` of one is. Its number stands beside it.
pub(crate) fn bar(out: &mut Markup, share: f64) {
    let filled = percent(100.0 * share.clamp(0.0, 1.0));
    out.element("svg", &[("aria-hidden", "true"), ("height", "12"), ("width", "100%")], |svg| {
        svg.shape("rect", &[("width", "100%"), ("height", "12"), ("class", "rest")]);
        svg.shape("rect", &[("width", &filled), ("height", "12"), ("class", "part")]);
    });
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
        assert_eq!(axis.ticks(), (vec![2.0, 3.0, 4.0], 0));
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
    fn ticks_are_round_and_few() {
        for scale in [1e-12, 0.003, 1.0, 77.0, 1e9] {
            for shift in [0.0, -3.7, 12.3] {
                let axis = Axis { from: shift * scale, to: (shift + 1.0) * scale };
                let (ticks, _) = axis.ticks();
                assert!((2..=6).contains(&ticks.len()), "{axis:?}: {ticks:?}");
                assert!(
                    ticks.iter().all(|tick| (axis.from..=axis.to).contains(tick)),
                    "{axis:?}: {ticks:?}"
                );
            }
        }
    }
}
