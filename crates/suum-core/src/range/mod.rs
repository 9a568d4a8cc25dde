//! A range for values without declared bounds, found privately.

mod found;
mod lattice;
mod memory;
mod plan;
mod records;
mod strata;

pub(crate) use found::normal_radius;
pub use found::{Bell, FoundRange};
pub use lattice::Lattice;
pub use memory::MemoryRecords;
pub use plan::{RangePlan, RangeShares};
pub use records::{Key, Records};
pub use strata::StrataRecords;
