//! Interval as a function of the difference of tiers, drawn as a band.

use maud::{Markup, html};
use suum_core::Sensitivity;

use super::drawing;
use crate::axis::Axis;
use crate::figure::{Figure, Writing};

/// Height of the band and of the space above it, in pixels.
const HEIGHT: f64 = 200.0;
const TOP: f64 = 22.0;
/// Number of slices of the band.
const SLICES: u32 = 48;
/// Length of the axis, as a multiple of the difference at which the interval is twice as long.
const TIMES: f64 = 3.0;

/// Draws the band of the interval from no difference of tiers on, and marks where it is twice as
/// long.
pub(crate) fn curve(figure: &Figure, sensitivity: &Sensitivity, doubled: Option<f64>) -> Markup {
    let most = sensitivity.most();
    let last = doubled.map_or(most, |at| (TIMES * at).min(most));
    let at = |slice: u32| last * f64::from(slice) / f64::from(SLICES);
    let intervals: Vec<[f64; 2]> = (0..=SLICES).map(|slice| sensitivity.at(at(slice))).collect();
    let ends = intervals.iter().flatten().copied();
    let (Some(across), Some(up)) = (Axis::between(0.0, last), Axis::over(ends)) else {
        return Markup::default();
    };
    let height = |value: f64| TOP + HEIGHT * (1.0 - up.place(value) / 100.0);
    let title = format!(
        "The interval of the {} by how much tiers differ: a band that grows from the published \
         interval",
        figure.name
    );
    let description = "A band above an axis of differences of tiers. At the left its height is the \
                       published interval; it grows to the right. A line across it is the \
                       estimate.";
    let differences = match figure.writing {
        Writing::Share(error) | Writing::Points(error) => Writing::Points(error),
        _ => Writing::Exact,
    };
    let drawn = html! {
        @for slice in 1..=SLICES {
            // The larger of both ends of a slice, which contains all between.
            @let [lower, upper] = intervals[slice as usize];
            @let (from, to) = (across.place(at(slice - 1)), across.place(at(slice)));
            rect x=(drawing::percent(from)) width=(drawing::percent(to - from))
                y=(drawing::pixels(height(upper)))
                height=(drawing::pixels(height(lower) - height(upper))) class="band" {}
        }
        (drawing::line("extent", [0.0, 100.0], [height(figure.estimate); 2]))
        @for tick in up.ticks().0 {
            (drawing::line("grid", [0.0, 100.0], [height(tick); 2]))
            (drawing::text("faint", "start", 0.0, height(tick) - 4.0,
                &drawing::written(figure.writing, tick, up.ticks().1)))
        }
        @if let Some(at) = doubled {
            @let place = across.place(at);
            (drawing::line("axis", [place; 2], [TOP - 4.0, TOP + HEIGHT]))
            (drawing::text("faint", "middle", place, TOP - 8.0, "twice as long"))
        }
        (drawing::scale(across, differences, TOP + HEIGHT, drawing::WHOLE))
    };
    let caption = "The interval (upwards) if tiers differ by at most this (to the right).";
    drawing::named("dependence", TOP + HEIGHT + 26.0, &title, description, Some(caption), drawn)
}
