//! Published algorithms that nobody should use for data: they are here to be studied, reproduced
//! and audited.
//!
//! Some draw while records are read ([`SampleMean`], [`DiffusionMean`], [`ReductionMean`]), which a
//! distributed engine that repeats its tasks would do twice; [`StretchMean`] is biased for any
//! number of records. Where a published form spends more than is allowed, the form here is
//! corrected, and its documentation says how.
//!
//! Mechanisms are integers only, in [`SampledSum`], [`StretchedSum`], [`SamplingProbability`] and
//! [`SparseVector`]; the weights and exact risks of `sample` and `stretch` are those of
//! [`Estimator`].
//!
//! [`Estimator`]: suum::Estimator

mod add_remove;
mod answer;
mod diffusion;
mod gaussian;
mod interval;
mod median;
mod octaves;
mod pairs;
mod radius;
mod range;
mod reduction;
mod sample;
mod sampled_sum;
mod sampling_probability;
mod sparse_vector;
mod stretch;
mod stretched_sum;
mod study;

pub use add_remove::ReductionMean;
pub use answer::{Answer, LevelSpending, Person, profile_of};
pub use diffusion::Diffusion;
pub use gaussian::DiffusionMean;
pub use median::GridMedian;
pub use pairs::PairScale;
pub use radius::Radius;
pub use range::DiffusionPlan;
pub use sample::SampleMean;
pub use sampled_sum::SampledSum;
pub use sampling_probability::SamplingProbability;
pub use sparse_vector::SparseVector;
pub use stretch::StretchMean;
pub use stretched_sum::StretchedSum;
pub use study::{PublishedEstimator, Question};
