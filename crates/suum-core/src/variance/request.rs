//! What is asked for.

use crate::request::{check_neighbors, check_probability};
use crate::{Bounds, Error, Neighbors, Result, Share, Target};

/// The options of a request for a variance, with the defaults of the command line.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct VarianceOptions {
    /// Whose variance is meant. Default: that of the population.
    pub target: Target,
    /// Which datasets must not be told apart. Default: replace-one.
    pub neighbors: Neighbors,
    /// The confidence of intervals, in (0, 1). Default: 0.95.
    pub confidence: f64,
    /// The part of every budget that may be spent. Default: all.
    pub share: Share,
}

impl Default for VarianceOptions {
    fn default() -> Self {
        Self {
            target: Target::default(),
            neighbors: Neighbors::default(),
            confidence: 0.95,
            share: Share::ALL,
        }
    }
}

/// A request for a variance that makes sense.
///
/// # Example
///
/// ```
/// use suum_core::{Bounds, VarianceOptions, VarianceRequest};
///
/// let request = VarianceRequest::new(Bounds::new(0.0, 10.0)?, VarianceOptions::default())?;
/// let plan = request.plan("0.1:3400,1:4300,inf:23".parse()?)?;
/// assert!(plan.error().rmse < 25.0, "better than knowing nothing");
/// # Ok::<(), suum_core::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct VarianceRequest {
    bounds: Bounds,
    options: VarianceOptions,
}

impl VarianceRequest {
    /// A request for the variance of values inside `bounds`.
    ///
    /// # Errors
    ///
    /// Refuses a confidence outside (0, 1), the target dataset-correlated, and neighbours that are
    /// not available.
    pub fn new(bounds: Bounds, options: VarianceOptions) -> Result<Self> {
        check_probability("confidence", options.confidence, 0.95)?;
        if options.target == Target::DatasetCorrelated {
            return Err(Error::request(
                "target: a variance of dataset-correlated is not available; its estimate could not \
                be unbiased",
            )
            .with_hint("choose population or dataset"));
        }
        check_neighbors(options.neighbors)?;
        Ok(Self { bounds, options })
    }

    /// The declared bounds.
    pub fn bounds(&self) -> Bounds {
        self.bounds
    }

    /// The options.
    pub fn options(&self) -> &VarianceOptions {
        &self.options
    }
}
