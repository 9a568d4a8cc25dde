//! The experiments, the published algorithms, and the program.

// Helpers outside of #[test] functions are tests too.
#![allow(clippy::unwrap_used, clippy::panic)]

mod audit;
mod budget;
mod coverage;
mod experiments;
mod people;
mod program;
mod range;
mod release;
mod sampling;
