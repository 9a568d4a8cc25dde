//! What is asked for: the one place where combinations that make no sense are refused.

use serde::{Deserialize, Serialize};

use crate::interval::half_width;
use crate::{
    Bounds, Categories, Cells, Error, Estimator, Grid, Numbers, PostProcessing, Result, Share,
    Strata, Target,
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

/// Which datasets a release must not tell apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum Neighbors {
    /// Datasets that differ in the value of one record; the number of records and their budgets are
    /// public.
    #[default]
    #[serde(rename = "replace")]
    ReplaceOne,
    /// Datasets that differ by the presence of one record: see
    /// [`AddRemoveRequest`](crate::AddRemoveRequest).
    #[serde(rename = "add-remove")]
    AddRemove,
    /// Datasets that differ by the presence of one record, or in its value: one ε bounds the odds
    /// between any two situations of a record, absent or present with any value.
    #[serde(rename = "both")]
    Both,
}

impl Neighbors {
    /// The name on the command line and in JSON.
    ///
    /// ```
    /// assert_eq!(suum_core::Neighbors::AddRemove.name(), "add-remove");
    /// ```
    pub fn name(self) -> &'static str {
        match self {
            Neighbors::ReplaceOne => "replace",
            Neighbors::AddRemove => "add-remove",
            Neighbors::Both => "both",
        }
    }

    /// Whether it must not show who takes part.
    ///
    /// ```
    /// use suum_core::Neighbors;
    ///
    /// assert!(Neighbors::Both.hides_participation());
    /// assert!(!Neighbors::ReplaceOne.hides_participation());
    /// ```
    pub fn hides_participation(self) -> bool {
        self != Neighbors::ReplaceOne
    }
}

impl std::str::FromStr for Neighbors {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        match text {
            "replace" => Ok(Neighbors::ReplaceOne),
            "add-remove" => Ok(Neighbors::AddRemove),
            "both" => Ok(Neighbors::Both),
            _ => Err(Error::parameter("neighbors: there are none of that name")
                .with_hint("choose replace, add-remove or both")),
        }
    }
}

/// Which estimator to use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Choice {
    /// For a mean or a sum whose spread is measured [`Estimator::Typical`]; else the listed
    /// estimator of least exact risk, of those that are not for study.
    #[default]
    Auto,
    /// This one. Requests refuse those that are [for study](Estimator::is_for_study).
    Named(Estimator),
}

impl std::str::FromStr for Choice {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        if text == "auto" { Ok(Choice::Auto) } else { text.parse().map(Choice::Named) }
    }
}

/// The options of a request, with the defaults of the command line.
#[derive(Debug, Clone, PartialEq)]
pub struct Options {
    /// What the estimate is meant to be close to. Default: the population.
    pub target: Target,
    /// Which datasets must not be told apart. Default: replace-one.
    pub neighbors: Neighbors,
    /// Which estimator to use. Default: auto.
    pub estimator: Choice,
    /// σ² of the values where it is publicly known, in squared units, at most h²/4. Default: the
    /// worst case h²/4.
    pub variance: Option<f64>,
    /// β in (0, 1), the PAC level of the `-cp` and `-up` variants. Default: 0.05.
    pub beta: f64,
    /// The confidence of intervals, in (0, 1). Default: 0.95.
    pub confidence: f64,
    /// Whether to shrink the estimate of a mean towards the middle of the bounds. Default: no.
    pub shrink: bool,
    /// What is done to noisy frequencies before they are published. Default: projection onto the
    /// simplex.
    pub post: PostProcessing,
    /// Whether the confidence of the intervals of frequencies is that of all of them together.
    /// Default: no, of each alone.
    pub simultaneous: bool,
    /// The part of every budget that may be spent. Default: all.
    pub share: Share,
    /// Whether a mean or a sum first learns where the values lie, with a part of the budgets,
    /// where that is possible ([`AdaptivePlan`](crate::AdaptivePlan)). Default: no; the
    /// command line's default is yes where there is no ledger.
    pub adapt: bool,
    /// The part, in [0, 1], of what a mean leaves over (ε − τ) that adapting must not touch.
    /// Default: none.
    pub spare: f64,
    /// The strata whose shares the estimate keeps. Default: none.
    pub strata: Option<Strata>,
}

impl Options {
    /// Whether a mean or a sum with these options measures the spread of the values: see
    /// [`Request::measures_spread`].
    pub(crate) fn measure_spread(&self) -> bool {
        self.variance.is_none()
            && self.target != Target::DatasetCorrelated
            && !matches!(self.estimator, Choice::Named(Estimator::Mixed | Estimator::Local))
    }
}

/// Adapting.
impl Options {
    /// Whether a mean or a sum with these options learns where the values lie.
    pub fn adapts(&self) -> bool {
        self.adapt
            && self.measure_spread()
            && self.estimator == Choice::Auto
            && !self.shrink
            && self.strata.is_none()
            && self.share == Share::ALL
    }
}

impl Default for Options {
    fn default() -> Self {
        Self {
            target: Target::default(),
            neighbors: Neighbors::default(),
            estimator: Choice::default(),
            variance: None,
            beta: 0.05,
            confidence: 0.95,
            shrink: false,
            post: PostProcessing::default(),
            simultaneous: false,
            share: Share::ALL,
            adapt: false,
            spare: 0.0,
            strata: None,
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
        if options.simultaneous {
            return Err(Error::request("simultaneous: has no meaning for a single number")
                .with_hint("leave --simultaneous out"));
        }
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
        if options.variance.is_some() {
            return Err(Error::request("variance: has no meaning for a frequency")
                .with_hint("leave --variance out"));
        }
        if options.shrink {
            return Err(Error::request("shrink: has no meaning for a frequency")
                .with_hint("leave --shrink out"));
        }
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

/// The confidence of single intervals, and how far apart values lie that the sampling error can
/// have, by which an interval is wider.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Coverage {
    /// The confidence of each interval.
    pub(crate) confidence: f64,
    /// How many steps of the coarsest lattice of a sum are added to each side.
    pub(crate) steps: f64,
}

impl Coverage {
    /// Of intervals of so many frequencies and sums of some of them, which hold each alone, or all
    /// at once; `adds_up` says whether the noisy shares add up to 1.
    ///
    /// # Formula
    ///
    /// That one of k intervals fails has at most k times the probability that a single one has. Of
    /// two noisy shares that add up to 1 both intervals hold, or none: so k is 1.
    ///
    /// So far out a sampling error of rare and heavy records is not normal: by the expansion of
    /// Cornish and Fisher (1938) its quantile is larger than that of a normal variable, z standard
    /// deviations, by (z² − 1)/6 times E|X|³/E X², which is at most the largest weight. To this
    /// comes half a step, as everywhere.
    pub(crate) fn of(
        confidence: f64,
        simultaneous: bool,
        categories: usize,
        adds_up: bool,
    ) -> Self {
        let apart = if adds_up && categories == 2 { 1 } else { categories };
        if !simultaneous || apart <= 1 {
            return Self { confidence, steps: 0.5 };
        }
        let confidence = 1.0 - (1.0 - confidence) / apart as f64;
        let z = half_width(confidence, 0.0, 1.0);
        Self { confidence, steps: 0.5 + ((z * z - 1.0) / 6.0).max(0.0) }
    }
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

/// Refuses neighbours that are not available.
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
