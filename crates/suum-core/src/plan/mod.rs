//! Requests, and the interface of all plans, whatever their statistic.

pub(crate) mod any_statistic;
pub(crate) mod checks;
pub(crate) mod facts;
mod interval;
mod json;
pub(crate) mod on_demand;
mod options;
pub(crate) mod record;
mod request;
mod unbounded;

use crate::plan::facts::HasFacts;
use crate::private::session::{Cost, Session};
use crate::{Epsilon, Error, Loss, Neighbors, Plan, Result, Share, Spending, Unit};

pub use interval::{PlannedInterval, WidthBasis};
pub(crate) use json::{
    CandidateRecord, FoundPlanRecord, LearningRecord, PlanRecord, PlannedBounds,
};
pub use options::{Choice, Options};
pub use request::Request;
pub use unbounded::UnboundedPlan;

/// Plan of one statistic, or of several. Each statistic implements it; all other code uses
/// [`Plan::any`].
pub(crate) trait AnyPlan: HasFacts {
    /// See [`Plan::loss_of`].
    fn loss_of(&self, allowed: Epsilon) -> Loss;

    /// Returns the intervals known in advance, including those of infinite length.
    fn intervals(&self) -> Vec<PlannedInterval>;

    /// Returns the interval of the mean that is measured along with the statistic, if one is.
    fn mean_beside(&self) -> Option<PlannedInterval> {
        None
    }

    /// Returns the spending of every declared budget, under add-remove.
    fn declared(&self) -> Option<Vec<Spending>> {
        None
    }

    /// Returns the costs of following the plan, part by part.
    ///
    /// # Errors
    ///
    /// Returns an internal error for a plan that searches for a range, or that hides who takes
    /// part.
    fn costs(&self, _: &Session<'_>) -> Result<Vec<(Share, Vec<Cost>)>> {
        Err(not_in_a_session())
    }

    /// Returns its JSON record.
    fn record(&self) -> PlanRecord<'_>;
}

/// Returns the spending of every declared budget by the whole plan that has this part.
pub(crate) fn declared_of(whole: &dyn AnyPlan, part: &Plan) -> Option<Vec<Spending>> {
    let rows = part.any().declared()?.into_iter();
    Some(rows.map(|row| Spending { spent: whole.loss_of(row.epsilon), ..row }).collect())
}

impl Plan {
    /// Returns the exact loss of a record that allows this much; zero if there is no such level.
    pub fn loss_of(&self, allowed: Epsilon) -> Loss {
        self.any().loss_of(allowed)
    }

    /// Returns the expected error (root mean squared) in units of the statistic; `None` for
    /// statistics with different ones. For quantiles it is in units of the rank, without declared
    /// bounds in standard deviations of the values (for a variance in squared ones).
    pub fn rmse(&self) -> Option<f64> {
        self.any().facts().rmse
    }

    /// Returns the unit of the error, and of half the length of the interval.
    pub fn unit(&self) -> Unit {
        self.any().facts().unit
    }

    /// Returns the expected error (root mean squared) as a share of the largest possible value: for
    /// a mean the width of the bounds, for a sum that width times the number of records, for a
    /// variance a quarter of the squared width, for ranks and frequencies 1. For several statistics
    /// it is the largest share. `None` without declared bounds, and under add-remove.
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
        self.any().facts().relative_error
    }

    /// Returns the options of the plan; for several statistics those of the first.
    pub fn options(&self) -> Option<&Options> {
        self.any().facts().options
    }

    /// Returns the relation between datasets that a release would not tell apart.
    pub fn neighbors(&self) -> Neighbors {
        self.options().map_or_else(Default::default, |options| options.neighbors)
    }

    /// Returns the name of the statistic, as in JSON.
    pub fn statistic(&self) -> &'static str {
        self.any().facts().statistic
    }

    /// Returns the name of the estimator, if one is used for everything.
    pub fn estimator(&self) -> Option<&'static str> {
        self.any().facts().estimator
    }
}

/// Returns the error for following a plan that searches for a range, or that hides who takes part,
/// in a session.
pub(crate) fn not_in_a_session() -> Error {
    Error::internal("a range is found for statistics that have bounds")
}
