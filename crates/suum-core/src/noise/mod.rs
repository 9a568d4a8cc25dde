//! Exact noise: integers from a cryptographic generator, no floating point.

mod bernoulli;
mod discrete_laplace;
mod permute_and_flip;
mod randomness;
mod uniform;

pub use discrete_laplace::DiscreteLaplace;
pub use randomness::Randomness;
