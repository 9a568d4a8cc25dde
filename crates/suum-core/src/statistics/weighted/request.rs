//! Requests for a mean, a sum or frequencies, and the combinations that make no sense.

use serde::Serialize;

use super::calibration::local_of_shares;
use super::{Mean, Sum, tiers_apart};
use crate::answer::coverage::Coverage;
use crate::error::{Command, leave_out, option, say};
use crate::plan::any_statistic::AnyStatistic;
use crate::plan::checks::{
    check_neighbors, check_per_person, check_probability, check_spare, check_step,
    check_tiers_differ, check_used, check_variance,
};
use crate::{
    Bounds, Categories, Cells, Choice, Error, Estimator, Grid, Numbers, Options, PersonValue, Plan,
    Profile, RelativeDifference, Result, Target, Unit, WeightedPlan,
};

/// Statistic of a [`WeightedRequest`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Statistic {
    /// Mean of the values.
    Mean,
    /// Number of records times their mean.
    Sum,
    /// Number of records.
    Count,
    /// Share of every category.
    Frequency,
}

impl Statistic {
    /// Returns the name on the command line and in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Statistic::Mean => "mean",
            Statistic::Sum => "sum",
            Statistic::Count => "count",
            Statistic::Frequency => "frequency",
        }
    }
}

impl PersonValue {
    /// Returns the value that persons count with in a statistic.
    pub fn for_statistic(statistic: Statistic) -> Self {
        match statistic {
            Statistic::Sum => Self::Total,
            Statistic::Frequency => Self::Share,
            Statistic::Mean | Statistic::Count => Self::Rows,
        }
    }
}

/// Validated request for a mean, a sum or frequencies.
///
/// # Example
///
/// ```
/// use suum_core::{Bounds, Options, Statistic, WeightedRequest};
///
/// let bounds = Bounds::new(0.0, 77.0)?;
/// let request = WeightedRequest::new(Statistic::Mean, bounds, Options::default())?;
/// let plan = request.plan("0.01:6835,0.1:8767,1:4028,inf:560".parse()?)?;
/// assert_eq!(plan.chosen().estimator.name(), "typical");
/// # Ok::<(), suum_core::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct WeightedRequest {
    statistic: Statistic,
    bounds: Bounds,
    categories: Option<Categories>,
    options: Options,
}

impl WeightedRequest {
    /// Returns a request for `statistic` of values inside `bounds`; for frequencies use
    /// [`WeightedRequest::frequency`].
    ///
    /// # Errors
    ///
    /// Refuses probabilities outside (0, 1), a variance that values inside the bounds cannot have,
    /// and combinations that make no sense.
    pub fn new(statistic: Statistic, bounds: Bounds, options: Options) -> Result<Self> {
        if statistic == Statistic::Frequency {
            return Err(Error::request("frequency", "no categories are declared").with_fix(
                say("declare them, for example").set(option::CATEGORIES, "good,fair,poor"),
            ));
        }
        check_used(
            &options,
            statistic.name(),
            &[
                option::VARIANCE,
                option::SHRINK,
                option::STEP,
                option::STRATA,
                option::TIERS_DIFFER,
                option::TIERS_APART,
                option::PER_PERSON,
            ],
        )?;
        check_per_person(&options, false)?;
        Self::checked(statistic, bounds, None, options)
    }

    /// Returns a request for the share of every category.
    ///
    /// # Errors
    ///
    /// Refuses what [`WeightedRequest::new`] refuses; a frequency has no variance to declare and
    /// nothing to shrink.
    ///
    /// # Example
    ///
    /// ```
    /// use suum_core::{Options, WeightedRequest};
    ///
    /// let request = WeightedRequest::frequency("good,fair,poor".parse()?, Options::default())?;
    /// let plan = request.plan("0.1:8767,1:4028,inf:560".parse()?)?;
    /// assert_eq!(plan.chosen().estimator.name(), "affine");
    /// # Ok::<(), suum_core::Error>(())
    /// ```
    pub fn frequency(categories: Categories, options: Options) -> Result<Self> {
        let used = [option::SIMULTANEOUS, option::STRATA, option::TIERS_DIFFER, option::PER_PERSON];
        check_used(&options, "frequency", &used)?;
        check_per_person(&options, true)?;
        Self::checked(Statistic::Frequency, Bounds::UNIT, Some(categories), options)
    }

    fn checked(
        statistic: Statistic,
        bounds: Bounds,
        categories: Option<Categories>,
        options: Options,
    ) -> Result<Self> {
        check_probability(option::CONFIDENCE, options.confidence, 0.95)?;
        check_probability(option::BETA, options.beta, 0.05)?;
        if let Some(variance) = options.variance {
            check_variance(variance, bounds)?;
            if options.target == Target::DatasetCorrelated {
                return Err(Error::request(
                    option::VARIANCE,
                    "has no meaning for the target dataset-correlated, whose worst case is over \
                     all datasets",
                )
                .with_fix(leave_out(option::VARIANCE).say(", or choose another target")));
            }
        }
        check_spare(options.spare)?;
        check_step(options.step)?;
        check_neighbors(options.neighbors)?;
        check_strata(&options)?;
        let difference = check_difference(&options, bounds, categories.is_some())?;
        let options = options.with_difference(difference);
        if let Choice::Named(estimator) = options.estimator {
            estimator.check_releasable()?;
            if !estimator.serves(categories.is_some()) {
                let other = if categories.is_some() { "means" } else { "frequencies" };
                return Err(Error::request(
                    option::ESTIMATOR,
                    format!("{estimator} is for {other}"),
                )
                .with_fix(
                    say("choose auto, or see")
                        .command(Command::ask("plan"))
                        .say("for those that apply"),
                ));
            }
        }
        let request = Self { statistic, bounds, categories, options };
        if request.has_shares() && request.options.estimator == Choice::Named(Estimator::Local) {
            return Err(local_of_shares());
        }
        if request.options.tiers_apart {
            tiers_apart::check(&request)?;
        }
        Ok(request)
    }

    /// Returns the statistic.
    pub fn statistic(&self) -> Statistic {
        self.statistic
    }

    /// Returns the declared categories, for a frequency.
    pub fn categories(&self) -> Option<&Categories> {
        self.categories.as_ref()
    }

    /// Returns true if a record can count in several categories, with a share in each.
    pub(super) fn has_shares(&self) -> bool {
        self.categories.as_ref().is_some_and(Categories::are_divided)
    }

    /// Returns the declared bounds; the unit interval for a frequency.
    pub fn bounds(&self) -> Bounds {
        self.bounds
    }

    /// Returns the options.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// Returns the largest difference between tiers, as a share of the width of the bounds.
    pub(crate) fn difference(&self) -> RelativeDifference {
        let difference = self.options.tiers_differ;
        let relative = difference.map(|difference| match self.categories {
            Some(_) => difference.in_shares(),
            None => difference.within(self.bounds.width()),
        });
        // It was validated before.
        relative.and_then(Result::ok).unwrap_or_default()
    }

    /// Returns the largest difference between the means of tiers, in units of the values.
    pub(crate) fn difference_in_values(&self) -> f64 {
        let width = self.bounds.width();
        self.options.tiers_differ.map_or(0.0, |difference| difference.in_values(width))
    }

    /// Returns the coverage of the intervals of a release. `adds_up` is true if its noisy shares
    /// add up to 1.
    pub(crate) fn coverage(&self, adds_up: bool) -> Coverage {
        let categories = self.categories.as_ref().map_or(1, Categories::intervals);
        Coverage::new(self.options.confidence, self.options.simultaneous, categories, adds_up)
    }

    /// Returns the sums of numbers on this grid that are needed: their sum, squares if the [spread
    /// is measured](Self::measures_spread), and sums in cells if the mean [adapts](Self::adapts).
    pub fn numbers(&self, grid: Grid) -> Numbers {
        let cells = self.adapts().then(Cells::for_sums);
        Numbers { grid, squares: self.measures_spread(), cells }
    }

    /// Returns true if the spread of the values is measured along with the estimate, which costs
    /// nothing more: for a mean or a sum whose interval can become shorter.
    ///
    /// It is not measured with a declared variance, for the target `dataset-correlated`, and with
    /// estimators that do not release one weighted sum.
    pub fn measures_spread(&self) -> bool {
        matches!(self.statistic, Statistic::Mean | Statistic::Sum) && self.options.measure_spread()
    }

    /// Returns the request for the mean of a single tier.
    pub(super) fn for_one_tier(&self) -> Self {
        let options = Options {
            adapt: false,
            tiers_apart: false,
            tiers_differ: None,
            ..self.options.clone()
        };
        Self { options, ..self.clone() }
    }

    /// Disables learning where the values lie.
    pub(crate) fn does_not_adapt(&mut self) {
        self.options.adapt = false;
    }

    /// Whether a mean or a sum first learns where the values lie: where that was asked for, and the
    /// spread is measured with weights that are chosen for it, unless values are known to have few
    /// steps.
    pub fn adapts(&self) -> bool {
        let is_mean_or_sum = matches!(self.statistic, Statistic::Mean | Statistic::Sum);
        is_mean_or_sum && self.options.adapts_inside(self.bounds)
    }
}

impl AnyStatistic for Mean {
    fn plan(&self, allowed: Profile, numbers: Numbers, options: Options) -> Result<Plan> {
        plan(Statistic::Mean, allowed, numbers, options)
    }

    fn check_options(&self, bounds: Option<Bounds>, options: Options) -> Result<()> {
        check(Statistic::Mean, bounds, options)
    }

    fn numbers(&self, grid: Grid, options: &Options) -> Numbers {
        numbers(grid, options)
    }
}

impl AnyStatistic for Sum {
    fn plan(&self, allowed: Profile, numbers: Numbers, options: Options) -> Result<Plan> {
        plan(Statistic::Sum, allowed, numbers, options)
    }

    fn check_options(&self, bounds: Option<Bounds>, options: Options) -> Result<()> {
        check(Statistic::Sum, bounds, options)
    }

    fn numbers(&self, grid: Grid, options: &Options) -> Numbers {
        numbers(grid, options)
    }
}

impl AnyStatistic for Categories {
    fn plan(&self, allowed: Profile, _: Numbers, options: Options) -> Result<Plan> {
        WeightedRequest::frequency(self.clone(), options)?.plan(allowed).map(Plan::from)
    }

    fn check_options(&self, _: Option<Bounds>, options: Options) -> Result<()> {
        WeightedRequest::frequency(self.clone(), options).map(|_| ())
    }

    fn is_of_numbers(&self) -> bool {
        false
    }

    fn unit(&self) -> Unit {
        Unit::Share
    }

    fn categories(&self) -> Option<&Categories> {
        Some(self)
    }
}

/// Returns the plan of a mean or a sum.
fn plan(
    statistic: Statistic,
    allowed: Profile,
    numbers: Numbers,
    options: Options,
) -> Result<Plan> {
    let request = WeightedRequest::new(statistic, numbers.grid.bounds(), options)?;
    WeightedPlan::new(&request, allowed, numbers).map(Plan::from)
}

/// Refuses options of a mean or a sum. Without bounds it checks everything except a declared
/// variance.
fn check(statistic: Statistic, bounds: Option<Bounds>, options: Options) -> Result<()> {
    let request = match bounds {
        Some(bounds) => WeightedRequest::new(statistic, bounds, options),
        None => {
            let options = Options { variance: None, ..options };
            WeightedRequest::new(statistic, Bounds::UNIT, options)
        }
    };
    request.map(|_| ())
}

/// Returns the sums that a mean or a sum needs.
fn numbers(grid: Grid, options: &Options) -> Numbers {
    let cells = options.adapts_inside(grid.bounds()).then(Cells::for_sums);
    Numbers { grid, squares: options.measure_spread(), cells }
}

/// Returns the largest difference between tiers, as a share of the width of the bounds or of all
/// records.
fn check_difference(
    options: &Options,
    bounds: Bounds,
    is_frequency: bool,
) -> Result<RelativeDifference> {
    let Some(difference) = options.tiers_differ else { return Ok(RelativeDifference::default()) };
    check_tiers_differ(options)?;
    if options.shrink {
        return Err(Error::request(
            option::SHRINK,
            "an estimate whose interval allows for tiers that differ is not shrunk",
        )
        .with_fix(leave_out(option::SHRINK).say(", or").option(option::TIERS_DIFFER)));
    }
    match is_frequency {
        true => difference.in_shares(),
        false => difference.within(bounds.width()),
    }
}

/// Refuses to shrink an estimate with strata, whose weights are not shrunk.
fn check_strata(options: &Options) -> Result<()> {
    match options.strata.is_some() && options.shrink {
        false => Ok(()),
        true => Err(Error::request(
            option::SHRINK,
            "an estimate that keeps shares of strata is not shrunk",
        )
        .with_fix(leave_out(option::SHRINK).say(", or ask without strata"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Estimator, Neighbors};

    fn refused(change: impl FnOnce(&mut Options)) -> Error {
        let mut options = Options::default();
        change(&mut options);
        WeightedRequest::new(Statistic::Mean, Bounds::new(0.0, 10.0).unwrap(), options).unwrap_err()
    }

    #[test]
    fn refuses_what_makes_no_sense_and_names_the_parameter() {
        for value in [0.0, 1.0, -0.5, 95.0, f64::NAN, f64::INFINITY] {
            assert!(
                refused(|options| options.confidence = value)
                    .to_string()
                    .starts_with("confidence:")
            );
            assert!(refused(|options| options.beta = value).to_string().starts_with("beta:"));
        }
        for value in [0.0, -1.0, 25.1, f64::NAN, f64::INFINITY, 1e-300] {
            assert!(
                refused(|options| options.variance = Some(value))
                    .to_string()
                    .starts_with("variance:")
            );
        }
        for studied in Estimator::ALL.into_iter().filter(|estimator| estimator.is_for_study()) {
            let released = refused(|options| options.estimator = Choice::Named(studied));
            assert!(released.fix().unwrap().to_string().contains("suum-experiments"), "{released}");
        }
        let correlated = refused(|options| {
            options.variance = Some(1.0);
            options.target = Target::DatasetCorrelated;
        });
        assert!(correlated.to_string().starts_with("variance:"));
        assert!(
            refused(|options| options.neighbors = Neighbors::AddRemove)
                .to_string()
                .starts_with("neighbors:")
        );
    }
}
