//! The setting a plan is made for: who allows what, what is estimated, and what "error" means.

use serde::Serialize;

use crate::{Bounds, Profile};

/// What a mean is meant to be the mean of, and over which worst case its error is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Target {
    /// The distribution from which the records are drawn independently, budgets unrelated to values.
    #[default]
    Population,
    /// These records; budgets unrelated to values (a random permutation of them).
    Dataset,
    /// These records; budgets may depend on values in any way.
    DatasetCorrelated,
}

impl Target {
    /// The name on the command line and in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Target::Population => "population",
            Target::Dataset => "dataset",
            Target::DatasetCorrelated => "dataset-correlated",
        }
    }
}

/// Everything public that the choice of weights depends on.
///
/// Estimators work in units of the range (h = 1) and never see a value.
#[derive(Debug, Clone, PartialEq)]
pub struct Setting {
    /// The privacy levels and their sizes.
    pub profile: Profile,
    /// The declared bounds, for risks in the units of the data.
    pub bounds: Bounds,
    /// What the estimate is meant to be close to.
    pub target: Target,
    /// σ² in the squared units of the data: declared, or the worst case h²/4.
    pub variance: f64,
    /// β: the PAC level of the `-cp` and `-up` variants, in (0, 1).
    pub beta: f64,
}

impl Setting {
    /// The setting with the worst-case variance h²/4 and β = 0.05.
    ///
    /// # Example
    ///
    /// ```
    /// use suum_core::{Bounds, Setting, Target};
    ///
    /// let setting = Setting::new("0.1:3400,inf:23".parse()?, Bounds::UNIT, Target::Population);
    /// assert_eq!(setting.variance, 0.25);
    /// # Ok::<(), suum_core::Error>(())
    /// ```
    pub fn new(profile: Profile, bounds: Bounds, target: Target) -> Self {
        let variance = bounds.width() * bounds.width() / 4.0;
        Self { profile, bounds, target, variance, beta: 0.05 }
    }

    /// σ²/h², at most 1/4.
    pub(crate) fn relative_variance(&self) -> f64 {
        self.variance / self.bounds.width() / self.bounds.width()
    }

    /// n as a double, unused records included.
    pub(crate) fn records(&self) -> f64 {
        self.profile.records() as f64
    }
}
