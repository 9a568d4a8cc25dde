//! Division of a budget among several statistics.

use std::str::FromStr;

use serde::Serialize;

use crate::error::{for_example, option};
use crate::{Error, Result};

/// Parts of every budget that each statistic may spend.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Split {
    /// Parts of the mean. If a variance is measured too, both are measured together with the parts
    /// of both.
    pub mean: f64,
    /// Parts of the variance.
    pub variance: f64,
    /// Parts of all quantiles together.
    pub quantile: f64,
}

impl Split {
    /// Returns the split with these parts in place of its own.
    #[must_use]
    pub fn with(self, parts: Parts) -> Self {
        Self {
            mean: parts.mean.unwrap_or(self.mean),
            variance: parts.variance.unwrap_or(self.variance),
            quantile: parts.quantile.unwrap_or(self.quantile),
        }
    }
}

/// Parts that replace the default ones of a [`Split`], as in `mean=2,quantile=1`.
///
/// # Example
///
/// ```
/// use suum_core::{Parts, Split, Statistics};
///
/// let parts: Parts = "variance=2".parse()?;
/// let all = "mean,variance".parse::<Statistics>()?;
/// assert_eq!(Split::even(&all).with(parts).variance, 2.0);
/// assert!("median=1".parse::<Parts>().is_err() && "mean=0".parse::<Parts>().is_err());
/// # Ok::<(), suum_core::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
pub struct Parts {
    /// Parts of the mean.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mean: Option<f64>,
    /// Parts of the variance.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub variance: Option<f64>,
    /// Parts of all quantiles together.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub quantile: Option<f64>,
}

impl FromStr for Parts {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let refused = |what: &'static str| {
            Error::parameter(option::SPLIT, what)
                .with_fix(for_example(option::SPLIT, "mean=2,variance=1,quantile=1"))
        };
        let mut all = Self::default();
        for pair in text.split(',') {
            let parts = pair.split_once('=').and_then(|(name, parts)| {
                let parts: f64 = parts.trim().parse().ok()?;
                Some((name.trim(), parts)).filter(|_| parts > 0.0 && parts.is_finite())
            });
            let (name, parts) =
                parts.ok_or_else(|| refused("expected NAME=PARTS with positive parts"))?;
            match name {
                "mean" => all.mean = Some(parts),
                "variance" => all.variance = Some(parts),
                "quantile" => all.quantile = Some(parts),
                _ => return Err(refused("the parts are those of mean, variance and quantile")),
            }
        }
        Ok(all)
    }
}
