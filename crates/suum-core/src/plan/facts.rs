//! What a plan tells of itself, before and after it is followed.

use crate::{Bounds, Categories, ExpectedError, Options, Unit};

/// What is known of a plan, or of how a release was made.
#[derive(Default)]
pub(crate) struct Facts<'p> {
    /// The statistic's name, as in JSON.
    pub(crate) statistic: &'static str,
    /// The options, of several statistics those of the first plan.
    pub(crate) options: Option<&'p Options>,
    /// The declared bounds of numbers.
    pub(crate) bounds: Option<Bounds>,
    /// The categories, of shares.
    pub(crate) categories: Option<&'p Categories>,
    /// The estimator, where there is one for all.
    pub(crate) estimator: Option<&'static str>,
    /// What its error is in.
    pub(crate) unit: Unit,
    /// The expected error (root mean squared), as in [`Plan::rmse`](crate::Plan::rmse).
    pub(crate) rmse: Option<f64>,
    /// The same as a share of what there can be.
    pub(crate) relative_error: Option<f64>,
    /// The expected error in its parts; of a mean or a sum not that of the worst case.
    pub(crate) error: Option<ExpectedError>,
    /// That of the mean that is measured with a variance.
    pub(crate) error_of_mean: Option<ExpectedError>,
    /// Why a release would have no interval, or some quantiles would have none.
    pub(crate) no_interval: Option<&'static str>,
}

/// What can tell facts of itself.
pub(crate) trait HasFacts {
    /// All that it tells.
    fn facts(&self) -> Facts<'_>;
}
