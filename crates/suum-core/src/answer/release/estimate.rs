//! Estimates.

use crate::{Interval, Quantity, Sensitivity};

/// A number and an interval around it, in units of the quantity.
#[derive(Debug, Clone, PartialEq)]
pub struct Estimate {
    /// What it is an estimate of.
    pub of: Quantity,
    /// The estimate.
    ///
    /// Of two quantiles, that of the larger rank is not below the other; each is one of the
    /// candidates (or, for `mixed`, between them). A share is the one after post-processing.
    pub estimate: f64,
    /// An interval for this quantity alone, at the stated confidence, with the estimate in it (of
    /// shares that [hold all at once](crate::Release::is_simultaneous) together with the others);
    /// `None` where there is none ([`Release::no_interval`](crate::Release::no_interval)).
    ///
    /// That of a share is around the share before post-processing. That of a quantile covers
    /// whatever ties and gaps the values have.
    pub interval: Option<Interval>,
    /// Dependence of the interval on budgets having nothing to do with values: of means, sums,
    /// shares and quantiles where it is public who takes part.
    pub sensitivity: Option<Box<Sensitivity>>,
}
