//! Interface of a statistic, as far as it is known before anything is planned.

use crate::add_remove::AddRemoveStatistic;
use crate::{
    Bounds, Categories, Cells, Estimand, Grid, Numbers, Options, Plan, Profile, Rank, Request,
    Result, Unit,
};

/// Statistic that can be requested. Each implements it in a folder of its own; all other code uses
/// [`Estimand::any`].
pub(crate) trait AnyStatistic: AddRemoveStatistic {
    /// Returns the plan for records of this profile, with these sums of numbers.
    ///
    /// # Errors
    ///
    /// Refuses options that make no sense, and sums that are not enough.
    fn plan(&self, allowed: Profile, numbers: Numbers, options: Options) -> Result<Plan>;

    /// Returns true if the statistic takes numeric values, which have bounds.
    fn is_of_numbers(&self) -> bool {
        true
    }

    /// Returns the unit of its errors.
    fn unit(&self) -> Unit {
        Unit::Value
    }

    /// Refuses options that make no sense, before there are records. Without known bounds it checks
    /// everything that does not depend on them.
    ///
    /// # Errors
    ///
    /// Refuses what its plan refuses.
    fn check_options(&self, bounds: Option<Bounds>, options: Options) -> Result<()>;

    /// Returns the sums and counts of numbers on this grid that it needs.
    fn numbers(&self, grid: Grid, _: &Options) -> Numbers {
        Numbers { grid, squares: false, cells: self.cells() }
    }

    /// Returns the name of the statistic published along with it, if any.
    fn beside(&self) -> Option<&'static str> {
        None
    }

    /// Returns the least number of standard deviations that a found range must reach to each side,
    /// even if a mean would prefer fewer.
    fn least_half_width_sds(&self) -> f64 {
        0.0
    }

    /// Returns the candidates of quantiles; `None` for other statistics.
    fn cells(&self) -> Option<Cells> {
        None
    }

    /// Returns the ranks of quantiles; empty for other statistics, and for several statistics.
    fn ranks(&self) -> &[Rank] {
        &[]
    }

    /// Returns the categories, for statistics of shares.
    fn categories(&self) -> Option<&Categories> {
        None
    }

    /// Returns the parts of several statistics: the name of what each measures, and its request.
    /// Empty for a single statistic.
    ///
    /// # Errors
    ///
    /// Refuses options that several statistics do not use, and an empty list of statistics.
    fn parts(&self, _: &Options) -> Result<Vec<(&'static str, Request)>> {
        Ok(Vec::new())
    }
}

impl Estimand {
    /// Returns the name of the statistic, as in JSON.
    pub fn name(&self) -> &'static str {
        self.named().0
    }

    /// Returns the implementation of the statistic.
    pub(crate) fn any(&self) -> &dyn AnyStatistic {
        self.named().1
    }

    /// Returns the unit of its errors.
    pub fn unit(&self) -> Unit {
        self.any().unit()
    }

    /// Returns the name of the statistic published along with it, if any.
    pub fn beside(&self) -> Option<&'static str> {
        self.any().beside()
    }

    /// Returns true for a mean or a sum.
    pub fn is_mean_or_sum(&self) -> bool {
        matches!(self, Self::Mean | Self::Sum)
    }

    /// Returns true if the statistic takes numeric values, which have bounds.
    pub fn is_of_numbers(&self) -> bool {
        self.any().is_of_numbers()
    }
}
