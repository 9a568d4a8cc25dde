//! What a statistic tells of itself before anything is planned.

use crate::add_remove::AddRemoveStatistic;
use crate::{
    Bounds, Categories, Cells, Estimand, Grid, Numbers, Options, Plan, Profile, Rank, Request,
    Result, Unit,
};

/// A statistic that can be asked for. Each implements it in a folder of its own; all else asks
/// [`Estimand::any`].
pub(crate) trait AnyStatistic: AddRemoveStatistic {
    /// The plan for records of this profile, of which so much is added up.
    ///
    /// # Errors
    ///
    /// Refuses options that make no sense, and numbers that do not suffice.
    fn plan(&self, allowed: Profile, numbers: Numbers, options: Options) -> Result<Plan>;

    /// Whether it is of numbers, which have bounds.
    fn is_of_numbers(&self) -> bool {
        true
    }

    /// What its errors are in.
    fn unit(&self) -> Unit {
        Unit::Value
    }

    /// Refuses options that make no sense, before there are records; of numbers whose bounds are
    /// not known yet, all that does not depend on them.
    ///
    /// # Errors
    ///
    /// As its plan.
    fn check_options(&self, bounds: Option<Bounds>, options: Options) -> Result<()>;

    /// What has to be added up and counted of numbers on this grid.
    fn numbers(&self, grid: Grid, _: &Options) -> Numbers {
        Numbers { grid, squares: false, cells: self.cells() }
    }

    /// What is published with it, if anything is.
    fn beside(&self) -> Option<&'static str> {
        None
    }

    /// How many standard deviations a range that is found should reach to each side at least,
    /// whatever a mean would prefer.
    fn least_half_width_sds(&self) -> f64 {
        0.0
    }

    /// The candidates of quantiles, where those are asked for.
    fn cells(&self) -> Option<Cells> {
        None
    }

    /// The ranks of quantiles, where those alone are asked for.
    fn ranks(&self) -> &[Rank] {
        &[]
    }

    /// The categories, where their shares are asked for.
    fn categories(&self) -> Option<&Categories> {
        None
    }

    /// What several statistics are made of: what each measures, and its request.
    ///
    /// # Errors
    ///
    /// Refuses options that several statistics have no use for, and none at all.
    fn parts(&self, _: &Options) -> Result<Vec<(&'static str, Request)>> {
        Ok(Vec::new())
    }
}

impl Estimand {
    /// The name of the statistic, as in JSON.
    pub fn name(&self) -> &'static str {
        self.named().0
    }

    /// The statistic itself.
    pub(crate) fn any(&self) -> &dyn AnyStatistic {
        self.named().1
    }

    /// What its errors are in.
    pub fn unit(&self) -> Unit {
        self.any().unit()
    }

    /// What is published with it, if anything is.
    pub fn beside(&self) -> Option<&'static str> {
        self.any().beside()
    }

    /// Whether it is a mean or a sum.
    pub fn is_mean_or_sum(&self) -> bool {
        matches!(self, Self::Mean | Self::Sum)
    }

    /// Whether it is of numbers, which have bounds.
    pub fn is_of_numbers(&self) -> bool {
        self.any().is_of_numbers()
    }
}
