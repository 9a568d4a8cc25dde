//! The same where it is hidden who takes part.

mod frequencies;
mod mean;
mod sum;

pub(crate) use sum::{NoiseOfSum, possible_sums};
