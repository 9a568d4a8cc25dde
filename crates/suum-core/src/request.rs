//! What is asked for: the one place where combinations that make no sense are refused.

use serde::Serialize;

use crate::coverage::Coverage;
use crate::{
    Bounds, Categories, Cells, Choice, Error, Grid, Neighbors, Numbers, Options, Result, Target,
};

/// What is estimated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Statistic {
    /// The mean of the values.
    Mean,
    /// The number of records times their mean.
    Sum,
    /// The number of records.
    Count,
    /// The share of every category.
    Frequency,
}

impl Statistic {
    /// The name on the command line and in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Statistic::Mean => "mean",
            Statistic::Sum => "sum",
            Statistic::Count => "count",
            Statistic::Frequency => "frequency",
        }
    }
}

/// A request that makes sense.
///
/// # Example
///
/// ```
/// use suum_core::{Bounds, Options, Request, Statistic};
///
/// let request = Request::new(Statistic::Mean, Bounds::new(0.0, 77.0)?, Options::default())?;
/// let plan = request.plan("0.01:6835,0.1:8767,1:4028,inf:560".parse()?)?;
/// assert_eq!(plan.chosen().estimator.name(), "typical");
/// # Ok::<(), suum_core::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Request {
    statistic: Statistic,
    bounds: Bounds,
    categories: Option<Categories>,
    options: Options,
}

impl Request {
    /// A request for `statistic` of values inside `bounds`; frequencies have
    /// [`Request::frequency`].
    ///
    /// # Errors
    ///
    /// Refuses probabilities outside (0, 1), a variance that values inside the bounds cannot have,
    /// and combinations that make no sense.
    pub fn new(statistic: Statistic, bounds: Bounds, options: Options) -> Result<Self> {
        if statistic == Statistic::Frequency {
            return Err(Error::request("frequency: no categories are declared")
                .with_hint("declare them, for example --categories good,fair,poor"));
        }
        check_used(&options, statistic.name(), &["variance", "shrink", "strata"])?;
        Self::checked(statistic, bounds, None, options)
    }

    /// A request for the share of every category.
    ///
    /// # Errors
    ///
    /// As [`Request::new`]; a frequency has no variance to declare and nothing to shrink.
    ///
    /// # Example
    ///
    /// ```
    /// use suum_core::{Options, Request};
    ///
    /// let request = Request::frequency("good,fair,poor".parse()?, Options::default())?;
    /// let plan = request.plan("0.1:8767,1:4028,inf:560".parse()?)?;
    /// assert_eq!(plan.chosen().estimator.name(), "affine");
    /// # Ok::<(), suum_core::Error>(())
    /// ```
    pub fn frequency(categories: Categories, options: Options) -> Result<Self> {
        check_used(&options, "frequency", &["simultaneous", "strata"])?;
        Self::checked(Statistic::Frequency, Bounds::UNIT, Some(categories), options)
    }

    fn checked(
        statistic: Statistic,
        bounds: Bounds,
        categories: Option<Categories>,
        options: Options,
    ) -> Result<Self> {
        check_probability("confidence", options.confidence, 0.95)?;
        check_probability("beta", options.beta, 0.05)?;
        if let Some(variance) = options.variance {
            check_variance(variance, bounds)?;
            if options.target == Target::DatasetCorrelated {
                return Err(Error::request(
                    "variance: has no meaning for the target dataset-correlated, whose worst case \
                    is over all datasets",
                )
                .with_hint("leave --variance out, or choose another target"));
            }
        }
        check_spare(options.spare)?;
        check_neighbors(options.neighbors)?;
        check_strata(&options)?;
        if let Choice::Named(estimator) = options.estimator {
            estimator.check_releasable()?;
            if !estimator.serves(categories.is_some()) {
                let other = if categories.is_some() { "means" } else { "frequencies" };
                return Err(Error::request(format!("estimator: {estimator} is for {other}"))
                    .with_hint("choose auto, or see `suum plan` for those that apply"));
            }
        }
        Ok(Self { statistic, bounds, categories, options })
    }

    /// What is estimated.
    pub fn statistic(&self) -> Statistic {
        self.statistic
    }

    /// The declared categories, for a frequency.
    pub fn categories(&self) -> Option<&Categories> {
        self.categories.as_ref()
    }

    /// The declared bounds; the unit interval for a frequency.
    pub fn bounds(&self) -> Bounds {
        self.bounds
    }

    /// The options.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// How the intervals of a release are made, whose noisy shares add up to 1 or need not.
    pub(crate) fn coverage(&self, adds_up: bool) -> Coverage {
        let categories = self.categories.as_ref().map_or(1, Categories::intervals);
        Coverage::of(self.options.confidence, self.options.simultaneous, categories, adds_up)
    }

    /// What is added up of numbers on this grid: their sum, and squares where they
    /// [tell](Self::measures_spread) how far the interval reaches; all of it in cells where the
    /// mean [adapts](Self::adapts).
    pub fn numbers(&self, grid: Grid) -> Numbers {
        let cells = self.adapts().then(Cells::of_sums);
        Numbers { grid, squares: self.measures_spread(), cells }
    }

    /// Whether the spread of the values is measured beside the estimate, which costs nothing more:
    /// for a mean or a sum whose interval can be shorter for it.
    ///
    /// It cannot where a variance is declared, for the target `dataset-correlated`, and with
    /// estimators that do not release one weighted sum.
    pub fn measures_spread(&self) -> bool {
        matches!(self.statistic, Statistic::Mean | Statistic::Sum) && self.options.measure_spread()
    }

    /// Learns nothing first.
    pub(crate) fn does_not_adapt(&mut self) {
        self.options.adapt = false;
    }

    /// Whether a mean or a sum first learns where the values lie: where that was asked for, and the
    /// spread is measured with weights that are chosen for it.
    pub fn adapts(&self) -> bool {
        matches!(self.statistic, Statistic::Mean | Statistic::Sum) && self.options.adapts()
    }
}

/// Refuses options that a statistic has no use for: they would be ignored.
pub(crate) fn check_used(options: &Options, statistic: &str, used: &[&str]) -> Result<()> {
    let given = [
        (options.variance.is_some(), "variance"),
        (options.shrink, "shrink"),
        (options.simultaneous, "simultaneous"),
        (options.interval_share.is_some(), "interval-share"),
        (options.whole, "step"),
        (options.method.is_some(), "method"),
        (options.strata.is_some(), "strata"),
    ];
    match given.iter().find(|(given, option)| *given && !used.contains(option)) {
        None => Ok(()),
        Some((_, option)) => Err(unused(option, statistic)),
    }
}

/// The refusal of an option that a statistic has no use for.
pub(crate) fn unused(option: &str, statistic: &str) -> Error {
    Error::request(format!("{option}: has no meaning for a {statistic}"))
        .with_hint(format!("leave --{option} out"))
}

/// Refuses a probability outside (0, 1); `usual` is what the hint names.
pub(crate) fn check_probability(name: &str, value: f64, usual: f64) -> Result<()> {
    if value > 0.0 && value < 1.0 {
        return Ok(());
    }
    Err(Error::parameter(format!("{name}: must lie strictly between 0 and 1"))
        .with_hint(format!("for example --{name} {usual}")))
}

/// Refuses a variance that values inside the bounds cannot have.
pub(crate) fn check_variance(variance: f64, bounds: Bounds) -> Result<()> {
    let largest = bounds.width() * bounds.width() / 4.0;
    // The least ratio keeps 2h²/σ² inside the range of doubles that planning works in.
    if variance <= largest && variance >= largest * 1e-30 {
        return Ok(());
    }
    Err(Error::parameter(
        "variance: must be positive and at most a quarter of the squared width of the bounds",
    )
    .with_hint(format!("values inside these bounds have a variance of at most {largest}")))
}

/// Refuses what is no part of anything.
fn check_spare(spare: f64) -> Result<()> {
    match (0.0..=1.0).contains(&spare) {
        true => Ok(()),
        false => Err(Error::parameter("spare: a part must lie between 0 and 1")
            .with_hint("for example --spare 0.5, half of what the mean leaves over")),
    }
}

/// Strata have weights of their own, which are not shrunk.
fn check_strata(options: &Options) -> Result<()> {
    match options.strata.is_some() && options.shrink {
        false => Ok(()),
        true => {
            Err(Error::request("shrink: an estimate that keeps shares of strata is not shrunk")
                .with_hint("leave --shrink out, or ask without strata"))
        }
    }
}

/// Refuses neighbours that are not available.
pub(crate) fn check_neighbors(neighbors: Neighbors) -> Result<()> {
    match neighbors {
        Neighbors::ReplaceOne => Ok(()),
        Neighbors::AddRemove | Neighbors::Both => Err(Error::request(format!(
            "neighbors: {} is not available here",
            neighbors.name()
        ))
        .with_hint(
            "use --neighbors replace; in the library, AddRemoveRequest hides who takes part",
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Estimator;

    fn refused(change: impl FnOnce(&mut Options)) -> Error {
        let mut options = Options::default();
        change(&mut options);
        Request::new(Statistic::Mean, Bounds::new(0.0, 10.0).unwrap(), options).unwrap_err()
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
            assert!(released.hint().unwrap().contains("suum-experiments mean"), "{released}");
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
