//! Plans of statistics of numbers without declared bounds.

use super::{AnyPlan, PlanRecord, PlannedBounds, PlannedInterval, declared_of, not_in_a_session};
use crate::answer::release::CLIPPED;
use crate::number::Number;
use crate::plan::facts::{Facts, HasFacts};
use crate::plan::record::ErrorRecord;
use crate::private::session::Session;
use crate::steps::adaptive::Anywhere;
use crate::{
    AddRemoveRequest, Bounds, Epsilon, Error, Estimand, ExpectedError, FoundRange, Grid, Loss,
    Neighbors, Plan, Profile, Randomness, RangePlan, Records, Release, Request, Result, Share,
    Spending, Statistic, Unit, gaussian_lower_bound,
};

/// Plan of a statistic of numbers without declared bounds, made from public facts: a search for a
/// range, and the statistic inside it.
///
/// # Example
///
/// ```
/// use suum_core::{Epsilon, MemoryRecords, Neighbors, Randomness, Request, UnboundedPlan};
///
/// let one = Epsilon::new(1.0)?;
/// let mut people =
///     MemoryRecords::new((0..5000).map(|i| (one, 950.0 + f64::from(i % 101))).collect())?;
/// let mean = Request::mean(Neighbors::ReplaceOne);
/// let plan = UnboundedPlan::new(mean, "1:5000".parse()?)?;
/// let release = plan.release(&mut people, &mut Randomness::insecure(1))?;
/// assert!((release.estimate() - 1000.0).abs() < 5.0);
/// assert!(release.privacy[0].spent.within(one) && release.range().is_some());
/// # Ok::<(), suum_core::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct UnboundedPlan {
    request: Request,
    // Levels of the people; assumed ones under add-remove.
    people: Profile,
    // Share of every budget for the search and the statistic together.
    share: Share,
    search: RangePlan,
    // Spending of every declared budget before the statistic, under add-remove.
    searched: Option<Vec<Spending>>,
    // Learning of a mean or a sum in the range that was found, if it learns.
    anywhere: Option<Box<Anywhere>>,
    // Plan for values with standard deviation 1, inside the range around 0.
    standard: Plan,
}

/// Factor that leaves room for rounding the shares of the steps.
const ROUNDING: f64 = 0.999_999_999;

impl UnboundedPlan {
    /// Returns a plan for records of this profile. Every release by it costs as much as it states:
    /// two releases cost twice as much.
    ///
    /// # Errors
    ///
    /// Refuses a profile with which no range could be found, the target `dataset-correlated`, whose
    /// worst case is infinite, and options of a mean that refer to bounds.
    pub fn new(request: Request, allowed: Profile) -> Result<Self> {
        request.check_without_bounds()?;
        let share = request.options.share;
        let part = if share == Share::ALL { 1.0 } else { share.get() * ROUNDING };
        let search =
            RangePlan::for_part(&share.apply_to_profile(&allowed)?, Neighbors::ReplaceOne, part)?;
        let search = search.with_least_half_width_sds(request.least_half_width_sds());
        let options = &request.options;
        let anywhere = match &request.asked {
            // A share of the budgets leaves nothing to learn with.
            _ if share != Share::ALL => None,
            Estimand::Mean => Anywhere::new(Statistic::Mean, options, &search, &allowed)?,
            Estimand::Sum => Anywhere::new(Statistic::Sum, options, &search, &allowed)?,
            _ => None,
        };
        if let Some(anywhere) = anywhere {
            let standard = anywhere.plan_for_normal()?.into();
            let anywhere = Some(Box::new(anywhere));
            let (people, searched) = (allowed, None);
            return Ok(Self { request, people, share, search, searched, anywhere, standard });
        }
        let bounds = Bounds::new(-search.half_width_sds(), search.half_width_sds())?;
        let inside = request.in_range(search.shares().statistic, bounds, 1.0);
        let standard = inside.plan(allowed.clone(), inside.numbers(Grid::new(bounds)))?;
        let (people, searched) = (allowed, None);
        Ok(Self { request, people, share, search, searched, anywhere: None, standard })
    }

    /// Returns the plan under add-remove, for people as in `assumed`: `searched` is the spending on
    /// the search, and `inside` the request for standard values.
    pub(crate) fn add_remove(
        (request, share): (&Request, Share),
        assumed: Profile,
        (search, searched): (RangePlan, Vec<Spending>),
        inside: &AddRemoveRequest,
    ) -> Result<Self> {
        let (request, people, searched) = (request.clone(), assumed.clone(), Some(searched));
        let (anywhere, standard) = (None, inside.plan(assumed)?);
        Ok(Self { request, people, share, search, searched, anywhere, standard })
    }

    /// Returns the request.
    pub fn request(&self) -> &Request {
        &self.request
    }

    /// Returns the privacy levels, with everything that they allow; assumed ones under add-remove.
    pub fn people(&self) -> &Profile {
        &self.people
    }

    /// Returns the plan of the search for the range.
    pub fn search(&self) -> &RangePlan {
        &self.search
    }

    /// Returns the number of standard deviations that the found range reaches to each side.
    pub fn half_width_sds(&self) -> f64 {
        self.anywhere
            .as_ref()
            .map_or(self.search.half_width_sds(), |anywhere| anywhere.half_width_sds())
    }

    /// Returns the plan of the statistic, for values with mean 0 and standard deviation 1 inside
    /// the range that the search would find for them.
    pub fn standard(&self) -> &Plan {
        &self.standard
    }

    /// Returns the expected error of the mean or the sum for normal data, in standard deviations of
    /// the data; `None` for other statistics.
    pub fn expected_error(&self) -> Option<ExpectedError> {
        let error = || self.standard.any().facts().error;
        self.request.asked.is_mean_or_sum().then(error).flatten()
    }

    /// Returns τ of the mean or the sum inside the range.
    pub fn tau(&self) -> Option<f64> {
        match &self.standard {
            Plan::Weighted(plan) => plan.chosen().design.tau,
            _ => None,
        }
    }

    /// Returns true if the mean or the sum learns where the values lie, in the range that was
    /// found. Then its interval allows for values cut off in that range, and
    /// [`standard`](Self::standard) is for what it is likely to learn from normal data.
    pub fn learns(&self) -> bool {
        self.anywhere.is_some()
    }

    /// Returns the exact loss of a record that allows this budget: the search, and the statistic.
    /// For a mean that [learns](Self::learns) it is the most that a record can lose.
    pub fn loss_of(&self, budget: Epsilon) -> Loss {
        if let Some(anywhere) = &self.anywhere {
            let position = self.people.position(budget);
            return position.map_or(Loss::ZERO, |_| anywhere.most(budget));
        }
        match self.standard.loss_of(budget) {
            // Public records are published unchanged, whatever the search costs.
            Loss::Unlimited => Loss::Unlimited,
            loss => loss.plus(&match &self.searched {
                Some(declared) => Spending::loss_for_budget(declared, budget),
                None => self.search.loss(budget),
            }),
        }
    }

    /// Returns a lower bound on the RMSE of every private estimator of the mean of normal data, for
    /// some mean, in standard deviations of the data ([`gaussian_lower_bound`]). `None` for other
    /// statistics, under add-remove, and if the bound is infinite.
    pub fn lower_bound(&self) -> Option<f64> {
        let known = self.request.asked == Estimand::Mean && self.searched.is_none();
        known.then(|| gaussian_lower_bound(&self.people)).filter(|bound| bound.is_finite())
    }

    /// Returns the expected RMSE for normal data over the lower bound.
    pub fn gap(&self) -> Option<f64> {
        Some(self.expected_error()?.rmse / self.lower_bound()?)
    }

    /// Returns the reason why a release would have no interval, or for several statistics why some
    /// would have none.
    pub fn no_interval(&self) -> Option<&'static str> {
        match self.standard.unit() {
            Unit::Rank => self.standard.no_interval(),
            _ => (!self.learns()).then_some(CLIPPED),
        }
    }

    /// Finds a range, and releases the statistic of the values clipped to it.
    ///
    /// # Errors
    ///
    /// Refuses a plan for assumed people (use
    /// [`UnboundedAddRemove::release`](crate::UnboundedAddRemove::release), which reads the
    /// records), and records of another profile. Refuses, by a private decision, data in which no
    /// range can be found at this privacy: the budget of the search is then spent.
    pub fn release(
        &self,
        records: &mut dyn Records,
        randomness: &mut Randomness,
    ) -> Result<Release> {
        if self.searched.is_some() {
            return Err(not_in_a_session());
        }
        let mut session = Session::for_profile(&self.people, randomness);
        // All planned costs are checked before anything is drawn.
        let mut costs = vec![(Share::ALL, self.search.costs(&session)?)];
        match &self.anywhere {
            Some(anywhere) => costs[0].1.push(anywhere.cost(&session)?),
            None => costs.extend(self.standard.any().costs(&session)?),
        }
        session.check(costs)?;
        let searched = self.search.find_in(records, &mut session);
        let found = searched.and_then(|found| found.ok_or_else(|| self.search.no_range()));
        let release = found.and_then(|found| self.release_in(found, records, &mut session));
        release.map_err(|refused| refused.after_spending(self.for_search()))
    }

    /// Returns the share of every budget that the search may spend.
    fn for_search(&self) -> f64 {
        self.share.get() - self.search.shares().statistic.get()
    }

    /// Releases the statistic of the values clipped to the range that was found.
    fn release_in(
        &self,
        found: FoundRange,
        records: &mut dyn Records,
        session: &mut Session<'_>,
    ) -> Result<Release> {
        let mut table = |numbers| {
            let table = records.table(numbers)?;
            if table.profile()? == self.people {
                return Ok(table);
            }
            Err(Error::table("records", "their levels and counts are not those of the plan")
                .with_fix("plan with the profile of these records"))
        };
        if let Some(anywhere) = &self.anywhere
            && let Some(release) = anywhere.release(found, &mut table, session)?
        {
            return Ok(release);
        }
        let (share, variance) = (self.search.shares().statistic, found.fit.sd * found.fit.sd);
        let inside = self.request.in_range(share, found.bounds, variance);
        let numbers = inside.numbers(Grid::new(found.bounds));
        let plan = inside.plan(self.people.clone(), numbers)?;
        let mut release = plan.release_in(&table(numbers)?, session)?;
        release.charge_all(session);
        release.record_found_range(FoundRange { share: self.for_search(), ..found });
        Ok(release)
    }
}

impl HasFacts for UnboundedPlan {
    fn facts(&self) -> Facts<'_> {
        Facts {
            statistic: self.request.asked.name(),
            options: Some(&self.request.options),
            estimator: Some(RangePlan::NAME),
            unit: self.standard.unit(),
            rmse: self.standard.rmse(),
            no_interval: self.no_interval(),
            ..Facts::default()
        }
    }
}

impl AnyPlan for UnboundedPlan {
    fn loss_of(&self, allowed: Epsilon) -> Loss {
        self.loss_of(allowed)
    }

    /// Returns the intervals of ranks. The others are not known in advance: values are clipped to a
    /// range that the release has yet to find.
    fn intervals(&self) -> Vec<PlannedInterval> {
        let mut inside = self.standard.intervals();
        inside.retain(PlannedInterval::is_of_rank);
        inside
    }

    fn declared(&self) -> Option<Vec<Spending>> {
        declared_of(self, &self.standard)
    }

    /// Errors of means and sums are in standard deviations of the values.
    fn record(&self) -> PlanRecord<'_> {
        let losses = self.people.levels().iter().map(|level| self.loss_of(level.epsilon));
        let error = self.standard.any().facts().error;
        let unit = match self.standard.unit() {
            Unit::Square => "squared standard deviation",
            Unit::Rank => "rank",
            Unit::Value | Unit::Share | Unit::Records => "standard deviation",
        };
        PlanRecord {
            bounds: Some(PlannedBounds::Auto),
            unit: error.map(|_| unit),
            error: error.map(ErrorRecord::from_error),
            range: Some(self.search.clone().with_least_half_width_sds(self.half_width_sds())),
            lower_bound: self.lower_bound().map(|bound| Some(Number(bound))),
            gap: self.gap().map(|gap| Some(Number(gap))),
            inside: Some(&self.standard),
            ..PlanRecord::new(self, &self.people, losses)
        }
    }
}
