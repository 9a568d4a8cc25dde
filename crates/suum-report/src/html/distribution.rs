//! Many quantiles as a distribution function, with a band if their intervals hold at once.

use maud::{Markup, html};
use suum_core::{Quantity, Release};

use super::drawing::{self, Axis};
use crate::figure::Figure;
use crate::how;

/// Number of quantiles that make a function.
const ENOUGH: usize = 9;
/// Height of the function and of the space above it, in pixels.
const HEIGHT: f64 = 240.0;
const TOP: f64 = 8.0;

/// Value of the function with its interval.
struct Point {
    share: f64,
    value: f64,
    interval: Option<(f64, f64)>,
}

/// Draws the function, if there are enough quantiles for one.
pub(crate) fn show(release: &Release, figures: &[Figure]) -> Markup {
    let points = points(release);
    let Some(first) = figures.first().filter(|_| points.len() >= ENOUGH) else {
        return Markup::default();
    };
    let values = points.iter().flat_map(|point| {
        let (low, high) = point.interval.unwrap_or((point.value, point.value));
        [point.value, low, high]
    });
    let Some(axis) = Axis::over(values) else { return Markup::default() };
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
    let drawn = html! {
        @if has_band { (band(axis, &points)) }
        (shares())
        @for pair in points.windows(2) {
            @let (one, other) = (&pair[0], &pair[1]);
            (drawing::line(
                "extent",
                [axis.place(one.value), axis.place(other.value)],
                [height(one.share), height(other.share)],
            ))
        }
        (drawing::scale(axis, first.writing, TOP + HEIGHT))
    };
    drawing::named("function", TOP + HEIGHT + 30.0, &title, description, Some(&title), drawn)
}

/// Quantiles in the order of their ranks.
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

/// Draws the band: between two quantiles the function is right of the lower end of the lower one,
/// and left of the upper end of the upper one.
fn band(axis: Axis, points: &[Point]) -> Markup {
    let place = |pair: &[Point]| {
        let ((low, _), (_, high)) = (pair[0].interval?, pair[1].interval?);
        let (from, top) = (axis.place(low), height(pair[1].share));
        Some((from, axis.place(high) - from, top, height(pair[0].share) - top))
    };
    html! {
        @for (x, width, y, height) in points.windows(2).filter_map(place) {
            rect x=(drawing::percent(x)) width=(drawing::percent(width))
                y=(drawing::pixels(y)) height=(drawing::pixels(height)) class="band" {}
        }
    }
}

/// Draws lines at a quarter, half and three quarters.
fn shares() -> Markup {
    html! {
        @for share in [0.25, 0.5, 0.75] {
            @let words = format!("{} %", share * 100.0);
            (drawing::line("grid", [0.0, 100.0], [height(share); 2]))
            (drawing::text("faint", "start", 0.0, height(share) - 4.0, &words))
        }
    }
}
