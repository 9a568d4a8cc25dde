//! A range for values without declared bounds, found privately.

mod found;
mod lattice;
mod mean;
mod places;
mod plan;
mod record;
mod records;

pub use found::{Bell, FoundRange};
pub use lattice::Lattice;
pub use mean::{RangeOptions, UnboundedMean};
pub use places::{Key, Places};
pub use plan::{RangePlan, RangeShares};
pub use records::Records;
