//! Search for the border between possible and impossible points.

/// Point with its height, which is nonnegative if the point is possible.
pub(crate) type Point = (f64, f64);

/// Number of halvings between two points.
const LOOKS: i32 = 30;

/// Returns the last impossible point after thirty halvings of the way from `outside`, which is not
/// possible, to `inside`. Heights fall on the way outwards, so most middles need no evaluation:
/// about a dozen are enough.
pub(crate) fn halved(outside: Point, inside: Point, height: impl Fn(f64) -> f64) -> f64 {
    let (beyond, within) = match outside.1 < 0.0 && inside.1 >= 0.0 {
        true => narrowed(outside, inside, 0.5f64.powi(LOOKS + 1), &height),
        false => (outside.0, inside.0),
    };
    let outwards = (outside.0 - inside.0).signum();
    let (mut outside, mut inside) = (outside.0, inside.0);
    for _ in 0..LOOKS {
        let middle = 0.5 * (outside + inside);
        let is_possible = if (middle - beyond) * outwards >= 0.0 {
            false
        } else {
            (middle - within) * outwards <= 0.0 || height(middle) >= 0.0
        };
        if is_possible { inside = middle } else { outside = middle }
    }
    outside
}

/// Returns an impossible and a possible point that are no further apart than the part `near` of the
/// way between these two, unless the number of evaluations runs out. Regula falsi in the Illinois
/// variant: heights are continuous, or nearly so.
pub(crate) fn narrowed(
    mut outside: Point,
    mut inside: Point,
    near: f64,
    height: impl Fn(f64) -> f64,
) -> (f64, f64) {
    let near = near * (outside.0 - inside.0).abs();
    let mut moved_inside = None;
    for _ in 0..LOOKS {
        if (outside.0 - inside.0).abs() <= near {
            break;
        }
        let part = (inside.1 / (inside.1 - outside.1)).clamp(0.02, 0.98);
        let middle = inside.0 + part * (outside.0 - inside.0);
        let point = (middle, height(middle));
        let is_inside = point.1 >= 0.0;
        let (moved, kept) = match is_inside {
            true => (&mut inside, &mut outside),
            false => (&mut outside, &mut inside),
        };
        *moved = point;
        // The height of the end that does not move is halved, so that it moves soon.
        if moved_inside == Some(is_inside) {
            kept.1 /= 2.0;
        }
        moved_inside = Some(is_inside);
    }
    (outside.0, inside.0)
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    #[test]
    fn halvings_end_where_they_would_with_every_look() {
        let heights: [fn(f64) -> f64; 5] = [
            |x| x,
            |x| 3.0 * x + 100.0 * x * x * x.signum(),
            |x| (50.0 * x).tanh() + 1e-3 * x,
            |x| x.signum(),
            |x| if x < -0.01 { -1e3 } else { x },
        ];
        for (outside, inside) in [(0.0, 1.0), (1.0, 0.25), (1e-8, 1.5e-8), (-2.0, 7.0)] {
            for part in [1e-9, 0.1, 0.31, 0.5, 0.77, 0.999] {
                for (number, of) in heights.into_iter().enumerate() {
                    let (crossing, way) = (outside + part * (inside - outside), inside - outside);
                    let looks = Cell::new(0);
                    let height = |x: f64| {
                        looks.set(looks.get() + 1);
                        of((x - crossing) / way)
                    };
                    let ends = [outside, inside].map(|x| (x, of((x - crossing) / way)));
                    let found = halved(ends[0], ends[1], height);
                    let (mut low, mut high) = (outside, inside);
                    for _ in 0..LOOKS {
                        let middle = 0.5 * (low + high);
                        let is_possible = of((middle - crossing) / way) >= 0.0;
                        if is_possible { high = middle } else { low = middle }
                    }
                    assert_eq!(found, low, "{outside} {inside} {part} {number}");
                    // A step tells nothing of where it is.
                    assert!(number == 3 || looks.get() <= 25, "{number}: {} looks", looks.get());
                }
            }
        }
    }

    /// Every middle is evaluated if the height inside is unknown.
    #[test]
    fn a_place_inside_may_be_unknown() {
        let found = halved((0.0, -1.0), (1.0, -1.0), |x| if x > 0.7 { 1.0 } else { -1.0 });
        assert!((found - 0.7).abs() < 1e-8, "{found}");
    }
}
