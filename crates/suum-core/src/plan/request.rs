//! What is asked, whoever takes part and whatever bounds the values have.

use crate::error::{OptionName, leave_out, option, say};
use crate::plan::checks::check_probability;
use crate::{
    Bounds, Categories, Cells, Choice, Error, Estimand, Estimator, Grid, Numbers, Options, Plan,
    Profile, QuantileEstimands, Rank, Result, Share, Split, Statistics, SummaryEstimands, Target,
};

/// A statistic with its options. Of numbers all that is missing is their bounds, which are declared
/// or found; of a release that hides who takes part the budgets that people can have
/// ([`add_remove`](Self::add_remove)).
///
/// # Example
///
/// ```
/// use suum_core::{Bounds, Grid, Neighbors, Request};
///
/// let mean = Request::mean(Neighbors::ReplaceOne);
/// let numbers = mean.numbers(Grid::new(Bounds::new(0.0, 77.0)?));
/// let plan = mean.plan("0.1:3400,inf:23".parse()?, numbers)?;
/// assert!(plan.rmse().is_some_and(|rmse| rmse < 10.0));
/// # Ok::<(), suum_core::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Request {
    /// What is estimated.
    pub asked: Estimand,
    /// How. What the statistic has no use for is refused where it is planned.
    pub options: Options,
}

impl Request {
    /// The mean.
    pub fn mean(options: impl Into<Options>) -> Self {
        Self { asked: Estimand::Mean, options: options.into() }
    }

    /// The sum. Where it is hidden who takes part that is a noisy count, for which 50 to 90 % of
    /// the least budget are spent, times a noisy mean; with equal weights for all it is one noisy
    /// sum.
    pub fn sum(options: impl Into<Options>) -> Self {
        Self { asked: Estimand::Sum, options: options.into() }
    }

    /// The number of records that may be used. Where it is hidden who takes part everybody spends
    /// the least declared budget, and no more.
    pub fn count(options: impl Into<Options>) -> Self {
        Self { asked: Estimand::Count, options: options.into() }
    }

    /// The share of every category.
    pub fn frequency(categories: Categories, options: impl Into<Options>) -> Self {
        Self { asked: Estimand::Frequency(categories), options: options.into() }
    }

    /// The quantiles at `ranks`, among candidates `cells`.
    pub fn quantiles(cells: Cells, ranks: Vec<Rank>, options: impl Into<Options>) -> Self {
        Self {
            asked: Estimand::Quantiles(QuantileEstimands { ranks, cells }),
            options: options.into(),
        }
    }

    /// The variance, and the mean, which costs nothing more.
    pub fn variance(options: impl Into<Options>) -> Self {
        Self { asked: Estimand::Variance, options: options.into() }
    }

    /// Several statistics, which share every budget as `split` says; quantiles among candidates
    /// `cells`.
    pub fn summary(
        cells: Cells,
        (statistics, split): (Statistics, Split),
        options: impl Into<Options>,
    ) -> Self {
        let asked = Estimand::Summary(SummaryEstimands { statistics, split, cells });
        Self { asked, options: options.into() }
    }

    /// The name of the statistic, as in JSON.
    pub fn statistic(&self) -> &'static str {
        self.asked.name()
    }

    /// What the estimate is meant to be close to.
    pub fn target(&self) -> Target {
        self.options.target
    }

    /// What has to be added up and counted of numbers on this grid.
    pub fn numbers(&self, grid: Grid) -> Numbers {
        self.asked.any().numbers(grid, &self.options)
    }

    /// What several statistics are made of: what each measures, and its request, with its share of
    /// every budget.
    pub(crate) fn parts(&self) -> Result<Vec<(&'static str, Self)>> {
        self.asked.any().parts(&self.options)
    }

    /// Refuses what makes no sense whatever the records are; `bounds` are those of numbers, if they
    /// are known.
    ///
    /// # Errors
    ///
    /// As [`plan`](Self::plan).
    pub fn check(&self, bounds: Option<Bounds>) -> Result<()> {
        self.asked.any().check_options(bounds, self.options.clone())
    }

    /// The plan for records of this profile, of which so much is added up.
    ///
    /// # Errors
    ///
    /// Refuses what the statistic refuses, quantiles without candidates, and a count, which is
    /// exact.
    pub fn plan(&self, allowed: Profile, numbers: Numbers) -> Result<Plan> {
        self.asked.any().plan(allowed, numbers, self.options.clone())
    }

    /// Refuses what makes no sense without declared bounds, before data are read.
    ///
    /// # Errors
    ///
    /// Refuses a confidence outside (0, 1), the target `dataset-correlated`, whose worst case has
    /// none, a declared step, of a mean or a sum a variance, shrinkage and an estimator, and what
    /// is not of numbers.
    pub fn check_without_bounds(&self) -> Result<()> {
        let options = &self.options;
        let needs = |option: OptionName| {
            Error::request(option, "needs declared bounds").with_fix(
                leave_out(option).say(", or declare bounds with").set(option::BOUNDS, "LO,HI"),
            )
        };
        check_probability(option::CONFIDENCE, options.confidence, 0.95)?;
        if !self.asked.is_of_numbers() {
            return Err(Error::request(option::BOUNDS, "only numbers have a range that is found")
                .with_fix("ask for a statistic of numbers, or without bounds"));
        }
        if options.target == Target::DatasetCorrelated {
            return Err(Error::request(option::TARGET, "dataset-correlated needs declared bounds")
                .with_fix(
                    say("declare them with")
                        .set(option::BOUNDS, "LO,HI")
                        .say(", or choose another target"),
                ));
        }
        if self.asked.is_mean_or_sum() {
            let known =
                matches!(options.estimator, Choice::Auto | Choice::Named(Estimator::Affine));
            let given = [
                (!known, option::ESTIMATOR),
                (options.variance.is_some(), option::VARIANCE),
                (options.shrink, option::SHRINK),
            ];
            if let Some((_, option)) = given.into_iter().find(|(given, _)| *given) {
                return Err(needs(option));
            }
        } else if options.whole {
            return Err(Error::request(
                option::STEP,
                "needs declared bounds, which are whole steps apart",
            )
            .with_fix(
                leave_out(option::STEP)
                    .say(", or declare bounds with")
                    .set(option::BOUNDS, "LO,HI"),
            ));
        }
        Ok(())
    }

    /// The same inside a range that was found with the rest of every budget, for values with about
    /// this variance.
    pub(crate) fn in_range(&self, share: Share, bounds: Bounds, variance: f64) -> Self {
        let mut inside = self.clone();
        inside.options.share = share;
        if self.asked.is_mean_or_sum() {
            let worst = bounds.width() * bounds.width() / 4.0;
            inside.options.variance = Some(variance.clamp(worst * 1e-9, worst));
            inside.options.estimator = Choice::Named(Estimator::Affine);
        }
        inside
    }

    /// How many standard deviations a range should reach to each side at least, whatever a mean
    /// would prefer.
    pub(crate) fn least_half_width_sds(&self) -> f64 {
        self.asked.any().least_half_width_sds()
    }
}
