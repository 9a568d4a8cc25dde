//! Private path: exact integers of the data, noise, and the sessions that let it through.
//!
//! Nothing in this folder is a floating-point number, except in tests.

mod cell_counts;
pub(crate) mod level_mechanism;
pub(crate) mod mechanism;
pub(crate) mod noise;
pub(crate) mod part;
mod records;
pub(crate) mod session;
mod sums;
mod table;
pub(crate) mod totals;
pub(crate) mod weights;

pub use cell_counts::{CellCounts, CellSums};
pub use mechanism::{
    CellRange, EndsQuery, FloatQuantile, FoundCounts, LevelLaplace, LocalLaplace, Mechanism,
    QuantileMechanism, RangeCheck, RangeChoice, RangeKeys, RankChoice, RankNode, RankQuery,
    RankQuestions, RankTree, Rappor, RefinedCounts, Refinement, WeightedCounts,
};
pub use noise::{DiscreteLaplace, Randomness, Run, SumZeroLaplace, TwoSlopes};
pub use records::Records;
pub use sums::ExactSum;
pub use table::{LevelSums, LevelTable, Measure, Numbers, QueryOrigins, QueryRows};
pub use totals::{Totals, TotalsQuestion};
pub use weights::{WeightTable, Weighting, least_scale};
