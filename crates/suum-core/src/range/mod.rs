//! A range for values without declared bounds, found privately.

mod diffused;
mod diffusion;
mod estimator;
mod found;
mod lattice;
mod mean;
mod median;
mod octaves;
mod pairs;
mod places;
mod plan;
mod radius;
mod record;
mod records;
mod search;

pub use diffused::DiffusionPlan;
pub use diffusion::Diffusion;
pub use estimator::RangeEstimator;
pub use found::{Bell, FoundRange};
pub use lattice::Lattice;
pub use mean::{RangeOptions, UnboundedMean};
pub use median::GridMedian;
pub use pairs::PairScale;
pub use places::{Key, Places};
pub use plan::{RangePlan, RangeShares};
pub use radius::Radius;
pub use records::Records;
pub use search::RangeSearch;
