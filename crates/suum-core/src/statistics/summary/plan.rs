//! Plans of several statistics.

use super::{Split, Statistics};
use crate::{
    AddRemoveRequest, Bounds, Cells, Epsilon, Loss, Neighbors, Numbers, Options, Plan, Profile,
    QuantilePlan, Request, Result, Share, VariancePlan, WeightedPlan,
};

/// Statistics that are measured together, with their share of every budget.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Part {
    pub(super) measured: &'static str,
    pub(super) share: Share,
    pub(super) plan: Plan,
}

/// Plan of several statistics, which divide every budget: an ordinary plan of each, for people who
/// are known or assumed.
#[derive(Debug, Clone, PartialEq)]
pub struct SummaryPlan {
    pub(super) statistics: Statistics,
    pub(super) people: Profile,
    pub(super) numbers: Numbers,
    pub(super) parts: Vec<Part>,
}

impl SummaryPlan {
    /// Returns the plan for a public profile.
    ///
    /// # Errors
    ///
    /// Refuses an empty list of statistics, quantiles without candidates, and everything that the
    /// plan of a single statistic refuses.
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
    ///     SummaryPlan::new(statistics, numbers, profile, split, &Options::default())?;
    /// assert_eq!(plan.shares().map(|(_, share)| share.get()).collect::<Vec<_>>(), [0.5, 0.5]);
    /// for (level, spent) in plan.people().levels().iter().zip(plan.losses()) {
    ///     assert!(spent.within(level.epsilon));
    /// }
    /// # Ok::<(), suum_core::Error>(())
    /// ```
    pub fn new(
        statistics: Statistics,
        numbers: Numbers,
        allowed: Profile,
        split: Split,
        options: &Options,
    ) -> Result<Self> {
        // Without candidates the plan of quantiles refuses them.
        let cells = numbers.cells.map_or_else(|| Cells::new(1), Ok)?;
        let request = Request::summary(cells, (statistics.clone(), split), options.clone());
        let part = |(measured, request): (&'static str, Request)| {
            let plan = request.plan(allowed.clone(), numbers)?;
            Ok(Part { measured, share: request.options.share, plan })
        };
        let parts = request.parts()?.into_iter().map(part).collect::<Result<_>>()?;
        Ok(Self { statistics, people: allowed, numbers, parts })
    }

    /// Returns the plan for people as in `assumed`, under add-remove.
    pub(super) fn add_remove(
        (statistics, numbers): (Statistics, Numbers),
        request: &AddRemoveRequest,
        assumed: Profile,
    ) -> Result<Self> {
        let part = |(measured, part): &(&'static str, AddRemoveRequest)| {
            let plan = part.plan(assumed.clone())?;
            Ok(Part { measured, share: part.options().share, plan })
        };
        let parts = request.measured().iter().map(part).collect::<Result<_>>()?;
        Ok(Self { statistics, people: assumed, numbers, parts })
    }

    /// Returns the requested statistics.
    pub fn statistics(&self) -> &Statistics {
        &self.statistics
    }

    /// Returns the privacy levels, with everything that they allow; assumed ones under add-remove.
    pub fn people(&self) -> &Profile {
        &self.people
    }

    /// Returns the options, except for the share of every budget, which differs between the
    /// statistics.
    pub fn options(&self) -> Option<&Options> {
        self.plans().next().and_then(Plan::options)
    }

    /// Returns the relation between datasets that a release would not tell apart.
    pub fn neighbors(&self) -> Neighbors {
        self.options().map_or_else(Neighbors::default, |options| options.neighbors)
    }

    /// Returns the declared bounds.
    pub fn bounds(&self) -> Bounds {
        self.numbers.grid.bounds()
    }

    /// Returns the plans of all parts.
    pub fn plans(&self) -> impl Iterator<Item = &Plan> {
        self.parts.iter().map(|part| &part.plan)
    }

    /// Returns the plan of the mean, if it is measured alone.
    pub fn mean_plan(&self) -> Option<&WeightedPlan> {
        self.plans().find_map(|plan| match plan {
            Plan::Weighted(plan) => Some(&**plan),
            _ => None,
        })
    }

    /// Returns the plan of the variance, and of the mean that is measured with it.
    pub fn variance_plan(&self) -> Option<&VariancePlan> {
        self.plans().find_map(|plan| match plan {
            Plan::Variance(plan) => Some(&**plan),
            _ => None,
        })
    }

    /// Returns the plan of the quantiles.
    pub fn quantile_plan(&self) -> Option<&QuantilePlan> {
        self.plans().find_map(|plan| match plan {
            Plan::Quantiles(plan) => Some(&**plan),
            _ => None,
        })
    }

    /// Returns the worst-case error of the mean that is measured with the variance, if that mean is
    /// requested.
    pub fn rmse_of_mean(&self) -> Option<f64> {
        let mut means = self.plans().filter_map(|plan| plan.any().facts().error_of_mean);
        means.next().filter(|_| self.statistics.mean).map(|error| error.rmse)
    }

    /// Returns the name of each part, and its share of every budget.
    pub fn shares(&self) -> impl Iterator<Item = (&'static str, Share)> {
        self.parts.iter().map(|part| (part.measured, part.share))
    }

    /// Returns the exact loss of one record of each level to all statistics together, in the order
    /// of the profile.
    pub fn losses(&self) -> impl Iterator<Item = Loss> + '_ {
        self.people.levels().iter().map(|level| self.loss_of(level.epsilon))
    }

    /// Returns the exact loss of a record that allows this much, to all statistics together.
    pub fn loss_of(&self, allowed: Epsilon) -> Loss {
        self.plans().fold(Loss::ZERO, |sum, plan| sum.plus(&plan.loss_of(allowed)))
    }
}
