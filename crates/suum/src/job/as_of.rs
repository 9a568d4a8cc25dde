//! Time at which the decisions of a register must be in force.

use std::fmt;
use std::str::FromStr;
use std::time::{SystemTime, UNIX_EPOCH};

use serde::{Serialize, Serializer};
use suum_core::{Error, Result, TimeScale, for_example, leave_out, option};

/// Time at which decisions of a register must be in force.
///
/// # Example
///
/// ```
/// use suum::AsOf;
///
/// let day: AsOf = "2026-03-01".parse()?;
/// let time: AsOf = "2026-03-01T01:00+01:00".parse()?;
/// assert_eq!(day.seconds(), time.seconds());
/// assert_eq!((day.to_string().as_str(), time.to_string().as_str()),
///     ("2026-03-01", "2026-03-01T00:00:00Z"));
/// # Ok::<(), suum::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AsOf {
    seconds: f64,
    is_date: bool,
}

impl AsOf {
    /// Returns the time now, to the second.
    pub fn now() -> Self {
        let since = SystemTime::now().duration_since(UNIX_EPOCH);
        Self { seconds: since.map_or(0.0, |since| since.as_secs() as f64), is_date: false }
    }

    /// Refuses a time that has not come: a ledger cannot be charged by what people may decide.
    ///
    /// # Errors
    ///
    /// If it is after `now`.
    pub(crate) fn check_not_after(self, now: Self) -> Result<()> {
        match self.seconds > now.seconds {
            true => {
                Err(Error::parameter(option::AS_OF, "with a ledger it cannot be in the future")
                    .with_fix(leave_out(option::AS_OF).say(", which means now")))
            }
            false => Ok(()),
        }
    }

    /// Returns the seconds since the beginning of 1970 in UTC.
    pub fn seconds(self) -> f64 {
        self.seconds
    }
}

impl FromStr for AsOf {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let text = text.trim_ascii();
        let seconds = TimeScale::Seconds.number(text.as_bytes()).ok_or_else(|| {
            Error::parameter(option::AS_OF, "expected a date or a time").with_fix(
                for_example(option::AS_OF, "2026-03-01")
                    .say("or")
                    .set(option::AS_OF, "2026-03-01T07:30:00+01:00"),
            )
        })?;
        Ok(Self { seconds, is_date: TimeScale::detect(text) == Some(TimeScale::Days) })
    }
}

/// Writes a date, or a time in UTC.
impl fmt::Display for AsOf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.is_date {
            true => f.write_str(&TimeScale::Days.text(self.seconds / TimeScale::Days.seconds())),
            false => write!(f, "{}Z", TimeScale::Seconds.text(self.seconds)),
        }
    }
}

/// Serialized as text.
impl Serialize for AsOf {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}
