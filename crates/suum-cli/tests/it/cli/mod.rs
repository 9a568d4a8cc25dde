//! The command, run as a user runs it.

mod assumed;
mod attacks;
mod audit;
pub(crate) mod common;
mod consent;
mod databases;
mod dates;
mod difference;
mod group_tables;
mod help;
mod hidden;
mod hidden_accounts;
mod ledger;
mod left_out;
mod plans;
mod promises;
mod refusals;
mod releases;
mod remarks;
mod screens;
mod several_columns;
mod statistics;
mod strata;
mod surveys;
mod transcripts;
mod unbounded;
