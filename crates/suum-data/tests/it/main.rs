//! Tests that tables and refusals of scans depend on nothing but the records.

// The helpers outside of #[test] functions are tests too.
#![allow(clippy::unwrap_used)]

mod add_remove;
mod budget_limit;
mod buffer;
mod cells;
mod checksums;
mod common;
mod compressed;
mod consent;
mod consent_over_time;
mod crosstab;
mod csv_form;
mod each;
mod filter;
mod groups;
mod large_integers;
mod left_out;
mod level_file;
mod level_file_groups;
mod memory;
mod missing_choice;
mod no_panic;
mod nulls;
mod parquet_types;
mod person_groups;
mod person_values;
mod persons;
mod randhie;
mod refusals;
mod rows;
mod same_table;
mod sources;
mod times;
mod totals;
mod weights;
