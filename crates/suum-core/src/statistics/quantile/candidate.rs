//! An estimator with the weights it proposes, and the error they lead to.

use super::QuantileEstimator;
use crate::Weights;

/// The error of a rank, as a share of all people.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RankError {
    /// The variance of the noise, where the data are smooth and people are many; of several
    /// quantiles the largest.
    pub noise: f64,
    /// The variance of sampling (or the squared error of weighting) at the rank asked for that is
    /// nearest to 1/2.
    pub sampling: f64,
}

impl RankError {
    /// The root of the mean squared error of the rank, at most 1.
    pub fn rmse(self) -> f64 {
        (self.noise + self.sampling).sqrt().min(1.0)
    }
}

/// An estimator with the weights it proposes and the error they lead to.
#[derive(Debug, Clone, PartialEq)]
pub struct QuantileCandidate {
    /// The estimator.
    pub estimator: QuantileEstimator,
    /// One record's weight in the ranks, per level; all records together weigh 1.
    pub weights: Weights,
    /// β_j, the weight of each level's own quantile; for `mixed` alone.
    pub level_weights: Option<Vec<f64>>,
    /// τ, where budgets are clipped.
    pub tau: Option<f64>,
    /// The error of the rank.
    pub rank_error: RankError,
    /// The mean squared error on the reference data, in squared units of the data, averaged over
    /// the quantiles: that of normal data of which 16 standard deviations fill the bounds.
    pub risk: f64,
}
