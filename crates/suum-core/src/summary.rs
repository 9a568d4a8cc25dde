//! Several statistics of one column, from one pass and one budget.

use std::collections::HashSet;
use std::str::FromStr;

use serde::Serialize;

use crate::session::{Cost, Session};
use crate::{
    Bounds, Cells, Epsilon, Error, Estimate, Grid, LevelTable, Loss, Measure, Neighbors, Numbers,
    Options, Procedure, Profile, QuantileOptions, QuantilePlan, QuantileRequest, Quantity,
    Randomness, Rank, Release, Request, Result, Share, Spending, Statistic, SummaryPart, Target,
    VarianceOptions, VariancePlan, VarianceRequest, WeightedPlan,
};

/// The statistics of a summary, as in `mean,variance,q50`.
///
/// # Example
///
/// ```
/// use suum_core::Statistics;
///
/// let statistics: Statistics = "mean,variance,q25,q50,q99.9".parse()?;
/// assert!(statistics.mean && statistics.variance);
/// assert_eq!(statistics.quantiles[2].fraction(), (999, 1000));
/// assert!("mean,median".parse::<Statistics>().is_err());
/// # Ok::<(), suum_core::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Statistics {
    /// The mean.
    pub mean: bool,
    /// The variance.
    pub variance: bool,
    /// The quantiles, in the order named.
    pub quantiles: Vec<Rank>,
}

/// Names separated by commas; `q25` is the quantile below which 25 % of people lie.
impl FromStr for Statistics {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let refused = || {
            Error::parameter(
                "statistic: expected mean, variance and quantiles such as q50, separated by commas",
            )
            .with_hint("for example --statistic mean,variance,q25,q50,q75; the median is q50")
        };
        let mut statistics = Self::default();
        let mut named = HashSet::new();
        for name in text.split(',').map(str::trim) {
            if !named.insert(name) {
                return Err(Error::parameter("statistic: one is named twice")
                    .with_hint("leave one of them out"));
            }
            match name {
                "mean" => statistics.mean = true,
                "variance" => statistics.variance = true,
                _ => {
                    let percent = name.strip_prefix('q').ok_or_else(refused)?;
                    statistics.quantiles.push(of_percent(percent).ok_or_else(refused)?);
                }
            }
        }
        Ok(statistics)
    }
}

impl Statistics {
    /// The names that they are read from: those of moments first, quantiles as `q25`.
    ///
    /// ```
    /// let statistics: suum_core::Statistics = "q99.9,variance,q05".parse()?;
    /// assert_eq!(statistics.names(), ["variance", "q99.9", "q5"]);
    /// # Ok::<(), suum_core::Error>(())
    /// ```
    pub fn names(&self) -> Vec<String> {
        let moments = [(self.mean, "mean"), (self.variance, "variance")];
        let moments = moments.into_iter().filter(|(asked, _)| *asked);
        let quantiles = self.quantiles.iter().map(|rank| format!("q{}", rank.percent()));
        moments.map(|(_, name)| name.to_owned()).chain(quantiles).collect()
    }
}

/// What is measured together, with its own share of every budget.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Measured {
    /// The mean alone.
    Mean,
    /// The variance, and the mean with it.
    Variance,
    /// All quantiles.
    Quantiles,
}

impl Statistics {
    /// What is measured for them, and which part of what may be spent each measurement has.
    ///
    /// # Errors
    ///
    /// Refuses an empty list of statistics.
    pub(crate) fn shares(&self, split: Split, all: Share) -> Result<Vec<(Measured, Share)>> {
        let moments = match (self.mean, self.variance) {
            (true, true) => Some((Measured::Variance, split.mean + split.variance)),
            (false, true) => Some((Measured::Variance, split.variance)),
            (true, false) => Some((Measured::Mean, split.mean)),
            (false, false) => None,
        };
        let quantiles = (Measured::Quantiles, split.quantile);
        let quantiles = (!self.quantiles.is_empty()).then_some(quantiles);
        let (measured, parts): (Vec<_>, Vec<_>) = moments.into_iter().chain(quantiles).unzip();
        if parts.is_empty() {
            return Err(Error::parameter("statistic: none is named")
                .with_hint("for example --statistic mean,variance,q25,q50,q75"));
        }
        let shares = Share::split(&parts)?.into_iter().map(|part| part.times(all));
        measured.into_iter().zip(shares).map(|(measured, share)| Ok((measured, share?))).collect()
    }

    /// What it is called in a release.
    pub(crate) fn name_of(&self, measured: Measured) -> &'static str {
        match measured {
            Measured::Mean => "mean",
            Measured::Variance if self.mean => "mean and variance",
            Measured::Variance => "variance",
            Measured::Quantiles => "quantiles",
        }
    }
}

/// The rank that a percentage such as `25` or `99.9` stands for.
fn of_percent(percent: &str) -> Option<Rank> {
    let (whole, fraction) = percent.split_once('.').unwrap_or((percent, ""));
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if whole.is_empty() || whole.len() > 2 || !digits(whole) || !digits(fraction) {
        return None;
    }
    format!("0.{whole:0>2}{fraction}").parse().ok()
}

/// How much of every budget each statistic may spend, in parts.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Split {
    /// Parts of the mean; where a variance is measured too, both are measured together with the
    /// parts of both.
    pub mean: f64,
    /// Parts of the variance.
    pub variance: f64,
    /// Parts of all quantiles together.
    pub quantile: f64,
}

impl Split {
    /// One part for each statistic.
    pub fn even(statistics: &Statistics) -> Self {
        Self { mean: 1.0, variance: 1.0, quantile: statistics.quantiles.len().max(1) as f64 }
    }

    /// The same split with these parts.
    #[must_use]
    pub fn with(self, parts: Parts) -> Self {
        Self {
            mean: parts.mean.unwrap_or(self.mean),
            variance: parts.variance.unwrap_or(self.variance),
            quantile: parts.quantile.unwrap_or(self.quantile),
        }
    }
}

/// What a [`Split`] is to have in place of its usual parts, as in `mean=2,quantile=1`.
///
/// # Example
///
/// ```
/// use suum_core::{Parts, Split, Statistics};
///
/// let parts: Parts = "variance=2".parse()?;
/// let all = "mean,variance".parse::<Statistics>()?;
/// assert_eq!(Split::even(&all).with(parts).variance, 2.0);
/// assert!("median=1".parse::<Parts>().is_err() && "mean=0".parse::<Parts>().is_err());
/// # Ok::<(), suum_core::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
pub struct Parts {
    /// Parts of the mean.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mean: Option<f64>,
    /// Parts of the variance.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub variance: Option<f64>,
    /// Parts of all quantiles together.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub quantile: Option<f64>,
}

impl FromStr for Parts {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let refused = |what: &str| {
            Error::parameter(format!("split: {what}"))
                .with_hint("for example --split mean=2,variance=1,quantile=1")
        };
        let mut all = Self::default();
        for pair in text.split(',') {
            let parts = pair.split_once('=').and_then(|(name, parts)| {
                let parts: f64 = parts.trim().parse().ok()?;
                Some((name.trim(), parts)).filter(|_| parts > 0.0 && parts.is_finite())
            });
            let (name, parts) =
                parts.ok_or_else(|| refused("expected NAME=PARTS with positive parts"))?;
            match name {
                "mean" => all.mean = Some(parts),
                "variance" => all.variance = Some(parts),
                "quantile" => all.quantile = Some(parts),
                _ => return Err(refused("the parts are those of mean, variance and quantile")),
            }
        }
        Ok(all)
    }
}

/// The options of a summary, with the defaults of the command line.
#[derive(Debug, Clone, PartialEq)]
pub struct SummaryOptions {
    /// What the statistics are meant to be those of. Default: the population.
    pub target: Target,
    /// Which datasets must not be told apart. Default: replace-one.
    pub neighbors: Neighbors,
    /// The confidence of intervals, in (0, 1). Default: 0.95.
    pub confidence: f64,
    /// The part of the quantiles' budget that buys the ends of their intervals. Default (`None`): a
    /// fifth where that costs little accuracy; see [`QuantileOptions::interval_share`].
    pub interval_share: Option<f64>,
    /// Whether values are candidates of quantiles themselves, as integers are with steps of 1.
    /// Default: no.
    pub whole: bool,
    /// The part of every budget that may be spent on all of them. Default: all.
    pub share: Share,
}

impl Default for SummaryOptions {
    fn default() -> Self {
        let QuantileOptions { target, neighbors, confidence, interval_share, whole, share, .. } =
            QuantileOptions::default();
        Self { target, neighbors, confidence, interval_share, whole, share }
    }
}

/// The plan of several statistics, which share every budget.
#[derive(Debug, Clone, PartialEq)]
pub struct SummaryPlan {
    statistics: Statistics,
    allowed: Profile,
    numbers: Numbers,
    mean: Option<(Share, WeightedPlan)>,
    variance: Option<(Share, VariancePlan)>,
    quantiles: Option<(Share, QuantilePlan)>,
}

impl SummaryPlan {
    /// The plan for a public profile.
    ///
    /// # Errors
    ///
    /// Refuses an empty list of statistics, quantiles without candidates, and what the statistics
    /// refuse alone.
    ///
    /// # Example
    ///
    /// ```
    /// use suum_core::*;
    ///
    /// let statistics: Statistics = "mean,variance,q50".parse()?;
    /// let numbers = Numbers {
    ///     grid: Grid::new(Bounds::new(0.0, 77.0)?),
    ///     squares: true,
    ///     cells: Some(Cells::new(Cells::STEPS)?),
    /// };
    /// let split = Split::even(&statistics).with("quantile=2".parse()?);
    /// let profile: Profile = "0.1:8767,1:4028,inf:560".parse()?;
    /// let plan =
    ///     SummaryPlan::new(statistics, numbers, profile, split, &SummaryOptions::default())?;
    /// assert_eq!(plan.shares().map(|(_, share)| share.get()).collect::<Vec<_>>(), [0.5, 0.5]);
    /// for (level, spent) in plan.allowed().levels().iter().zip(plan.losses()) {
    ///     assert!(spent.within(level.epsilon));
    /// }
    /// # Ok::<(), suum_core::Error>(())
    /// ```
    pub fn new(
        statistics: Statistics,
        numbers: Numbers,
        allowed: Profile,
        split: Split,
        options: &SummaryOptions,
    ) -> Result<Self> {
        let SummaryOptions { target, neighbors, confidence, interval_share, whole, share } =
            *options;
        let bounds = numbers.grid.bounds();
        let (mut mean, mut variance, mut quantiles) = (None, None, None);
        for (measured, share) in statistics.shares(split, share)? {
            match measured {
                Measured::Mean => {
                    let options =
                        Options { target, neighbors, confidence, share, ..Options::default() };
                    let request = Request::new(Statistic::Mean, bounds, options)?;
                    mean = Some((share, WeightedPlan::new(&request, allowed.clone(), numbers)?));
                }
                Measured::Variance => {
                    let options = VarianceOptions { target, neighbors, confidence, share };
                    let request = VarianceRequest::new(bounds, options)?;
                    let plan = VariancePlan::new(&request, allowed.clone(), numbers.grid)?;
                    variance = Some((share, plan));
                }
                Measured::Quantiles => {
                    let cells = numbers.cells.ok_or_else(no_candidates)?;
                    let options = QuantileOptions {
                        target,
                        neighbors,
                        confidence,
                        interval_share,
                        whole,
                        share,
                        ..QuantileOptions::default()
                    };
                    let ranks = statistics.quantiles.clone();
                    let request = QuantileRequest::new(bounds, cells, ranks, options)?;
                    quantiles = Some((share, request.plan(allowed.clone())?));
                }
            }
        }
        Ok(Self { statistics, allowed, numbers, mean, variance, quantiles })
    }

    /// The statistics asked for.
    pub fn statistics(&self) -> &Statistics {
        &self.statistics
    }

    /// The privacy levels, with all that they allow.
    pub fn allowed(&self) -> &Profile {
        &self.allowed
    }

    /// The declared bounds.
    pub fn bounds(&self) -> Bounds {
        self.numbers.grid.bounds()
    }

    /// The plan of the mean, where it is measured alone.
    pub fn mean_plan(&self) -> Option<&WeightedPlan> {
        self.mean.as_ref().map(|(_, plan)| plan)
    }

    /// The plan of the variance, and of the mean with it.
    pub fn variance_plan(&self) -> Option<&VariancePlan> {
        self.variance.as_ref().map(|(_, plan)| plan)
    }

    /// The plan of the quantiles.
    pub fn quantile_plan(&self) -> Option<&QuantilePlan> {
        self.quantiles.as_ref().map(|(_, plan)| plan)
    }

    /// The error of the mean in the worst case, where it is asked for: alone, or measured with the
    /// variance.
    pub fn rmse_of_mean(&self) -> Option<f64> {
        let with_variance = || self.variance_plan().map(|plan| plan.error_of_mean().rmse);
        let alone = self.mean_plan().map(|plan| plan.chosen().risk.rmse());
        self.statistics.mean.then(|| alone.or_else(with_variance)).flatten()
    }

    /// What is measured together, and its share of every budget.
    pub fn shares(&self) -> impl Iterator<Item = (&'static str, Share)> {
        let mean = self.mean.as_ref().map(|(share, _)| (Measured::Mean, *share));
        let variance = self.variance.as_ref().map(|(share, _)| (Measured::Variance, *share));
        let quantiles = self.quantiles.as_ref().map(|(share, _)| (Measured::Quantiles, *share));
        let all = [mean, variance, quantiles].into_iter().flatten();
        all.map(|(measured, share)| (self.statistics.name_of(measured), share))
    }

    /// What one record of each level loses to all statistics together, exactly, in the order of the
    /// profile.
    pub fn losses(&self) -> impl Iterator<Item = Loss> + '_ {
        self.allowed.levels().iter().map(|level| self.loss_of(level.epsilon))
    }

    /// What one record that allows this much loses to all statistics together, exactly.
    pub fn loss_of(&self, allowed: Epsilon) -> Loss {
        let mean = self.mean.as_ref().map(|(_, plan)| plan.loss_of(allowed));
        let variance = self.variance.as_ref().map(|(_, plan)| plan.loss_of(allowed));
        let quantiles = self.quantiles.as_ref().map(|(_, plan)| plan.loss_of(allowed));
        [mean, variance, quantiles]
            .into_iter()
            .flatten()
            .fold(Loss::ZERO, |sum, loss| sum.plus(&loss))
    }

    /// Spends the budgets: each statistic its share, from one table.
    ///
    /// # Errors
    ///
    /// Refuses a table of another profile or of other sums than the plan's.
    pub fn release(self, table: LevelTable, randomness: &mut Randomness) -> Result<Release> {
        let mut session = Session::known(&self.allowed, randomness);
        // All of it, before anything is drawn.
        session.check(self.costs(&session)?)?;
        self.release_in(&table, &mut session)
    }

    /// What each part costs, and its share of every budget.
    pub(crate) fn costs(&self, session: &Session<'_>) -> Result<Vec<(Share, Vec<Cost>)>> {
        let mut costs = Vec::new();
        if let Some((share, plan)) = &self.mean {
            costs.push(session.part(*share, &plan.measurement())?);
        }
        if let Some((share, plan)) = &self.variance {
            costs.push(session.part(*share, &plan.measurement())?);
        }
        if let Some((share, plan)) = &self.quantiles {
            costs.push(session.part(*share, &plan.measurement())?);
        }
        Ok(costs)
    }

    /// As [`release`](Self::release), in a session that may have spent other parts of the budgets.
    pub(crate) fn release_in(
        self,
        table: &LevelTable,
        session: &mut Session<'_>,
    ) -> Result<Release> {
        let spread = self.mean.as_ref().is_some_and(|(_, plan)| plan.measures_spread());
        let squares = spread || self.variance.is_some();
        let fits = |measure: &Measure| match measure {
            Measure::Numbers(numbers) => {
                numbers.grid == self.numbers.grid
                    && (numbers.squares || !squares)
                    && (numbers.cells == self.numbers.cells || self.quantiles.is_none())
            }
            _ => false,
        };
        if !fits(table.measure()) || table.profile()? != self.allowed {
            return Err(Error::table("level table: it is not the one that the plan was made for")
                .with_hint("make the table with the same column, bounds and statistics"));
        }
        let shares = self.shares().collect::<Vec<_>>();
        let mut parts = Vec::new();
        if let Some((_, plan)) = self.mean {
            parts.push(plan.release_in(table, session)?);
        }
        if let Some((_, plan)) = self.variance {
            parts.push(plan.release_in(table, session)?);
        }
        if let Some((_, plan)) = self.quantiles {
            parts.push(plan.release_in(table, session)?);
        }
        let estimates = estimates(&self.statistics, &parts);
        let cohorts = table.cohorts().iter();
        // Each statistic weighs people in its own way.
        let privacy = cohorts
            .map(|cohort| Spending::of(cohort, session.account().spent(cohort.epsilon), None))
            .collect();
        let parts = shares.into_iter().zip(parts);
        let procedure = Procedure::Summary {
            statistics: self.statistics,
            bounds: self.numbers.grid.bounds(),
            parts: parts
                .map(|((measured, share), release)| SummaryPart { measured, share, release })
                .collect(),
        };
        let mut release = Release::new(table, session, estimates, None, privacy, procedure);
        release.charge_all(session);
        Ok(release)
    }
}

/// What was asked for of the estimates of all parts: a variance comes with a mean that may not
/// have been.
pub(crate) fn estimates<'r>(
    asked: &Statistics,
    parts: impl IntoIterator<Item = &'r Release>,
) -> Vec<Estimate> {
    let all = parts.into_iter().flat_map(|part| &part.estimates);
    let (mut means, others): (Vec<_>, Vec<_>) =
        all.cloned().partition(|one| one.of == Quantity::Mean);
    if !asked.mean {
        means.clear();
    }
    means.into_iter().chain(others).collect()
}

/// The refusal of quantiles of a table without candidates.
pub(crate) fn no_candidates() -> Error {
    Error::request("quantiles: there are no candidates")
        .with_hint("make the table for quantiles, with --cells or --step")
}

/// What has to be added up for these statistics.
impl Statistics {
    /// The sums and counts on this grid, with `cells` as candidates of quantiles.
    pub fn numbers(&self, grid: Grid, cells: Cells) -> Numbers {
        Numbers {
            grid,
            squares: self.mean || self.variance,
            cells: (!self.quantiles.is_empty()).then_some(cells),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{CellCounts, Cohort, ErrorKind, ExactSum};

    fn numbers() -> Numbers {
        Numbers {
            grid: Grid::new(Bounds::UNIT),
            squares: true,
            cells: Some(Cells::new(4).unwrap()),
        }
    }

    /// A thousand people in the middle of the bounds.
    fn table() -> LevelTable {
        let sum = ExactSum::from_raw(1000 * i128::from(numbers().grid.points()) / 2);
        let cohort = Cohort {
            label: None,
            epsilon: Epsilon::new(1.0).unwrap(),
            count: 1000,
            sums: vec![sum, ExactSum::default()],
            cells: CellCounts::from_raw(vec![(2, 1000)]),
        };
        LevelTable::new(None, Measure::Numbers(numbers()), vec![cohort]).unwrap()
    }

    fn plan(statistics: &str) -> SummaryPlan {
        let statistics: Statistics = statistics.parse().unwrap();
        let (split, options) = (Split::even(&statistics), SummaryOptions::default());
        SummaryPlan::new(statistics, numbers(), table().profile().unwrap(), split, &options)
            .unwrap()
    }

    #[test]
    fn all_together_keep_the_budget_or_nothing_is_released() {
        let release = |plan: SummaryPlan| plan.release(table(), &mut Randomness::insecure(1));
        for moments in ["mean", "variance"] {
            let good = plan(&format!("{moments},q50"));
            assert!(release(good.clone()).is_ok());
            // Each within its own share, but not together.
            let alone = plan("q50").quantiles;
            let refused = release(SummaryPlan { quantiles: alone, ..good }).unwrap_err();
            assert_eq!(refused.kind(), ErrorKind::Internal);
        }
    }
}
