//! Exact noise: integers from a cryptographic generator, no floating point.

mod bernoulli;
mod discrete_laplace;
mod exponential;
#[cfg(test)]
mod law_tests;
#[cfg(test)]
#[path = "oracle_tests.rs"]
pub(crate) mod oracle;
mod permute_and_flip;
mod randomness;
mod run_choice;
mod run_flips;
mod sum_zero;
mod two_slopes;
mod uniform;

pub use discrete_laplace::DiscreteLaplace;
pub(crate) use exponential::UpperBounds;
pub use randomness::Randomness;
pub(crate) use run_choice::Envelope;
pub use run_choice::Run;
pub(crate) use run_flips::ShortRun;
pub use sum_zero::SumZeroLaplace;
pub use two_slopes::TwoSlopes;
