//! Many quantiles as a distribution function, with a band where their intervals hold at once.

use suum_core::{Quantity, Release};

use super::drawing::{self, Axis};
use super::figure::Figure;
use super::markup::Markup;
use crate::how;

/// So many quantiles make a function.
const ENOUGH: usize = 9;
/// The height of the function and of the space above it, in pixels.
const HEIGHT: f64 = 240.0;
const TOP: f64 = 8.0;

/// A value of the function with its interval.
struct Point {
    share: f64,
    value: f64,
    interval: Option<(f64, f64)>,
}

/// The function, if there are enough quantiles for one.
pub(crate) fn show(out: &mut Markup, release: &Release, figures: &[Figure]) {
    let points = points(release);
    let Some(first) = figures.first().filter(|_| points.len() >= ENOUGH) else { return };
    let values = points.iter().flat_map(|point| {
        let (low, high) = point.interval.unwrap_or((point.value, point.value));
        [point.value, low, high]
    });
    let Some(axis) = Axis::over(values) else { return };
    let has_band = release.is_simultaneous() && points.iter().all(|one| one.interval.is_some());
    let confidence = figures.iter().find_map(|one| one.interval).map(|one| one.confidence);
    let title = match (has_band, confidence) {
        (true, Some(confidence)) => format!(
            "The distribution function between the first and the last quantile, and a band that \
             contains it there with {} confidence",
            how::confidence(confidence)
        ),
        _ => "The distribution function between the first and the last quantile".to_owned(),
    };
    let description = "A line that rises from left to right: for every value the share of \
        records that are not above it.";
    out.element("figure", &[], |out| {
        let height = (TOP + HEIGHT + 30.0).to_string();
        let named = [
            ("role", "img"),
            ("aria-labelledby", "function-title function-description"),
            ("height", height.as_str()),
            ("width", "100%"),
        ];
        out.element("svg", &named, |svg| {
            svg.element("title", &[("id", "function-title")], |out| out.text(&title));
            svg.element("desc", &[("id", "function-description")], |out| out.text(description));
            if has_band {
                band(svg, axis, &points);
            }
            shares(svg);
            line(svg, axis, &points);
            drawing::scale(svg, axis, first.writing, (TOP + HEIGHT) as i32);
        });
        out.element("figcaption", &[], |caption| caption.text(&title));
    });
}

/// The quantiles in the order of their ranks.
fn points(release: &Release) -> Vec<Point> {
    let point = |one: &suum_core::Estimate| match one.of {
        Quantity::Quantile(rank) => Some(Point {
            share: rank.get(),
            value: one.estimate,
            interval: one.interval.map(|interval| (interval.lower, interval.upper)),
        }),
        _ => None,
    };
    let mut points: Vec<Point> = release.estimates.iter().filter_map(point).collect();
    points.sort_by(|one, other| one.share.total_cmp(&other.share));
    points
}

fn height(share: f64) -> f64 {
    TOP + HEIGHT * (1.0 - share)
}

/// Between two quantiles the function is right of the lower end of the lower one, and left of the
/// upper end of the upper one.
fn band(svg: &mut Markup, axis: Axis, points: &[Point]) {
    for pair in points.windows(2) {
        let [Some((low, _)), Some((_, high))] = [pair[0].interval, pair[1].interval] else {
            continue;
        };
        let (from, to) = (axis.place(low), axis.place(high));
        let (top, bottom) = (height(pair[1].share), height(pair[0].share));
        let place = [
            ("x", drawing::percent(from)),
            ("width", drawing::percent(to - from)),
            ("y", format!("{top:.1}")),
            ("height", format!("{:.1}", bottom - top)),
        ];
        let mut attributes: Vec<_> =
            place.iter().map(|(name, value)| (*name, value.as_str())).collect();
        attributes.push(("class", "band"));
        svg.shape("rect", &attributes);
    }
}

/// Lines at a quarter, half and three quarters.
fn shares(svg: &mut Markup) {
    for share in [0.25, 0.5, 0.75] {
        let (y, above) = (format!("{:.1}", height(share)), format!("{:.1}", height(share) - 4.0));
        let line = [("x1", "0"), ("x2", "100%"), ("y1", y.as_str()), ("y2", &y), ("class", "grid")];
        svg.shape("line", &line);
        svg.element("text", &[("x", "0"), ("y", &above), ("class", "faint")], |text| {
            text.text(&format!("{} %", share * 100.0));
        });
    }
}

fn line(svg: &mut Markup, axis: Axis, points: &[Point]) {
    for pair in points.windows(2) {
        let ends = [
            ("x1", drawing::percent(axis.place(pair[0].value))),
            ("x2", drawing::percent(axis.place(pair[1].value))),
            ("y1", format!("{:.1}", height(pair[0].share))),
            ("y2", format!("{:.1}", height(pair[1].share))),
        ];
        let mut attributes: Vec<_> =
            ends.iter().map(|(name, value)| (*name, value.as_str())).collect();
        attributes.push(("class", "reach"));
        svg.shape("line", &attributes);
    }
}
