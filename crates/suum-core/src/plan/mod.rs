//! What is asked, and what every plan tells and does, whatever its statistic.

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
pub(crate) use json::{CandidateRecord, LearningRecord, PlanRecord, PlannedBounds};
pub use options::{Choice, Options};
pub use request::Request;
pub use unbounded::UnboundedPlan;

/// The plan of a statistic, or of several. Each implements it beside itself; all else asks
/// [`Plan::any`].
pub(crate) trait AnyPlan: HasFacts {
    /// See [`Plan::loss_of`].
    fn loss_of(&self, allowed: Epsilon) -> Loss;

    /// The intervals that are known before, also such that have no finite length.
    fn intervals(&self) -> Vec<PlannedInterval>;

    /// The interval of the mean that is measured beside the statistic, if one is.
    fn mean_beside(&self) -> Option<PlannedInterval> {
        None
    }

    /// What every declared budget would spend, where it is hidden who takes part.
    fn declared(&self) -> Option<Vec<Spending>> {
        None
    }

    /// What it costs to follow the plan, part by part; nothing is known of one that searches or
    /// that hides who takes part.
    ///
    /// # Errors
    ///
    /// If that is asked, which is a bug.
    fn costs(&self, _: &Session<'_>) -> Result<Vec<(Share, Vec<Cost>)>> {
        Err(not_in_a_session())
    }

    /// All that its JSON says.
    fn record(&self) -> PlanRecord<'_>;
}

/// What every declared budget would spend by a plan of which this is a part.
pub(crate) fn declared_of(whole: &dyn AnyPlan, part: &Plan) -> Option<Vec<Spending>> {
    let rows = part.any().declared()?.into_iter();
    Some(rows.map(|row| Spending { spent: whole.loss_of(row.epsilon), ..row }).collect())
}

impl Plan {
    /// What one record that allows this much loses, exactly; nothing if there is no such level.
    pub fn loss_of(&self, allowed: Epsilon) -> Loss {
        self.any().loss_of(allowed)
    }

    /// The expected error (root mean squared), in units of the statistic, of quantiles that of the
    /// rank, without declared bounds in standard deviations of the values (of a variance in squared
    /// ones); `None` where statistics have different ones.
    pub fn rmse(&self) -> Option<f64> {
        self.any().facts().rmse
    }

    /// What that error is in, and half the length of its interval.
    pub fn unit(&self) -> Unit {
        self.any().facts().unit
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
        self.any().facts().relative_error
    }

    /// The options that it was made by, of several statistics those of the first.
    pub fn options(&self) -> Option<&Options> {
        self.any().facts().options
    }

    /// Which datasets a release would not tell apart.
    pub fn neighbors(&self) -> Neighbors {
        self.options().map_or_else(Default::default, |options| options.neighbors)
    }

    /// The statistic's name, as in JSON.
    pub fn statistic(&self) -> &'static str {
        self.any().facts().statistic
    }

    /// The estimator that it would use, where there is one for all.
    pub fn estimator(&self) -> Option<&'static str> {
        self.any().facts().estimator
    }
}

/// The refusal to follow a plan that searches, or that hides who takes part.
pub(crate) fn not_in_a_session() -> Error {
    Error::internal("a range is found for statistics that have bounds")
}
