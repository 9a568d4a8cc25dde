//! Setting of an estimator: the profile, the statistic, and the definition of its error.

use serde::Serialize;

use crate::error::{for_example, option};
use crate::strategy::laplace_maximum::{largest_laplace_square, largest_sum_zero_square};
use crate::{Bounds, Epsilon, Error, Profile, RelativeDifference, Result};

/// Target of an estimate: the quantity it should be close to, and the worst case over which its
/// error is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Target {
    /// Distribution from which the records are drawn independently, with budgets unrelated to
    /// values.
    #[default]
    Population,
    /// These very records, with budgets unrelated to values (a random permutation of them).
    Dataset,
    /// These very records, with budgets that may depend on values in any way.
    DatasetCorrelated,
}

impl Target {
    /// Returns the name on the command line and in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Target::Population => "population",
            Target::Dataset => "dataset",
            Target::DatasetCorrelated => "dataset-correlated",
        }
    }
}

impl std::str::FromStr for Target {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let all = [Target::Population, Target::Dataset, Target::DatasetCorrelated];
        all.into_iter().find(|target| target.name() == text).ok_or_else(|| {
            Error::parameter(option::TARGET, "there is none of that name")
                .with_fix("choose population, dataset or dataset-correlated")
        })
    }
}

/// Public facts on which the choice of weights depends.
///
/// Estimators work in units of the range (h = 1) and never see a value. A frequency is a mean of
/// indicators, one for each of k categories, whose error is measured by its largest component.
#[derive(Debug, Clone, PartialEq)]
pub struct Setting {
    /// Privacy levels and their sizes.
    pub profile: Profile,
    /// Declared bounds, for risks in the units of the data; the unit interval for a frequency.
    pub bounds: Bounds,
    /// Number k of categories of a frequency; `None` for a mean.
    pub categories: Option<usize>,
    /// Target of the estimate.
    pub target: Target,
    /// Variance σ² in squared units of the data: declared, or the worst case h²/4.
    pub variance: f64,
    /// β in (0, 1), the PAC level of the `-cp` and `-up` variants and of `local`.
    pub beta: f64,
    /// Threshold of the `sample` estimator.
    pub sample_threshold: SampleThreshold,
    /// Squared error of one noise of scale max w/ε = 1: 2 for a mean; for a frequency the expected
    /// largest square of [noise that adds up to zero](crate::SumZeroLaplace) of scale 1.
    pub noise_factor: f64,
    /// D_d, the share that the estimate gives each stratum of the profile, together 1; empty
    /// without strata.
    pub strata: Vec<f64>,
    /// Largest difference between the means of tiers; none if budgets are unrelated to values.
    pub difference: RelativeDifference,
}

impl Setting {
    /// Default β.
    pub(crate) const BETA: f64 = 0.05;

    /// Returns the setting of a mean with the worst-case variance h²/4 and otherwise default
    /// options.
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
        Self {
            profile,
            bounds,
            categories: None,
            target,
            variance,
            beta: Self::BETA,
            sample_threshold: SampleThreshold::default(),
            noise_factor: 2.0,
            strata: Vec::new(),
            difference: RelativeDifference::default(),
        }
    }

    /// Returns the setting of a frequency over `categories` ≥ 2 categories, with default options.
    pub fn frequency(profile: Profile, categories: usize, target: Target) -> Self {
        Self {
            categories: Some(categories),
            noise_factor: largest_sum_zero_square(categories),
            ..Self::new(profile, Bounds::UNIT, target)
        }
    }

    /// Returns σ²/h², at most 1/4.
    pub(crate) fn relative_variance(&self) -> f64 {
        self.variance / self.bounds.width() / self.bounds.width()
    }

    /// Returns n as a double, unused records included.
    pub(crate) fn records(&self) -> f64 {
        self.profile.records() as f64
    }

    /// Returns the most by which one record of weight 1 can move sums that have independent noise,
    /// in units of the range: 1 for a mean; 2 for a frequency, where one count falls and another
    /// rises.
    pub(crate) fn sensitivity(&self) -> f64 {
        if self.categories.is_some() { 2.0 } else { 1.0 }
    }

    /// Returns the squared error of independent noises for max w/ε = 1: 2 for a mean; for a
    /// frequency 4·E max_c L_c² over k standard Laplace variables.
    pub(crate) fn independent_noise_factor(&self) -> f64 {
        match self.categories {
            None => 2.0,
            Some(categories) => self.sensitivity().powi(2) * largest_laplace_square(categories),
        }
    }
}

/// Budget ε at which the `sample` estimator runs; records that allow less are kept with a
/// probability.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum SampleThreshold {
    /// Strictest usable budget: everybody is kept.
    Min,
    /// Mean of the finite budgets.
    Mean,
    /// Largest budget; with public records, those alone are kept.
    Max,
    /// Level of least exact risk.
    #[default]
    Optimal,
    /// Given budget.
    At(Epsilon),
}

impl std::str::FromStr for SampleThreshold {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        match text {
            "min" => Ok(Self::Min),
            "mean" => Ok(Self::Mean),
            "max" => Ok(Self::Max),
            "optimal" => Ok(Self::Optimal),
            number => match number.parse::<Epsilon>() {
                Ok(epsilon) if !epsilon.is_unused() => Ok(Self::At(epsilon)),
                _ => Err(Error::parameter(
                    option::SAMPLE_THRESHOLD,
                    "expected min, mean, max, optimal or a budget",
                )
                .with_fix(for_example(option::SAMPLE_THRESHOLD, "0.5"))),
            },
        }
    }
}
