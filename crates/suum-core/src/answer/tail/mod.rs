//! Tails of sums of independent terms: exact for noise, by inequalities for samples.

mod chernoff;
mod laplace_sum;
mod shortfall;
mod sum_zero;
mod sum_zero_prefix;

pub(crate) use chernoff::{bernoulli, tail_bound};
pub(crate) use laplace_sum::LaplaceSum;
pub(crate) use shortfall::{Sample, Shortfall};
pub(crate) use sum_zero::{SumZeroShare, prefix_variance};
pub(crate) use sum_zero_prefix::prefix_half_widths;
