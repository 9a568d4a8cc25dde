//! Names of the one table that a query reads, and of its columns.

use sqlparser::ast::Ident;
use suum_core::Result;

use super::Refusal;
use crate::dialect::Dialect;
use crate::engine::Column;

/// Name of the table in the printed query.
pub(super) const ALIAS: &str = "suum_rows";

/// Columns that databases add to those of a table.
const HIDDEN: &str = "\
    cmax cmin ctid oid rowid _rowid_ tableoid xmax xmin _metadata _file_name _partitiontime \
    _partitiondate _table_suffix _change_type _change_timestamp file_row_number file_index";

/// Knowledge of the columns of a table.
#[derive(Debug, Clone, Copy)]
pub(super) enum Listing<'a> {
    /// All columns, as the database lists them.
    All(&'a [Column]),
    /// No columns, since no database can be asked. Hidden columns are known by their names.
    Unknown,
    /// No columns, and nothing is read: only the names in a query are of interest.
    NamesOnly,
}

/// Names of the table in a query, and its columns as far as they are known.
#[derive(Debug)]
pub(super) struct Names<'a> {
    /// Possible qualifiers of a column: parts of a name, the last one nearest to the column.
    pub(super) qualifiers: Vec<Vec<String>>,
    pub(super) listing: Listing<'a>,
}

impl Names<'_> {
    /// Column that these words name, as the database has it, and the words that follow it: the
    /// fields of a nested column.
    ///
    /// # Errors
    ///
    /// Refuses columns that the table does not have or does not list.
    pub(super) fn column<'b>(
        &self,
        dialect: Dialect,
        words: &'b [Ident],
    ) -> Result<(String, &'b [Ident])> {
        let of_table = self.qualifiers.iter().filter(|qualifier| {
            words.len() > qualifier.len()
                && words.iter().zip(*qualifier).all(|(word, name)| same(&word.value, name))
        });
        let skipped = of_table.map(Vec::len).max().unwrap_or(0);
        let (word, fields) =
            words[skipped..].split_first().ok_or_else(|| Refusal::NoSelect.error())?;
        Ok((self.one(dialect, word)?, fields))
    }

    /// Column of this name, as the database has it.
    fn one(&self, dialect: Dialect, word: &Ident) -> Result<String> {
        if word.quote_style == Some('\'') {
            return Err(Refusal::TextAsName.error());
        }
        let name = folded(dialect, word);
        let listed = match self.listing {
            Listing::All(listed) => listed,
            Listing::NamesOnly => return Ok(name),
            Listing::Unknown if may_be_hidden(&name) => {
                return Err(Refusal::NoColumn(&name).error());
            }
            Listing::Unknown => return Ok(name),
        };
        let mut exact = listed.iter().filter(|column| column.name == name);
        let mut alike = listed
            .iter()
            .filter(|column| !tells_case_apart(dialect) && column.name.eq_ignore_ascii_case(&name));
        let found = exact.next().or_else(|| alike.next());
        found.map(|column| column.name.clone()).ok_or_else(|| Refusal::NoColumn(&name).error())
    }
}

/// Quoted name of a column in a form that can only be a column of the table.
///
/// In PostgreSQL `row.name` can call a function of the row, but a name alone cannot; in the others
/// a name alone can be that of another item, or a text.
pub(super) fn qualify_column(dialect: Dialect, quoted: &str) -> String {
    match dialect {
        Dialect::Postgres => quoted.to_owned(),
        _ => format!("{ALIAS}.{quoted}"),
    }
}

/// Returns true if a name can be that of a column that a table does not list, or of a whole row.
pub(super) fn may_be_hidden(name: &str) -> bool {
    HIDDEN.split_whitespace().chain([ALIAS]).any(|hidden| same(hidden, name))
}

/// Returns true if a dialect tells apart names that differ in case alone.
fn tells_case_apart(dialect: Dialect) -> bool {
    matches!(dialect, Dialect::Postgres | Dialect::Snowflake)
}

/// Name as the database reads it, which folds the case of some that are not quoted.
pub(super) fn folded(dialect: Dialect, word: &Ident) -> String {
    match (dialect, word.quote_style) {
        // Letters beyond ASCII stay as they are.
        (Dialect::Postgres, None) => word.value.to_ascii_lowercase(),
        (Dialect::Snowflake, None) => word.value.to_uppercase(),
        _ => word.value.clone(),
    }
}

/// Returns true if two names differ only in case and spaces around them.
///
/// For privacy they are one name, also in databases that tell them apart.
pub(super) fn same(name: &str, other: &str) -> bool {
    // Some letters have one upper case and two lower ones.
    let folded = |name: &str| name.trim().to_uppercase().to_lowercase();
    folded(name) == folded(other)
}
