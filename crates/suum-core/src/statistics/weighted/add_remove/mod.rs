//! Means, sums and frequencies under add-remove.

mod frequencies;
mod mean;
mod sum;

pub(crate) use sum::{NoiseOfSum, possible_sums};
