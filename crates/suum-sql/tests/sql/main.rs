//! Level queries: what databases answer is what a scan of the same records finds.
#![allow(clippy::unwrap_used, clippy::panic)]

mod people;
mod postgres;
mod results;
mod same_table;
#[path = "../server/mod.rs"]
mod server;
mod snapshots;
mod sqlite_files;
