//! Clock of a ledger: dates entries, and tells which decisions lie in the future.

use std::fmt;
use std::time::{SystemTime, UNIX_EPOCH};

/// Source of the time.
pub(crate) struct Clock(pub(crate) Box<dyn Fn() -> SystemTime + Send>);

impl Default for Clock {
    fn default() -> Self {
        Self(Box::new(SystemTime::now))
    }
}

impl fmt::Debug for Clock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Clock")
    }
}

impl Clock {
    /// Returns microseconds since 1970; 0 if the clock stands before that.
    pub(crate) fn micros(&self) -> i64 {
        let since = (self.0)().duration_since(UNIX_EPOCH);
        since.map_or(0, |since| i64::try_from(since.as_micros()).unwrap_or(i64::MAX))
    }

    /// Returns the time as `2026-03-01T12:00:00Z`; 1970 if the clock stands before that.
    pub(crate) fn now(&self) -> String {
        let seconds = (self.0)().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
        let (year, month, day) = date(seconds / 86_400);
        let (hour, minute, second) = (seconds / 3600 % 24, seconds / 60 % 60, seconds % 60);
        format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
    }
}

/// Returns the Gregorian date that many days after 1970-01-01, as year, month and day.
fn date(days: u64) -> (u64, u64, u64) {
    // Years that begin in March end with the leap day; 400 of them have 146 097 days. 719 468 days
    // lie between 0000-03-01 and 1970.
    let days = days.saturating_add(719_468);
    let (era, of_era) = (days / 146_097, days % 146_097);
    let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    (era * 400 + year + u64::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn dates_follow_the_calendar() {
        // Day by day, with the rule for leap years spelled out.
        let (mut year, mut month, mut day) = (1970, 1, 1);
        for days in 0..200_000 {
            assert_eq!(date(days), (year, month, day));
            let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
            let last = match month {
                2 if leap => 29,
                2 => 28,
                4 | 6 | 9 | 11 => 30,
                _ => 31,
            };
            (year, month, day) = match (month, day) {
                (12, 31) => (year + 1, 1, 1),
                (_, day) if day == last => (year, month + 1, 1),
                (_, day) => (year, month, day + 1),
            };
        }
    }

    #[test]
    fn times_read_well() {
        let at = |seconds| Clock(Box::new(move || UNIX_EPOCH + Duration::from_secs(seconds))).now();
        assert_eq!(at(1_772_366_399), "2026-03-01T11:59:59Z");
        assert_eq!(
            Clock(Box::new(|| UNIX_EPOCH - Duration::from_secs(1))).now(),
            "1970-01-01T00:00:00Z"
        );
    }
}
