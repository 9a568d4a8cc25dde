//! The command, run as a user runs it.
#![allow(clippy::unwrap_used)]

mod common;
mod hidden;
mod ledger;
mod plans;
mod refusals;
mod releases;
mod statistics;
mod transcripts;
mod unbounded;
