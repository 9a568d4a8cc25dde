//! Where the records of a job are.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::Serialize;
use suum_core::{Error, Result};
use suum_data::{CsvForm, Delimiter, Encoding, Filter};

use crate::query::command::said;
use crate::query::{Entries, Labels, schema};

/// What is said of records, and not of a level table.
const OF_RECORDS: &str =
    "data table query where consent privacy epsilon person null missing missing_consent rows";

/// Where records, or their level table, come from.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, JsonSchema)]
#[serde(default)]
pub struct DataSource {
    /// A CSV (also .gz and .zst) or Parquet file, a folder or a glob of them, - for CSV on standard
    /// input, a SQLite file (also as sqlite:PATH), or a PostgreSQL database
    /// (postgresql://USER@HOST/DATABASE).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub data: Option<String>,
    /// The table or view of a database, as NAME or SCHEMA.NAME.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-not" = "query"))]
    pub table: Option<String>,
    /// A query whose rows are the records of a database: a SELECT in its dialect.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-value" = "SQL"))]
    pub query: Option<String>,
    /// You have checked that the query is row-wise: each record gives at most one row, computed
    /// from that record alone, and whether it gives one does not depend on private values. Without
    /// this, queries that are not known to be row-wise are refused.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[schemars(extend("x-needs" = "query", "x-not" = "table from_levels"))]
    pub trust_query: bool,
    /// Only records of which this is true: comparisons of columns with constants by =, <>, <,
    /// <=, >, >=, IN, BETWEEN and IS NULL, joined by AND, OR and NOT, as in SQL. Unless it is
    /// hidden who takes part, the columns must be public: tier, budget, person, group, or one of
    /// `public_columns`; with `person` one of these.
    #[serde(rename = "where", skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String", extend("x-value" = "CONDITION"))]
    pub filter: Option<Filter>,
    /// Columns that everybody may know of everybody, for good. A query may compute tiers, budgets,
    /// persons, groups and its WHERE from these alone. A ledger refuses others as group, tier,
    /// budget or person once it protects their values, and as value once they were one of these.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "schema::names", extend("x-value" = "COL,…"))]
    pub public_columns: Option<Labels>,
    /// What separates the cells of CSV files: for example ';', or tab. Default: a comma.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String", extend("x-value" = "CHARACTER", "x-needs" = "data"))]
    pub delimiter: Option<Delimiter>,
    /// How the text of CSV files is encoded: utf-8, or latin-1. Default: utf-8.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String", extend("x-value" = "NAME", "x-needs" = "data"))]
    pub encoding: Option<Encoding>,
    /// A CSV or Parquet file with the column of `privacy` or `epsilon`, which the data then lack:
    /// one line for each key. A record whose key it lacks is refused, or counts as
    /// `missing_consent` says.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-value" = "FILE", "x-needs" = "key", "x-not" = "table query"))]
    pub consent: Option<String>,
    /// The column of keys in the data and in the `consent` file: COL, or COL=COL if they differ;
    /// often that of `person`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-value" = "COL[=COL]", "x-needs" = "consent"))]
    pub key: Option<String>,
    /// A level table in place of data: JSON from `suum levels`, or the result of `suum levels-sql`
    /// as CSV, Parquet or JSON.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-value" = "FILE", "x-not" = OF_RECORDS))]
    pub from_levels: Option<String>,
}

impl DataSource {
    /// Takes what the entries say of the source, and leaves the rest.
    pub(crate) fn take(entries: &mut Entries) -> Result<Self> {
        Ok(Self {
            data: entries.name("data")?,
            table: entries.name("table")?,
            query: entries.name("query")?,
            trust_query: entries.flag("trust_query")?,
            filter: entries.choice("where")?,
            public_columns: entries.labels("public_columns")?,
            delimiter: entries.choice("delimiter")?,
            encoding: entries.choice("encoding")?,
            consent: entries.name("consent")?,
            key: entries.name("key")?,
            from_levels: entries.name("from_levels")?,
        })
    }

    /// The words of a command that stand for the data.
    pub(super) fn words(&self) -> Vec<String> {
        match self.from_levels {
            Some(_) => said("from_levels", Some("LEVELS")),
            None => vec!["DATA".to_owned()],
        }
    }

    /// The names of the columns that are declared public.
    pub(crate) fn declared_public(&self) -> BTreeSet<String> {
        let names = self.public_columns.iter().flat_map(|Labels(names)| names);
        names.cloned().collect()
    }

    /// How CSV files are written.
    pub(crate) fn csv_form(&self) -> CsvForm {
        CsvForm {
            delimiter: self.delimiter.unwrap_or_default(),
            encoding: self.encoding.unwrap_or_default(),
        }
    }

    /// What is said of CSV files, if anything is.
    pub(crate) fn said_of_csv(&self) -> Option<&'static str> {
        let delimiter = self.delimiter.map(|_| "delimiter");
        delimiter.or(self.encoding.map(|_| "encoding"))
    }

    /// The refusal of what is said of CSV files, where there are none.
    pub(crate) fn no_csv(option: &str) -> Error {
        Error::request(format!("{option}: it is said of CSV files, and none is read"))
            .with_hint(format!("leave --{option} out, or name a CSV file as the data"))
    }
}
