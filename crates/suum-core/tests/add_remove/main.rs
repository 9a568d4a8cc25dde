//! Releases that hide who takes part: budgets, what can be seen, errors and intervals.
//!
//! Seeds are fixed, so that a test that has passed fails only when the code changes; what each
//! statistical check would raise in false alarms if draws changed is said at the check.
#![allow(clippy::unwrap_used, clippy::panic)]

mod audit;
mod budgets;
#[path = "../common/mod.rs"]
#[allow(dead_code)]
mod common;
mod coverage;
#[path = "../dice/mod.rs"]
#[allow(dead_code)]
mod dice;
mod errors;
#[path = "../common/exact.rs"]
#[allow(dead_code)]
mod exact;
mod people;
mod structure;
