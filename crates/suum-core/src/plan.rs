//! The plan of any statistic.

use serde::Serialize;

use crate::{
    AddRemovePlan, Epsilon, Error, LevelTable, Loss, QuantilePlan, Randomness, Release, Result,
    SummaryPlan, UnboundedMean, VariancePlan, WeightedPlan,
};

/// What a release will do, decided from public facts before a value is touched.
///
/// It serialises to the JSON of `suum plan`.
///
/// # Example
///
/// ```
/// use suum_core::{Bounds, Epsilon, Options, Plan, Request, Statistic};
///
/// let request = Request::new(Statistic::Mean, Bounds::UNIT, Options::default())?;
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
    /// A mean without declared bounds.
    Unbounded(Box<UnboundedMean>),
    /// Any statistic of which it must not show who takes part, for people as one assumes them to
    /// be.
    AddRemove(Box<AddRemovePlan>),
}

impl Plan {
    /// What one record that allows this much loses, exactly; nothing if there is no such level.
    pub fn loss_of(&self, allowed: Epsilon) -> Loss {
        match self {
            Self::Weighted(plan) => plan.loss_of(allowed),
            Self::Quantiles(plan) => plan.loss_of(allowed),
            Self::Variance(plan) => plan.loss_of(allowed),
            Self::Summary(plan) => plan.loss_of(allowed),
            Self::Unbounded(plan) => plan.loss(allowed),
            Self::AddRemove(plan) => {
                let mut rows = plan.chosen().privacy.iter();
                rows.find(|row| row.epsilon == allowed).map_or(Loss::ZERO, |row| row.spent.clone())
            }
        }
    }

    /// The expected error (root mean squared), in units of the statistic, of quantiles that of the
    /// rank; `None` where statistics have different ones, or it depends on what is found.
    pub fn rmse(&self) -> Option<f64> {
        match self {
            Self::Weighted(plan) => Some(plan.chosen().risk.rmse() * plan.unit()),
            Self::Quantiles(plan) => Some(plan.chosen().rank_error.rmse()),
            Self::Variance(plan) => Some(plan.error().rmse),
            Self::AddRemove(plan) => Some(plan.chosen().error.rmse),
            Self::Summary(_) | Self::Unbounded(_) => None,
        }
    }

    /// Spends the budgets of the records of this table.
    ///
    /// # Errors
    ///
    /// Refuses a table that is not the one the plan was made for, and a plan without declared
    /// bounds, whose search asks the records themselves ([`UnboundedMean::release`]).
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
            Self::Unbounded(_) => {
                Err(Error::request("plan: a range is found in records, and not in a level table")
                    .with_hint("declare bounds, or name the data"))
            }
        }
    }
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

impl From<UnboundedMean> for Plan {
    fn from(plan: UnboundedMean) -> Self {
        Self::Unbounded(Box::new(plan))
    }
}

impl From<AddRemovePlan> for Plan {
    fn from(plan: AddRemovePlan) -> Self {
        Self::AddRemove(Box::new(plan))
    }
}
