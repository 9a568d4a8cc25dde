//! What is asked of a database, whatever its kind.

use suum_core::Result;

use crate::dialect::Dialect;

/// A database that answers queries within one consistent snapshot.
pub trait Engine {
    /// The dialect it speaks.
    fn dialect(&self) -> Dialect;

    /// The names and types of the columns of a table or of a query.
    ///
    /// # Errors
    ///
    /// If there is no such relation, or it cannot be read.
    fn columns(&mut self, relation: &Relation) -> Result<Vec<Column>>;

    /// Runs a query and gives every row as text; `None` is NULL.
    ///
    /// # Errors
    ///
    /// If the database refuses the query or fails, and what `each` refuses. No message repeats what
    /// the database says of data.
    fn rows(
        &mut self,
        query: &str,
        each: &mut dyn FnMut(&[Option<&str>]) -> Result<()>,
    ) -> Result<()>;

    /// What the user should know of the connection, although there is one.
    fn warnings(&self) -> &[String] {
        &[]
    }
}

/// What is read of a database.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Relation {
    /// A table or view: its name, after those of its schema and catalog if they are said.
    Table(Vec<String>),
    /// A query in the dialect of the database, whose rows are the records.
    Query {
        /// The query.
        sql: String,
        /// Whether it is taken for row-wise without a look at it. Otherwise queries that are not
        /// known to be are refused.
        trusted: bool,
    },
}

/// A column of a relation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Column {
    /// Its name, as the database has it.
    pub name: String,
    /// What its type holds.
    pub kind: ColumnKind,
}

/// What the type of a column holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ColumnKind {
    /// Integers: of SQLite, where the column is declared so.
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
