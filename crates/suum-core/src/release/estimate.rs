//! Estimates, and what they are of.

use std::fmt;

use crate::{Interval, Rank};

/// What an estimate is of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Quantity {
    /// The mean of the values.
    Mean,
    /// The sum of the values.
    Sum,
    /// The number of records.
    Count,
    /// The variance, in squared units of the data.
    Variance,
    /// The standard deviation: the root of the variance.
    Deviation,
    /// The value below which this share of the records lies.
    Quantile(Rank),
    /// The share of the records in this category.
    Share(String),
}

impl Quantity {
    /// Whether it is a value as those of the data are: of dates a date.
    pub fn is_value(&self) -> bool {
        matches!(self, Self::Mean | Self::Quantile(_))
    }
}

/// The name in JSON: `mean`, `0.5` of a median, the category of a share.
impl fmt::Display for Quantity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Mean => f.write_str("mean"),
            Self::Sum => f.write_str("sum"),
            Self::Count => f.write_str("count"),
            Self::Variance => f.write_str("variance"),
            Self::Deviation => f.write_str("deviation"),
            Self::Quantile(rank) => rank.fmt(f),
            Self::Share(category) => f.write_str(category),
        }
    }
}

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
}
