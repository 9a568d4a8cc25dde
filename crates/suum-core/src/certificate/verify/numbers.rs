//! Numbers of a release as they are in its JSON.

use serde::Deserialize;
use serde::de::IgnoredAny;

use crate::number::NumberOrText;

/// Estimate with its interval.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub(super) struct EstimateNumber {
    pub(super) estimate: Option<f64>,
    pub(super) interval: Option<Ends>,
}

/// Interval, with its confidence and its ends.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub(super) struct Ends {
    pub(super) confidence: f64,
    pub(super) lower: Finite,
    pub(super) upper: Finite,
}

/// Number that may be written as a text: infinity.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[serde(from = "NumberOrText")]
pub(super) struct Finite(pub(super) f64);

impl From<NumberOrText> for Finite {
    fn from(number: NumberOrText) -> Self {
        Self(match number {
            NumberOrText::Number(number) => number,
            NumberOrText::Text(text) => text.parse().unwrap_or(f64::NAN),
        })
    }
}

/// Estimate, or something else under the same name.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(untagged)]
pub(super) enum EstimateOrOther {
    Estimate(EstimateNumber),
    Other(IgnoredAny),
}

/// Parts of an error.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub(super) struct ErrorParts {
    pub(super) noise_sd: Option<Finite>,
    pub(super) sampling_sd: Option<Finite>,
    pub(super) rmse: Option<Finite>,
}

/// Noisy counts according to a release.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub(super) struct FoundRecord {
    pub(super) delta: f64,
    pub(super) threshold: f64,
    pub(super) counts: Vec<CountRecord>,
}

/// Noisy count of a category that shows.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub(super) struct CountRecord {
    pub(super) noisy: String,
    pub(super) public: bool,
}
