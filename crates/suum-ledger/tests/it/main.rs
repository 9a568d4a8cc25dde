//! The ledger as its users see it.

#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout, missing_docs)]

mod amendments;
mod columns;
mod common;
mod damage;
mod deltas;
mod dp_accounting;
mod elsewhere;
mod files;
mod laws;
mod migration;
mod moves;
mod persons;
mod processes;
mod rules;
mod tampering;
mod turns;
