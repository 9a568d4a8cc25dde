//! Statistics of a summary, and the sums and counts that they need.

use std::collections::HashSet;
use std::str::FromStr;

use super::Split;
use crate::error::{for_example, option};
use crate::{Cells, Error, Grid, Numbers, Rank, Result};

/// Statistics of a summary, as in `mean,variance,q50`.
///
/// # Example
///
/// ```
/// use suum_core::Statistics;
///
/// let statistics: Statistics = "mean,variance,q25,q50,q99.9".parse()?;
/// assert!(statistics.mean && statistics.variance);
/// assert_eq!(statistics.quantiles[2].fraction(), (999, 1000));
/// assert!("mean,median".parse::<Statistics>().is_err());
/// # Ok::<(), suum_core::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Statistics {
    /// True for the mean.
    pub mean: bool,
    /// True for the variance.
    pub variance: bool,
    /// Ranks of quantiles, in the order named.
    pub quantiles: Vec<Rank>,
}

/// Names separated by commas; `q25` is the quantile below which 25 % of people lie.
impl FromStr for Statistics {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let refused = || {
            Error::parameter(
                option::STATISTIC,
                "expected mean, variance and quantiles such as q50, separated by commas",
            )
            .with_fix(
                for_example(option::STATISTIC, "mean,variance,q25,q50,q75")
                    .say("; the median is q50"),
            )
        };
        let mut statistics = Self::default();
        let mut named = HashSet::new();
        for name in text.split(',').map(str::trim) {
            if !named.insert(name) {
                return Err(Error::parameter(option::STATISTIC, "one is named twice")
                    .with_fix("leave one of them out"));
            }
            match name {
                "mean" => statistics.mean = true,
                "variance" => statistics.variance = true,
                _ => {
                    let percent = name.strip_prefix('q').ok_or_else(refused)?;
                    statistics.quantiles.push(parse_percent(percent).ok_or_else(refused)?);
                }
            }
        }
        Ok(statistics)
    }
}

impl Statistics {
    /// Returns the names that they are parsed from: moments first, quantiles as `q25`.
    ///
    /// ```
    /// let statistics: suum_core::Statistics = "q99.9,variance,q05".parse()?;
    /// assert_eq!(statistics.names(), ["variance", "q99.9", "q5"]);
    /// # Ok::<(), suum_core::Error>(())
    /// ```
    pub fn names(&self) -> Vec<String> {
        let moments = [(self.mean, "mean"), (self.variance, "variance")];
        let moments = moments.into_iter().filter(|(asked, _)| *asked);
        let quantiles = self.quantiles.iter().map(|rank| format!("q{}", rank.percent()));
        moments.map(|(_, name)| name.to_owned()).chain(quantiles).collect()
    }
}

impl Split {
    /// Returns one part for each statistic.
    pub fn even(statistics: &Statistics) -> Self {
        Self { mean: 1.0, variance: 1.0, quantile: statistics.quantiles.len().max(1) as f64 }
    }
}

/// Returns the rank of a percentage such as `25` or `99.9`.
fn parse_percent(percent: &str) -> Option<Rank> {
    let (whole, fraction) = percent.split_once('.').unwrap_or((percent, ""));
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if whole.is_empty() || whole.len() > 2 || !digits(whole) || !digits(fraction) {
        return None;
    }
    format!("0.{whole:0>2}{fraction}").parse().ok()
}

/// Sums that the statistics need.
impl Statistics {
    /// Returns the sums and counts on this grid, with `cells` as candidates of quantiles.
    pub fn numbers(&self, grid: Grid, cells: Cells) -> Numbers {
        Numbers {
            grid,
            squares: self.mean || self.variance,
            cells: (!self.quantiles.is_empty()).then_some(cells),
        }
    }
}
