//! Estimators of quantiles.

use std::fmt;
use std::str::FromStr;

use serde::Serialize;

use crate::error::option;
use crate::{Choice, Error, Estimator, Result};

/// Rule for weighting records in ranks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum QuantileEstimator {
    /// One choice with weights min(ε, τ), with τ of least expected error.
    Weighted,
    /// One choice with weights ε; with public records, of those alone (PE of Jorgensen et al.
    /// 2015).
    Pe,
    /// A choice for each level at its own ε, combined with the weights of the mixed mean (FGK21).
    Mixed,
}

impl QuantileEstimator {
    /// All estimators: ties go to the earlier one.
    pub const ALL: [QuantileEstimator; 3] =
        [QuantileEstimator::Weighted, QuantileEstimator::Pe, QuantileEstimator::Mixed];

    /// Returns the name on the command line and in JSON.
    pub fn name(self) -> &'static str {
        match self {
            QuantileEstimator::Weighted => "weighted",
            QuantileEstimator::Pe => "pe",
            QuantileEstimator::Mixed => "mixed",
        }
    }

    /// Returns a description in one line, for lists of estimators.
    pub fn describe(self) -> &'static str {
        match self {
            QuantileEstimator::Weighted => "ranks weighted by min(ε, τ), τ of least expected error",
            QuantileEstimator::Pe => "ranks weighted by ε; of public people alone if any",
            QuantileEstimator::Mixed => "each level alone at its own ε, then combined",
        }
    }
}

impl QuantileEstimator {
    /// Returns the choice of this name: `auto`, or an estimator of quantiles.
    ///
    /// # Errors
    ///
    /// Refuses a name that is none of an estimator of quantiles.
    ///
    /// # Example
    ///
    /// ```
    /// use suum_core::{Choice, QuantileEstimator};
    ///
    /// assert_eq!(QuantileEstimator::choice("auto")?, Choice::Auto);
    /// assert_eq!(QuantileEstimator::choice("pe")?, QuantileEstimator::Pe.into());
    /// assert!(QuantileEstimator::choice("affine").is_err());
    /// # Ok::<(), suum_core::Error>(())
    /// ```
    pub fn choice(name: &str) -> Result<Choice> {
        match name {
            "auto" => Ok(Choice::Auto),
            _ => name.parse().map(|estimator: Self| estimator.into()),
        }
    }

    /// Returns the chosen estimator, if one is named: the one that weighs records as the named
    /// estimator of means does.
    ///
    /// # Errors
    ///
    /// Refuses an estimator of means without a counterpart for quantiles.
    pub fn chosen(choice: Choice) -> Result<Option<Self>> {
        let Choice::Named(estimator) = choice else { return Ok(None) };
        let same = |one: &Self| Estimator::from(*one) == estimator;
        Self::ALL.into_iter().find(same).map(Some).ok_or_else(unknown)
    }
}

/// Returns the estimator of means with the same weights.
impl From<QuantileEstimator> for Estimator {
    fn from(estimator: QuantileEstimator) -> Self {
        match estimator {
            QuantileEstimator::Weighted => Estimator::Affine,
            QuantileEstimator::Pe => Estimator::Proportional,
            QuantileEstimator::Mixed => Estimator::Mixed,
        }
    }
}

fn unknown() -> Error {
    Error::parameter(option::ESTIMATOR, "there is none of that name for quantiles")
        .with_fix("choose auto, weighted, pe or mixed")
}

impl fmt::Display for QuantileEstimator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for QuantileEstimator {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        Self::ALL.into_iter().find(|estimator| estimator.name() == text).ok_or_else(unknown)
    }
}
