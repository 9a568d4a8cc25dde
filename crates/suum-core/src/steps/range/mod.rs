//! A range for values without declared bounds, found privately.

mod found_range;
mod memory;
mod plan;
mod strata;

pub(crate) use found_range::normal_radius;
pub use found_range::{FoundRange, NormalFit};
pub use memory::MemoryRecords;
pub use plan::{RangePlan, RangeShares};
pub use strata::StrataRecords;
