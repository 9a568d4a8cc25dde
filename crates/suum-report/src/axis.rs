//! Axes: ranges of numbers, places on them, and round numbers to mark.

use suum_core::Interval;

/// Range of numbers on an axis.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Axis {
    pub(crate) from: f64,
    pub(crate) to: f64,
}

impl Axis {
    /// Axis that shows all intervals, with margins that are a part of their width; `None` if there
    /// is nothing to draw.
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

    /// Axis from the least number to the largest; `None` if there are no numbers.
    pub(crate) fn over(numbers: impl IntoIterator<Item = f64>) -> Option<Self> {
        let points =
            numbers.into_iter().map(|at| Interval { confidence: 1.0, lower: at, upper: at });
        Self::around(points, 0.0)
    }

    /// Axis between two numbers; `None` if they do not ascend or their distance is infinite.
    pub(crate) fn between(from: f64, to: f64) -> Option<Self> {
        (to > from && (to - from).is_finite()).then_some(Self { from, to })
    }

    /// Axis that is extended to zero if necessary.
    pub(crate) fn with_zero(self) -> Self {
        Self { from: self.from.min(0.0), to: self.to.max(0.0) }
    }

    /// Axis that is extended to zero if what it shows still takes half of it.
    pub(crate) fn with_zero_if_near(self) -> Self {
        let extended = self.with_zero();
        let is_near = 2.0 * (self.to - self.from) >= extended.to - extended.from;
        if is_near { extended } else { self }
    }

    /// Axis without what lies beyond these bounds.
    pub(crate) fn within(self, [from, to]: [f64; 2]) -> Self {
        let inside = Self { from: self.from.max(from), to: self.to.min(to) };
        if inside.to > inside.from { inside } else { self }
    }

    /// Position of a number, in percent of the width.
    pub(crate) fn place(self, value: f64) -> f64 {
        (100.0 * (value - self.from) / (self.to - self.from)).clamp(0.0, 100.0)
    }

    /// Three or more round numbers on the axis, and their number of decimals.
    pub(crate) fn ticks(self) -> (Vec<f64>, i32) {
        let rough = (self.to - self.from) / 6.0;
        let unit = 10f64.powf(rough.log10().floor());
        let steps = [(1.0, 0), (2.0, 0), (2.5, 1), (5.0, 0), (10.0, 0)];
        let found = steps.into_iter().find(|(digit, _)| digit * unit >= rough);
        let (digit, more) = found.unwrap_or((10.0, 0));
        let step = digit * unit;
        let first = (self.from / step).ceil();
        let ticks =
            (0..8).map(|at| (first + f64::from(at)) * step).take_while(|tick| *tick <= self.to);
        (ticks.collect(), more - ((step * 1.0001).log10().floor() as i32))
    }
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
        assert_eq!(axis.ticks(), (vec![1.5, 2.0, 2.5, 3.0, 3.5, 4.0, 4.5], 1));
        assert_eq!(axis.with_zero().place(0.0), 0.0);
        let far = Axis { from: 10.0, to: 11.0 };
        assert_eq!((axis.with_zero_if_near().from, far.with_zero_if_near().from), (0.0, 10.0));
        assert_eq!(Axis::between(1.0, 1.0), None);
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
                assert!((3..=7).contains(&ticks.len()), "{axis:?}: {ticks:?}");
                assert!(
                    ticks.iter().all(|tick| (axis.from..=axis.to).contains(tick)),
                    "{axis:?}: {ticks:?}"
                );
            }
        }
    }
}
