//! A range for values without declared bounds, found privately.

mod float_order;
mod found;
mod memory;
mod plan;
mod records;
mod strata;

pub use float_order::FloatOrder;
pub(crate) use found::normal_radius;
pub use found::{FoundRange, NormalFit};
pub use memory::MemoryRecords;
pub use plan::{RangePlan, RangeShares};
pub use records::{Key, Records};
pub use strata::StrataRecords;
