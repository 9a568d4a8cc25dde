//! The plan of any statistic.

mod request;
mod unbounded;

use serde::Serialize;

use crate::session::{Cost, Session};
use crate::{
    AddRemovePartsPlan, AddRemovePlan, Asked, Bounds, Epsilon, Error, Grid, LevelTable, Loss,
    Neighbors, Options, QuantilePlan, Randomness, RangePlan, Release, Request, Result, Share,
    SummaryPlan, VariancePlan, WeightedPlan,
};

pub use unbounded::UnboundedPlan;

/// What a release will do, decided from public facts before a value is touched.
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
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Plan {
    /// A mean, a sum or frequencies.
    Weighted(Box<WeightedPlan>),
    /// Quantiles.
    Quantiles(Box<QuantilePlan>),
    /// A variance, and the mean that is measured with it.
    Variance(Box<VariancePlan>),
    /// Several statistics, which share every budget.
    Summary(Box<SummaryPlan>),
    /// A statistic of numbers without declared bounds.
    Unbounded(Box<UnboundedPlan>),
    /// Any statistic of which it must not show who takes part, for people as one assumes them to
    /// be.
    AddRemove(Box<AddRemovePlan>),
    /// Several statistics of which it must not show who takes part, or one without declared bounds.
    AddRemoveParts(Box<AddRemovePartsPlan>),
}

impl Plan {
    /// What one record that allows this much loses, exactly; nothing if there is no such level.
    pub fn loss_of(&self, allowed: Epsilon) -> Loss {
        match self {
            Self::Weighted(plan) => plan.loss_of(allowed),
            Self::Quantiles(plan) => plan.loss_of(allowed),
            Self::Variance(plan) => plan.loss_of(allowed),
            Self::Summary(plan) => plan.loss_of(allowed),
            Self::Unbounded(plan) => plan.loss_of(allowed),
            Self::AddRemove(plan) => {
                let mut rows = plan.chosen().privacy.iter();
                rows.find(|row| row.epsilon == allowed).map_or(Loss::ZERO, |row| row.spent.clone())
            }
            Self::AddRemoveParts(plan) => plan.loss_of(allowed),
        }
    }

    /// The expected error (root mean squared), in units of the statistic, of quantiles that of the
    /// rank, without declared bounds in standard deviations of the values (of a variance in squared
    /// ones); `None` where statistics have different ones.
    pub fn rmse(&self) -> Option<f64> {
        match self {
            Self::Weighted(plan) => Some(plan.chosen().risk.rmse() * plan.unit()),
            Self::Quantiles(plan) => Some(plan.chosen().rank_error.rmse()),
            Self::Variance(plan) => Some(plan.error().rmse),
            Self::AddRemove(plan) => Some(plan.chosen().error.rmse),
            Self::Unbounded(plan) => plan.standard().rmse(),
            Self::AddRemoveParts(plan) if plan.statistic() != "summary" => {
                plan.parts().next().map(|(_, part)| part.chosen().error.rmse)
            }
            Self::Summary(_) | Self::AddRemoveParts(_) => None,
        }
    }

    /// The expected error (root mean squared) as a share of what there can be: of a mean the width
    /// of the bounds, of a sum that for all records, of a variance a quarter of the squared width,
    /// of ranks and frequencies 1; of several statistics the largest. `None` where no bounds are
    /// declared, and where it is hidden who takes part.
    ///
    /// # Example
    ///
    /// ```
    /// use suum_core::{Bounds, Options, Plan, Statistic, WeightedRequest};
    ///
    /// let relative = |upper: f64| -> suum_core::Result<Option<f64>> {
    ///     let bounds = Bounds::new(0.0, upper)?;
    ///     let request = WeightedRequest::new(Statistic::Mean, bounds, Options::default())?;
    ///     Ok(Plan::from(request.plan("0.1:50,inf:2".parse()?)?).relative_error())
    /// };
    /// let (narrow, wide) = (relative(1.0)?.unwrap(), relative(1e3)?.unwrap());
    /// assert!((narrow / wide - 1.0).abs() < 1e-9);
    /// # Ok::<(), suum_core::Error>(())
    /// ```
    pub fn relative_error(&self) -> Option<f64> {
        let of_variance = |plan: &VariancePlan| {
            let width = plan.request().bounds().width();
            plan.error().rmse / (width * width / 4.0)
        };
        let of_rank = |plan: &QuantilePlan| plan.chosen().rank_error.rmse();
        match self {
            Self::Weighted(plan) => Some(plan.chosen().risk.rmse() / plan.setting().bounds.width()),
            Self::Quantiles(plan) => Some(of_rank(plan)),
            Self::Variance(plan) => Some(of_variance(plan)),
            Self::Summary(plan) => {
                let mean = plan.rmse_of_mean().map(|rmse| rmse / plan.bounds().width());
                let variance = plan.variance_plan().map(of_variance);
                let quantiles = plan.quantile_plan().map(of_rank);
                [mean, variance, quantiles].into_iter().flatten().reduce(f64::max)
            }
            Self::Unbounded(_) | Self::AddRemove(_) | Self::AddRemoveParts(_) => None,
        }
    }

    /// The confidence of its interval, where there is one for one statistic.
    pub fn confidence(&self) -> Option<f64> {
        match self {
            Self::Summary(_) | Self::Unbounded(_) | Self::AddRemoveParts(_) => None,
            Self::Weighted(_) | Self::Quantiles(_) | Self::Variance(_) | Self::AddRemove(_) => {
                self.options().map(|options| options.confidence)
            }
        }
    }

    /// The options that it was made by, of several statistics those of the first.
    pub fn options(&self) -> Option<&Options> {
        match self {
            Self::Weighted(plan) => Some(plan.request().options()),
            Self::Quantiles(plan) => Some(plan.request().options()),
            Self::Variance(plan) => Some(plan.request().options()),
            Self::Summary(plan) => plan.plans().next()?.options(),
            Self::Unbounded(plan) => Some(&plan.request().options),
            Self::AddRemove(plan) => Some(plan.request().options()),
            Self::AddRemoveParts(plan) => Some(plan.parts().next()?.1.request().options()),
        }
    }

    /// Which datasets a release would not tell apart.
    pub fn neighbors(&self) -> Neighbors {
        self.options().map_or_else(Default::default, |options| options.neighbors)
    }

    /// The statistic's name, as in JSON.
    pub fn statistic(&self) -> &'static str {
        match self {
            Self::Weighted(plan) => plan.request().statistic().name(),
            Self::Quantiles(_) => "quantile",
            Self::Variance(_) => "variance",
            Self::Summary(_) => "summary",
            Self::Unbounded(plan) => plan.request().asked.name(),
            Self::AddRemove(plan) => plan.request().statistic(),
            Self::AddRemoveParts(plan) => plan.statistic(),
        }
    }

    /// The estimator that it would use, where there is one for all.
    pub fn estimator(&self) -> Option<&'static str> {
        match self {
            Self::Weighted(plan) => Some(plan.chosen().estimator.name()),
            Self::Quantiles(plan) => Some(plan.chosen().estimator.name()),
            Self::Variance(_) => Some("affine"),
            Self::Unbounded(_) => Some(RangePlan::NAME),
            Self::AddRemove(plan) => Some(plan.chosen().estimator.name()),
            Self::Summary(_) | Self::AddRemoveParts(_) => None,
        }
    }

    /// Spends the budgets of the records of this table.
    ///
    /// # Errors
    ///
    /// Refuses a table that is not the one the plan was made for, and a plan without declared
    /// bounds, whose search asks the records themselves ([`UnboundedPlan::release`]).
    pub fn release(self, table: LevelTable, randomness: &mut Randomness) -> Result<Release> {
        match self {
            Self::Weighted(plan) if plan.request().categories().is_some() => {
                plan.release_frequencies(table, randomness)
            }
            Self::Weighted(plan) => plan.release(table, randomness),
            Self::Quantiles(plan) => plan.release(table, randomness),
            Self::Variance(plan) => plan.release(table, randomness),
            Self::Summary(plan) => plan.release(table, randomness),
            Self::AddRemove(plan) => plan.request().release(table, randomness),
            Self::Unbounded(_) | Self::AddRemoveParts(_) => {
                Err(Error::request("plan: a range is found in records, and not in a level table")
                    .with_hint("declare bounds, or name the data"))
            }
        }
    }

    /// What it costs to follow the plan, part by part; nothing is known of one that searches or
    /// that hides who takes part.
    pub(crate) fn costs(&self, session: &Session<'_>) -> Result<Vec<(Share, Vec<Cost>)>> {
        Ok(match self {
            Self::Weighted(plan) => vec![session.part(plan.part().share(), &plan.measurement())?],
            Self::Quantiles(plan) => vec![session.part(plan.part().share(), &plan.measurement())?],
            Self::Variance(plan) => vec![session.part(plan.part().share(), &plan.measurement())?],
            Self::Summary(plan) => plan.costs(session)?,
            Self::Unbounded(_) | Self::AddRemove(_) | Self::AddRemoveParts(_) => {
                return Err(not_in_a_session());
            }
        })
    }

    /// As [`release`](Self::release), in a session that has spent other parts of the budgets.
    pub(crate) fn release_in(
        self,
        table: &LevelTable,
        session: &mut Session<'_>,
    ) -> Result<Release> {
        match self {
            Self::Weighted(plan) => plan.release_in(table, session),
            Self::Quantiles(plan) => plan.release_in(table, session),
            Self::Variance(plan) => plan.release_in(table, session),
            Self::Summary(plan) => plan.release_in(table, session),
            Self::Unbounded(_) | Self::AddRemove(_) | Self::AddRemoveParts(_) => {
                Err(not_in_a_session())
            }
        }
    }
}

impl Request {
    /// The release of the records of this table, by the plan for them. A count is exact, and costs
    /// nothing; a release that hides who takes part needs declared budgets
    /// ([`hiding`](Self::hiding)).
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
    /// let people = Cohort {
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
        let numbers = match &self.asked {
            Asked::Count => return Release::count(&table, &self.options),
            // They have no bounds.
            Asked::Frequency(_) => Grid::new(Bounds::UNIT).into(),
            _ => *table.numbers().ok_or_else(|| {
                Error::table("level table: it has counts but no sums")
                    .with_hint("make it with the column of values, and their bounds")
            })?,
        };
        self.plan(table.profile()?, numbers)?.release(table, randomness)
    }
}

fn not_in_a_session() -> Error {
    Error::internal("internal error: a range is found for statistics that have bounds")
        .with_hint("please report it, with the options")
}

impl From<WeightedPlan> for Plan {
    fn from(plan: WeightedPlan) -> Self {
        Self::Weighted(Box::new(plan))
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

impl From<AddRemovePartsPlan> for Plan {
    fn from(plan: AddRemovePartsPlan) -> Self {
        Self::AddRemoveParts(Box::new(plan))
    }
}

impl From<AddRemovePlan> for Plan {
    fn from(plan: AddRemovePlan) -> Self {
        Self::AddRemove(Box::new(plan))
    }
}
