//! Functions and types that depend on one row only.

use sqlparser::ast::{DataType, Value};

use crate::dialect::Dialect;

/// Deterministic functions of one row, in the dialects that are supported. In some of them `max`
/// and `min` of several numbers are of one row too, but they are aggregates in all.
const FUNCTIONS: &str = "\
    abs add_months age ascii btrim cbrt ceil ceiling char_length character_length chr coalesce \
    concat concat_ws contains date date_add date_diff date_format date_part date_sub date_trunc \
    dateadd datediff datetime day dayofmonth dayofweek dayofyear decode div0 ends_with endswith \
    epoch exp extract floor format from_unixtime get_json_object greatest hash hex hour if iff \
    ifnull iif initcap instr is_inf is_nan isfinite isinf isnan isnull json_extract \
    json_extract_path_text json_extract_scalar json_extract_string json_value julianday least left \
    len length ln locate log log10 log2 lower lpad ltrim make_date md5 minute mod month nullif \
    nullifzero nvl nvl2 octet_length pg_typeof pow power printf quarter regexp_contains \
    regexp_extract regexp_like regexp_replace regexp_substr replace reverse right round rpad rtrim \
    safe_divide second sha256 sign split_part sqrt starts_with startswith strftime strpos strptime \
    substr substring timestamp_diff to_char to_date to_double to_number to_timestamp to_varchar \
    translate trim trunc truncate try_to_number typeof unix_timestamp upper week year zeroifnull";

/// Returns true if a function of this name is known to depend on one row only.
pub(super) fn is_of_one_row(name: &str) -> bool {
    FUNCTIONS.split_whitespace().any(|function| function == name)
}

/// Least number of arguments of a function: with fewer, some databases use the time at which a
/// query runs.
pub(super) fn least_arguments(name: &str) -> usize {
    if matches!(name, "age" | "strftime") { 2 } else { 1 }
}

/// Functions of DuckDB that read files as tables.
const FILE_READERS: &str = "\
    csv_scan parquet_scan read_csv read_csv_auto read_json read_json_auto read_ndjson \
    read_ndjson_auto read_parquet";

/// Returns true if DuckDB reads a file by the function of this name.
pub(super) fn reads_file(name: &str) -> bool {
    FILE_READERS.split_whitespace().any(|reader| reader == name)
}

/// Returns true if an option of a function that reads files drops no row, and lets no row affect
/// another, whatever the rows hold.
///
/// Quotes and separators other than the default ones could occur in a value.
pub(super) fn is_reader_option(name: &str, value: &Value) -> bool {
    match (name, value) {
        ("filename" | "header" | "hive_partitioning" | "union_by_name", Value::Boolean(_)) => true,
        ("delim" | "sep", Value::SingleQuotedString(text)) => {
            matches!(text.as_str(), "," | ";" | "|" | "\t" | "\\t")
        }
        _ => false,
    }
}

/// Returns true if the bare word at this place of a function's arguments is a unit of time.
pub(super) fn is_unit(dialect: Dialect, function: &str, at: usize, count: usize) -> bool {
    match (dialect, function) {
        (Dialect::BigQuery, "date_diff" | "timestamp_diff") => at == 2 && count == 3,
        (Dialect::BigQuery, "date_trunc") => at == 1 && count == 2,
        (Dialect::Snowflake, "datediff" | "dateadd") => at == 0 && count == 3,
        (Dialect::Snowflake, "date_trunc" | "date_part") => at == 0 && count == 2,
        (Dialect::Spark, "datediff" | "date_diff" | "dateadd") => at == 0 && count == 3,
        _ => false,
    }
}

/// Returns true if this word is a unit of time.
pub(super) fn is_unit_name(word: &str) -> bool {
    const UNITS: &str = "\
        day dayofweek dayofyear hour isoweek isoyear microsecond millisecond minute month quarter \
        second week year";
    UNITS.split_whitespace().any(|unit| word.eq_ignore_ascii_case(unit))
}

/// Returns true if a value of this type is a number, a text, a truth value or a time, converted by
/// the database itself.
pub(super) fn is_plain_type(data_type: &DataType) -> bool {
    match data_type {
        DataType::Character(_)
        | DataType::Char(_)
        | DataType::CharacterVarying(_)
        | DataType::CharVarying(_)
        | DataType::Varchar(_)
        | DataType::Nvarchar(_)
        | DataType::Text
        | DataType::String(_)
        | DataType::Uuid
        | DataType::Numeric(_)
        | DataType::Decimal(_)
        | DataType::BigNumeric(_)
        | DataType::BigDecimal(_)
        | DataType::Dec(_)
        | DataType::Float(_)
        | DataType::TinyInt(_)
        | DataType::UTinyInt
        | DataType::Int2(_)
        | DataType::SmallInt(_)
        | DataType::USmallInt
        | DataType::Int(_)
        | DataType::Int4(_)
        | DataType::Int8(_)
        | DataType::Int16
        | DataType::Int32
        | DataType::Int64
        | DataType::Int128
        | DataType::Integer(_)
        | DataType::HugeInt
        | DataType::UHugeInt
        | DataType::BigInt(_)
        | DataType::UBigInt
        | DataType::Float4
        | DataType::Float32
        | DataType::Float64
        | DataType::Real
        | DataType::Float8
        | DataType::Double(_)
        | DataType::DoublePrecision
        | DataType::Bool
        | DataType::Boolean
        | DataType::Date
        | DataType::Time(..)
        | DataType::Datetime(_)
        | DataType::Timestamp(..)
        | DataType::TimestampNtz(_) => true,
        // Words of one dialect that the parser has no type for.
        DataType::Custom(name, modifiers) => {
            const NAMES: [&str; 3] = ["number", "uinteger", "double"];
            let name = name.to_string();
            let is_number = |digits: &String| digits.bytes().all(|byte| byte.is_ascii_digit());
            modifiers.iter().all(is_number)
                && NAMES.iter().any(|known| name.eq_ignore_ascii_case(known))
        }
        _ => false,
    }
}
