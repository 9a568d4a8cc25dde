//! A mean that first learns where the values lie.
//!
//! Declared bounds are often generous, and noise grows with their width. A part of the budgets,
//! first what the mean would leave over, finds a range that holds nearly all values; the mean of
//! the values clamped to it needs far less noise; what is left of the budgets measures how much was
//! cut off, so that the interval allows for whatever lies beyond.
//!
//! ```text
//! AdaptivePlan (public facts) ─► range ─► pilot ─► mean, and its spread ─► what was cut off
//!                                 └────────── one session, one certificate ──────────┘
//! ```

mod anywhere;
mod excess;
mod kept;
mod learned_range;
mod learning;
mod plan;
mod range_rule;
mod ranges;
mod release;

pub(crate) use anywhere::Anywhere;
pub(crate) use excess::Excess;
pub(crate) use kept::{MOST_BEYOND, OF_PLAIN, expected_length, shortest, usual_variance};
pub use learned_range::{AdaptingCost, CutOff, LearnedRange};
pub(crate) use learning::{C, Learning};
pub use plan::AdaptivePlan;
pub(crate) use range_rule::RangeRule;
