//! Values of the data in words: numbers, dates, or times.

use suum_core::{Bounds, FoundRange, Release, Replacement, TimeScale};

use crate::figures::shortest;
use crate::rounding::{Direction, lower_end, upper_end};

/// Date or time with the precision that this error justifies. Ends of intervals are rounded
/// outwards: a date stands for all of its day.
pub(crate) fn shown(scale: TimeScale, number: f64, error: f64, to: Direction) -> String {
    let (second, minute) = (1.0 / scale.seconds(), 60.0 / scale.seconds());
    let day = 86_400.0 / scale.seconds();
    // If nothing is known of the error, the date or time is written in full.
    let of_day = scale == TimeScale::OfDay;
    let step = [day, minute, second]
        .into_iter()
        .find(|step| 2.0 * step <= error && !(of_day && *step == day));
    // Beyond microseconds nothing is written.
    let finest = (to != Direction::Nearest).then_some(second * 1e-6);
    let rounded = step.or(finest).map_or(number, |step| {
        // Errors of the computation itself are no reason for a further step.
        let (count, slack) = (number / step, number.abs() / step * 1e-12);
        match to {
            // The day in which it is; of an interval the first and the last one.
            Direction::Nearest | Direction::Up if step == day => step * (count + slack).floor(),
            Direction::Nearest => step * count.round(),
            Direction::Up => outermost(count.ceil(), step, |end| end < number, 1.0),
            Direction::Down => outermost(count.floor(), step, |end| end > number, -1.0),
        }
    });
    let text = plain(scale, rounded);
    match step {
        Some(step) if step == day => text.get(..10).map_or(text.clone(), str::to_owned),
        Some(step) if step == minute => {
            text.strip_suffix(":00").map_or(text.clone(), str::to_owned)
        }
        _ => text,
    }
}

/// Multiple `count` of `step`, or the next one if it falls short because the division that counted
/// the steps was rounded.
fn outermost(count: f64, step: f64, is_short: impl Fn(f64) -> bool, further: f64) -> f64 {
    let end = count * step;
    if is_short(end) { (count + further) * step } else { end }
}

/// Date or time in full.
fn plain(scale: TimeScale, number: f64) -> String {
    scale.text(number).replace('T', " ")
}

/// Value of the data in full: a number, a date, or a time.
pub(crate) fn value(scale: Option<TimeScale>, number: f64) -> String {
    scale.map_or_else(|| shortest(number), |scale| plain(scale, number))
}

/// Bounds in words.
pub(crate) fn between(bounds: Bounds) -> String {
    let [lower, upper] = [bounds.lower(), bounds.upper()].map(|end| value(bounds.scale(), end));
    format!("{lower} to {upper}")
}

/// Ends of the range that was found.
pub(crate) fn ends_of(range: &FoundRange) -> String {
    let (bounds, width) = (range.bounds, range.bounds.width() / 60.0);
    format!("{} to {}", lower_end(bounds.lower(), width), upper_end(bounds.upper(), width))
}

/// Replacement for missing values.
pub(crate) fn replaced(release: &Release, constant: &Replacement) -> String {
    match constant {
        Replacement::Number(number) => value(release.scale(), *number),
        constant => constant.to_string(),
    }
}

/// Unit of a difference of values; empty for numbers.
pub(crate) fn unit(scale: Option<TimeScale>) -> String {
    scale.map_or_else(String::new, |scale| format!(" {}", scale.unit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_as_exact_as_their_errors() {
        let days = |number, error, to| shown(TimeScale::Days, number, error, to);
        assert_eq!(days(18_292.37, 12.0, Direction::Nearest), "2020-01-31");
        assert_eq!(days(18_292.37, 12.0, Direction::Down), "2020-01-31");
        assert_eq!(days(18_292.37, 12.0, Direction::Up), "2020-01-31");
        assert_eq!(days(18_292.6, 12.0, Direction::Nearest), "2020-01-31");
        assert_eq!(days(18_293.0 - 1e-9, 12.0, Direction::Nearest), "2020-02-01");
        assert_eq!(days(18_292.0, 12.0, Direction::Up), "2020-01-31");
        assert_eq!(days(18_293.0 - 1e-9, 12.0, Direction::Down), "2020-01-31");
        assert_eq!(days(18_292.25, 0.5, Direction::Nearest), "2020-01-31 06:00");
        assert_eq!(days(18_292.0, 0.0, Direction::Nearest), "2020-01-31");
        let seconds = |number, error| shown(TimeScale::Seconds, number, error, Direction::Nearest);
        assert_eq!(seconds(1.4e9, 1e6), "2014-05-13");
        assert_eq!(seconds(1.4e9 + 3.0, 500.0), "2014-05-13 16:53");
        assert_eq!(seconds(1.4e9 + 3.3, 5.0), "2014-05-13 16:53:23");
        let end = |to| shown(TimeScale::Seconds, 90.0, 500.0, to);
        assert_eq!(
            [end(Direction::Down), end(Direction::Up)],
            ["1970-01-01 00:01", "1970-01-01 00:02"]
        );
        assert_eq!(shown(TimeScale::OfDay, 27_001.0, 1e6, Direction::Nearest), "07:30");
        assert_eq!(shown(TimeScale::OfDay, 27_001.5, 0.0, Direction::Nearest), "07:30:01.500");
        assert_eq!(shown(TimeScale::Days, f64::NAN, 1.0, Direction::Nearest), "NaN");
    }
}
