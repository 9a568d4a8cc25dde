//! Add-remove statistics of values without declared bounds.

use super::AddRemoveRequest;
use super::expected::nobody;
use super::noisy_profile::{NoisyProfile, pay_for_profile};
use super::people::People;
use crate::error::{declare_bounds, option};
use crate::private::session::{Account, Cost, Session};
use crate::{
    Bounds, Choice, DeclaredBudgets, Epsilon, Error, Estimator, FoundRange, Grid, Key, Level,
    LevelTable, Numbers, Options, Profile, Randomness, RangePlan, Records, Release, Request,
    Result, Share, UnboundedPlan,
};

/// Statistic of values without declared bounds that does not reveal whether anybody takes part.
///
/// # Method
///
/// A noisy profile takes a twentieth of every budget. The steps of [`RangePlan`] and the statistic
/// inside the range ([`AddRemoveRequest`]) take the rest. Weights depend on a record's own budget
/// only, ranks are compared with the weight that is present, and all planning uses the noisy
/// profile.
///
/// # Example
///
/// ```
/// use suum_core::{Epsilon, MemoryRecords, Neighbors, Randomness, Request, UnboundedAddRemove};
///
/// let one = Epsilon::new(1.0)?;
/// let mut people =
///     MemoryRecords::new((0..5000).map(|i| (one, 1000.0 + f64::from(i % 101) - 50.0)).collect())?;
/// let mean = Request::mean(Neighbors::AddRemove);
/// let request = UnboundedAddRemove::new("0.1,1".parse()?, mean)?;
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
    request: Request,
    share: Share,
}

/// Share of every budget that is left after the noisy profile takes a twentieth, less a margin for
/// rounding.
const AFTER_PROFILE: f64 = 0.949_999_999;

impl UnboundedAddRemove {
    /// Returns a request for people with these budgets.
    ///
    /// # Errors
    ///
    /// Refuses the target `dataset-correlated`, options that speak of bounds, and what
    /// [`AddRemoveRequest`] refuses.
    pub fn new(budgets: DeclaredBudgets, request: Request) -> Result<Self> {
        request.check_without_bounds()?;
        let request = Self { budgets, request, share: Share::ALL };
        // Options that are refused with declared bounds are refused here too, before data are read.
        request.inside(Bounds::UNIT, Share::ALL, None)?;
        Ok(request)
    }

    /// Returns the request limited to this share of every budget, for the search and the statistic
    /// together.
    #[must_use]
    pub fn spending(self, share: Share) -> Self {
        Self { share, ..self }
    }

    /// Returns the declared budgets.
    pub fn budgets(&self) -> &DeclaredBudgets {
        &self.budgets
    }

    /// Returns the request inside these bounds, with this share of every budget. `known` has the
    /// clip level of the weights of a mean, and a bound on the variance of its values.
    fn inside(
        &self,
        bounds: Bounds,
        share: Share,
        known: Option<(Epsilon, f64)>,
    ) -> Result<AddRemoveRequest> {
        let Request { asked, options } = self.request.clone();
        let mut inside = Request { asked, options: Options { share, ..options } };
        if inside.asked.is_mean_or_sum() {
            inside.options.estimator = Choice::Named(Estimator::Affine);
            inside.options.clip = known.map(|(clip, _)| clip);
            inside.options.variance = known.map(|(_, variance)| variance);
        }
        inside.add_remove(bounds, self.budgets.clone())
    }

    /// Finds a range, and releases the statistic of the values clamped to it.
    ///
    /// # Errors
    ///
    /// Refuses, by a private decision, data in which no range can be found at this privacy: the
    /// budget spent so far is lost, and the error says how much that is. No other refusal depends
    /// on who is in the data.
    pub fn release(
        &self,
        records: &mut dyn Records,
        randomness: &mut Randomness,
    ) -> Result<Release> {
        let mut records = DeclaredRecords::new(records, &self.budgets);
        let mut session =
            Session::declared(self.budgets.clone(), self.request.options.neighbors, randomness);
        session.begin(self.share);
        // Only the budgets of this table are used.
        let present = records.table(Grid::new(Bounds::UNIT).into())?;
        let noisy_profile =
            NoisyProfile::measured(&People::present(&present), &self.budgets, &mut session)?;

        // The plan and its refusal depend on noisy numbers, which have a cost.
        let share = self.share.get();
        let counted = |refused: Error| refused.after_spending(share * (1.0 - AFTER_PROFILE));
        let profile = noisy_profile.profile().ok_or_else(|| counted(too_few()))?;
        let plan = self.search(&profile).map_err(counted)?;
        let searched = share - plan.shares().statistic.get();
        self.in_range(&mut records, (&plan, &profile), &mut session)
            .map_err(|refused| refused.after_spending(searched))
    }

    /// Returns the plan of a release for people as in `assumed`, with normally distributed values.
    /// Errors are in standard deviations of the values.
    ///
    /// # Errors
    ///
    /// Refuses a profile with which no range could be found.
    ///
    /// # Example
    ///
    /// ```
    /// use suum_core::{Neighbors, Request, UnboundedAddRemove};
    ///
    /// let mean = Request::mean(Neighbors::AddRemove);
    /// let request = UnboundedAddRemove::new("0.1,1".parse()?, mean)?;
    /// let plan = request.plan("0.1:3000,1:2000".parse()?)?;
    /// assert!(plan.expected_error().is_some_and(|error| error.rmse < 0.1));
    /// # Ok::<(), suum_core::Error>(())
    /// ```
    pub fn plan(&self, assumed: Profile) -> Result<UnboundedPlan> {
        let neighbors = self.request.options.neighbors;
        let mut account = Account::declared(self.budgets.clone(), neighbors);
        account.begin(self.share);
        pay_for_profile(&mut account)?;
        let left = |level: &Level| Level { epsilon: account.left(level.epsilon), ..*level };
        let left = Profile::new(assumed.levels().iter().map(left))?;
        if NoisyProfile::assumed(&assumed, &account).people() == 0.0 {
            return Err(nobody());
        }
        let search = self.search(&left)?;
        for cost in search.units() {
            account.charge(Cost::OfAllowed(cost))?;
        }
        // Values with mean 0 and standard deviation 1.
        let bounds = Bounds::new(-search.half_width_sds(), search.half_width_sds())?;
        let known = Some((search.clip_of_mean(&left)?, 1.0));
        let inside = self.inside(bounds, search.shares().statistic, known)?;
        let searched = inside.certificate(&account);
        UnboundedPlan::add_remove((&self.request, self.share), assumed, (search, searched), &inside)
    }

    /// Returns the plan of the search, for people who have `left` after a noisy profile.
    fn search(&self, left: &Profile) -> Result<RangePlan> {
        let part = self.share.get() * AFTER_PROFILE;
        let plan = RangePlan::for_part(left, self.request.options.neighbors, part)?;
        Ok(plan.with_least_half_width_sds(self.request.least_half_width_sds()))
    }

    /// Searches the range, and releases the statistic in it.
    fn in_range(
        &self,
        records: &mut dyn Records,
        (plan, profile): (&RangePlan, &Profile),
        session: &mut Session<'_>,
    ) -> Result<Release> {
        let found = plan.find_in(records, session)?.ok_or_else(|| plan.no_range())?;
        let table = records.table(self.request.numbers(Grid::new(found.bounds)))?;
        let (share, spread) = (plan.shares().statistic, found.bounds.width() / 2.0);
        let worst = spread * spread;
        let variance = (found.fit.sd * found.fit.sd).clamp(worst * 1e-9, worst);
        let known = Some((plan.clip_of_mean(profile)?, variance));
        let request = self.inside(found.bounds, share, known)?;
        let mut release = request.release_in(&table, session)?;
        release.charge_all(session);
        release.record_found_range(FoundRange { share: self.share.get() - share.get(), ..found });
        Ok(release)
    }
}

fn too_few() -> Error {
    Error::request(option::BOUNDS, "not enough for a range at this privacy")
        .with_fix(declare_bounds())
}

/// Records with their budgets replaced by the declared ones.
struct DeclaredRecords<'a> {
    records: &'a mut dyn Records,
    budgets: Vec<Epsilon>,
}

impl<'a> DeclaredRecords<'a> {
    fn new(records: &'a mut dyn Records, declared: &DeclaredBudgets) -> Self {
        let budgets = records.budgets().iter().map(|budget| declared.round_down(*budget)).collect();
        Self { records, budgets }
    }
}

impl Records for DeclaredRecords<'_> {
    fn budgets(&self) -> &[Epsilon] {
        &self.budgets
    }

    fn weigh(&mut self, key: Key, cuts: &[u64], weights: &[u64]) -> Result<Vec<u128>> {
        self.records.weigh(key, cuts, weights)
    }

    fn table(&mut self, numbers: Numbers) -> Result<LevelTable> {
        self.records.table(numbers)
    }
}
