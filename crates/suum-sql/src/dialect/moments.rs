//! Dates and times as texts whose lexical order is chronological.

use super::Dialect;

/// Text appended to a date without a time, beginning with the space.
const MIDNIGHT: &str = " 00:00:00.000000000";

/// Pattern of dates, which is exact except for the last days of February.
const DATE: &str = "[0-9]{4}-((0[1-9]|1[0-2])-(0[1-9]|1[0-9]|2[0-9])|(0[13-9]|1[0-2])-30|\
                    (0[13578]|1[02])-31)";

const TIME: &str = "[ Tt]([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9]([.][0-9]{1,9})?)?";

impl Dialect {
    /// Text of a label that is a date or a time in UTC, with all digits down to the nanosecond.
    pub(crate) fn moment(self, label: &str) -> String {
        let text = format!("replace(replace({label}, 'T', ' '), 't', ' ')");
        format!("({text} || substr('{MIDNIGHT}', length({text}) - 9))")
    }

    /// Text of a constant for comparison with [`moment`](Self::moment).
    pub(crate) fn moment_text(label: &str) -> String {
        let rest = MIDNIGHT.get(label.len().saturating_sub(10)..).unwrap_or_default();
        format!("{label}{rest}")
    }

    /// Condition that a label is a date or a time without a zone in ISO 8601.
    pub(crate) fn is_moment(self, label: &str) -> String {
        let pattern = format!("^{DATE}({TIME})?$");
        match self {
            Self::Postgres => format!("({label} ~ '{pattern}')"),
            Self::DuckDb => format!("regexp_matches({label}, '{pattern}')"),
            Self::Spark => format!("({label} RLIKE '{pattern}')"),
            Self::BigQuery => format!("REGEXP_CONTAINS({label}, '{pattern}')"),
            Self::Snowflake => format!("REGEXP_LIKE({label}, '{pattern}')"),
            // It has no patterns of this kind, but knows dates.
            Self::Sqlite => {
                let date = format!("substr({label}, 1, 10)");
                let hour = format!("substr({label}, 12, 8)");
                let fraction = format!("substr({label}, 20)");
                format!(
                    "({date} GLOB '[0-9][0-9][0-9][0-9]-[0-1][0-9]-[0-3][0-9]' AND date({date}) IS \
                     {date} AND (length({label}) = 10 OR (substr({label}, 11, 1) IN (' ', 'T', \
                     't') AND ({hour} GLOB '[0-2][0-9]:[0-5][0-9]' OR {hour} GLOB \
                     '[0-2][0-9]:[0-5][0-9]:[0-5][0-9]') AND {hour} < '24' AND ({fraction} = '' \
                     OR ({fraction} GLOB '.[0-9]*' AND substr({fraction}, 2) NOT GLOB '*[^0-9]*' \
                     AND length({fraction}) <= 10)))))"
                )
            }
        }
    }
}
