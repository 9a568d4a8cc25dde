//! The dialects of SQL that level queries are written in.

mod expressions;
mod labels;
mod moments;
mod parts;

pub(crate) use labels::Looks;
pub(crate) use parts::{HALF, MOST_IN_PARTS, TOO_MANY_IN_CELL, TOO_MANY_IN_TASK, halves, split};

use std::fmt;
use std::str::FromStr;

use suum_core::{Error, Result, option};

/// Dialect of SQL.
///
/// # Example
///
/// ```
/// use suum_sql::Dialect;
///
/// assert_eq!("duckdb".parse::<Dialect>()?, Dialect::DuckDb);
/// assert!("mysql".parse::<Dialect>().is_err());
/// # Ok::<(), suum_core::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Dialect {
    /// PostgreSQL.
    Postgres,
    /// SQLite.
    Sqlite,
    /// DuckDB.
    DuckDb,
    /// Apache Spark.
    Spark,
    /// Google BigQuery.
    BigQuery,
    /// Snowflake.
    Snowflake,
}

impl Dialect {
    /// All dialects.
    pub const ALL: [Self; 6] =
        [Self::Postgres, Self::Sqlite, Self::DuckDb, Self::Spark, Self::BigQuery, Self::Snowflake];

    /// Name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Postgres => "postgres",
            Self::Sqlite => "sqlite",
            Self::DuckDb => "duckdb",
            Self::Spark => "spark",
            Self::BigQuery => "bigquery",
            Self::Snowflake => "snowflake",
        }
    }

    /// Quotes a name for a query, whatever characters it has.
    ///
    /// # Errors
    ///
    /// Refuses empty names and the character U+0000, which no dialect has.
    ///
    /// # Example
    ///
    /// ```
    /// use suum_sql::Dialect;
    ///
    /// assert_eq!(Dialect::Postgres.identifier("a \"b\"")?, "\"a \"\"b\"\"\"");
    /// assert_eq!(Dialect::Spark.identifier("a `b`")?, "`a ``b```");
    /// # Ok::<(), suum_core::Error>(())
    /// ```
    pub fn identifier(self, name: &str) -> Result<String> {
        if name.is_empty() || name.contains('\0') {
            return Err(Error::parameter(
                "name",
                "a name in a database is empty, or holds the character U+0000",
            )
            .with_fix("check the names of the table and its columns"));
        }
        Ok(match self {
            Self::Postgres | Self::Sqlite | Self::DuckDb | Self::Snowflake => {
                format!("\"{}\"", name.replace('"', "\"\""))
            }
            Self::Spark => format!("`{}`", name.replace('`', "``")),
            Self::BigQuery => format!("`{}`", name.replace('\\', "\\\\").replace('`', "\\`")),
        })
    }

    /// Quotes a text for a query, whatever characters it has.
    ///
    /// # Errors
    ///
    /// Refuses the character U+0000, which not every dialect has.
    ///
    /// # Example
    ///
    /// ```
    /// use suum_sql::Dialect;
    ///
    /// assert_eq!(Dialect::Sqlite.literal("it's")?, "'it''s'");
    /// assert_eq!(Dialect::Spark.literal(r"it's \")?, r"'it\'s \\'");
    /// # Ok::<(), suum_core::Error>(())
    /// ```
    pub fn literal(self, text: &str) -> Result<String> {
        if text.contains('\0') {
            return Err(Error::parameter(
                "label",
                "it holds the character U+0000, which no database takes",
            )
            .with_fix("leave it out"));
        }
        // No line of a query ends within a text: queries are indented.
        let plain = |text: &str| format!("'{}'", text.replace('\'', "''"));
        let joined = |character: &str| {
            let broken = text.replace('\'', "''");
            let broken = broken.replace('\n', &format!("' || {character}(10) || '"));
            format!("('{}')", broken.replace('\r', &format!("' || {character}(13) || '")))
        };
        let escaped = || text.replace('\\', "\\\\").replace('\n', "\\n").replace('\r', "\\r");
        let breaks = text.contains(['\n', '\r']);
        Ok(match self {
            // Independent of standard_conforming_strings.
            Self::Postgres if breaks || text.contains('\\') => format!("E{}", plain(&escaped())),
            Self::Sqlite if breaks => joined("char"),
            Self::DuckDb if breaks => joined("chr"),
            Self::Postgres | Self::Sqlite | Self::DuckDb => plain(text),
            Self::Spark | Self::BigQuery | Self::Snowflake => {
                format!("'{}'", escaped().replace('\'', "\\'"))
            }
        })
    }
}

impl fmt::Display for Dialect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Dialect {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        Self::ALL.into_iter().find(|dialect| dialect.name() == text).ok_or_else(|| {
            let names = Self::ALL.map(Self::name).join(", ");
            Error::parameter(option::DIALECT, "it is not one that suum writes")
                .with_fix(format!("use one of {names}"))
        })
    }
}
