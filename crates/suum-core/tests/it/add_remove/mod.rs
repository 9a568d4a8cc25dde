//! Releases that hide who takes part: budgets, what can be seen, errors and intervals.
//!
//! Seeds are fixed, so that a test that has passed fails only when the code changes; what each
//! statistical check would raise in false alarms if draws changed is said at the check.

mod adaptive;
mod audit;
mod budgets;
mod coverage;
mod errors;
mod histogram;
mod people;
mod structure;
