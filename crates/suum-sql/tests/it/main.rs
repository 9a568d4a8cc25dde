//! Level queries, and sessions with databases.

// Helpers outside of #[test] functions are tests too.
#![allow(clippy::unwrap_used, clippy::panic)]

mod consent_over_time;
mod doors;
mod large_numbers;
mod postgres;
mod sql;
mod weights;
