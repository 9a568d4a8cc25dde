//! How far sums of independent terms reach: exactly for noise, by inequalities for samples.

mod chernoff;
mod laplace_sum;

pub(crate) use chernoff::{bernoulli, reach};
pub(crate) use laplace_sum::LaplaceSum;
