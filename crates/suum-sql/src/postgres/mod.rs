//! PostgreSQL: one session, one read-only transaction, one snapshot.

mod copy_text;
mod kind;

use std::io::BufRead;

use postgres::Statement;
use suum_core::{Error, Result};
use suum_postgres::{Connection, broken_off, query_error};

use crate::dialect::Dialect;
use crate::engine::{Column, Engine, Relation};
use crate::relation::without_end;
use kind::column_kind;

/// Oldest version that writes a double as the shortest text that reads back to it.
const OLDEST_VERSION: u32 = 12;

/// Session with a PostgreSQL server.
///
/// It is one transaction, `REPEATABLE READ, READ ONLY`: all its queries see the same snapshot, and
/// none can change anything. It ends when it is dropped. After a refused query, no other can be
/// run.
///
/// # Example
///
/// ```no_run
/// use suum_sql::{Engine, Postgres};
///
/// let mut session =
///     Postgres::connect("postgresql://ada@db.example.org/survey?sslmode=verify-full")?;
/// session.rows("SELECT privacy, count(*) FROM people GROUP BY privacy", &mut |cells| {
///     assert_eq!(cells.len(), 2);
///     Ok(())
/// })?;
/// # Ok::<(), suum_core::Error>(())
/// ```
#[derive(Debug)]
pub struct Postgres {
    connection: Connection,
}

impl Postgres {
    /// Connects like programs with libpq, to a `postgresql://` or `postgres://` URL: see
    /// [`suum_postgres`].
    ///
    /// # Errors
    ///
    /// Refuses settings that cannot be used, and those that ask for protection which is not
    /// available. Fails if no server accepts the connection, or if it is older than version 12. No
    /// message has a password, or text of the server.
    pub fn connect(url: &str) -> Result<Self> {
        Self::connect_with(url, |variable| std::env::var(variable).ok())
    }

    /// Connects like [`connect`](Self::connect), with other environment variables than those of the
    /// process.
    ///
    /// # Errors
    ///
    /// Fails like [`connect`](Self::connect).
    ///
    /// # Example
    ///
    /// ```
    /// use suum_sql::Postgres;
    ///
    /// let refused =
    ///     Postgres::connect_with("postgresql://db.example.org", |variable| match variable {
    ///         "PGSSLMODE" => Some("sometimes".to_owned()),
    ///         _ => None,
    ///     });
    /// assert!(refused.unwrap_err().to_string().starts_with("sslmode"));
    /// ```
    pub fn connect_with(url: &str, environment: impl Fn(&str) -> Option<String>) -> Result<Self> {
        let mut session = Self { connection: Connection::open(url, environment)? };
        session.begin()?;
        Ok(session)
    }

    fn begin(&mut self) -> Result<()> {
        // Text depends on these settings. `search_path` and time limits stay as they are set for
        // the user.
        self.connection
            .client()
            .batch_execute(
                "BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY; \
                 SET LOCAL extra_float_digits = 1; SET LOCAL standard_conforming_strings = on; SET \
                 LOCAL DateStyle = 'ISO, YMD'; SET LOCAL IntervalStyle = 'postgres'; SET LOCAL \
                 bytea_output = 'hex'",
            )
            .map_err(|error| query_error("transaction", &error))?;
        // The first query takes the snapshot.
        let mut version = None;
        self.rows("SELECT pg_catalog.current_setting('server_version_num')", &mut |cells| {
            version = cells.first().copied().flatten().and_then(|text| text.parse::<u32>().ok());
            Ok(())
        })?;
        match version {
            Some(version) if version / 10_000 >= OLDEST_VERSION => Ok(()),
            _ => Err(Error::io(
                format!("PostgreSQL at {}", self.connection.server()),
                "the server is older than version 12",
            )
            .with_fix("use a newer server, or export the table as CSV and release from that")),
        }
    }

    /// Makes the server parse a query without running it.
    ///
    /// In this part of the protocol the server accepts one statement only. So a query that passes
    /// is one whole statement, and none of its parentheses or comments extends into the text around
    /// it.
    fn prepare(&mut self, what: &str, query: &str) -> Result<Statement> {
        let statement =
            self.connection.client().prepare(query).map_err(|error| query_error(what, &error))?;
        if statement.columns().is_empty() {
            return Err(Error::parameter(what.to_owned(), "it does not give any column")
                .with_fix("give exactly one SELECT, with the columns that are needed"));
        }
        if !statement.params().is_empty() {
            return Err(Error::parameter(
                what.to_owned(),
                "it has a place for a parameter, such as $1",
            )
            .with_fix("write the value in its place"));
        }
        Ok(statement)
    }
}

impl Engine for Postgres {
    fn dialect(&self) -> Dialect {
        Dialect::Postgres
    }

    fn warnings(&self) -> &[String] {
        self.connection.warnings()
    }

    fn columns(&mut self, relation: &Relation) -> Result<Vec<Column>> {
        let (what, rows) = match relation {
            Relation::Table(names) => {
                (format!("table {}", names.join(".")), Dialect::Postgres.table(names)?)
            }
            Relation::Query { sql, .. } => {
                let query = without_end(sql);
                self.prepare("query", query)?;
                ("query".to_owned(), format!("({query}\n) AS suum"))
            }
        };
        let statement = self.prepare(&what, &format!("SELECT * FROM {rows}"))?;
        let column = |column: &postgres::Column| Column {
            name: column.name().to_owned(),
            kind: column_kind(column.type_()),
        };
        Ok(statement.columns().iter().map(column).collect())
    }

    fn rows(
        &mut self,
        query: &str,
        each: &mut dyn FnMut(&[Option<&str>]) -> Result<()>,
    ) -> Result<()> {
        const WHAT: &str = "query";
        let query = without_end(query);
        let columns = self.prepare(WHAT, query)?.columns().len();
        // COPY sends rows as text while they come, and lets the server plan as for a plain SELECT.
        let copy = format!("COPY (\n{query}\n) TO STDOUT");
        let mut reader =
            self.connection.client().copy_out(&copy).map_err(|error| query_error(WHAT, &error))?;
        let mut rows = copy_text::Rows::new(columns);
        let mut line = Vec::new();
        loop {
            line.clear();
            let read = reader.read_until(b'\n', &mut line).map_err(|error| {
                match error.get_ref().and_then(|inner| inner.downcast_ref::<postgres::Error>()) {
                    Some(error) => query_error(WHAT, error),
                    None => broken_off(Some(error.kind())),
                }
            })?;
            if read == 0 {
                return Ok(());
            }
            if let Err(error) = rows.cells(&line).and_then(|cells| each(&cells)) {
                drop(reader);
                self.connection.cancel();
                return Err(error);
            }
        }
    }
}
