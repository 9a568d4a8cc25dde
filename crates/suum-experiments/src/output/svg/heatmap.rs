//! Colours over two axes, with contours.

use std::fmt::Write;

use super::scale::{Scale, axes};
use super::{BOTTOM, LEFT, LETTERS, RIGHT, TOP, frame};
use crate::outcome::{Cut, Heatmap};
use crate::output::number::{escape, short};

/// Room for the legend of colours, to the right of the name of the axis.
const LEGEND: f64 = BOTTOM + 3.6 * LETTERS;

pub(super) fn draw(heatmap: &Heatmap) -> String {
    let mut out = String::new();
    let (xs, ys) = (&heatmap.x.1, &heatmap.y.1);
    let x = Scale::of(xs.iter().copied(), (LEFT, RIGHT), true);
    let y = Scale::of(ys.iter().copied(), (BOTTOM, TOP), true);
    let (Some(x), Some(y)) = (x, y) else { return frame(BOTTOM, &heatmap.caption, "") };
    let all = || heatmap.values.iter().flatten().copied();
    let (low, high) =
        all().fold((f64::INFINITY, 0.0), |(low, high): (f64, f64), z| (low.min(z), high.max(z)));
    let shade = |z: f64| colour((z - low) / (high - low).max(f64::MIN_POSITIVE));

    let places = |numbers: &[f64], scale: &Scale| -> Vec<f64> {
        numbers.iter().map(|n| scale.at(*n)).collect()
    };
    let (columns, rows) = (edges(&places(xs, &x)), edges(&places(ys, &y)));
    for (row, values) in heatmap.values.iter().enumerate() {
        for (column, z) in values.iter().enumerate() {
            let (left, right) = (columns[column], columns[column + 1]);
            let (bottom, top) = (rows[row], rows[row + 1]);
            // Writing to a string cannot fail. A little overlap hides seams.
            let _ = write!(
                out,
                "<rect x=\"{left:.1}\" y=\"{top:.1}\" width=\"{:.1}\" height=\"{:.1}\" \
                fill=\"{}\"/>",
                right - left + 0.4,
                bottom - top + 0.4,
                shade(*z)
            );
        }
    }
    for level in &heatmap.contours {
        contour(&mut out, heatmap, *level, &places(xs, &x), &places(ys, &y));
    }
    for cut in &heatmap.cuts {
        let path = match cut {
            Cut::AtX(at) => format!("M{:.1} {TOP}V{BOTTOM}", x.at(*at)),
            Cut::AtY(at) => format!("M{LEFT} {:.1}H{RIGHT}", y.at(*at)),
        };
        let _ = write!(out, "<path class=\"cut\" d=\"{path}\"/>");
    }
    axes(&mut out, (&x, &heatmap.x.0), (&y, &heatmap.y.0), false);
    let _ = write!(
        out,
        "<rect class=\"frame\" x=\"{LEFT}\" y=\"{TOP}\" width=\"{}\" height=\"{}\"/>",
        RIGHT - LEFT,
        BOTTOM - TOP
    );
    legend(&mut out, heatmap, low, high);
    frame(LEGEND + 3.2 * LETTERS, &heatmap.caption, &out)
}

/// The ends of cells around these places: half-way between neighbours.
fn edges(places: &[f64]) -> Vec<f64> {
    let first = places.first().copied().unwrap_or(0.0);
    let last = places.last().copied().unwrap_or(0.0);
    let between = places.windows(2).map(|pair| (pair[0] + pair[1]) / 2.0);
    std::iter::once(first).chain(between).chain([last]).collect()
}

/// From dark blue over green to yellow (in the manner of viridis): shares in [0, 1].
fn colour(share: f64) -> String {
    const STOPS: [[f64; 3]; 5] = [
        [68.0, 40.0, 104.0],
        [59.0, 82.0, 139.0],
        [33.0, 145.0, 140.0],
        [94.0, 201.0, 98.0],
        [253.0, 231.0, 37.0],
    ];
    let place = share.clamp(0.0, 1.0) * 4.0;
    let stop = (place.floor() as usize).min(3);
    let part = place - stop as f64;
    let mixed =
        |channel: usize| STOPS[stop][channel] * (1.0 - part) + STOPS[stop + 1][channel] * part;
    format!("#{:02x}{:02x}{:02x}", mixed(0) as u8, mixed(1) as u8, mixed(2) as u8)
}

/// Line pieces where the surface through the numbers crosses a level: marching squares, split into
/// triangles so that no case is ambiguous.
fn contour(out: &mut String, heatmap: &Heatmap, level: f64, xs: &[f64], ys: &[f64]) {
    let corner = |row: usize, column: usize| (xs[column], ys[row], heatmap.values[row][column]);
    let mut path = String::new();
    for row in 1..ys.len() {
        for column in 1..xs.len() {
            let [a, b] = [corner(row - 1, column - 1), corner(row - 1, column)];
            let [c, d] = [corner(row, column), corner(row, column - 1)];
            for triangle in [[a, b, c], [a, c, d]] {
                let sides = [(0, 1), (1, 2), (2, 0)].map(|(i, j)| (triangle[i], triangle[j]));
                let crossed: Vec<(f64, f64)> = sides
                    .into_iter()
                    .filter(|(p, q)| (p.2 < level) != (q.2 < level))
                    .map(|(p, q)| {
                        let part = (level - p.2) / (q.2 - p.2);
                        (p.0 + part * (q.0 - p.0), p.1 + part * (q.1 - p.1))
                    })
                    .collect();
                if let [from, to] = crossed[..] {
                    // Writing to a string cannot fail.
                    let _ = write!(path, "M{:.1} {:.1}L{:.1} {:.1}", from.0, from.1, to.0, to.1);
                }
            }
        }
    }
    if !path.is_empty() {
        let _ =
            write!(out, "<path d=\"{path}\" fill=\"none\" stroke=\"#fff\" stroke-width=\"1.5\"/>");
    }
}

/// What the colours mean, and where the contours are.
fn legend(out: &mut String, heatmap: &Heatmap, low: f64, high: f64) {
    const STEPS: usize = 40;
    let (left, width) = (LEFT, RIGHT - LEFT);
    for step in 0..STEPS {
        let share = step as f64 / (STEPS - 1) as f64;
        // Writing to a string cannot fail.
        let _ = write!(
            out,
            "<rect x=\"{:.1}\" y=\"{LEGEND}\" width=\"{:.1}\" height=\"10\" fill=\"{}\"/>",
            left + width * step as f64 / STEPS as f64,
            width / STEPS as f64 + 0.4,
            colour(share)
        );
    }
    for level in heatmap.contours.iter().filter(|level| (low..=high).contains(*level)) {
        let at = left + width * (level - low) / (high - low);
        let _ =
            write!(out, "<path d=\"M{at:.1} {LEGEND}v10\" stroke=\"#fff\" stroke-width=\"1.5\"/>");
    }
    let contours: Vec<String> = heatmap.contours.iter().map(|level| short(*level)).collect();
    let below = LEGEND + 10.0 + 1.2 * LETTERS;
    let _ = write!(
        out,
        "<text x=\"{left}\" y=\"{below}\">{}</text><text x=\"{RIGHT}\" y=\"{below}\" \
        text-anchor=\"end\">{}</text>\
         <text class=\"soft\" x=\"{:.1}\" y=\"{below}\" text-anchor=\"middle\">{}; contours: \
         {}</text>",
        short(low),
        short(high),
        left + width / 2.0,
        escape(&heatmap.z),
        contours.join(", ")
    );
}
