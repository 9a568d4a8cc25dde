//! Lines of equal height.

use std::collections::HashMap;

use maud::{Markup, html};

/// Point in the drawing.
type Point = (f64, f64);

/// Least distance between the points of a line, in units of the drawing: finer ones are invisible.
const STEP: f64 = 1.2;

/// Draws the lines where the surface through the numbers at these positions crosses a level;
/// nothing where it does not.
pub(super) fn contour(columns: &[f64], rows: &[f64], values: &[Vec<f64>], level: f64) -> Markup {
    let lines = joined(&pieces(columns, rows, values, level));
    let path: String = lines.iter().map(|line| drawn(&thinned(line))).collect();
    html! {
        @if !path.is_empty() {
            path d=(path) fill="none" stroke="#fff" stroke-width="1.5" stroke-linejoin="round" {}
        }
    }
}

/// Segments of the contour by marching squares, split into triangles so that no case is ambiguous.
fn pieces(columns: &[f64], rows: &[f64], values: &[Vec<f64>], level: f64) -> Vec<[Point; 2]> {
    let corner = |row: usize, column: usize| (columns[column], rows[row], values[row][column]);
    let mut pieces = Vec::new();
    for row in 1..rows.len() {
        for column in 1..columns.len() {
            let [a, b] = [corner(row - 1, column - 1), corner(row - 1, column)];
            let [c, d] = [corner(row, column), corner(row, column - 1)];
            for triangle in [[a, b, c], [a, c, d]] {
                let sides = [(0, 1), (1, 2), (2, 0)].map(|(i, j)| (triangle[i], triangle[j]));
                let crossed: Vec<Point> = sides
                    .into_iter()
                    .filter(|(p, q)| (p.2 < level) != (q.2 < level))
                    .map(|(p, q)| {
                        // From the same end in both triangles that have this side.
                        let (p, q) = if p.2 < q.2 { (p, q) } else { (q, p) };
                        let part = (level - p.2) / (q.2 - p.2);
                        (p.0 + part * (q.0 - p.0), p.1 + part * (q.1 - p.1))
                    })
                    .collect();
                if let [from, to] = crossed[..] {
                    pieces.push([from, to]);
                }
            }
        }
    }
    pieces
}

/// Joins segments whose ends meet.
fn joined(pieces: &[[Point; 2]]) -> Vec<Vec<Point>> {
    let key = |place: Point| (place.0.to_bits(), place.1.to_bits());
    let mut ends: HashMap<_, Vec<usize>> = HashMap::new();
    for (at, piece) in pieces.iter().enumerate() {
        piece.iter().for_each(|end| ends.entry(key(*end)).or_default().push(at));
    }
    let mut used = vec![false; pieces.len()];
    let mut lines = Vec::new();
    for start in 0..pieces.len() {
        if used[start] {
            continue;
        }
        used[start] = true;
        let mut line = pieces[start].to_vec();
        // On from the last place, then on from the first.
        for _ in 0..2 {
            while let Some(last) = line.last().copied() {
                let met = ends.get(&key(last)).into_iter().flatten();
                let Some(next) = met.copied().find(|at| !used[*at]) else { break };
                used[next] = true;
                let [one, other] = pieces[next];
                line.push(if key(one) == key(last) { other } else { one });
            }
            line.reverse();
        }
        lines.push(line);
    }
    lines
}

/// Thins out the points of a line, whose ends are kept.
fn thinned(line: &[Point]) -> Vec<Point> {
    let mut kept: Vec<Point> = Vec::new();
    for (at, place) in line.iter().enumerate() {
        let far = kept.last().is_none_or(|last| (last.0 - place.0).hypot(last.1 - place.1) >= STEP);
        if far || at + 1 == line.len() {
            kept.push(*place);
        }
    }
    kept
}

fn drawn(line: &[Point]) -> String {
    let places: Vec<String> = line.iter().map(|(x, y)| format!("{x:.1} {y:.1}")).collect();
    format!("M{}", places.join("L"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ring_is_one_closed_line() {
        let places: Vec<f64> = (0..41).map(|at| f64::from(at) * 10.0).collect();
        let height = |x: &f64, y: &f64| (x - 200.0).hypot(y - 200.0);
        let values: Vec<Vec<f64>> =
            places.iter().map(|y| places.iter().map(|x| height(x, y)).collect()).collect();
        let lines = joined(&pieces(&places, &places, &values, 103.0));
        assert_eq!(lines.len(), 1);
        assert_eq!(lines[0].first(), lines[0].last());
        assert!(lines[0].iter().all(|(x, y)| (height(x, y) - 103.0).abs() < 1.0));
        assert_eq!(contour(&places, &places, &values, 103.0).into_string().matches('M').count(), 1);
        assert_eq!(contour(&places, &places, &values, 1e9).into_string(), "");
    }

    #[test]
    fn what_cannot_be_seen_is_left_out_and_ends_are_kept() {
        let line: Vec<Point> = (0..101).map(|at| (f64::from(at) * 0.1, 0.0)).collect();
        let thin = thinned(&line);
        assert!(thin.len() < 12, "{thin:?}");
        assert_eq!((thin.first(), thin.last()), (line.first(), line.last()));
    }
}
