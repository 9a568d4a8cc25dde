//! Names of tables, as they are written on a command line.

use suum_core::{Error, QueryOrigins, QueryRows, Result, for_example, option};
use suum_data::Scan;

use crate::dialect::Dialect;
use crate::engine::{Column, Engine, Relation};
use crate::keys::with_keys;
use crate::row_wise::{self, Budgets};

/// Relation that may be read from a database.
pub(crate) struct CheckedRelation {
    /// Relation; a query is printed from its tree.
    pub(crate) relation: Relation,
    /// Check of the query, if it is one.
    pub(crate) rows: Option<QueryRows>,
    /// Columns of the table that those of a query are made of, if it was analyzed.
    pub(crate) origins: Option<QueryOrigins>,
}

/// Columns of a relation, with their names and types.
///
/// # Errors
///
/// Fails if there is no such relation, and refuses queries that are not known to be row-wise.
///
/// # Example
///
/// ```no_run
/// use suum_sql::{Relation, Sqlite, columns};
///
/// let mut database = Sqlite::open("people.sqlite")?;
/// for column in columns(&mut database, &Relation::query("SELECT visits FROM people"))? {
///     println!("{}", column.name);
/// }
/// # Ok::<(), suum_core::Error>(())
/// ```
pub fn columns(engine: &mut dyn Engine, relation: &Relation) -> Result<Vec<Column>> {
    match relation {
        Relation::Query { sql, trusted: false } => {
            let dialect = engine.dialect();
            let list = |names: &[String]| engine.columns(&Relation::Table(names.to_vec()));
            let printed = row_wise::print(dialect, sql, list)?;
            engine.columns(&Relation::Query { sql: printed, trusted: true })
        }
        Relation::Query { trusted: true, .. } | Relation::Table(_) => engine.columns(relation),
    }
}

/// Query without the semicolons at its end.
///
/// If one of them belongs to a comment, nothing is lost with it.
pub(crate) fn without_end(query: &str) -> &str {
    query
        .trim_start()
        .trim_end_matches(|character: char| character == ';' || character.is_whitespace())
}

impl Relation {
    /// Creates a relation from a query whose rows are the records. If it is not known to be
    /// row-wise, it is refused when it is run or printed.
    ///
    /// # Example
    ///
    /// ```
    /// use suum_data::{PrivacyColumn, Scan};
    /// use suum_sql::{Dialect, LevelQuery, Relation};
    ///
    /// let scan = Scan::new(PrivacyColumn::Budgets { column: "epsilon".into() }, None);
    /// let query = |sql| LevelQuery::new(Dialect::Sqlite, &Relation::query(sql), &scan);
    /// assert!(query("SELECT * FROM people").is_ok());
    /// let refused = query("SELECT epsilon FROM people GROUP BY house").unwrap_err();
    /// assert!(refused.to_string().starts_with("query: GROUP BY lets one record reach rows"));
    /// let refused = query("SELECT * FROM people WHERE health = 'poor'").unwrap_err();
    /// assert!(refused.to_string().contains("health, which is not declared public"));
    /// ```
    pub fn query(sql: impl Into<String>) -> Self {
        Self::Query { sql: sql.into(), trusted: false }
    }

    /// Relation for the database: a query is printed from its tree, with columns of the table if
    /// `list` returns them.
    ///
    /// # Errors
    ///
    /// Refuses queries that are not known to be row-wise, for this scan.
    pub(crate) fn checked(
        &self,
        dialect: Dialect,
        scan: &Scan,
        budgets: Budgets,
        list: impl FnOnce(&[String]) -> Result<Option<Vec<Column>>>,
    ) -> Result<CheckedRelation> {
        let rows = self.rows();
        match self {
            Self::Query { sql, trusted: false } => {
                let (sql, origins) = row_wise::check(dialect, sql, scan, budgets, list)?;
                let relation = Self::Query { sql, trusted: true };
                Ok(CheckedRelation { relation, rows, origins: Some(origins) })
            }
            Self::Query { trusted: true, .. } | Self::Table(_) => {
                Ok(CheckedRelation { relation: self.clone(), rows, origins: None })
            }
        }
    }

    /// Relation for the database, with columns that it lists.
    ///
    /// # Errors
    ///
    /// Refuses queries that are not known to be row-wise, for this scan.
    pub(crate) fn checked_by(
        &self,
        engine: &mut dyn Engine,
        scan: &Scan,
    ) -> Result<CheckedRelation> {
        let (dialect, scan) = (engine.dialect(), &*with_keys(scan)?);
        self.checked(dialect, scan, Budgets::OfColumn, |names| {
            engine.columns(&Self::Table(names.to_vec())).map(Some)
        })
    }

    /// Check of the query, if this is one.
    pub fn rows(&self) -> Option<QueryRows> {
        match self {
            Self::Table(_) => None,
            Self::Query { trusted: false, .. } => Some(QueryRows::Screened),
            Self::Query { trusted: true, .. } => Some(QueryRows::Trusted),
        }
    }

    /// Parses the name of a table, after those of its schema and catalog if given, separated by
    /// points.
    ///
    /// A name with a point in it stands in double quotes, and a double quote in those is doubled.
    ///
    /// # Errors
    ///
    /// Refuses empty names, more than three of them, and quotes that are not closed.
    ///
    /// # Example
    ///
    /// ```
    /// use suum_sql::Relation;
    ///
    /// assert_eq!(
    ///     Relation::table("survey.people")?,
    ///     Relation::Table(vec!["survey".into(), "people".into()])
    /// );
    /// assert_eq!(Relation::table("\"my.table\"")?, Relation::Table(vec!["my.table".into()]));
    /// assert!(Relation::table("survey.").is_err());
    /// # Ok::<(), suum_core::Error>(())
    /// ```
    pub fn table(text: &str) -> Result<Self> {
        let refused = |what: &'static str| {
            Error::parameter(option::TABLE, what).with_fix(
                for_example(option::TABLE, "people")
                    .say(",")
                    .set(option::TABLE, "survey.people")
                    .say("or")
                    .set(option::TABLE, "\"name.with.points\""),
            )
        };
        let mut names = vec![String::new()];
        let mut quoted = false;
        let mut characters = text.trim().chars().peekable();
        while let Some(character) = characters.next() {
            let Some(name) = names.last_mut() else { break };
            match character {
                '"' if quoted && characters.peek() == Some(&'"') => {
                    characters.next();
                    name.push('"');
                }
                '"' => quoted = !quoted,
                '.' if !quoted => names.push(String::new()),
                _ => name.push(character),
            }
        }
        if quoted {
            return Err(refused("a double quote is opened and never closed"));
        }
        if names.len() > 3 || names.iter().any(|name| name.is_empty() || name.contains('\0')) {
            return Err(refused("it is not the name of a table"));
        }
        Ok(Self::Table(names))
    }
}
