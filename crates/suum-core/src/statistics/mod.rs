//! All statistics: their requests, plans and releases, and the quantities that they estimate.
//!
//! Each has a folder with the same files: `request` checks options and states the sums that it
//! needs, `plan` decides, `release` measures, `record` fills the JSON of both, and `add_remove`
//! does all of that under add-remove. Other code uses the traits that these implement; only this
//! file distinguishes the statistics.

pub(crate) mod count;
pub(crate) mod found;
pub(crate) mod quantile;
mod summary;
mod unit;
pub(crate) mod variance;
pub(crate) mod weighted;

use std::fmt;

use crate::answer::release::{AnyProcedure, Exact};
use crate::plan::any_statistic::AnyStatistic;
use crate::plan::{AnyPlan, not_in_a_session};
use crate::private::session::Session;
use crate::{
    AddRemovePlan, AddRemoveProcedure, Bounds, Categories, Error, Grid, LevelTable, Randomness,
    Rank, Release, Request, Result, UnboundedPlan, ValueMoments,
};
use count::RecordCount;
use variance::Variance;
use weighted::{Mean, Sum};

pub use found::{FoundCategories, FoundPlan, FoundRequest, UndeclaredCategories};
pub use quantile::{
    QuantileCandidate, QuantileEstimands, QuantileEstimator, QuantileMethod, QuantilePlan,
    QuantileRequest, QuantilesTogether, RankError,
};
pub use summary::{
    Parts, Split, Statistics, SummaryEstimands, SummaryPart, SummaryPlan, SummaryProcedure,
};
pub use unit::Unit;
pub use variance::{VariancePlan, VarianceRequest};
pub use weighted::{
    Candidate, Exclusion, Statistic, TierAnswers, TierContrast, TierMean, WeightedPlan,
    WeightedRequest,
};

/// Statistic to estimate, complete except for the bounds of numbers.
#[derive(Debug, Clone, PartialEq)]
pub enum Estimand {
    /// Mean of the values.
    Mean,
    /// Sum of the values.
    Sum,
    /// Number of records.
    Count,
    /// Share of every category.
    Frequency(Categories),
    /// Share of every category that shows above a threshold, if none is declared.
    FoundFrequency(UndeclaredCategories),
    /// Quantiles of the values.
    Quantiles(QuantileEstimands),
    /// Variance, and the mean that is measured with it.
    Variance,
    /// Several statistics, which divide every budget.
    Summary(SummaryEstimands),
}

impl Estimand {
    /// Statistics that need nothing but their column, for laws and audits that cover all of them.
    pub const PLAIN: [Self; 4] = [Self::Mean, Self::Sum, Self::Count, Self::Variance];

    /// Returns the name of the statistic, as in JSON, and its implementation.
    pub(crate) fn named(&self) -> (&'static str, &dyn AnyStatistic) {
        match self {
            Self::Mean => ("mean", &Mean),
            Self::Sum => ("sum", &Sum),
            Self::Count => ("count", &RecordCount),
            Self::Frequency(categories) => ("frequency", categories),
            Self::FoundFrequency(asked) => ("frequency", asked),
            Self::Quantiles(asked) => ("quantile", asked),
            Self::Variance => ("variance", &Variance),
            Self::Summary(asked) => ("summary", asked),
        }
    }
}

/// Plan of a release, decided from public facts before a value is read.
///
/// It serialises to the JSON of `suum plan`.
///
/// # Example
///
/// ```
/// use suum_core::{Bounds, Epsilon, Options, Plan, Statistic, WeightedRequest};
///
/// let request = WeightedRequest::new(Statistic::Mean, Bounds::UNIT, Options::default())?;
/// let plan = Plan::from(request.plan("0.1:50,inf:2".parse()?)?);
/// let strict = Epsilon::new(0.1)?;
/// assert!(plan.loss_of(strict).within(strict));
/// assert!(plan.rmse().is_some_and(|rmse| rmse < 0.5));
/// # Ok::<(), suum_core::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub enum Plan {
    /// Mean, sum or frequencies.
    Weighted(Box<WeightedPlan>),
    /// Frequencies of categories that are found.
    Found(Box<FoundPlan>),
    /// Quantiles.
    Quantiles(Box<QuantilePlan>),
    /// Variance, and the mean that is measured with it.
    Variance(Box<VariancePlan>),
    /// Several statistics, which divide every budget.
    Summary(Box<SummaryPlan>),
    /// Statistic of numbers without declared bounds.
    Unbounded(Box<UnboundedPlan>),
    /// Any statistic under add-remove, for assumed people.
    AddRemove(Box<AddRemovePlan>),
}

impl Plan {
    /// Returns the plan as its trait.
    pub(crate) fn any(&self) -> &dyn AnyPlan {
        match self {
            Self::Weighted(plan) => &**plan,
            Self::Found(plan) => &**plan,
            Self::Quantiles(plan) => &**plan,
            Self::Variance(plan) => &**plan,
            Self::Summary(plan) => &**plan,
            Self::Unbounded(plan) => &**plan,
            Self::AddRemove(plan) => &**plan,
        }
    }

    /// Releases the statistic of the records in this table, and spends their budgets.
    ///
    /// # Errors
    ///
    /// Refuses a table that does not fit the plan, and a plan without declared bounds, whose search
    /// reads the records themselves ([`UnboundedPlan::release`]).
    pub fn release(self, table: LevelTable, randomness: &mut Randomness) -> Result<Release> {
        match self {
            Self::Weighted(plan) => plan.release(table, randomness),
            Self::Found(plan) => plan.release(table, randomness),
            Self::Quantiles(plan) => plan.release(table, randomness),
            Self::Variance(plan) => plan.release(table, randomness),
            Self::Summary(plan) => plan.release(table, randomness),
            Self::AddRemove(plan) => plan.request().release(table, randomness),
            Self::Unbounded(_) => {
                Err(Error::request("plan", "a range is found in records, and not in a level table")
                    .with_fix("declare bounds, or name the data"))
            }
        }
    }

    /// Releases the statistic in a session that may have spent other parts of the budgets.
    pub(crate) fn release_in(
        self,
        table: &LevelTable,
        session: &mut Session<'_>,
    ) -> Result<Release> {
        match self {
            Self::Weighted(plan) => plan.release_in(table, session),
            Self::Found(plan) => plan.release_in(table, session),
            Self::Quantiles(plan) => plan.release_in(table, session),
            Self::Variance(plan) => plan.release_in(table, session),
            Self::Summary(plan) => plan.release_in(table, session),
            Self::Unbounded(_) | Self::AddRemove(_) => Err(not_in_a_session()),
        }
    }
}

impl Request {
    /// Plans and releases the statistic of the records in this table.
    ///
    /// A count is exact, and costs nothing. A release that hides who takes part needs declared
    /// budgets ([`add_remove`](Self::add_remove)).
    ///
    /// # Errors
    ///
    /// Refuses a table that lacks what the statistic needs, and what [`plan`](Self::plan) refuses.
    ///
    /// # Example
    ///
    /// ```
    /// use suum_core::*;
    ///
    /// let grid = Grid::new(Bounds::new(0.0, 10.0)?);
    /// let people = LevelSums {
    ///     label: Some("standard".into()),
    ///     epsilon: Epsilon::new(0.5)?,
    ///     count: 500,
    ///     sums: vec![ExactSum::from_raw(500 * i128::from(grid.points()) / 2)],
    ///     cells: Default::default(),
    /// };
    /// let measure = Measure::Numbers(grid.into());
    /// let table = LevelTable::new(Some("score".into()), measure, vec![people])?;
    /// let mean = Request::mean(Neighbors::ReplaceOne);
    /// let release = mean.release(table, &mut Randomness::insecure(1))?;
    /// assert!((0.0..=10.0).contains(&release.estimate()));
    /// # Ok::<(), suum_core::Error>(())
    /// ```
    pub fn release(&self, table: LevelTable, randomness: &mut Randomness) -> Result<Release> {
        if self.asked == Estimand::Count {
            return Release::count(&table, &self.options);
        }
        let numbers = match self.asked.is_of_numbers() {
            true => *table.numbers().ok_or_else(|| {
                Error::table("level table", "it has counts but no sums")
                    .with_fix("make it with the column of values, and their bounds")
            })?,
            // Statistics without numbers have no bounds.
            false => Grid::new(Bounds::UNIT).into(),
        };
        self.plan(table.profile()?, numbers)?.release(table, randomness)
    }
}

impl From<WeightedPlan> for Plan {
    fn from(plan: WeightedPlan) -> Self {
        Self::Weighted(Box::new(plan))
    }
}

impl From<FoundPlan> for Plan {
    fn from(plan: FoundPlan) -> Self {
        Self::Found(Box::new(plan))
    }
}

impl From<QuantilePlan> for Plan {
    fn from(plan: QuantilePlan) -> Self {
        Self::Quantiles(Box::new(plan))
    }
}

impl From<VariancePlan> for Plan {
    fn from(plan: VariancePlan) -> Self {
        Self::Variance(Box::new(plan))
    }
}

impl From<SummaryPlan> for Plan {
    fn from(plan: SummaryPlan) -> Self {
        Self::Summary(Box::new(plan))
    }
}

impl From<UnboundedPlan> for Plan {
    fn from(plan: UnboundedPlan) -> Self {
        Self::Unbounded(Box::new(plan))
    }
}

impl From<AddRemovePlan> for Plan {
    fn from(plan: AddRemovePlan) -> Self {
        Self::AddRemove(Box::new(plan))
    }
}

/// Procedure by which the estimates of a release were made.
#[derive(Debug, Clone, PartialEq)]
pub enum Procedure {
    /// Exact count: the number is public, and has no noise.
    Exact,
    /// Plan of a mean, a sum or frequencies.
    Weighted(Box<WeightedPlan>),
    /// Plan of frequencies of categories that are found.
    Found(Box<FoundPlan>),
    /// Plan of quantiles.
    Quantiles(Box<QuantilePlan>),
    /// Plan of a variance, and of the mean that is measured with it.
    Variance(Box<VariancePlan>),
    /// Several statistics, each with its share of every budget.
    Summary(SummaryProcedure),
    /// Any statistic under add-remove.
    AddRemove(Box<AddRemoveProcedure>),
}

impl Procedure {
    /// Returns the procedure as its trait.
    pub(crate) fn any(&self) -> &dyn AnyProcedure {
        match self {
            Self::Exact => &Exact,
            Self::Weighted(plan) => &**plan,
            Self::Found(plan) => &**plan,
            Self::Quantiles(plan) => &**plan,
            Self::Variance(plan) => &**plan,
            Self::Summary(parts) => parts,
            Self::AddRemove(how) => &**how,
        }
    }

    /// Returns the releases of several statistics; empty for a single one.
    pub(crate) fn parts(&self) -> &[SummaryPart] {
        match self {
            Self::Summary(summary) => &summary.parts,
            _ => &[],
        }
    }
}

/// Quantity that an estimate is of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Quantity {
    /// Mean of the values.
    Mean,
    /// Sum of the values.
    Sum,
    /// Number of records.
    Count,
    /// Variance, in squared units of the data.
    Variance,
    /// Standard deviation: the root of the variance.
    Deviation,
    /// Quantile: the value below which this share of the records lies.
    Quantile(Rank),
    /// Share of the records in this category.
    Share(String),
    /// Share of the records in all categories that are not published.
    OtherShares,
}

impl Quantity {
    /// Returns the unit of its errors.
    pub fn unit(&self) -> Unit {
        match self {
            Self::Mean | Self::Sum | Self::Deviation | Self::Quantile(_) => Unit::Value,
            Self::Count => Unit::Records,
            Self::Variance => Unit::Square,
            Self::Share(_) | Self::OtherShares => Unit::Share,
        }
    }

    /// Returns the quantity of values with these moments; `None` for quantiles and shares, which
    /// moments do not determine.
    pub fn compute_from(&self, values: &ValueMoments) -> Option<f64> {
        match self {
            Self::Mean => Some(values.mean),
            Self::Sum => Some(values.records * values.mean),
            Self::Count => Some(values.records),
            Self::Variance => Some(values.variance),
            Self::Deviation => Some(values.variance.sqrt()),
            Self::Quantile(_) | Self::Share(_) | Self::OtherShares => None,
        }
    }

    /// Returns true if it is a value like those of the data, such as a date for dates.
    pub fn is_value(&self) -> bool {
        matches!(self, Self::Mean | Self::Quantile(_))
    }

    /// Returns the range of the quantity for values inside these bounds. Sums and means are
    /// multiplied by `unit`; `add_remove` is true if the number of records is private.
    pub(crate) fn range(&self, bounds: Bounds, unit: f64, add_remove: bool) -> (f64, f64) {
        let half = bounds.width() / 2.0;
        match self {
            Self::Share(_) | Self::OtherShares => (0.0, 1.0),
            Self::Variance => (0.0, half * half),
            Self::Deviation => (0.0, half),
            // Under add-remove, sums and counts have no largest value. An exact count needs no
            // range.
            Self::Count => (0.0, f64::INFINITY),
            Self::Sum if add_remove => (f64::NEG_INFINITY, f64::INFINITY),
            Self::Sum | Self::Mean | Self::Quantile(_) => {
                (bounds.lower() * unit, bounds.upper() * unit)
            }
        }
    }
}

/// Writes the name in JSON: `mean`, `0.5` for a median, the category for a share.
impl fmt::Display for Quantity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Mean => f.write_str("mean"),
            Self::Sum => f.write_str("sum"),
            Self::Count => f.write_str("count"),
            Self::Variance => f.write_str("variance"),
            Self::Deviation => f.write_str("deviation"),
            Self::Quantile(rank) => rank.fmt(f),
            Self::Share(category) => f.write_str(category),
            Self::OtherShares => f.write_str("all others"),
        }
    }
}
