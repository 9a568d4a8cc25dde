//! Expressions of a level query that differ between dialects.

use suum_core::Result;

use super::{Dialect, parts};

/// Types of DuckDB that are numbers, and that of a column of NULLs: patterns of their names.
pub(super) const DUCKDB_NUMBERS: &str = "BOOLEAN|U?(TINY|SMALL|BIG|HUGE)INT|U?INTEGER|FLOAT|DOUBLE|\
    DECIMAL[(].*[)]|\"NULL\"";

/// Types of DuckDB that are text: patterns of their names.
pub(super) const DUCKDB_TEXTS: &str = "VARCHAR|JSON|UUID|ENUM[(](?s:.*)[)]";

/// Spellings of a public budget, in lower case, as literals of a query.
const PUBLIC_WORDS: &str = "'inf', '+inf', 'infinity', '+infinity', '∞', '+∞'";

impl Dialect {
    /// Expression for exactly this double.
    pub(crate) fn double(self, number: f64) -> String {
        match self {
            Self::Sqlite => exact_double(number),
            // Decimal literals are not doubles in most dialects; all of them round a text to the
            // nearest double.
            _ => {
                let text = format!("{number:?}");
                format!(
                    "CAST('{}' AS {})",
                    text.strip_suffix(".0").unwrap_or(&text),
                    self.double_type()
                )
            }
        }
    }

    /// Expression for infinity as a double.
    pub(crate) fn infinity(self) -> String {
        match self {
            // Its numbers end where doubles do.
            Self::Sqlite => "9e999".to_owned(),
            Self::Postgres | Self::DuckDb | Self::Spark => {
                format!("CAST('Infinity' AS {})", self.double_type())
            }
            Self::BigQuery | Self::Snowflake => format!("CAST('inf' AS {})", self.double_type()),
        }
    }

    fn double_type(self) -> &'static str {
        match self {
            Self::Postgres => "DOUBLE PRECISION",
            Self::Sqlite => "REAL",
            Self::BigQuery => "FLOAT64",
            Self::DuckDb | Self::Spark | Self::Snowflake => "DOUBLE",
        }
    }

    fn text_type(self) -> &'static str {
        match self {
            Self::Postgres | Self::Sqlite => "TEXT",
            Self::DuckDb | Self::Snowflake => "VARCHAR",
            Self::Spark | Self::BigQuery => "STRING",
        }
    }

    /// Name of a type of integers of at least 64 bits.
    pub(crate) fn integer_type(self) -> &'static str {
        match self {
            Self::Postgres | Self::DuckDb | Self::Spark => "BIGINT",
            Self::Sqlite => "INTEGER",
            Self::BigQuery => "INT64",
            Self::Snowflake => "NUMBER(38, 0)",
        }
    }

    /// Expression for a missing text.
    pub(crate) fn nothing(self) -> String {
        self.text("NULL")
    }

    /// Expression for a missing integer.
    pub(crate) fn no_integer(self) -> String {
        format!("CAST(NULL AS {})", self.integer_type())
    }

    /// Converts an expression to text.
    pub(crate) fn text(self, expression: &str) -> String {
        format!("CAST({expression} AS {})", self.text_type())
    }

    /// Converts a cell to a double, rounded once; NULL if it is missing: NULL or NaN.
    ///
    /// In DuckDB and PostgreSQL a text is not read as the number that it spells, as in files with
    /// types.
    pub(crate) fn number_of(self, column: &str) -> String {
        let double = self.double_type();
        match self {
            Self::Sqlite => {
                format!(
                    "CASE WHEN typeof({column}) IN ('integer', 'real') THEN CAST({column} AS REAL) \
                    END"
                )
            }
            // From decimals and from integers of 128 bits DuckDB rounds twice, but not from text.
            // It knows the type of a column before it reads one, and leaves out the other cases.
            Self::DuckDb => format!(
                "NULLIF(CASE WHEN typeof({column}) LIKE 'DECIMAL%)' OR typeof({column}) LIKE \
                '%HUGEINT' THEN TRY_CAST(CAST({column} AS VARCHAR) AS DOUBLE) WHEN {} \
                THEN TRY_CAST({column} AS DOUBLE) END, CAST('NaN' AS DOUBLE))",
                duckdb_is(column, &[DUCKDB_NUMBERS])
            ),
            // The only one here in which NaN does not equal itself.
            Self::BigQuery => {
                format!("IF(IS_NAN(CAST({column} AS FLOAT64)), NULL, CAST({column} AS FLOAT64))")
            }
            // A cast that fails has the value in its message, and Spark logs that.
            Self::Spark => {
                format!("NULLIF(TRY_CAST({column} AS {double}), CAST('NaN' AS {double}))")
            }
            // Only numbers have the sign.
            Self::Postgres => {
                format!("NULLIF(CAST(+{column} AS {double}), CAST('NaN' AS {double}))")
            }
            Self::Snowflake => {
                format!("NULLIF(CAST({column} AS {double}), CAST('NaN' AS {double}))")
            }
        }
    }

    /// Converts a cell to the text of a number, with all its digits; a double as
    /// [`double_text`](Self::double_text) writes it. NULL if it is missing: NULL or NaN.
    pub(crate) fn digits_of(self, column: &str) -> String {
        let (digits, double) = (self.text(column), self.double_text(&self.number_of(column)));
        match self {
            Self::Sqlite => format!(
                "CASE typeof({column}) WHEN 'integer' THEN {digits} WHEN 'real' THEN {double} END"
            ),
            // The sign turns a domain into its base type.
            Self::Postgres => format!(
                "CASE WHEN pg_typeof(+{column}) IN ('float4'::regtype, 'float8'::regtype) THEN \
                 {double} ELSE NULLIF({digits}, 'NaN') END"
            ),
            // Their level queries refuse such numbers.
            _ => digits,
        }
    }

    /// Converts a cell to a budget: a number, or the word `inf`.
    pub(crate) fn budget_of(self, column: &str) -> String {
        match self {
            Self::Sqlite => format!(
                "CASE WHEN typeof({column}) IN ('integer', 'real') THEN CAST({column} AS REAL) \
                 WHEN lower({}) IN ({PUBLIC_WORDS}) THEN {} END",
                self.trimmed(column),
                self.infinity()
            ),
            Self::DuckDb => {
                format!("COALESCE({}, {})", self.number_of(column), self.spelled_budget(column))
            }
            // Texts, too.
            Self::Postgres => {
                let double = self.double_type();
                format!("NULLIF(CAST({column} AS {double}), CAST('NaN' AS {double}))")
            }
            _ => self.number_of(column),
        }
    }

    /// Budget that a text of DuckDB spells; NULL for other types.
    fn spelled_budget(self, column: &str) -> String {
        let trimmed = self.trimmed(column);
        format!(
            "CASE WHEN NOT {} THEN NULL WHEN lower({trimmed}) IN ({PUBLIC_WORDS}) THEN {} ELSE \
             NULLIF(TRY_CAST({trimmed} AS DOUBLE), CAST('NaN' AS DOUBLE)) END",
            duckdb_is(column, &[DUCKDB_TEXTS]),
            self.infinity()
        )
    }

    /// Text of a cell without the spaces around it.
    pub(crate) fn trimmed(self, column: &str) -> String {
        let text = self.text(column);
        match self {
            Self::Postgres => format!("btrim({text}, E' \\t\\n\\f\\r')"),
            Self::Sqlite => format!("trim({text}, char(32, 9, 10, 12, 13))"),
            Self::DuckDb => format!("trim({text}, ' ' || chr(9) || chr(10) || chr(12) || chr(13))"),
            Self::Spark => {
                format!("btrim({text}, concat(' ', char(9), char(10), char(12), char(13)))")
            }
            Self::BigQuery | Self::Snowflake => format!("TRIM({text}, ' \\t\\n\\f\\r')"),
        }
    }

    /// Condition that a cell holds something other than a number, in dialects whose conversion does
    /// not fail then.
    pub(crate) fn is_no_number(self, column: &str) -> Option<String> {
        let trimmed = self.trimmed(column);
        match self {
            Self::Sqlite => Some(format!(
                "typeof({column}) = 'blob' OR (typeof({column}) = 'text' AND {trimmed} <> '')"
            )),
            // It knows the type of a column before it reads one.
            Self::Spark => Some(format!(
                "typeof({column}) NOT IN ('double', 'float', 'bigint', 'int', 'smallint', \
                 'tinyint') AND TRY_CAST({column} AS DOUBLE) IS NULL AND {trimmed} <> ''"
            )),
            Self::DuckDb => Some(format!("NOT {}", duckdb_is(column, &[DUCKDB_NUMBERS]))),
            Self::Postgres | Self::BigQuery | Self::Snowflake => None,
        }
    }

    /// Condition that a cell holds something other than a budget, in dialects whose conversion does
    /// not fail then.
    pub(crate) fn is_no_budget(self, column: &str) -> Option<String> {
        let trimmed = self.trimmed(column);
        match self {
            Self::Sqlite => Some(format!(
                "typeof({column}) = 'blob' OR (typeof({column}) = 'text' AND \
                 lower({trimmed}) NOT IN ('', {PUBLIC_WORDS}))"
            )),
            Self::DuckDb => Some(format!(
                "NOT {} AND {trimmed} <> '' AND {} IS NULL",
                duckdb_is(column, &[DUCKDB_NUMBERS]),
                self.spelled_budget(column)
            )),
            _ => self.is_no_number(column),
        }
    }

    /// Text of a double that reads back as the same one.
    pub(crate) fn double_text(self, number: &str) -> String {
        match self {
            // The bits: how many digits a text has is a setting of the session.
            Self::Postgres => format!("'0x' || encode(float8send({number}), 'hex')"),
            Self::Sqlite => format!("printf('%!.17g', {number})"),
            Self::BigQuery => format!("FORMAT('%.17g', {number})"),
            Self::Snowflake => format!(
                "IFF({number} = {}, 'inf', TO_VARCHAR({number}, 'FM9.9999999999999999EEEE'))",
                self.infinity()
            ),
            Self::DuckDb | Self::Spark => self.text(number),
        }
    }

    /// ⌊x⌋ of a double that is not negative, as an integer.
    pub(crate) fn floor(self, position: &str) -> String {
        match self {
            // Not every SQLite has floor, and its cast truncates.
            Self::Sqlite => format!("CAST({position} AS INTEGER)"),
            // Elsewhere casts may round.
            Self::Postgres | Self::DuckDb | Self::Spark => {
                format!("CAST(floor({position}) AS BIGINT)")
            }
            Self::BigQuery => format!("CAST(FLOOR({position}) AS INT64)"),
            Self::Snowflake => format!("CAST(FLOOR({position}) AS NUMBER(38, 0))"),
        }
    }

    /// ⌊a/b⌋ of integers that are not negative.
    pub(crate) fn quotient(self, dividend: &str, divisor: &str) -> String {
        match self {
            Self::Postgres | Self::Sqlite => format!("(({dividend}) / ({divisor}))"),
            Self::DuckDb => format!("(({dividend}) // ({divisor}))"),
            Self::Spark => format!("(({dividend}) DIV ({divisor}))"),
            Self::BigQuery => format!("DIV({dividend}, {divisor})"),
            // Its division keeps six digits of the fraction, and rounds the rest.
            Self::Snowflake => {
                format!(
                    "CAST((({dividend}) - MOD({dividend}, {divisor})) / ({divisor}) AS NUMBER(38, \
                    0))"
                )
            }
        }
    }

    /// Table expression with the numbers 1 to `last`, at most 1000, to join with.
    pub(crate) fn series(self, last: u32) -> String {
        match self {
            Self::Postgres => format!("SELECT k FROM generate_series(1, {last}) AS series (k)"),
            Self::Sqlite => {
                let values: Vec<String> = (1..=last).map(|k| format!("({k})")).collect();
                format!("SELECT column1 AS k FROM (VALUES {})", values.join(", "))
            }
            Self::DuckDb => format!("SELECT k FROM range(1, {last} + 1) AS series (k)"),
            Self::Spark => format!("SELECT explode(sequence(1, {last})) AS k"),
            Self::BigQuery => format!("SELECT k FROM UNNEST(GENERATE_ARRAY(1, {last})) AS k"),
            Self::Snowflake => format!(
                "SELECT ROW_NUMBER() OVER (ORDER BY SEQ4()) AS k FROM TABLE(GENERATOR(ROWCOUNT => \
                {last}))"
            ),
        }
    }

    /// Sum of integers from 0 to two to the power of `bits`, at most 62, for
    /// [`total`](Self::total).
    pub(crate) fn sum(self, term: &str, bits: u32) -> String {
        match self {
            // Sums of 64-bit integers have 128 bits, or any number of digits.
            Self::Postgres | Self::DuckDb => format!("SUM({term})"),
            // SQLite has 64 bits and refuses what exceeds them: two parts of nine digits and the
            // rest do not.
            Self::Sqlite => format!(
                "printf('%d%09d', SUM(({term}) / 1000000000) + SUM(({term}) % 1000000000) / \
                1000000000, SUM(({term}) % 1000000000) % 1000000000)"
            ),
            Self::Spark => parts::sum(term, bits),
            Self::BigQuery => format!("SUM(CAST({term} AS BIGNUMERIC))"),
            Self::Snowflake => format!("SUM(CAST({term} AS NUMBER(38, 0)))"),
        }
    }

    /// Text of a [`sum`](Self::sum), or of a sum of several, over `records` records; a text that is
    /// no number if there are so many that the sum could have overflowed.
    pub(crate) fn total(self, sum: &str, records: &str) -> String {
        match self {
            Self::Spark => format!(
                "CASE WHEN {records} <= {} THEN {} ELSE '{}' END",
                parts::MOST_IN_PARTS,
                self.text(sum),
                parts::TOO_MANY_IN_CELL
            ),
            _ => self.text(sum),
        }
    }

    /// Returns true if the dialect computes a step twice that two others read.
    pub(crate) fn repeats_steps(self) -> bool {
        self == Self::Spark
    }

    /// Sum of integers that is known to stay far below 2^63, as an integer of 64 bits.
    pub(crate) fn small_sum(self, term: &str) -> String {
        match self {
            Self::Postgres | Self::DuckDb => format!("CAST(SUM({term}) AS BIGINT)"),
            Self::Sqlite | Self::Spark | Self::BigQuery | Self::Snowflake => format!("SUM({term})"),
        }
    }

    /// Returns true if the dialect fails on products that underflow, where others return zero.
    pub(crate) fn refuses_underflow(self) -> bool {
        self == Self::Postgres
    }

    /// Table or view by its name, qualified with those of its schema and catalog.
    pub(crate) fn table(self, names: &[String]) -> Result<String> {
        let quoted = names.iter().map(|name| self.identifier(name)).collect::<Result<Vec<_>>>()?;
        Ok(quoted.join("."))
    }
}

/// Condition that the type of a column of DuckDB has a name of one of these patterns.
pub(super) fn duckdb_is(column: &str, patterns: &[&str]) -> String {
    format!("regexp_full_match(typeof({column}), '{}')", patterns.join("|"))
}

/// Double computed from integers alone, which every version of SQLite represents exactly: its
/// decimal literals are not always the nearest double.
fn exact_double(number: f64) -> String {
    // Halves of this size are exact however they are read.
    if number.abs() < 1e12 && (2.0 * number).fract() == 0.0 {
        return format!("{:?}", number + 0.0);
    }
    let bits = number.abs().to_bits();
    let (exponent, fraction) = ((bits >> 52) as i32, bits & ((1 << 52) - 1));
    let (mantissa, exponent) = match exponent {
        0 => (fraction, -1074),
        _ => (fraction | 1 << 52, exponent - 1075),
    };
    let zeros = mantissa.trailing_zeros();
    let (mut mantissa, mut exponent) = (mantissa >> zeros, exponent + zeros as i32);
    // Integers of up to 53 bits as they are.
    while exponent > 0 && mantissa < 1 << 52 {
        mantissa <<= 1;
        exponent -= 1;
    }
    let mut text = format!("CAST({}{mantissa} AS REAL)", if number < 0.0 { "-" } else { "" });
    while exponent != 0 {
        let step = exponent.abs().min(52);
        let operator = if exponent < 0 { '/' } else { '*' };
        text += &format!(" {operator} {}", 1u64 << step);
        exponent -= step * exponent.signum();
    }
    if text.contains(" AS REAL) ") { format!("({text})") } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Evaluates the expression of integers in IEEE arithmetic.
    fn value(text: &str) -> f64 {
        let text = text.trim_start_matches('(').trim_end_matches(')');
        let Some(text) = text.strip_prefix("CAST(") else { return text.parse().unwrap() };
        let (mantissa, factors) = text.split_once(" AS REAL").unwrap();
        let mut value = mantissa.parse::<i64>().unwrap() as f64;
        let words: Vec<&str> = factors.trim_start_matches(')').split_whitespace().collect();
        for pair in words.chunks(2) {
            let factor = pair[1].parse::<u64>().unwrap() as f64;
            value = if pair[0] == "/" { value / factor } else { value * factor };
        }
        value
    }

    #[test]
    fn doubles_of_integers_are_short() {
        assert_eq!(exact_double(77.0), "77.0");
        assert_eq!(exact_double(-0.5), "-0.5");
        assert_eq!(exact_double(-0.25), "(CAST(-1 AS REAL) / 4)");
        assert_eq!(exact_double(-0.0), "0.0");
        assert_eq!(exact_double(1e15), "CAST(1000000000000000 AS REAL)");
    }

    proptest! {
        #[test]
        fn every_finite_double_is_spelled_exactly(bits: u64) {
            let number = f64::from_bits(bits);
            prop_assume!(number.is_finite() && number != 0.0);
            prop_assert_eq!(value(&exact_double(number)).to_bits(), bits);
        }
    }
}
