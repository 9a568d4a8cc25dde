//! Dates and times as numbers: the only code that reads and writes them.

use crate::error::option;
use std::fmt;

use chrono::{DateTime, NaiveDate, NaiveTime, Timelike};

const SECONDS_OF_A_DAY: f64 = 86_400.0;

/// Scale on which dates and times are numbers, taken from the declared bounds or bins.
///
/// Text is ISO 8601: `2020-01-31`, `2020-01-31T07:30:00.5`, a space in place of the `T`, `07:30`. A
/// time without a zone is used as it is, one with a zone (`Z`, `+02:00`) is converted to UTC. A day
/// begins at `00:00` and ends at `24:00`.
///
/// # Example
///
/// ```
/// use suum_core::TimeScale;
///
/// assert_eq!(TimeScale::Days.number(b"1970-01-03"), Some(2.0));
/// assert_eq!(TimeScale::Seconds.number(b"1970-01-01T01:00+01:00"), Some(0.0));
/// assert_eq!(TimeScale::Days.number(b"1970-02-30"), None);
/// assert_eq!(TimeScale::Days.text(18_292.0), "2020-01-31");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TimeScale {
    /// Days since the beginning of 1970.
    Days,
    /// Seconds since the beginning of 1970.
    Seconds,
    /// Seconds since midnight, for times of day.
    OfDay,
}

/// Parsed text of a date or a time.
enum Timestamp {
    Date(NaiveDate),
    /// Seconds since the beginning of 1970, and nanoseconds after that.
    Time(i64, u32),
    /// Seconds since midnight.
    OfDay(f64),
}

impl TimeScale {
    /// Returns the scale of a text that is a date, a time, or a time of day; `None` for other text.
    pub fn detect(text: &str) -> Option<Self> {
        Some(match timestamp(text.trim_ascii().as_bytes())? {
            Timestamp::Date(_) => Self::Days,
            Timestamp::Time(..) => Self::Seconds,
            Timestamp::OfDay(_) => Self::OfDay,
        })
    }

    /// Returns the common scale of several texts: days if all are dates, seconds if some are times.
    /// Returns `None` if one is neither, or if times of day are mixed with others.
    pub fn detect_common<'a>(texts: impl IntoIterator<Item = &'a str>) -> Option<Self> {
        let mut scale = None;
        for text in texts {
            scale = Some(match (scale, Self::detect(text)?) {
                (None, one) => one,
                (Some(known), one) if known == one => one,
                (Some(Self::OfDay), _) | (_, Self::OfDay) => return None,
                _ => Self::Seconds,
            });
        }
        scale
    }

    /// Returns the number of a text without spaces around it; `None` if the text does not fit the
    /// scale. On the scale of days a time has a fraction; on that of seconds a date is its
    /// midnight.
    #[inline]
    pub fn number(self, text: &[u8]) -> Option<f64> {
        match (self, timestamp(text)?) {
            (Self::OfDay, Timestamp::OfDay(seconds)) => Some(seconds),
            (Self::OfDay, _) | (_, Timestamp::OfDay(_)) => None,
            (Self::Days, Timestamp::Date(date)) => Some(f64::from(date.to_epoch_days())),
            (scale, Timestamp::Date(date)) => {
                Some(scale.convert_seconds(f64::from(date.to_epoch_days()) * SECONDS_OF_A_DAY))
            }
            (scale, Timestamp::Time(seconds, nanoseconds)) => {
                Some(scale.convert_seconds(exact_seconds(seconds, nanoseconds)))
            }
        }
    }

    /// Returns the number of a moment, given as seconds since the beginning of 1970, or of the day.
    #[inline]
    pub fn convert_seconds(self, seconds: f64) -> f64 {
        if self == Self::Days { seconds / SECONDS_OF_A_DAY } else { seconds }
    }

    /// Returns the number of seconds in one unit.
    pub fn seconds(self) -> f64 {
        if self == Self::Days { SECONDS_OF_A_DAY } else { 1.0 }
    }

    /// Returns the unit as a word: `days` or `seconds`.
    pub fn unit(self) -> &'static str {
        if self == Self::Days { "days" } else { "seconds" }
    }

    /// Returns a number as ISO 8601 text, to the microsecond; whole days as the date alone. A
    /// number beyond the calendar stays a number.
    pub fn text(self, number: f64) -> String {
        let seconds = number * self.seconds();
        let micros = (seconds * 1e6).round();
        // Limit of the calendar: years of four digits, and some thousand more.
        if !micros.is_finite() || micros.abs() > 1e18 {
            return number.to_string();
        }
        let micros = micros as i64;
        if self == Self::OfDay {
            return time_of_day(micros);
        }
        let Some(time) = DateTime::from_timestamp_micros(micros).map(|time| time.naive_utc())
        else {
            return number.to_string();
        };
        let date = time.date();
        if self == Self::Days && micros.rem_euclid(86_400_000_000) == 0 {
            return date.to_string();
        }
        let of_day = i64::from(time.time().num_seconds_from_midnight()) * 1_000_000
            + i64::from(time.and_utc().timestamp_subsec_micros());
        format!("{date}T{}", time_of_day(of_day))
    }

    /// Returns a number as a label: like [`text`](Self::text), but with a space in place of the
    /// `T`, and with the date alone for midnight.
    pub fn label(self, number: f64) -> String {
        let text = self.text(number).replace('T', " ");
        text.strip_suffix(" 00:00:00").map_or(text.clone(), str::to_owned)
    }
}

/// Unit and origin of the numbers.
impl fmt::Display for TimeScale {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Days => "days since 1970-01-01",
            Self::Seconds => "seconds since 1970-01-01",
            Self::OfDay => "seconds since midnight",
        })
    }
}

/// Parses the [`Display`](fmt::Display) form.
impl std::str::FromStr for TimeScale {
    type Err = crate::Error;

    fn from_str(text: &str) -> crate::Result<Self> {
        let known = [Self::Days, Self::Seconds, Self::OfDay];
        known.into_iter().find(|scale| scale.to_string() == text).ok_or_else(|| {
            crate::Error::parameter(option::UNIT, "there is none of that name")
                .with_fix("for example \"days since 1970-01-01\"")
        })
    }
}

/// Returns seconds and nanoseconds as a double: the nearest one, if they are whole microseconds.
#[inline]
fn exact_seconds(seconds: i64, nanoseconds: u32) -> f64 {
    match seconds.checked_mul(1_000_000) {
        // Microseconds fit a double from 1684 to 2255, so the division is the only rounding.
        Some(micros) if nanoseconds.is_multiple_of(1000) => {
            (micros + i64::from(nanoseconds / 1000)) as f64 / 1e6
        }
        _ => seconds as f64 + f64::from(nanoseconds) / 1e9,
    }
}

/// Returns text such as `07:30:00`, with three or six digits behind a point if they are needed. A
/// day can have more than 24 hours here, or a negative number.
fn time_of_day(micros: i64) -> String {
    let sign = if micros < 0 { "-" } else { "" };
    let (seconds, fraction) =
        (micros.unsigned_abs() / 1_000_000, micros.unsigned_abs() % 1_000_000);
    let (minutes, second) = (seconds / 60, seconds % 60);
    let text = format!("{sign}{:02}:{:02}:{second:02}", minutes / 60, minutes % 60);
    match (fraction, fraction % 1000) {
        (0, _) => text,
        (_, 0) => format!("{text}.{:03}", fraction / 1000),
        _ => format!("{text}.{fraction:06}"),
    }
}

/// Parses a text that is a date, a time, or a time of day; `None` for other text.
#[inline]
fn timestamp(text: &[u8]) -> Option<Timestamp> {
    if text.get(2) == Some(&b':') {
        // `24:00` is the end of a day.
        if matches!(text, b"24:00" | b"24:00:00") {
            return Some(Timestamp::OfDay(SECONDS_OF_A_DAY));
        }
        let (time, rest) = time(text)?;
        let whole = i64::from(time.num_seconds_from_midnight());
        let seconds = exact_seconds(whole, time.nanosecond());
        return rest.is_empty().then_some(Timestamp::OfDay(seconds));
    }
    let (date, rest) = date(text)?;
    let rest = match rest {
        [] => return Some(Timestamp::Date(date)),
        [b'T' | b't' | b' ', rest @ ..] => rest,
        _ => return None,
    };
    let (time, rest) = time(rest)?;
    let ahead = zone(rest)?;
    let of_day = i64::from(time.num_seconds_from_midnight());
    let seconds = i64::from(date.to_epoch_days()) * 86_400 + of_day - ahead;
    Some(Timestamp::Time(seconds, time.nanosecond()))
}

/// Splits the date off the beginning of a text; returns it and the rest.
#[inline]
fn date(text: &[u8]) -> Option<(NaiveDate, &[u8])> {
    let (year, rest) = digits(text, 4)?;
    let (month, rest) = digits(rest.strip_prefix(b"-")?, 2)?;
    let (day, rest) = digits(rest.strip_prefix(b"-")?, 2)?;
    Some((NaiveDate::from_ymd_opt(year as i32, month, day)?, rest))
}

/// Splits the time of day off the beginning of a text; returns it and the rest.
fn time(text: &[u8]) -> Option<(NaiveTime, &[u8])> {
    let (hour, rest) = digits(text, 2)?;
    let (minute, rest) = digits(rest.strip_prefix(b":")?, 2)?;
    let Some(rest) = rest.strip_prefix(b":") else {
        return Some((NaiveTime::from_hms_opt(hour, minute, 0)?, rest));
    };
    let (second, rest) = digits(rest, 2)?;
    let Some(fraction) = rest.strip_prefix(b".") else {
        return Some((NaiveTime::from_hms_opt(hour, minute, second)?, rest));
    };
    let count = fraction.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let (shown, rest) = fraction.split_at(count);
    // Digits beyond nanoseconds are ignored.
    let nanoseconds =
        (0..9).fold(0, |sum, at| 10 * sum + shown.get(at).map_or(0, |byte| u32::from(byte - b'0')));
    let time = NaiveTime::from_hms_nano_opt(hour, minute, second, nanoseconds)?;
    (count > 0).then_some((time, rest))
}

/// Returns the seconds by which a zone is ahead of UTC: 0 without a zone; `None` for text that is
/// no zone.
fn zone(text: &[u8]) -> Option<i64> {
    let (sign, rest) = match text {
        [] | b"Z" | b"z" => return Some(0),
        [b'+', rest @ ..] => (1, rest),
        [b'-', rest @ ..] => (-1, rest),
        _ => return None,
    };
    let (hours, rest) = digits(rest, 2)?;
    let minutes = match rest.strip_prefix(b":").unwrap_or(rest) {
        [] if rest.is_empty() => 0,
        rest => {
            let (minutes, rest) = digits(rest, 2)?;
            rest.is_empty().then_some(minutes)?
        }
    };
    (hours < 24 && minutes < 60).then(|| sign * i64::from(hours * 3600 + minutes * 60))
}

/// Splits a number of `count` digits off the beginning of a text; returns it and the rest.
#[inline]
fn digits(text: &[u8], count: usize) -> Option<(u32, &[u8])> {
    let (digits, rest) = text.split_at_checked(count)?;
    let mut number = 0;
    for byte in digits {
        let digit = byte.wrapping_sub(b'0');
        if digit > 9 {
            return None;
        }
        number = 10 * number + u32::from(digit);
    }
    Some((number, rest))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn texts_are_numbers() {
        for (scale, text, number) in [
            (TimeScale::Days, "1970-01-01", 0.0),
            (TimeScale::Days, "1969-12-31", -1.0),
            (TimeScale::Days, "2000-02-29", 11_016.0),
            (TimeScale::Days, "1970-01-02T12:00", 1.5),
            (TimeScale::Seconds, "1970-01-02", 86_400.0),
            (TimeScale::Seconds, "1970-01-01 00:00:01.25", 1.25),
            (TimeScale::Seconds, "1970-01-01T02:00:00+02:00", 0.0),
            (TimeScale::Seconds, "1970-01-01T00:00:00-0130", 5_400.0),
            (TimeScale::Seconds, "1970-01-01 00:00:00+00", 0.0),
            (TimeScale::Seconds, "1970-01-01T00:00:00Z", 0.0),
            (TimeScale::OfDay, "07:30", 27_000.0),
            (TimeScale::OfDay, "24:00", 86_400.0),
            (TimeScale::OfDay, "23:59:59.999999", 86_399.999_999),
        ] {
            assert_eq!(scale.number(text.as_bytes()), Some(number), "{text}");
        }
    }

    #[test]
    fn what_is_no_moment_is_none() {
        for text in [
            "",
            "2020",
            "2020-1-1",
            "2020-01-32",
            "2021-02-29",
            "2020-01-01T",
            "2020-01-01x",
            "2020-01-01T24:00",
            "2020-01-01T10:60",
            "2020-01-01T10:00:00.",
            "2020-01-01T10:00+",
            "2020-01-01T10:00+2",
            "2020-01-01T10:00+24:00",
            "2020-01-01T10:00 CET",
            "7:30",
            "07:30Z",
            "31.01.2020",
            "18262",
            "0044-03-15 BC",
            "2020-01-01T10:00+02:",
        ] {
            assert_eq!(TimeScale::detect(text), None, "{text}");
            assert_eq!(TimeScale::Seconds.number(text.as_bytes()), None, "{text}");
        }
        assert_eq!(TimeScale::Days.number(b"07:30"), None);
        assert_eq!(TimeScale::OfDay.number(b"2020-01-01"), None);
    }

    #[test]
    fn several_texts_have_one_scale() {
        let of = |texts: &[&str]| TimeScale::detect_common(texts.iter().copied());
        assert_eq!(of(&["2020-01-01", " 2024-12-31"]), Some(TimeScale::Days));
        assert_eq!(of(&["2020-01-01", "2024-12-31T12:00"]), Some(TimeScale::Seconds));
        assert_eq!(of(&["08:00", "17:30"]), Some(TimeScale::OfDay));
        assert_eq!(of(&["2020-01-01", "08:00"]), None);
        assert_eq!(of(&["2020-01-01", "5"]), None);
    }

    #[test]
    fn numbers_are_texts() {
        for (scale, number, text, label) in [
            (TimeScale::Days, 18_292.0, "2020-01-31", "2020-01-31"),
            (TimeScale::Days, 18_292.25, "2020-01-31T06:00:00", "2020-01-31 06:00:00"),
            (TimeScale::Seconds, 0.0, "1970-01-01T00:00:00", "1970-01-01"),
            (TimeScale::Seconds, -0.5, "1969-12-31T23:59:59.500", "1969-12-31 23:59:59.500"),
            (TimeScale::OfDay, 27_000.0, "07:30:00", "07:30:00"),
            (TimeScale::OfDay, 86_400.0, "24:00:00", "24:00:00"),
            (TimeScale::OfDay, -60.0, "-00:01:00", "-00:01:00"),
            (TimeScale::Days, 1e300, &1e300.to_string(), &1e300.to_string()),
        ] {
            assert_eq!((scale.text(number).as_str(), scale.label(number).as_str()), (text, label));
        }
    }

    proptest! {
        #[test]
        fn what_is_written_is_read_back(
            micros in -62_135_596_800_000_000i64..253_402_300_800_000_000,
            days in -719_162i32..2_932_896,
        ) {
            let seconds = micros as f64 / 1e6;
            let again = TimeScale::Seconds.number(TimeScale::Seconds.text(seconds).as_bytes());
            // Far from now microseconds are finer than doubles.
            prop_assert!((again.unwrap() - seconds).abs() < 1e-4, "{micros}");
            let date = TimeScale::Days.text(f64::from(days));
            prop_assert_eq!(date.len(), 10);
            prop_assert_eq!(TimeScale::Days.number(date.as_bytes()), Some(f64::from(days)));
        }

        #[test]
        fn no_text_panics(text in "[-+:.TZ 0-9é]{0,30}", number: f64) {
            let _ = TimeScale::detect(&text);
            for scale in [TimeScale::Days, TimeScale::Seconds, TimeScale::OfDay] {
                let _ = scale.number(text.as_bytes());
                let _ = scale.label(number);
            }
        }
    }
}
