//! Releases that hide who takes part: add-remove neighbours, for statistics with declared bounds or
//! categories.
//!
//! Datasets that differ by the presence of one record must not be told apart. So the number of
//! records, the budgets that occur, and every weight normalised by them are private. What is public
//! is declared: the budgets that people can have ([`DeclaredBudgets`]), the bounds or categories,
//! and the options.
//!
//! ```text
//! DeclaredBudgets ─► Session ────────────► what each budget has left ─┐
//! LevelTable ─────► NoisyProfile ─► τ ──► Totals, RankChoice ─────────┴─► Release
//! ```
//!
//! A record weighs W(ε) = ⌊min(what is left of ε, τ)·2^k⌋, whoever else is in the data. Every mean
//! is a ratio of noisy sums: instead of a sum and a count it has the distances from both bounds,
//! which a record moves together by exactly one range, so that nothing has to be split between them
//! (cf. Kulesza, Suresh and Wang 2024, *Mean estimation in the add-remove model of differential
//! privacy*).

mod beyond;
mod clamped_mean;
mod clamped_sum;
pub(crate) mod clip;
pub(crate) mod expected;
mod learning;
pub(crate) mod noisy_answer;
pub(crate) mod noisy_profile;
mod options;
pub(crate) mod people;
pub(crate) mod ratio;
mod record;
pub(crate) mod release;
mod request;
mod statistic;
mod unbounded;

pub use expected::{AddRemoveCandidate, AddRemovePlan};
pub use request::AddRemoveRequest;
pub(crate) use statistic::AddRemoveStatistic;
pub use unbounded::UnboundedAddRemove;
