//! The estimators of means without declared bounds.

use std::fmt;
use std::str::FromStr;

use serde::{Serialize, Serializer};

use crate::{Error, Result};

/// A way to a range and to the mean inside it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum RangeEstimator {
    /// A private median and radius of weighted records, then the affine mean of the values clipped
    /// to them.
    #[default]
    Gaussian,
    /// The pipeline of DG26 Algorithm 7 with its privacy corrected: a range from a random sample of
    /// the records, then the affine mean of the values clipped to it.
    GaussianDiffusion,
}

impl RangeEstimator {
    /// Every estimator; the first is what `auto` means.
    pub const ALL: [RangeEstimator; 2] =
        [RangeEstimator::Gaussian, RangeEstimator::GaussianDiffusion];

    /// The name on the command line and in JSON.
    pub fn name(self) -> &'static str {
        match self {
            RangeEstimator::Gaussian => "gaussian",
            RangeEstimator::GaussianDiffusion => "gaussian-diffusion",
        }
    }

    /// One line for people who choose.
    pub fn describe(self) -> &'static str {
        match self {
            RangeEstimator::Gaussian => {
                "a range from weighted ranks, then weights min(ε, τ) inside it"
            }
            RangeEstimator::GaussianDiffusion => {
                "a range from a random sample (as published, corrected), then min(ε, τ)"
            }
        }
    }
}

impl fmt::Display for RangeEstimator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for RangeEstimator {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        if text == "auto" {
            return Ok(Self::default());
        }
        Self::ALL.into_iter().find(|estimator| estimator.name() == text).ok_or_else(|| {
            Error::parameter(
                "estimator: there is none of that name for means without declared \
                bounds",
            )
            .with_hint(
                "choose auto, gaussian or gaussian-diffusion, or declare bounds with --bounds \
                    LO,HI",
            )
        })
    }
}

impl Serialize for RangeEstimator {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}
