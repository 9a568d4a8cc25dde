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

mod aim;
mod anywhere;
mod excess;
mod kept;
mod learned;
mod learning;
mod plan;
mod ranges;
mod release;

pub(crate) use aim::Aim;
pub(crate) use anywhere::Anywhere;
pub(crate) use excess::Excess;
pub(crate) use kept::{MOST_BEYOND, OF_PLAIN, expected_length, shortest, usual_variance};
pub use learned::{AdaptingCost, CutOff, LearnedRange};
pub(crate) use learning::{C, Learning};
pub use plan::AdaptivePlan;
