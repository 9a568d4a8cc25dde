//! The facade: what is released is what was planned, and charged what it cost.

// Helpers outside of #[test] functions are tests too.
#![allow(clippy::unwrap_used, clippy::panic)]

mod accountant;
mod audit;
mod groups;
mod kept_releases;
mod person_groups;
mod printed_intervals;
mod published;
mod queries;
mod simulated_risk;
mod survey;
mod warnings;
