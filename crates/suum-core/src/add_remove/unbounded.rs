//! The mean of values without declared bounds, where participation is hidden.

use super::people::People;
use super::rough::Rough;
use super::{AddRemoveOptions, AddRemoveRequest, DeclaredBudgets};
use crate::session::Session;
use crate::{
    Bounds, Choice, Epsilon, Error, Estimator, FoundRange, Grid, Key, LevelTable, Neighbors,
    Places, Profile, Randomness, RangeOptions, RangePlan, Release, Result, Step,
};

/// A mean of values without declared bounds that does not tell whether anybody takes part.
///
/// # Method
///
/// A rough profile for a twentieth of every budget, then the steps of [`RangePlan`] and the mean
/// inside the range ([`AddRemoveRequest::mean`]) for the rest. Their weights depend on nobody else,
/// ranks are compared with the weight that is there, and everything that is planned is planned from
/// the rough profile.
///
/// # Example
///
/// ```
/// use suum_core::{Epsilon, Randomness, RangeOptions, Records, UnboundedAddRemove};
///
/// let one = Epsilon::new(1.0)?;
/// let mut people =
///     Records::new((0..5000).map(|i| (one, 1000.0 + f64::from(i % 101) - 50.0)).collect())?;
/// let request = UnboundedAddRemove::new("0.1,1".parse()?, RangeOptions::default())?;
/// let release = request.release(&mut people, &mut Randomness::insecure(1))?;
/// assert!((release.estimate() - 1000.0).abs() < 10.0);
/// for row in &release.privacy {
///     assert!(row.spent.within(row.epsilon));
/// }
/// # Ok::<(), suum_core::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct UnboundedAddRemove {
    budgets: DeclaredBudgets,
    options: RangeOptions,
}

/// The part of every budget that is left once the rough profile has had its twentieth, and rounding
/// its own.
const AFTER_PROFILE: f64 = 0.949_999_999;

impl UnboundedAddRemove {
    /// A request for people with such budgets.
    ///
    /// # Errors
    ///
    /// As [`RangeOptions::check`] and [`AddRemoveRequest::mean`].
    pub fn new(budgets: DeclaredBudgets, options: RangeOptions) -> Result<Self> {
        options.check()?;
        // What is refused with declared bounds is refused without, before data are read.
        AddRemoveRequest::mean(Bounds::UNIT, budgets.clone(), AddRemoveOptions::default())?;
        Ok(Self { budgets, options })
    }

    /// The declared budgets.
    pub fn budgets(&self) -> &DeclaredBudgets {
        &self.budgets
    }

    /// The options.
    pub fn options(&self) -> &RangeOptions {
        &self.options
    }

    /// Finds a range and releases the mean of the values clamped to it.
    ///
    /// # Errors
    ///
    /// Refuses, by a private decision, data in which there is no range to be found at this privacy:
    /// what was spent by then is spent, and the refusal says how much that is. Nothing else that is
    /// refused depends on who is in the data.
    pub fn release(&self, places: &mut dyn Places, randomness: &mut Randomness) -> Result<Release> {
        let mut places = Counted::new(places, &self.budgets);
        let mut session = Session::declared(self.budgets.clone(), randomness);
        // Of this table only budgets are looked at.
        let present = places.table(Grid::new(Bounds::UNIT))?;
        let rough = Rough::measured(&People::present(&present), &self.budgets, &mut session)?;

        // Planned from noisy numbers, as the refusal is.
        let counted = |refused: Error| refused.after_spending(1.0 - AFTER_PROFILE);
        let profile = rough.profile().ok_or_else(|| counted(too_few()))?;
        let plan =
            RangePlan::of_part(&profile, Neighbors::AddRemove, AFTER_PROFILE).map_err(counted)?;
        let searched = 1.0 - plan.shares().mean.get();
        self.in_range(&mut places, (&plan, &profile), &mut session)
            .map_err(|refused| refused.after_spending(searched))
    }

    /// Searches the range, and releases the mean in it.
    fn in_range(
        &self,
        places: &mut dyn Places,
        (plan, profile): (&RangePlan, &Profile),
        session: &mut Session<'_>,
    ) -> Result<Release> {
        let found = plan.find_in(places, session)?.ok_or_else(|| plan.no_range())?;
        let table = places.table(Grid::new(found.bounds))?;
        let spread = found.bounds.width() / 2.0;
        let options = AddRemoveOptions {
            target: self.options.target,
            estimator: Choice::Named(Estimator::Affine),
            clip: Some(plan.clip_of_mean(profile)?),
            variance: Some((found.bell.sd * found.bell.sd).min(spread * spread)),
            confidence: self.options.confidence,
            share: plan.shares().mean,
            ..AddRemoveOptions::default()
        };
        let request = AddRemoveRequest::mean(found.bounds, self.budgets.clone(), options)?;
        let mut release = request.release_in(&table, session)?;
        release.charge_all(session);
        let range = FoundRange { share: 1.0 - plan.shares().mean.get(), ..found };
        release.steps.push(Step::Range(range));
        // Values beyond the range were moved to its ends, by nobody knows how much.
        release.estimates.iter_mut().for_each(|one| one.interval = None);
        Ok(release)
    }
}

fn too_few() -> Error {
    Error::request("bounds: not enough for a range at this privacy")
        .with_hint("declare the range that values can take, from public knowledge: --bounds LO,HI")
}

/// Records with the budgets as which they count.
struct Counted<'a> {
    places: &'a mut dyn Places,
    budgets: Vec<Epsilon>,
}

impl<'a> Counted<'a> {
    fn new(places: &'a mut dyn Places, declared: &DeclaredBudgets) -> Self {
        let budgets = places.budgets().iter().map(|budget| declared.of(*budget)).collect();
        Self { places, budgets }
    }
}

impl Places for Counted<'_> {
    fn budgets(&self) -> &[Epsilon] {
        &self.budgets
    }

    fn weigh(&mut self, key: Key, cuts: &[u64], weights: &[u64]) -> Result<Vec<u128>> {
        self.places.weigh(key, cuts, weights)
    }

    fn table(&mut self, grid: Grid) -> Result<LevelTable> {
        self.places.table(grid)
    }
}
