//! Many quantiles as a distribution function, with a band if their intervals hold at once.

use maud::{Markup, html};
use suum_core::{Quantity, Release};

use super::drawing;
use crate::axis::Axis;
use crate::figure::Figure;
use crate::how;

/// Number of quantiles that make a function.
const ENOUGH: usize = 9;
/// Height of the function and of the space above it, in pixels.
const HEIGHT: f64 = 240.0;
const TOP: f64 = 18.0;

/// Value of the function with its interval.
struct Point {
    share: f64,
    value: f64,
    interval: Option<(f64, f64)>,
}

/// Draws the function, if there are enough quantiles for one.
pub(crate) fn show(release: &Release, figures: &[Figure]) -> Option<Markup> {
    let points = points(release);
    let first = figures.first().filter(|_| points.len() >= ENOUGH)?;
    let has_band = release.is_simultaneous() && points.iter().all(|one| one.interval.is_some());
    // Without a band the axis need not reach to the ends of intervals.
    let values = points.iter().flat_map(|point| match point.interval.filter(|_| has_band) {
        Some((low, high)) => [point.value, low, high],
        None => [point.value; 3],
    });
    let axis = Axis::over(values)?;
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
        records that are not above it. A dot marks the median.";
    let bottom = TOP + HEIGHT;
    let drawn = html! {
        @if has_band { (band(axis, &points)) }
        (shares())
        @for tick in axis.ticks().0 {
            (drawing::line("grid", [axis.place(tick); 2], [TOP, bottom]))
        }
        @for pair in points.windows(2) {
            @let (one, other) = (&pair[0], &pair[1]);
            (drawing::line(
                "extent",
                [axis.place(one.value), axis.place(other.value)],
                [height(one.share), height(other.share)],
            ))
        }
        @if let Some(median) = points.iter().find(|point| point.share == 0.5) {
            (marked(axis, first, median))
        }
        (drawing::scale(axis, first.writing, bottom, drawing::WHOLE))
    };
    let value = drawing::unit(first.writing);
    let value = format!("{}{value}", release.column.as_deref().unwrap_or("value"));
    let caption =
        format!("Upwards: share of records at or below a value. Across: {value}. {title}.");
    Some(drawing::named("function", bottom + 30.0, &title, description, Some(&caption), drawn))
}

/// Mark at the median: a line down to the axis, a dot, and its value.
fn marked(axis: Axis, first: &Figure, median: &Point) -> Markup {
    let (place, at) = (axis.place(median.value), height(0.5));
    let half = median.interval.map_or(f64::NAN, |(low, high)| (high - low) / 2.0);
    let words = format!("median {}", first.writing.to_error(half).text(median.value));
    let (anchor, place_of_words) = match place > 60.0 {
        true => ("end", place - 1.5),
        false => ("start", place + 1.5),
    };
    html! {
        (drawing::line("axis", [place; 2], [at, TOP + HEIGHT]))
        circle cx=(drawing::percent(place)) cy=(drawing::pixels(at)) r="5" class="point" {}
        (drawing::text("strong name", anchor, place_of_words, at + 18.0, &words))
    }
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

/// Draws lines at none, a quarter, half, three quarters and all.
fn shares() -> Markup {
    html! {
        @for share in [0.0, 0.25, 0.5, 0.75, 1.0] {
            @let words = format!("{} %", share * 100.0);
            (drawing::line("grid", [0.0, 100.0], [height(share); 2]))
            (drawing::text("faint", "start", 0.0, height(share) - 4.0, &words))
        }
    }
}
