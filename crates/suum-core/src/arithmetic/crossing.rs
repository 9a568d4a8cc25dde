//! Crossing: the point at which a decreasing function falls below zero.

/// Returns the least number above 0 at which `height`, a decreasing function, is no longer
/// positive, to the last place of a double; 0 if it is positive nowhere. The search begins at
/// `start`.
///
/// Inverse quadratic interpolation if it promises more than halving, halving otherwise
/// (Chandrupatla 1997): it takes one or two dozen evaluations, where halving alone takes sixty.
pub(crate) fn crossing(start: f64, height: impl Fn(f64) -> f64) -> f64 {
    let point = |at: f64| Point { at, height: height(at) };
    let (mut newest, mut opposite) = (point(start), point(0.0));
    if start <= 0.0 || opposite.is_behind() {
        return 0.0;
    }
    while !newest.is_behind() {
        opposite = newest;
        newest = point(2.0 * newest.at);
    }

    let mut part = 0.5;
    loop {
        let next = point(newest.at + part * (opposite.at - newest.at));
        let third = if next.is_behind() == newest.is_behind() {
            newest
        } else {
            std::mem::replace(&mut opposite, newest)
        };
        newest = next;

        // A step moves by at least a few last places, because otherwise one end would never move.
        let least = 2.0 * f64::EPSILON * newest.at / (opposite.at - newest.at).abs();
        if least >= 0.25 {
            return to_the_last_place(newest, opposite, point);
        }
        part = interpolated(newest, opposite, third).unwrap_or(0.5).clamp(least, 1.0 - least);
    }
}

#[derive(Debug, Clone, Copy)]
struct Point {
    at: f64,
    height: f64,
}

impl Point {
    fn is_behind(self) -> bool {
        self.height.is_nan() || self.height <= 0.0
    }
}

/// Returns the zero of the parabola through three points, as a share of the way between the first
/// two; `None` if it does not rise or fall all the way.
fn interpolated(newest: Point, opposite: Point, third: Point) -> Option<f64> {
    let (a, b, c) = (newest.height, opposite.height, third.height);
    let way = (newest.at - opposite.at) / (third.at - opposite.at);
    let fall = (a - b) / (c - b);
    let monotone = fall * fall < way && (1.0 - fall) * (1.0 - fall) < 1.0 - way;
    let part = a / (b - a) * (c / (b - c))
        + (third.at - newest.at) / (opposite.at - newest.at) * (a / (c - a)) * (b / (c - b));
    (monotone && part.is_finite()).then_some(part)
}

/// Halves the interval until the last place of a double.
fn to_the_last_place(one: Point, other: Point, point: impl Fn(f64) -> Point) -> f64 {
    let (mut low, mut high) = if one.is_behind() { (other.at, one.at) } else { (one.at, other.at) };
    loop {
        let middle = low + 0.5 * (high - low);
        if middle <= low || middle >= high {
            return high;
        }
        if point(middle).is_behind() { high = middle } else { low = middle }
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    #[test]
    fn finds_the_crossing_to_the_last_place_in_few_steps() {
        for place in [1e-300, 1e-9, 0.3, 1.0, 2.5, 17.0, 1e9, 1e200] {
            for start in [place * 1e-3, place * 0.5, place, place * 1.1, place * 1e3] {
                let heights: [fn(f64) -> f64; 4] = [
                    |x| 1.0 - x,
                    |x| 1.0 - x * x,
                    |x| (1.0 - x).tanh() + 0.1 * (1.0 - x),
                    |x| libm::erfc(x).ln() - libm::erfc(1.0).ln(),
                ];
                for height in heights {
                    let steps = Cell::new(0);
                    let found = crossing(start, |x| {
                        steps.set(steps.get() + 1);
                        height(x / place)
                    });
                    assert!((found / place - 1.0).abs() < 1e-15, "{found} {place} {start}");
                    assert!(steps.get() <= 40, "{} steps to {place} from {start}", steps.get());
                }
            }
        }
    }

    #[test]
    fn steps_and_infinities_are_crossed_too() {
        let step = crossing(8.0, |x| if x < 3.0 { 1.0 } else { -1.0 });
        let cliff = crossing(0.1, |x| if x < 3.0 { 1.0 } else { f64::NEG_INFINITY });
        let wall = crossing(8.0, |x| if x < 3.0 { f64::INFINITY } else { -1.0 });
        assert_eq!([step, cliff, wall], [3.0; 3]);
        assert_eq!(crossing(1.0, |_| -1.0), 0.0);
        assert_eq!(crossing(0.0, |_| 1.0), 0.0);
        assert_eq!(crossing(1.0, |_| f64::NAN), 0.0);
    }
}
