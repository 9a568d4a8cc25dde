//! Requests: a statistic and its options, without bounds and people.

use crate::error::{OptionName, leave_out, option, say};
use crate::plan::checks::check_probability;
use crate::{
    Bounds, Categories, Cells, Choice, Error, Estimand, Estimator, Grid, Numbers, Options, Plan,
    Profile, QuantileEstimands, Rank, Result, Share, Split, Statistics, SummaryEstimands, Target,
    UndeclaredCategories,
};

/// Statistic with its options.
///
/// Only what depends on data or people is missing: the bounds of numbers, which are declared or
/// found, and the declared budgets of an add-remove release ([`add_remove`](Self::add_remove)).
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
    /// Statistic to estimate.
    pub asked: Estimand,
    /// Options. Planning refuses those that the statistic does not use.
    pub options: Options,
}

impl Request {
    /// Returns a request for the mean.
    pub fn mean(options: impl Into<Options>) -> Self {
        Self { asked: Estimand::Mean, options: options.into() }
    }

    /// Returns a request for the sum.
    ///
    /// Under add-remove it is the product of a noisy count, which costs 50 to 90 % of the least
    /// budget, and a noisy mean; with equal weights for all it is one noisy sum.
    pub fn sum(options: impl Into<Options>) -> Self {
        Self { asked: Estimand::Sum, options: options.into() }
    }

    /// Returns a request for the number of records that may be used. Under add-remove everybody
    /// spends the least declared budget, and no more.
    pub fn count(options: impl Into<Options>) -> Self {
        Self { asked: Estimand::Count, options: options.into() }
    }

    /// Returns a request for the share of every category.
    pub fn frequency(categories: Categories, options: impl Into<Options>) -> Self {
        Self { asked: Estimand::Frequency(categories), options: options.into() }
    }

    /// Returns a request for the share of every category that is found.
    pub fn found_frequency(asked: UndeclaredCategories, options: impl Into<Options>) -> Self {
        Self { asked: Estimand::FoundFrequency(asked), options: options.into() }
    }

    /// Returns a request for the quantiles at `ranks`, among candidates `cells`.
    pub fn quantiles(cells: Cells, ranks: Vec<Rank>, options: impl Into<Options>) -> Self {
        Self {
            asked: Estimand::Quantiles(QuantileEstimands { ranks, cells }),
            options: options.into(),
        }
    }

    /// Returns a request for the variance, and the mean, which costs nothing more.
    pub fn variance(options: impl Into<Options>) -> Self {
        Self { asked: Estimand::Variance, options: options.into() }
    }

    /// Returns a request for several statistics that divide every budget by `split`; quantiles are
    /// among candidates `cells`.
    pub fn summary(
        cells: Cells,
        (statistics, split): (Statistics, Split),
        options: impl Into<Options>,
    ) -> Self {
        let asked = Estimand::Summary(SummaryEstimands { statistics, split, cells });
        Self { asked, options: options.into() }
    }

    /// Returns the name of the statistic, as in JSON.
    pub fn statistic(&self) -> &'static str {
        self.asked.name()
    }

    /// Returns the target of the estimate.
    pub fn target(&self) -> Target {
        self.options.target
    }

    /// Returns the sums and counts of numbers on this grid that the statistic needs.
    pub fn numbers(&self, grid: Grid) -> Numbers {
        self.asked.any().numbers(grid, &self.options)
    }

    /// Returns the parts of several statistics: the name of what each measures, and its request
    /// with its share of every budget.
    pub(crate) fn parts(&self) -> Result<Vec<(&'static str, Self)>> {
        self.asked.any().parts(&self.options)
    }

    /// Refuses options that make no sense, whatever the records are. `bounds` are those of numbers,
    /// if they are known.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`plan`](Self::plan).
    pub fn check(&self, bounds: Option<Bounds>) -> Result<()> {
        self.asked.any().check_options(bounds, self.options.clone())
    }

    /// Returns the plan for records of this profile, with these sums of numbers.
    ///
    /// # Errors
    ///
    /// Refuses options that the statistic refuses, quantiles without candidates, and a count, which
    /// is exact.
    pub fn plan(&self, allowed: Profile, numbers: Numbers) -> Result<Plan> {
        self.asked.any().plan(allowed, numbers, self.options.clone())
    }

    /// Refuses options that make no sense without declared bounds, before data are read.
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

    /// Returns the request inside a range that was found with the rest of every budget, for values
    /// of about this variance.
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

    /// Returns the least number of standard deviations that a found range must reach to each side,
    /// even if a mean would prefer fewer.
    pub(crate) fn least_half_width_sds(&self) -> f64 {
        self.asked.any().least_half_width_sds()
    }
}
