//! Words of SQL, by whether they look at more than one row.

use suum_core::Error;

/// Why a query is not row-wise.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reason {
    /// A row is made of several records.
    Merges,
    /// Whether a record gives a row depends on other records.
    Chooses,
    /// A record can give several rows.
    Multiplies,
    /// It reads rows in a way that is not looked into.
    Nests,
}

impl Reason {
    fn says(self) -> &'static str {
        match self {
            Self::Merges => "lets one record reach rows that are made of others",
            Self::Chooses => "lets other records decide whether a record gives a row",
            Self::Multiplies => "can give several rows for one record",
            Self::Nests => "reads rows in a way that suum does not look into",
        }
    }

    /// The refusal of a query with this word.
    pub(super) fn refuse(self, word: &str) -> Error {
        refused(&format!("{word} {}", self.says()))
    }
}

/// The refusal of a query that is not known to be row-wise.
pub(super) fn refused(what: &str) -> Error {
    Error::request(format!("query: {what}")).with_hint(
        "leave it out, or add --trust-query if you have checked that the query is row-wise \
         (docs/how-to/databases.md); a column of that name stands in quotes",
    )
}

/// Why a query with this keyword is not row-wise, as far as that can be known.
pub(super) fn reason(word: &str) -> Option<Reason> {
    Some(match word {
        "group" | "having" | "over" | "window" | "within" | "filter" | "rollup" | "cube" => {
            Reason::Merges
        }
        "distinct" | "limit" | "offset" | "fetch" | "tablesample" | "sample" | "qualify"
        | "union" | "intersect" | "except" | "minus" => Reason::Chooses,
        "join" | "natural" | "lateral" | "unnest" | "explode" | "flatten" | "pivot" | "unpivot" => {
            Reason::Multiplies
        }
        "select" | "with" | "exists" | "values" | "table" | "connect" | "match_recognize" => {
            Reason::Nests
        }
        _ => return None,
    })
}

/// Words behind which a text is a text. Behind others it can be a name, as in `total AS 'visits'`.
pub(super) const BEFORE_TEXTS: &str = "\
    and between by case date else escape from glob ilike in interval is like match not on or \
    regexp rlike select similar then time timestamp timestamptz to when where xor";

/// Aggregates of whole rows, which PostgreSQL also takes as a column: `people.count`.
pub(super) const OF_ROWS: &str = "\
    any_value array_agg count json_agg json_agg_strict jsonb_agg jsonb_agg_strict max min";

/// What can stand before a parenthesis and is no function.
const KEYWORDS: &str = "\
    and as between by case else end escape exclude from ilike in is like not on or regexp \
    rename rlike select similar then to using when where xor div interval collate glob order";

/// Types with a length or precision.
const TYPES: &str = "\
    bigdecimal bignumeric binary bit char character dec decimal float number numeric nvarchar \
    string time timestamp timestamptz varbinary varchar varying";

/// Functions of one row in the dialects that are written here. In some of them `max` and `min` of
/// several numbers are of one row too, but they are aggregates in all.
const FUNCTIONS: &str = "\
    abs add_months age ascii btrim cast cbrt ceil ceiling char_length character_length chr \
    coalesce concat concat_ws convert contains date date_add date_diff date_format date_part \
    date_sub date_trunc dateadd datediff datetime day dayofmonth dayofweek dayofyear decode \
    ends_with endswith epoch exp extract floor format from_unixtime get_json_object greatest \
    hash hex hour if iff ifnull iif initcap instr is_inf is_nan isfinite isinf isnan isnull \
    json_extract json_extract_path_text json_extract_scalar json_extract_string json_value \
    julianday least left len length ln locate log log10 log2 lower lpad ltrim make_date md5 \
    minute mod month nullif nullifzero nvl nvl2 octet_length overlay pg_typeof position pow \
    power printf quarter regexp_contains regexp_extract regexp_like regexp_replace \
    regexp_substr replace reverse right round rpad rtrim safe_cast second sha256 sign \
    split_part sqrt starts_with startswith strftime strpos strptime substr substring \
    timestamp_diff to_char to_date to_double to_number to_timestamp to_varchar translate trim \
    trunc truncate try_cast try_to_number typeof unix_timestamp upper week year";

/// Whether a parenthesis behind this word is of one row, as far as that can be known.
pub(super) fn is_of_one_row(word: &str) -> bool {
    [KEYWORDS, TYPES, FUNCTIONS].iter().any(|list| is_in(list, word))
}

/// Whether this word is a keyword in every dialect, and no column unless it is in quotes.
pub(super) fn is_reserved(word: &str) -> bool {
    const RESERVED: &str = "\
        and as between by case else end false from in is like not null on or order then true \
        when where";
    is_in(RESERVED, word)
}

/// Functions of DuckDB that read files as tables.
pub(super) const FILE_READERS: &str = "\
    csv_scan parquet_scan read_csv read_csv_auto read_json read_json_auto read_ndjson \
    read_ndjson_auto read_parquet";

/// Whether a list of words has this one.
pub(super) fn is_in(list: &str, word: &str) -> bool {
    list.split_whitespace().any(|one| one == word)
}
