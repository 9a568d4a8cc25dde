//! The setting a plan is made for: who allows what, what is estimated, and what "error" means.

use serde::Serialize;

use crate::error::{for_example, option};
use crate::strategy::laplace_maximum::{largest_laplace_square, largest_sum_zero_square};
use crate::{Bounds, Epsilon, Error, Profile, RelativeDifference, Result};

/// What a mean is meant to be the mean of, and over which worst case its error is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Target {
    /// The distribution from which the records are drawn independently, budgets unrelated to
    /// values.
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

/// Everything public that the choice of weights depends on.
///
/// Estimators work in units of the range (h = 1) and never see a value. A frequency is a mean of
/// indicators, one for each of k categories, whose error is measured by its largest component.
#[derive(Debug, Clone, PartialEq)]
pub struct Setting {
    /// The privacy levels and their sizes.
    pub profile: Profile,
    /// The declared bounds, for risks in the units of the data; the unit interval for a frequency.
    pub bounds: Bounds,
    /// k, for a frequency over k categories; `None` for a mean.
    pub categories: Option<usize>,
    /// What the estimate is meant to be close to.
    pub target: Target,
    /// σ² in the squared units of the data: declared, or the worst case h²/4.
    pub variance: f64,
    /// β in (0, 1), the PAC level of the `-cp` and `-up` variants and of `local`.
    pub beta: f64,
    /// The threshold of the `sample` estimator.
    pub sample_threshold: SampleThreshold,
    /// The squared error of one noise of scale max w/ε = 1: 2 for a mean; for a frequency the
    /// expected largest square of [noise that adds up to zero](crate::SumZeroLaplace) of scale 1.
    pub noise_factor: f64,
    /// D_d: the share that the estimate gives each stratum of the profile, together 1; none where
    /// all records are in one.
    pub strata: Vec<f64>,
    /// By how much the means of tiers may differ; not at all where budgets have nothing to do with
    /// values.
    pub difference: RelativeDifference,
}

impl Setting {
    /// β, where nothing else is asked for.
    pub(crate) const BETA: f64 = 0.05;

    /// The setting of a mean with the worst-case variance h²/4 and otherwise default options.
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

    /// The setting of a frequency over `categories` ≥ 2 categories, with default options.
    pub fn frequency(profile: Profile, categories: usize, target: Target) -> Self {
        Self {
            categories: Some(categories),
            noise_factor: largest_sum_zero_square(categories),
            ..Self::new(profile, Bounds::UNIT, target)
        }
    }

    /// σ²/h², at most 1/4.
    pub(crate) fn relative_variance(&self) -> f64 {
        self.variance / self.bounds.width() / self.bounds.width()
    }

    /// n as a double, unused records included.
    pub(crate) fn records(&self) -> f64 {
        self.profile.records() as f64
    }

    /// By how much one record of weight 1 can move sums that have independent noise, in units of
    /// the range: 1 for a mean; 2 for a frequency, where one count falls and another rises.
    pub(crate) fn sensitivity(&self) -> f64 {
        if self.categories.is_some() { 2.0 } else { 1.0 }
    }

    /// The squared error of independent noises for max w/ε = 1: 2 for a mean; for a frequency 4·E
    /// max_c L_c² over k standard Laplace variables.
    pub(crate) fn independent_noise_factor(&self) -> f64 {
        match self.categories {
            None => 2.0,
            Some(categories) => self.sensitivity().powi(2) * largest_laplace_square(categories),
        }
    }
}

/// The one ε at which the `sample` estimator runs; records that allow less are kept with a
/// probability.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum SampleThreshold {
    /// The strictest usable budget: everybody is kept.
    Min,
    /// The mean of the finite budgets.
    Mean,
    /// The largest budget; with public records, those alone are kept.
    Max,
    /// The level of least exact risk.
    #[default]
    Optimal,
    /// This one.
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
