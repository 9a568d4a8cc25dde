//! Estimates.

use crate::{Interval, Quantity, Sensitivity};

/// Number with an interval around it, in units of the quantity.
#[derive(Debug, Clone, PartialEq)]
pub struct Estimate {
    /// Quantity that it is an estimate of.
    pub of: Quantity,
    /// Estimate.
    ///
    /// Of two quantiles, the one with the larger rank is not below the other; each is one of the
    /// candidates (or, for `mixed`, between them). A share is the one after post-processing.
    pub estimate: f64,
    /// Interval for this quantity alone, at the stated confidence, containing the estimate.
    /// Intervals of shares that [hold simultaneously](crate::Release::is_simultaneous) have it
    /// together with the others. `None` if there is none
    /// ([`Release::no_interval`](crate::Release::no_interval)).
    ///
    /// That of a share is around the share before post-processing. That of a quantile holds for any
    /// ties and gaps of the values.
    pub interval: Option<Interval>,
    /// Dependence of the interval on the assumption that budgets are unrelated to values: for
    /// means, sums, shares and quantiles under replace-one.
    pub sensitivity: Option<Box<Sensitivity>>,
}
