//! The laws of the mathematics, over every registered estimator and statistic.

// Helpers outside of #[test] functions are tests too.
#![allow(clippy::unwrap_used, clippy::panic)]

mod adaptive;
mod add_remove;
mod budget;
mod caveats;
mod common;
mod concentrated;
mod coverage;
mod dice;
mod found;
mod frequency;
mod groups;
mod lower_bound;
mod on_record;
mod optimality;
#[path = "../../src/private/noise/oracle_tests.rs"]
mod oracle;
mod planned_intervals;
mod quantile;
mod quantile_intervals;
mod range;
mod rational;
mod reference;
mod release;
mod sensitivity;
mod spread;
mod strata;
mod strata_quantiles;
mod summary;
mod tier_difference;
mod tiers_apart;
mod variance;
