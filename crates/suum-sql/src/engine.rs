//! Interface to databases of any kind.

use suum_core::Result;

use crate::dialect::Dialect;

/// Database that answers queries within one consistent snapshot.
pub trait Engine {
    /// Dialect of the database.
    fn dialect(&self) -> Dialect;

    /// Names and types of the columns of a table or of a query.
    ///
    /// # Errors
    ///
    /// Fails if there is no such relation, or it cannot be read.
    fn columns(&mut self, relation: &Relation) -> Result<Vec<Column>>;

    /// Runs a query and passes every row as text to `each`; `None` is NULL.
    ///
    /// # Errors
    ///
    /// Fails if the database refuses the query or fails, or if `each` does. No message repeats text
    /// of the database about data.
    fn rows(
        &mut self,
        query: &str,
        each: &mut dyn FnMut(&[Option<&str>]) -> Result<()>,
    ) -> Result<()>;

    /// Warnings about the connection, although it was established.
    fn warnings(&self) -> &[String] {
        &[]
    }
}

/// Source of rows in a database.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Relation {
    /// Table or view: its name, after those of its schema and catalog if given.
    Table(Vec<String>),
    /// Query in the dialect of the database, whose rows are the records.
    Query {
        /// Text of the query.
        sql: String,
        /// True if the query is trusted to be row-wise without a check. Otherwise queries that are
        /// not known to be are refused.
        trusted: bool,
    },
}

/// Column of a relation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Column {
    /// Name, as the database has it.
    pub name: String,
    /// Kind of its type.
    pub kind: ColumnKind,
}

/// Kind of values that the type of a column holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ColumnKind {
    /// Integers; in SQLite, columns declared so.
    Integer,
    /// Other numbers.
    Number,
    /// Text, which can be a label.
    Label,
    /// Dates.
    Date,
    /// Dates with a time, or times of day.
    Time,
    /// Something else.
    Other,
}

impl ColumnKind {
    /// Returns true if values are one apart: integers, and dates as days.
    pub fn is_whole(self) -> bool {
        matches!(self, Self::Integer | Self::Date)
    }
}
