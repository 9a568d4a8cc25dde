//! Colours over two axes, with contours.

use maud::{Markup, html};

use super::contour::contour;
use super::picture;
use super::scale::{Scale, axes};
use super::{BOTTOM, LEFT, LETTERS, RIGHT, TOP, border, fine, frame, path, text};
use crate::outcome::{Cut, Heatmap, Surface};
use crate::output::number::short;

/// Top of the legend of colours.
const LEGEND: f64 = BOTTOM + 3.6 * LETTERS;

pub(super) fn draw(heatmap: &Heatmap) -> String {
    let Surface { x: xs, y: ys, values } = &heatmap.fine;
    let x = Scale::fit(xs.iter().copied(), (LEFT, RIGHT), true);
    let y = Scale::fit(ys.iter().copied(), (BOTTOM, TOP), true);
    let (Some(x), Some(y)) = (x, y) else {
        return frame(BOTTOM, &heatmap.caption, Markup::default());
    };
    let (low, high) = values
        .iter()
        .flatten()
        .fold((f64::INFINITY, 0.0), |(low, high): (f64, f64), z| (low.min(*z), high.max(*z)));
    let places = |numbers: &[f64], scale: &Scale| -> Vec<f64> {
        numbers.iter().map(|n| scale.at(*n)).collect()
    };
    let (columns, rows) = (places(xs, &x), places(ys, &y));
    let share = |z: f64| (z - low) / (high - low).max(f64::MIN_POSITIVE);
    let cut = |cut: &Cut| match cut {
        Cut::AtX(at) => format!("M{:.1} {TOP}V{BOTTOM}", x.at(*at)),
        Cut::AtY(at) => format!("M{LEFT} {:.1}H{RIGHT}", y.at(*at)),
    };
    let picture = picture::address(&surface(&columns, &rows, values, share), &shades());
    let drawn = html! {
        image x=(LEFT) y=(TOP) width=(RIGHT - LEFT) height=(BOTTOM - TOP)
            preserveAspectRatio="none" href=(picture) {}
        @for level in &heatmap.contours { (contour(&columns, &rows, values, *level)) }
        @for one in &heatmap.cuts { (path("cut", &cut(one))) }
        (axes((&x, &heatmap.x.0), (&y, &heatmap.y.0), false))
        (border(BOTTOM))
        (legend(heatmap, low, high))
    };
    frame(LEGEND + 4.5 * LETTERS, &heatmap.caption, drawn)
}

/// Surface through the numbers at these positions, as shades of pixels from the top left. It is
/// bilinear between positions, so that a narrow ridge has no steps.
fn surface(
    columns: &[f64],
    rows: &[f64],
    values: &[Vec<f64>],
    share: impl Fn(f64) -> f64,
) -> Vec<u8> {
    const SIDE: usize = picture::SIDE;
    let middle = |pixel: usize| (pixel as f64 + 0.5) / SIDE as f64;
    let across: Vec<_> =
        (0..SIDE).map(|pixel| between(columns, LEFT + (RIGHT - LEFT) * middle(pixel))).collect();
    let mut pixels = Vec::with_capacity(SIDE * SIDE);
    for pixel in 0..SIDE {
        let (row, down) = between(rows, TOP + (BOTTOM - TOP) * middle(pixel));
        let next = (row + 1).min(rows.len() - 1);
        for (column, right) in &across {
            let beside = (column + 1).min(columns.len() - 1);
            let along =
                |row: usize| values[row][*column] * (1.0 - right) + values[row][beside] * right;
            let z = along(row) * (1.0 - down) + along(next) * down;
            pixels.push((255.0 * share(z)).round().clamp(0.0, 255.0) as u8);
        }
    }
    pixels
}

/// Index of the interval that contains a position, and the position's fraction within it. The
/// positions ascend or descend.
fn between(places: &[f64], at: f64) -> (usize, f64) {
    let falls = places.first() > places.last();
    let before = places.partition_point(|place| if falls { *place > at } else { *place < at });
    let from = before.saturating_sub(1).min(places.len().saturating_sub(2));
    match places.get(from..from + 2) {
        Some([low, high]) if low != high => (from, ((at - low) / (high - low)).clamp(0.0, 1.0)),
        _ => (from, 0.0),
    }
}

/// Colours of all shades.
fn shades() -> [[u8; 3]; 256] {
    std::array::from_fn(|shade| mixed(shade as f64 / 255.0))
}

/// Colour in SVG.
fn colour(share: f64) -> String {
    let [red, green, blue] = mixed(share);
    format!("#{red:02x}{green:02x}{blue:02x}")
}

/// Mixes colours from dark blue over green to yellow (similar to viridis), for shares in [0, 1].
fn mixed(share: f64) -> [u8; 3] {
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
    std::array::from_fn(|at| (STOPS[stop][at] * (1.0 - part) + STOPS[stop + 1][at] * part) as u8)
}

/// Draws the meaning of the colours, and the levels of the contours.
fn legend(heatmap: &Heatmap, low: f64, high: f64) -> Markup {
    const STEPS: usize = 40;
    let (left, width) = (LEFT, RIGHT - LEFT);
    let part = |step: usize| width * step as f64 / STEPS as f64;
    let levels = heatmap.contours.iter().filter(|level| (low..=high).contains(*level));
    let contours: Vec<String> = heatmap.contours.iter().map(|level| short(*level)).collect();
    let words = format!("{}; contours: {}", heatmap.z, contours.join(", "));
    let below = LEGEND + 10.0 + 1.2 * LETTERS;
    html! {
        @for step in 0..STEPS {
            rect x=(fine(left + part(step))) y=(LEGEND) width=(fine(part(1) + 0.4)) height="10"
                fill=(colour(step as f64 / (STEPS - 1) as f64)) {}
        }
        @for level in levels {
            @let at = left + width * (level - low) / (high - low);
            path d=(format!("M{at:.1} {LEGEND}v10")) stroke="#fff" stroke-width="1.5" {}
        }
        (text("tick", "start", left, below, &short(low)))
        (text("tick", "end", RIGHT, below, &short(high)))
        (text("soft", "middle", left + width / 2.0, below + 1.3 * LETTERS, &words))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn between_places_a_surface_is_a_mean() {
        assert_eq!(between(&[0.0, 2.0, 4.0], 3.0), (1, 0.5));
        assert_eq!(between(&[4.0, 2.0, 0.0], 3.0), (0, 0.5));
        assert_eq!(between(&[0.0, 2.0], 9.0), (0, 1.0));
        assert_eq!(between(&[1.0], 3.0), (0, 0.0));
        let values = [vec![0.0, 1.0], vec![0.0, 1.0]];
        let pixels = surface(&[LEFT, RIGHT], &[BOTTOM, TOP], &values, |z| z);
        let side = picture::SIDE;
        assert_eq!((pixels[0], pixels[side / 2], pixels[side - 1]), (0, 128, 255));
    }

    #[test]
    fn a_heatmap_is_one_picture_and_small() {
        let places: Vec<f64> = (0..321).map(|at| 10f64.powf(f64::from(at) / 80.0)).collect();
        let row = |x: &f64| places.iter().map(|y| 1.0 / (1.0 + (x / y).ln().powi(2))).collect();
        let values: Vec<Vec<f64>> = places.iter().map(row).collect();
        let svg = draw(&Heatmap {
            name: "a".into(),
            caption: "a".into(),
            x: ("x".into(), places.clone()),
            y: ("y".into(), places.clone()),
            z: "z".into(),
            values: values.clone(),
            fine: Surface { x: places.clone(), y: places.clone(), values },
            contours: vec![0.5, 0.9],
            cuts: vec![],
        });
        assert_eq!(svg.matches("<image").count(), 1);
        assert!(svg.matches("<rect").count() < 50, "no cell is drawn by itself");
        assert!(svg.len() < 150_000, "{}", svg.len());
    }
}
