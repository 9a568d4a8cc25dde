//! Weights of records, estimators, their exact risks, and lower bounds on every method's error, all
//! from public facts.

mod bound;
pub(crate) mod design;
pub(crate) mod estimator;
pub(crate) mod laplace_maximum;
pub(crate) mod risk;
mod setting;
mod shrink;
mod strata_summary;
mod tier_difference;
pub(crate) mod weights;

pub use bound::{gaussian_lower_bound, lower_bound, threshold_ratio_bound};
pub use design::{Design, Method};
pub use estimator::{Estimator, HpVariant, TYPICAL_VARIANCE, for_study};
pub use risk::Risk;
pub use setting::{SampleThreshold, Setting, Target};
pub use shrink::Shrinkage;
pub use strata_summary::{StrataSummary, Stratum};
pub use tier_difference::{Direction, RelativeDifference, TierDifference};
pub use weights::{Alone, Weights, Workers, personal_weights};
