//! The estimators: each proposes weights for a setting, in one file a family.
//!
//! An estimator is covered by the project's laws (budgets never exceeded, exact risk, never better than `auto`)
//! by being listed in [`Estimator::ALL`].

mod affine;
mod hpm;
mod proportional;
mod threshold;
mod uniform;

use std::fmt;
use std::str::FromStr;

use serde::{Serialize, Serializer};

use crate::{Error, Result, Risk, Setting, Weights};

pub use hpm::Hpm;

/// A way to weight the records of a mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Estimator {
    /// Clipped weights, with the clip level that is optimal for the target.
    Affine,
    /// Equal weights for all records with at least one budget, the others discarded (CZ26 Definition 6).
    Threshold,
    /// Equal weights for everybody at the strictest budget.
    Uniform,
    /// Weights proportional to ε (public records alone, if there are any).
    Proportional,
    /// One of the HPM family of CC24 Algorithm 2.
    Hpm(Hpm),
}

/// What an estimator proposes for a setting.
#[derive(Debug, Clone, PartialEq)]
pub struct Design {
    /// One record's weight, per level.
    pub weights: Weights,
    /// The clip level or threshold, where the weights come from one; it may exceed every ε.
    pub tau: Option<f64>,
    /// The published objective at its minimum, in units of the range, where it is not the exact risk.
    pub objective: Option<f64>,
}

impl Estimator {
    /// Every estimator, `affine` first: ties go to the earlier one.
    pub const ALL: [Estimator; 13] = [
        Estimator::Affine,
        Estimator::Threshold,
        Estimator::Uniform,
        Estimator::Proportional,
        Estimator::Hpm(Hpm::A),
        Estimator::Hpm(Hpm::Cp),
        Estimator::Hpm(Hpm::Ce),
        Estimator::Hpm(Hpm::Up),
        Estimator::Hpm(Hpm::Ue),
        Estimator::Hpm(Hpm::CpT),
        Estimator::Hpm(Hpm::CeT),
        Estimator::Hpm(Hpm::UpT),
        Estimator::Hpm(Hpm::UeT),
    ];

    /// The name on the command line and in JSON.
    ///
    /// ```
    /// use suum_core::Estimator;
    ///
    /// for estimator in Estimator::ALL {
    ///     assert_eq!(estimator.name().parse::<Estimator>()?, estimator);
    /// }
    /// # Ok::<(), suum_core::Error>(())
    /// ```
    pub fn name(self) -> &'static str {
        match self {
            Estimator::Affine => "affine",
            Estimator::Threshold => "threshold",
            Estimator::Uniform => "uniform",
            Estimator::Proportional => "proportional",
            Estimator::Hpm(variant) => variant.name(),
        }
    }

    /// One line for people who choose.
    pub fn describe(self) -> &'static str {
        match self {
            Estimator::Affine => "weights min(ε, τ), τ optimal for the target",
            Estimator::Threshold => "drop everyone stricter than one ε, treat the rest alike",
            Estimator::Uniform => "everyone alike, at the strictest person's ε",
            Estimator::Proportional => "weights proportional to ε",
            Estimator::Hpm(variant) => variant.describe(),
        }
    }

    /// The weights this estimator proposes.
    ///
    /// # Errors
    ///
    /// Refuses a profile in which nobody may be used.
    ///
    /// # Example
    ///
    /// ```
    /// use suum_core::{Bounds, Estimator, Setting, Target};
    ///
    /// let setting = Setting::new("0.001:10000,inf:12".parse()?, Bounds::UNIT, Target::Population);
    /// let design = Estimator::Affine.design(&setting)?;
    /// assert!((design.tau.unwrap() - 0.801).abs() < 1e-12, "public people keep all but 0.801");
    /// # Ok::<(), suum_core::Error>(())
    /// ```
    pub fn design(self, setting: &Setting) -> Result<Design> {
        if setting.profile.usable().is_empty() {
            return Err(Error::parameter("privacy: every budget is zero, so no record may be used")
                .with_hint("give at least one level a positive budget"));
        }
        Ok(match self {
            Estimator::Affine => affine::design(setting),
            Estimator::Threshold => threshold::design(setting),
            Estimator::Uniform => uniform::design(setting),
            Estimator::Proportional => proportional::design(setting),
            Estimator::Hpm(variant) => variant.design(setting),
        })
    }
}

impl Design {
    fn clipped(setting: &Setting, tau: f64) -> Self {
        Self { weights: Weights::clipped(&setting.profile, tau), tau: Some(tau), objective: None }
    }

    /// The exact risk for the setting's target.
    pub fn risk(&self, setting: &Setting) -> Risk {
        Risk::of_weights(setting, &self.weights)
    }
}

impl fmt::Display for Estimator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Estimator {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        Self::ALL.into_iter().find(|estimator| estimator.name() == text).ok_or_else(|| {
            let names: Vec<_> = Self::ALL.iter().map(|estimator| estimator.name()).collect();
            Error::parameter("estimator: there is none of that name")
                .with_hint(format!("choose auto or one of {}", names.join(", ")))
        })
    }
}

impl Serialize for Estimator {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}
