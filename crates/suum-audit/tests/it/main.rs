//! The auditor: it catches what is broken, and accuses nothing that is not.

// Helpers outside of #[test] functions are tests too.
#![allow(clippy::unwrap_used, clippy::panic)]

mod alarms;
mod attacks;
mod cases;
mod rank_clamp;
mod registered;
mod specimens;
mod sum_zero;
