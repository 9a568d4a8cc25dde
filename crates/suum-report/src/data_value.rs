//! Values of the data as people read them: numbers, dates, or times.

use suum_core::{Bounds, FoundRange, Release, Replacement, TimeScale};

use crate::figures::{shortest, to_error};

/// A date or a time, as near as this error makes sense; `up` says where an end of an interval is
/// rounded to, which is outwards.
pub(crate) fn shown(scale: TimeScale, number: f64, error: f64, up: Option<bool>) -> String {
    let (second, minute) = (1.0 / scale.seconds(), 60.0 / scale.seconds());
    let day = 86_400.0 / scale.seconds();
    // Where nothing is known of the error, all that is there.
    let of_day = scale == TimeScale::OfDay;
    let step = [day, minute, second]
        .into_iter()
        .find(|step| 2.0 * step <= error && !(of_day && *step == day));
    let rounded = step.map_or(number, |step| {
        // What a number is off by because it was computed is no reason for a step.
        let (count, slack) = (number / step, number.abs() / step * 1e-12);
        step * match up {
            // The day in which it is; of an interval the first and the last one.
            _ if step == day => (count + slack).floor(),
            None => count.round(),
            Some(true) => (count - slack).ceil(),
            Some(false) => (count + slack).floor(),
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

/// A date or a time in full.
fn plain(scale: TimeScale, number: f64) -> String {
    scale.text(number).replace('T', " ")
}

/// A value of the data in full: a number, a date, or a time.
pub(crate) fn value(scale: Option<TimeScale>, number: f64) -> String {
    scale.map_or_else(|| shortest(number), |scale| plain(scale, number))
}

/// Bounds in words.
pub(crate) fn between(bounds: Bounds) -> String {
    let [lower, upper] = [bounds.lower(), bounds.upper()].map(|end| value(bounds.scale(), end));
    format!("{lower} to {upper}")
}

/// The ends of the range that was found.
pub(crate) fn ends_of(range: &FoundRange) -> String {
    let width = range.bounds.width() / 60.0;
    let end = |value| to_error(value, width);
    format!("{} to {}", end(range.bounds.lower()), end(range.bounds.upper()))
}

/// What stands in place of missing values.
pub(crate) fn replaced(release: &Release, constant: &Replacement) -> String {
    match constant {
        Replacement::Number(number) => value(release.scale(), *number),
        constant => constant.to_string(),
    }
}

/// The unit behind a difference of values: nothing of numbers.
pub(crate) fn unit(scale: Option<TimeScale>) -> String {
    scale.map_or_else(String::new, |scale| format!(" {}", scale.unit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_as_exact_as_their_errors() {
        let days = |number, error, up| shown(TimeScale::Days, number, error, up);
        assert_eq!(days(18_292.37, 12.0, None), "2020-01-31");
        assert_eq!(days(18_292.37, 12.0, Some(false)), "2020-01-31");
        assert_eq!(days(18_292.37, 12.0, Some(true)), "2020-01-31");
        assert_eq!(days(18_292.6, 12.0, None), "2020-01-31");
        assert_eq!(days(18_293.0 - 1e-9, 12.0, None), "2020-02-01");
        assert_eq!(days(18_292.0, 12.0, Some(true)), "2020-01-31");
        assert_eq!(days(18_292.25, 0.5, None), "2020-01-31 06:00");
        assert_eq!(days(18_292.0, 0.0, None), "2020-01-31");
        let seconds = |number, error| shown(TimeScale::Seconds, number, error, None);
        assert_eq!(seconds(1.4e9, 1e6), "2014-05-13");
        assert_eq!(seconds(1.4e9 + 3.0, 500.0), "2014-05-13 16:53");
        assert_eq!(seconds(1.4e9 + 3.3, 5.0), "2014-05-13 16:53:23");
        let end = |up| shown(TimeScale::Seconds, 90.0, 500.0, Some(up));
        assert_eq!([end(false), end(true)], ["1970-01-01 00:01", "1970-01-01 00:02"]);
        assert_eq!(shown(TimeScale::OfDay, 27_001.0, 1e6, None), "07:30");
        assert_eq!(shown(TimeScale::OfDay, 27_001.5, 0.0, None), "07:30:01.500");
        assert_eq!(shown(TimeScale::Days, f64::NAN, 1.0, None), "NaN");
    }
}
