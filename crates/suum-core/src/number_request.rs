//! What is asked of a column of numbers, whether their bounds are declared or found.

use crate::request::check_probability;
use crate::{
    Bounds, Cells, Choice, Error, Estimator, Grid, Neighbors, Numbers, Options, Rank, Result,
    Share, Split, Statistic, Statistics, Target,
};

/// A statistic of numbers with its options; all that is missing is the bounds of the numbers.
///
/// # Example
///
/// ```
/// use suum_core::{Bounds, Grid, Neighbors, NumberRequest};
///
/// let mean = NumberRequest::mean(Neighbors::ReplaceOne);
/// let numbers = mean.numbers(Grid::new(Bounds::new(0.0, 77.0)?));
/// let plan = mean.plan("0.1:3400,inf:23".parse()?, numbers)?;
/// assert!(plan.rmse().is_some_and(|rmse| rmse < 10.0));
/// # Ok::<(), suum_core::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub enum NumberRequest {
    /// The mean.
    Mean(Options),
    /// The sum.
    Sum(Options),
    /// Quantiles.
    Quantiles {
        /// The ranks of the quantiles.
        ranks: Vec<Rank>,
        /// The candidates over the bounds.
        cells: Cells,
        /// The options.
        options: Options,
    },
    /// The variance, and the mean that is measured with it.
    Variance(Options),
    /// Several statistics, which share every budget.
    Summary {
        /// Which ones.
        statistics: Statistics,
        /// How they share the budgets.
        split: Split,
        /// The candidates of quantiles over the bounds.
        cells: Cells,
        /// The options.
        options: Options,
    },
}

impl NumberRequest {
    /// The mean, with the defaults of the command line.
    pub fn mean(neighbors: Neighbors) -> Self {
        Self::Mean(Options { neighbors, ..Options::default() })
    }

    /// The name of the statistic, as in JSON.
    pub fn statistic(&self) -> &'static str {
        match self {
            Self::Mean(_) => Statistic::Mean.name(),
            Self::Sum(_) => Statistic::Sum.name(),
            Self::Quantiles { .. } => "quantile",
            Self::Variance(_) => "variance",
            Self::Summary { .. } => "summary",
        }
    }

    /// What has to be added up and counted of numbers on this grid.
    pub fn numbers(&self, grid: Grid) -> Numbers {
        let plain = Numbers { grid, squares: false, cells: None };
        match self {
            Self::Mean(options) | Self::Sum(options) => {
                let cells = options.adapts().then(Cells::of_sums);
                Numbers { squares: options.measure_spread(), cells, ..plain }
            }
            Self::Quantiles { cells, .. } => Numbers { cells: Some(*cells), ..plain },
            Self::Variance(_) => Numbers { squares: true, ..plain },
            Self::Summary { statistics, cells, .. } => statistics.numbers(grid, *cells),
        }
    }

    /// Which datasets must not be told apart.
    pub fn neighbors(&self) -> Neighbors {
        match self {
            Self::Mean(options) | Self::Sum(options) => options.neighbors,
            Self::Quantiles { options, .. } => options.neighbors,
            Self::Variance(options) => options.neighbors,
            Self::Summary { options, .. } => options.neighbors,
        }
    }

    /// What the estimates are meant to be close to.
    pub fn target(&self) -> Target {
        self.common().0
    }

    /// The part of every budget that may be spent.
    pub(crate) fn share(&self) -> Share {
        match self {
            Self::Mean(options) | Self::Sum(options) => options.share,
            Self::Quantiles { options, .. } => options.share,
            Self::Variance(options) => options.share,
            Self::Summary { options, .. } => options.share,
        }
    }

    /// Target and confidence, which all have.
    fn common(&self) -> (Target, f64) {
        match self {
            Self::Mean(options) | Self::Sum(options) => (options.target, options.confidence),
            Self::Quantiles { options, .. } => (options.target, options.confidence),
            Self::Variance(options) => (options.target, options.confidence),
            Self::Summary { options, .. } => (options.target, options.confidence),
        }
    }

    /// Refuses what makes no sense without declared bounds, before data are read.
    ///
    /// # Errors
    ///
    /// Refuses a confidence outside (0, 1), the target `dataset-correlated`, whose worst case has
    /// none, a declared step, and of a mean or a sum a variance, shrinkage and an estimator.
    pub fn check_without_bounds(&self) -> Result<()> {
        let (target, confidence) = self.common();
        check_probability("confidence", confidence, 0.95)?;
        if target == Target::DatasetCorrelated {
            return Err(Error::request("target: dataset-correlated needs declared bounds")
                .with_hint("declare them with --bounds LO,HI, or choose another target"));
        }
        if let Self::Mean(options) | Self::Sum(options) = self {
            let known =
                matches!(options.estimator, Choice::Auto | Choice::Named(Estimator::Affine));
            let given = [
                (!known, "estimator"),
                (options.variance.is_some(), "variance"),
                (options.shrink, "shrink"),
            ];
            if let Some((_, option)) = given.into_iter().find(|(given, _)| *given) {
                return Err(Error::request(format!("{option}: needs declared bounds")).with_hint(
                    format!("leave --{option} out, or declare bounds with --bounds LO,HI"),
                ));
            }
        }
        if let Self::Quantiles { options: Options { whole: true, .. }, .. }
        | Self::Summary { options: Options { whole: true, .. }, .. } = self
        {
            return Err(Error::request("step: needs declared bounds, which are whole steps apart")
                .with_hint("leave --step out, or declare bounds with --bounds LO,HI"));
        }
        Ok(())
    }

    /// The same inside a range that was found with the rest of every budget, for values with about
    /// this variance.
    pub(crate) fn in_range(&self, share: Share, bounds: Bounds, variance: f64) -> Self {
        let mut inside = self.clone();
        match &mut inside {
            Self::Mean(options) | Self::Sum(options) => {
                let worst = bounds.width() * bounds.width() / 4.0;
                options.variance = Some(variance.clamp(worst * 1e-9, worst));
                options.estimator = Choice::Named(Estimator::Affine);
                options.share = share;
            }
            Self::Quantiles { options, .. } => options.share = share,
            Self::Variance(options) => options.share = share,
            Self::Summary { options, .. } => options.share = share,
        }
        inside
    }

    /// How many standard deviations a range should reach to each side at least, whatever a mean
    /// would prefer.
    ///
    /// A variance loses what is clipped. A quantile has candidates over the whole range, of which
    /// there are plenty.
    pub(crate) fn least_reach(&self) -> f64 {
        match self {
            Self::Mean(_) | Self::Sum(_) => 0.0,
            Self::Variance(_) | Self::Summary { .. } => 5.0,
            Self::Quantiles { .. } => 32.0,
        }
    }
}
