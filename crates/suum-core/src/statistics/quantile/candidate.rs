//! Candidates in the comparison of estimators of quantiles.

use super::QuantileEstimator;
use crate::Weights;

/// Error of a rank, as a share of all people.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RankError {
    /// Variance of the noise, for smooth data and many people; of several quantiles the largest.
    pub noise: f64,
    /// Variance of sampling (or squared error of weighting) at the requested rank nearest to 1/2.
    pub sampling: f64,
}

impl RankError {
    /// Returns the root of the mean squared error of the rank, at most 1.
    pub fn rmse(self) -> f64 {
        (self.noise + self.sampling).sqrt().min(1.0)
    }
}

/// Estimator with the weights that it proposes, and the error that they lead to.
#[derive(Debug, Clone, PartialEq)]
pub struct QuantileCandidate {
    /// Estimator.
    pub estimator: QuantileEstimator,
    /// Weight of one record in the ranks, per level; all records together weigh 1.
    pub weights: Weights,
    /// Weight β_j of each level's own quantile; `None` except for `mixed`.
    pub level_weights: Option<Vec<f64>>,
    /// Clip level τ, if budgets are clipped.
    pub tau: Option<f64>,
    /// Error of the rank.
    pub rank_error: RankError,
    /// Mean squared error on the reference data, in squared units of the data, averaged over the
    /// quantiles. The reference is normal data of which 16 standard deviations fill the bounds.
    pub risk: f64,
}
