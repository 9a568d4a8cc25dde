//! Level tables where the data already are: the level query for databases and warehouses, and its
//! result.
//!
//! A level table is one GROUP BY on integers, so that any engine can compute it:
//!
//! ```text
//! Scan ──► LevelQuery ──► an Engine, or you ──► rows of text ──► LevelTable
//! options  SQL in a       SQLite, … or any      checked against
//!          Dialect        shell or warehouse    an independent count
//! ```
//!
//! Numbers take the same way as in a scan of files, operation for operation, so the same records
//! give the same table to the last bit. What a dialect cannot do as exactly is refused.
//!
//! # What is where
//!
//! `docs/reference/level-query.md` has the query and its result.
//!
//! * `query/`: from a scan to SQL. `steps` are the named steps of a query, `row_steps` (with
//!   `positions`) those from cells to records, `persons` those from rows to persons, `levels` (with
//!   `offsets`) those to sums, `result` the last one; `header` is what a result says of itself,
//!   `defect` what can be wrong with rows. `dialect/` has all that differs between engines; `parts`
//!   are sums of parts of integers.
//! * `row_wise/`: refuses queries of users that are not known to make each row from one record, and
//!   prints the others again from their tree. `parse` and `select` have the one form of a query,
//!   `expression` and `functions` what may stand in it, `roles` what has to be public.
//! * `engine`: what is asked of a database. `sqlite` is one, `postgres/` another, by a connection
//!   of suum-postgres. `open` says which one a text names; `scan` runs the query.
//! * `result/`: rows of text to level tables, of which nothing is trusted; `file/` reads them from
//!   CSV, Parquet and JSON. `rows`: all rows of a relation, where sums are not enough, on their way
//!   to suum-data.

mod columns;
mod dialect;
mod engine;
mod file;
mod keys;
mod open;
mod postgres;
mod query;
mod relation;
mod result;
mod row_wise;
mod rows;
mod scan;
mod sqlite;

pub use dialect::Dialect;
pub use engine::{Column, ColumnKind, Engine, Relation};
pub use file::{parse_result, read_result};
pub use open::{dialect_of, is_database, open};
pub use postgres::Postgres;
pub use query::LevelQuery;
pub use relation::columns;
pub use row_wise::QueryColumns;
pub use rows::{keep, keep_groups, read_consent, read_labels};
pub use scan::{scan, scan_groups};
pub use sqlite::Sqlite;
pub use suum_postgres::{is_postgres_url, without_password};
