//! Cells as labels: the same text for the same cell in every dialect, however an engine writes it.
//!
//! Numbers are written without zeros at the end of their decimals, and times in UTC as ISO 8601
//! with a space in place of the `T`, with three, six or nine decimals of a second if they are
//! needed; at midnight the date alone. BigQuery and Snowflake have their own formats of times.

use suum_core::TimeScale;

use super::Dialect;
use super::expressions::{DUCKDB_NUMBERS, DUCKDB_TEXTS, duckdb_is};

/// Forms of the declared labels. Columns of numbers or times match no label of another form, so a
/// query need not test for their types without such labels.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Looks {
    numbers: bool,
    times: bool,
}

/// Types of DuckDB that are dates or times and can be labels: patterns of their names.
const DUCKDB_TIMES: &str = "DATE|TIME(_NS)?|TIMESTAMP(_S|_MS|_NS| WITH TIME ZONE)?";

impl Looks {
    /// Labels of any form.
    pub(crate) const ANY: Self = Self { numbers: true, times: true };

    pub(crate) fn from_labels(labels: &[impl AsRef<str>]) -> Self {
        let mut labels = labels.iter().map(|label| label.as_ref().trim_ascii());
        Self {
            numbers: labels.clone().any(|label| label.parse().is_ok_and(f64::is_finite)),
            times: labels.any(|label| TimeScale::detect(label).is_some()),
        }
    }
}

impl Dialect {
    /// Label of a cell: text without the spaces around it, compared byte by byte; NULL if it is
    /// missing or empty.
    pub(crate) fn label_of(self, column: &str, looks: Looks) -> String {
        self.present(&self.typed(column, looks, &self.quickly_trimmed(column)))
    }

    /// Label from the text of [`untrimmed_label_of`].
    ///
    /// [`untrimmed_label_of`]: Self::untrimmed_label_of
    pub(crate) fn trimmed_label(self, text: &str) -> String {
        self.present(&self.quickly_trimmed(text))
    }

    /// Label of a cell, with the spaces around it.
    pub(crate) fn untrimmed_label_of(self, column: &str, looks: Looks) -> String {
        self.typed(column, looks, &self.text(column))
    }

    /// Time of a row as text: that of a label, or a number with all its digits.
    pub(crate) fn time_of(self, column: &str) -> String {
        let label = self.label_of(column, Looks::ANY);
        match self {
            Self::Sqlite => {
                let number = self.double_text(column);
                format!("CASE typeof({column}) WHEN 'real' THEN {number} ELSE {label} END")
            }
            _ => label,
        }
    }

    /// Condition that a cell holds something other than a time, where a column can hold anything.
    pub(crate) fn is_no_time(self, column: &str) -> Option<String> {
        match self {
            Self::Sqlite => Some(format!("typeof({column}) = 'blob'")),
            _ => self.is_no_label(column, Looks::ANY),
        }
    }

    /// Condition that a cell holds something other than a label, in dialects in which a column can
    /// hold anything, or anything can be written as text.
    pub(crate) fn is_no_label(self, column: &str, looks: Looks) -> Option<String> {
        let kind = format!("typeof({column})");
        match self {
            Self::Sqlite if looks.numbers => {
                Some(format!("{kind} = 'blob' OR ({kind} = 'real' AND NOT {})", is_whole(column)))
            }
            Self::Sqlite => Some(format!("{kind} IN ('real', 'blob')")),
            // Not of bits, bytes, intervals, times of day in a zone, and what is nested.
            Self::DuckDb => Some(format!(
                "NOT {}",
                duckdb_is(column, &[DUCKDB_NUMBERS, DUCKDB_TEXTS, DUCKDB_TIMES])
            )),
            Self::Postgres | Self::Spark | Self::BigQuery | Self::Snowflake => None,
        }
    }

    /// Text that is compared byte by byte; NULL if it is empty.
    fn present(self, text: &str) -> String {
        match self {
            // Columns keep their collation in casts.
            Self::Postgres | Self::DuckDb => format!("NULLIF({text}, '') COLLATE \"C\""),
            Self::Sqlite => format!("NULLIF({text}, '') COLLATE BINARY"),
            // An empty text is trimmed elsewhere, and becomes NULL there.
            Self::Spark => text.to_owned(),
            Self::BigQuery | Self::Snowflake => format!("COLLATE(NULLIF({text}, ''), '')"),
        }
    }

    /// Label of a cell as its type writes them, or `plain` if it is text.
    fn typed(self, column: &str, looks: Looks, plain: &str) -> String {
        let text = self.text(column);
        let (number, time) = match self {
            Self::Postgres => postgres(column, &text),
            Self::Sqlite => return sqlite(column, looks, plain),
            Self::DuckDb => duckdb(column, &text),
            Self::Spark => spark(column, &text),
            Self::BigQuery | Self::Snowflake => return plain.to_owned(),
        };
        let cases = [(looks.numbers, number), (looks.times, time)];
        let cases: String =
            cases.iter().filter(|(is_asked, _)| *is_asked).map(|(_, case)| case.as_str()).collect();
        match cases.as_str() {
            "" => plain.to_owned(),
            _ => format!("CASE{cases} ELSE {plain} END"),
        }
    }

    /// Text of a cell without the spaces around it.
    fn quickly_trimmed(self, column: &str) -> String {
        let trimmed = self.trimmed(column);
        if self != Self::Spark {
            return trimmed;
        }
        // It trims slowly: most labels have no space around them, which is quickly seen. All the
        // characters that are trimmed come before the exclamation mark.
        let text = self.text(column);
        let ends = [32, 9, 10, 12, 13]
            .map(|character| format!("endswith({text}, char({character}))"))
            .join(" OR ");
        format!("CASE WHEN {text} < '!' OR {ends} THEN NULLIF({trimmed}, '') ELSE {text} END")
    }
}

/// Label in SQLite, where each cell has a type of its own.
fn sqlite(column: &str, looks: Looks, plain: &str) -> String {
    let number = match looks.numbers {
        true => format!(" WHEN {} THEN CAST(CAST({column} AS INTEGER) AS TEXT)", is_whole(column)),
        false => String::new(),
    };
    format!("CASE WHEN typeof({column}) IN ('text', 'integer') THEN {plain}{number} END")
}

/// Condition that a cell of SQLite holds a whole number stored as a double that represents it
/// exactly.
fn is_whole(column: &str) -> String {
    format!(
        "(typeof({column}) = 'real' AND abs({column}) < 9e15 AND {column} = CAST({column} AS \
         INTEGER))"
    )
}

fn postgres(column: &str, text: &str) -> (String, String) {
    let kind = format!("pg_typeof({column})");
    // A double can have an exponent as text, a decimal number has none.
    let wide = format!(
        "CASE {kind} WHEN 'float4'::regtype THEN CAST(CAST(CAST({text} AS float4) AS float8) AS \
         text) ELSE {text} END"
    );
    let number =
        format!("CASE WHEN {text} ~ '[0-9]' THEN CAST(CAST({wide} AS numeric) AS text) END");
    let utc = format!(
        "CASE {kind} WHEN 'timestamptz'::regtype THEN CAST(CAST({text} AS timestamptz) AT TIME \
         ZONE 'UTC' AS text) ELSE {text} END"
    );
    (
        format!(
            " WHEN {kind} IN ('numeric'::regtype, 'float8'::regtype, 'float4'::regtype) THEN {}",
            without_zeros(&number, r"E'\\1\\2'")
        ),
        format!(
            " WHEN {kind} IN ('timestamp'::regtype, 'timestamptz'::regtype, 'time'::regtype) THEN \
             {}",
            in_threes(text, &utc, r"E'\\1'")
        ),
    )
}

/// Label in DuckDB, which knows the type of a column before it reads one, and drops the other
/// cases.
fn duckdb(column: &str, text: &str) -> (String, String) {
    let kind = format!("typeof({column})");
    let number = format!(
        "CASE {kind} WHEN 'FLOAT' THEN CAST(CAST(TRY_CAST({text} AS FLOAT) AS DOUBLE) AS VARCHAR) \
         ELSE {text} END"
    );
    let number = format!(
        "CASE WHEN {text} LIKE '%e-%' THEN CAST(TRY_CAST({number} AS DECIMAL(38, 37)) AS VARCHAR) \
         WHEN {text} LIKE '%e+%' THEN CAST(TRY_CAST({number} AS DECIMAL(38, 0)) AS VARCHAR) ELSE \
         NULLIF({number}, 'nan') END"
    );
    // A time with a time zone is followed by its distance from UTC.
    let utc = format!(
        "CASE {kind} WHEN 'TIMESTAMP WITH TIME ZONE' THEN CAST(make_timestamp(epoch_us(TRY_CAST(\
         {text} AS TIMESTAMPTZ))) AS VARCHAR) ELSE {text} END"
    );
    (
        format!(
            " WHEN {kind} IN ('DOUBLE', 'FLOAT') OR {kind} LIKE 'DECIMAL%' THEN {}",
            without_zeros(&number, r"'\1\2'")
        ),
        format!(" WHEN {kind} LIKE 'TIME%' THEN {}", in_threes(text, &utc, r"'\1'")),
    )
}

/// Label in Spark, which drops the other cases like [`duckdb`].
fn spark(column: &str, text: &str) -> (String, String) {
    let kind = format!("typeof({column})");
    let number = format!("TRY_CAST({text} AS DOUBLE)");
    let wide = format!(
        "CASE {kind} WHEN 'float' THEN CAST(CAST(TRY_CAST({text} AS FLOAT) AS DOUBLE) AS STRING) \
         ELSE {text} END"
    );
    let decimals = |places| {
        let number = format!("CAST(TRY_CAST({wide} AS DECIMAL(38, {places})) AS STRING)");
        without_zeros(&number, "'$1$2'")
    };
    let digits = "'yyyy-MM-dd HH:mm:ss.SSSSSS'";
    (
        format!(
            " WHEN {kind} IN ('double', 'float') THEN CASE WHEN abs({number}) < 9e15 AND {number} \
             = rint({number}) THEN CAST(CAST({number} AS BIGINT) AS STRING) WHEN {text} LIKE \
             '%E-%' THEN {} WHEN {text} LIKE '%E%' THEN {} ELSE NULLIF({wide}, 'NaN') END WHEN \
             {kind} LIKE 'decimal%' THEN {}",
            decimals(37),
            decimals(18),
            without_zeros(text, "'$1$2'")
        ),
        // Only JSON has a time zone that is not that of the session.
        format!(
            " WHEN {kind} LIKE 'timestamp%' THEN regexp_replace(get_json_object(to_json(\
             named_struct('t', {column}), map('timeZone', 'UTC', 'timestampFormat', {digits}, \
             'timestampNTZFormat', {digits})), '$.t'), '( 00:00:00)?[.]000000$|000$', '')"
        ),
    )
}

/// Number without zeros at the end, and zero without a sign; `kept` is a literal that refers to the
/// groups in brackets.
fn without_zeros(number: &str, kept: &str) -> String {
    format!("regexp_replace({number}, '^-(0)[.]0$|[.]0+$|([.][0-9]*[1-9])0+$', {kept})")
}

/// Time with three, six or nine decimals of a second, if `text` matches a time; at midnight the
/// date.
fn in_threes(text: &str, time: &str, kept: &str) -> String {
    format!(
        "regexp_replace({time} || CASE WHEN {text} LIKE '%.%' THEN '00' ELSE '' END, \
         '([.]([0-9]{{3}})+)[0-9]{{0,2}}$| 00:00:00$', {kept})"
    )
}
