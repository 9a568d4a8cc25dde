//! Steps before a statistic: the search for bounds, and learning where the values lie.

pub(crate) mod adaptive;
pub(crate) mod range;

pub use adaptive::{AdaptingCost, AdaptivePlan, CutOff, LearnedRange};
pub use range::{
    FoundRange, MemberRecords, MemoryRecords, NormalFit, RangePlan, RangeShares, StrataRecords,
};
