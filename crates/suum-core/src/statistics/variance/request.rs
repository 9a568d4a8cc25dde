//! Requests for a variance.

use super::Variance;
use crate::error::option;
use crate::plan::any_statistic::AnyStatistic;
use crate::plan::checks::{check_neighbors, check_per_person, check_probability, check_used};
use crate::{
    Bounds, Error, Grid, Numbers, Options, Plan, Profile, Result, Target, Unit, VariancePlan,
};

/// Validated request for a variance.
///
/// # Example
///
/// ```
/// use suum_core::{Bounds, Options, VarianceRequest};
///
/// let request = VarianceRequest::new(Bounds::new(0.0, 10.0)?, Options::default())?;
/// let plan = request.plan("0.1:3400,1:4300,inf:23".parse()?)?;
/// assert!(plan.error().rmse < 25.0, "better than knowing nothing");
/// # Ok::<(), suum_core::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct VarianceRequest {
    bounds: Bounds,
    options: Options,
}

impl VarianceRequest {
    /// Returns a request for the variance of values inside `bounds`.
    ///
    /// # Errors
    ///
    /// Refuses a confidence outside (0, 1), the target dataset-correlated, and neighbours that are
    /// not available.
    pub fn new(bounds: Bounds, options: Options) -> Result<Self> {
        check_used(&options, "variance", &[option::PER_PERSON])?;
        check_per_person(&options, false)?;
        check_probability(option::CONFIDENCE, options.confidence, 0.95)?;
        if options.target == Target::DatasetCorrelated {
            return Err(Error::request(
                option::TARGET,
                "a variance of dataset-correlated is not available; its estimate could not be \
                 unbiased",
            )
            .with_fix("choose population or dataset"));
        }
        check_neighbors(options.neighbors)?;
        Ok(Self { bounds, options })
    }

    /// Returns the declared bounds.
    pub fn bounds(&self) -> Bounds {
        self.bounds
    }

    /// Returns the options.
    pub fn options(&self) -> &Options {
        &self.options
    }
}

impl AnyStatistic for Variance {
    fn plan(&self, allowed: Profile, numbers: Numbers, options: Options) -> Result<Plan> {
        let request = VarianceRequest::new(numbers.grid.bounds(), options)?;
        VariancePlan::new(&request, allowed, numbers.grid).map(Plan::from)
    }

    fn check_options(&self, bounds: Option<Bounds>, options: Options) -> Result<()> {
        VarianceRequest::new(bounds.unwrap_or(Bounds::UNIT), options).map(|_| ())
    }

    fn unit(&self) -> Unit {
        Unit::Square
    }

    fn numbers(&self, grid: Grid, _: &Options) -> Numbers {
        Numbers { grid, squares: true, cells: None }
    }

    fn beside(&self) -> Option<&'static str> {
        Some("the mean")
    }

    /// Returns enough standard deviations for a variance, which clipping reduces.
    fn least_half_width_sds(&self) -> f64 {
        5.0
    }
}
