//! A range for values without declared bounds, found privately.

mod found;
mod memory;
mod plan;
mod strata;

pub(crate) use found::normal_radius;
pub use found::{FoundRange, NormalFit};
pub use memory::MemoryRecords;
pub use plan::{RangePlan, RangeShares};
pub use strata::StrataRecords;
