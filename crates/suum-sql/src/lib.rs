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

mod columns;
mod dialect;
mod engine;
mod file;
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
pub use open::{is_database, open};
#[doc(hidden)]
pub use postgres::postgres_settings;
pub use postgres::{Postgres, is_postgres_url, without_password};
pub use query::LevelQuery;
pub use rows::{keep, keep_groups};
pub use scan::{scan, scan_groups};
pub use sqlite::Sqlite;
