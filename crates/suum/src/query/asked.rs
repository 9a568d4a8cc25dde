//! What is published, by name.

use std::str::FromStr;

use serde::{Serialize, Serializer};
use suum_core::{Error, Result, Statistics};

/// What is published.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Asked {
    /// The mean of a column of numbers.
    Mean,
    /// The sum of a column of numbers.
    Sum,
    /// The number of records.
    #[default]
    Count,
    /// The share of every category of a column.
    Frequency,
    /// Quantiles of a column of numbers.
    Quantile,
    /// The variance of a column of numbers, and the mean with it.
    Variance,
    /// Several statistics of a column of numbers, from one budget.
    Several(Statistics),
}

impl Asked {
    /// The name of the command, as in `suum mean`; several statistics are a `summary`.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Mean => "mean",
            Self::Sum => "sum",
            Self::Count => "count",
            Self::Frequency => "frequency",
            Self::Quantile => "quantile",
            Self::Variance => "variance",
            Self::Several(_) => "summary",
        }
    }

    /// Whether it is one mean or one sum.
    pub(crate) fn is_mean_or_sum(&self) -> bool {
        matches!(self, Self::Mean | Self::Sum)
    }

    /// Whether quantiles are among it.
    pub(crate) fn has_quantiles(&self) -> bool {
        match self {
            Self::Quantile => true,
            Self::Several(statistics) => !statistics.quantiles.is_empty(),
            _ => false,
        }
    }
}

impl FromStr for Asked {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        Ok(match text {
            "mean" => Self::Mean,
            "sum" => Self::Sum,
            "count" => Self::Count,
            "frequency" => Self::Frequency,
            "quantile" => Self::Quantile,
            "variance" => Self::Variance,
            list if list.contains(',') => Self::Several(list.parse()?),
            name => Self::Several(name.parse().map_err(|_| {
                Error::parameter("statistic: there is none of that name").with_hint(
                    "choose mean, sum, count, frequency, quantile or variance, or several such as \
                     mean,variance,q50",
                )
            })?),
        })
    }
}

/// One name, or a list of them.
impl Serialize for Asked {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        match self {
            Self::Several(statistics) => serializer.collect_seq(statistics.names()),
            one => serializer.serialize_str(one.name()),
        }
    }
}

/// The refusal where nothing is named.
pub(super) fn no_statistic() -> Error {
    Error::parameter("statistic: it is not said which").with_hint(
        "for example statistic = \"mean\"; there are mean, sum, count, frequency, quantile and \
         variance, and several such as mean,variance,q50; options stand at the top level of a \
         file, not in a section",
    )
}
