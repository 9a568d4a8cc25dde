//! Facts about a plan, or about the way a release was made.

use crate::{Bounds, Categories, ExpectedError, Options, Unit};

/// Facts about a plan, or about the way a release was made.
#[derive(Default)]
pub(crate) struct Facts<'p> {
    /// Name of the statistic, as in JSON.
    pub(crate) statistic: &'static str,
    /// Options; of several statistics those of the first plan.
    pub(crate) options: Option<&'p Options>,
    /// Declared bounds of numbers.
    pub(crate) bounds: Option<Bounds>,
    /// Categories of shares.
    pub(crate) categories: Option<&'p Categories>,
    /// Name of the estimator, if one is used for everything.
    pub(crate) estimator: Option<&'static str>,
    /// Unit of the error.
    pub(crate) unit: Unit,
    /// Expected error (root mean squared), as in [`Plan::rmse`](crate::Plan::rmse).
    pub(crate) rmse: Option<f64>,
    /// Expected error as a share of the largest possible value, as in
    /// [`Plan::relative_error`](crate::Plan::relative_error).
    pub(crate) relative_error: Option<f64>,
    /// Expected error in its parts; for a mean or a sum not that of the worst case.
    pub(crate) error: Option<ExpectedError>,
    /// Expected error of the mean that is measured with a variance.
    pub(crate) error_of_mean: Option<ExpectedError>,
    /// Reason why a release would have no interval, or some quantiles would have none.
    pub(crate) no_interval: Option<&'static str>,
}

/// Source of facts.
pub(crate) trait HasFacts {
    /// Returns all facts that are known.
    fn facts(&self) -> Facts<'_>;
}
