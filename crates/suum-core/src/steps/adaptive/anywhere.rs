//! A mean without declared bounds: it learns in wide bounds around what a search has found.

use super::AdaptivePlan;
use crate::private::part::Part;
use crate::private::session::{Cost, Session, rest};
use crate::steps::range::normal_radius;
use crate::{
    Bounds, Cells, Choice, Epsilon, Estimator, FoundRange, Grid, LevelTable, Loss, Numbers,
    Options, Profile, RangePlan, Release, Result, Statistic, WeightedPlan, WeightedRequest,
};

/// How a mean or a sum without declared bounds learns: in bounds that are far wider than nearly all
/// values, which a search has found, and with what that has left of the budgets.
///
/// # Method
///
/// The bounds reach k standard deviations to each side of the centre, as the search tells them.
/// What lies beyond the range that is learned is measured, up to these bounds, with noise whose
/// scale is proportional to k. What lies beyond the bounds is not: of a Pareto tail with exponent
/// 2.5 it moves the mean by 1.1·k^−1.5 standard deviations. With U = Σ min(ε, 1) units to measure
/// it the noise is 1.44·k/U or more, and k = 1.5·U^0.4 keeps the first below 0.28 of the second.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Anywhere {
    statistic: Statistic,
    options: Options,
    budgets: Part,
    half_width_sds: f64,
    adaptive: AdaptivePlan,
}

/// k is this times U^0.4.
const HALF_WIDTH: f64 = 1.5;
/// k is no smaller, since what is beyond 16 standard deviations of normal or exponential values is
/// nothing; and no larger, since a cell of 8193 is to be small beside what is learned.
const HALF_WIDTHS: (f64, f64) = (16.0, 512.0);
/// How much wider than it has to be a range of normal values is, because there are only so many
/// ranges, and one is drawn with noise: as simulations tell.
const COARSE: f64 = 2.0;

impl Anywhere {
    /// The plan for records of this profile; `None` where a mean does not learn, or there is too
    /// little to learn from.
    ///
    /// # Errors
    ///
    /// None that a profile gives cause for.
    pub(crate) fn new(
        statistic: Statistic,
        options: &Options,
        search: &RangePlan,
        allowed: &Profile,
    ) -> Result<Option<Self>> {
        if !options.adapts() {
            return Ok(None);
        }
        let levels = allowed.levels().iter();
        let left = levels.map(|level| rest(level.epsilon, &search.loss(level.epsilon)));
        let budgets = Part::with_budgets(allowed.clone(), left.collect())?;
        let levels = budgets.profile().usable().iter();
        let units: f64 =
            levels.map(|level| level.count as f64 * level.epsilon.get().min(1.0)).sum();
        let half_width_sds = (HALF_WIDTH * units.powf(0.4)).clamp(HALF_WIDTHS.0, HALF_WIDTHS.1);
        // A step is in units of the data, and bounds are not, yet.
        let in_sds = Options { step: None, ..options.clone() };
        // What a mean would do that learns nothing makes no difference.
        let numbers = numbers(Bounds::new(-half_width_sds, half_width_sds)?);
        let adaptive = match numbers.cells {
            Some(cells) => AdaptivePlan::new(&budgets, &numbers.grid, cells, &in_sds)?,
            None => None,
        };
        let options = options.clone();
        Ok(adaptive.map(|adaptive| Self { statistic, options, half_width_sds, adaptive, budgets }))
    }

    /// How many standard deviations the bounds reach to each side.
    pub(crate) fn half_width_sds(&self) -> f64 {
        self.half_width_sds
    }

    /// The most that a record can lose that allows this much, search included.
    pub(crate) fn most(&self, allowed: Epsilon) -> Loss {
        self.adaptive.most(allowed)
    }

    /// What learning the range costs in a session.
    pub(crate) fn cost(&self, session: &Session<'_>) -> Result<Cost> {
        session.cost(&self.adaptive.measurement())
    }

    /// The mean of normal values with standard deviation 1 in the range that is likely to be
    /// learned of them.
    pub(crate) fn plan_for_normal(&self) -> Result<WeightedPlan> {
        let range_rule = self.adaptive.range_rule();
        let left_out = range_rule.outside() / range_rule.units;
        let half_width_sds = range_rule.wider() * COARSE * normal_radius(1.0 - left_out);
        let bounds = Bounds::new(-half_width_sds, half_width_sds)?;
        let options = Options {
            variance: Some(1.0),
            estimator: Choice::Named(Estimator::Affine),
            ..self.options.clone()
        };
        let each = self.budgets.spendable().iter().zip(self.adaptive.learning());
        let left = each.map(|(budget, spent)| match spent.exact() {
            Some(spent) => rest(*budget, &Loss::Finite(spent)),
            None => *budget,
        });
        let part = Part::with_budgets(self.budgets.allowed().clone(), left.collect())?;
        let request = WeightedRequest::new(self.statistic, bounds, options)?;
        let numbers = request.numbers(Grid::new(bounds));
        WeightedPlan::for_part(&request, part, numbers)
    }

    /// The release inside the bounds that were found, from the table that is made for them, in a
    /// session in which nothing but the search has begun; `None` if doubles cannot tell parts of
    /// these bounds apart, or the table has no sums in cells, because there would be too many.
    pub(crate) fn release(
        &self,
        found: FoundRange,
        table: impl FnOnce(Numbers) -> Result<LevelTable>,
        session: &mut Session<'_>,
    ) -> Result<Option<Release>> {
        let found = found.with_half_width_sds(self.half_width_sds)?;
        let plan = plan(self.statistic, &self.options, &self.budgets, found.bounds)?;
        let Some(adaptive) = plan.adaptive() else { return Ok(None) };
        let table = table(numbers(found.bounds))?;
        if !table.numbers().and_then(|numbers| numbers.cells).is_some_and(Cells::has_sums) {
            return Ok(None);
        }
        let adaptive = adaptive.clone().without_a_measure();
        let mut release = adaptive.release(&plan, &table, session)?;
        release.charge_all(session);
        release.learned_in(found);
        Ok(Some(release))
    }
}

/// The plan of a mean or a sum that learns in these bounds.
fn plan(
    statistic: Statistic,
    options: &Options,
    budgets: &Part,
    bounds: Bounds,
) -> Result<WeightedPlan> {
    let request = WeightedRequest::new(statistic, bounds, options.clone())?;
    WeightedPlan::for_part(&request, budgets.clone(), numbers(bounds))
}

/// What is added up for it.
fn numbers(bounds: Bounds) -> Numbers {
    Numbers { grid: Grid::new(bounds), squares: true, cells: Some(Cells::for_sums()) }
}
