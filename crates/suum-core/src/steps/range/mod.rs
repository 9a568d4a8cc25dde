//! Private search for a range of values without declared bounds.

mod found_range;
mod memory;
mod plan;
mod strata;

pub(crate) use found_range::normal_radius;
pub use found_range::{FoundRange, NormalFit};
pub use memory::MemoryRecords;
pub use plan::{RangePlan, RangeShares};
pub use strata::{MemberRecords, StrataRecords};
