//! The plan of any statistic.

use serde::Serialize;

use crate::adaptive::Anywhere;
use crate::session::{Cost, Session};
use crate::summary::no_candidates;
use crate::{
    AddRemovePartsPlan, AddRemovePlan, Bounds, Epsilon, Error, ExpectedError, FoundRange, Grid,
    LevelTable, Loss, Neighbors, NumberRequest, Numbers, Options, Profile, QuantilePlan,
    QuantileRequest, Randomness, RangePlan, Records, Release, Request, Result, Share, Statistic,
    SummaryPlan, VariancePlan, VarianceRequest, WeightedPlan, gaussian_lower_bound,
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
    /// A statistic of numbers without declared bounds.
    Unbounded(Box<UnboundedPlan>),
    /// Any statistic of which it must not show who takes part, for people as one assumes them to
    /// be.
    AddRemove(Box<AddRemovePlan>),
    /// Several statistics of which it must not show who takes part, or one without declared bounds.
    AddRemoveParts(Box<AddRemovePartsPlan>),
}

impl Plan {
    /// What one record that allows this much loses, exactly; nothing if there is no such level.
    pub fn loss_of(&self, allowed: Epsilon) -> Loss {
        match self {
            Self::Weighted(plan) => plan.loss_of(allowed),
            Self::Quantiles(plan) => plan.loss_of(allowed),
            Self::Variance(plan) => plan.loss_of(allowed),
            Self::Summary(plan) => plan.loss_of(allowed),
            Self::Unbounded(plan) => plan.loss_of(allowed),
            Self::AddRemove(plan) => {
                let mut rows = plan.chosen().privacy.iter();
                rows.find(|row| row.epsilon == allowed).map_or(Loss::ZERO, |row| row.spent.clone())
            }
            Self::AddRemoveParts(plan) => plan.loss_of(allowed),
        }
    }

    /// The expected error (root mean squared), in units of the statistic, of quantiles that of the
    /// rank, without declared bounds in standard deviations of the values (of a variance in squared
    /// ones); `None` where statistics have different ones.
    pub fn rmse(&self) -> Option<f64> {
        match self {
            Self::Weighted(plan) => Some(plan.chosen().risk.rmse() * plan.unit()),
            Self::Quantiles(plan) => Some(plan.chosen().rank_error.rmse()),
            Self::Variance(plan) => Some(plan.error().rmse),
            Self::AddRemove(plan) => Some(plan.chosen().error.rmse),
            Self::Unbounded(plan) => plan.standard().rmse(),
            Self::AddRemoveParts(plan) if plan.statistic() != "summary" => {
                plan.parts().next().map(|(_, part)| part.chosen().error.rmse)
            }
            Self::Summary(_) | Self::AddRemoveParts(_) => None,
        }
    }

    /// The expected error (root mean squared) as a share of what there can be: of a mean the width
    /// of the bounds, of a sum that for all records, of a variance a quarter of the squared width,
    /// of ranks and frequencies 1; of several statistics the largest. `None` where no bounds are
    /// declared, and where it is hidden who takes part.
    ///
    /// # Example
    ///
    /// ```
    /// use suum_core::{Bounds, Options, Plan, Request, Statistic};
    ///
    /// let relative = |upper: f64| -> suum_core::Result<Option<f64>> {
    ///     let bounds = Bounds::new(0.0, upper)?;
    ///     let request = Request::new(Statistic::Mean, bounds, Options::default())?;
    ///     Ok(Plan::from(request.plan("0.1:50,inf:2".parse()?)?).relative_error())
    /// };
    /// let (narrow, wide) = (relative(1.0)?.unwrap(), relative(1e3)?.unwrap());
    /// assert!((narrow / wide - 1.0).abs() < 1e-9);
    /// # Ok::<(), suum_core::Error>(())
    /// ```
    pub fn relative_error(&self) -> Option<f64> {
        let of_variance = |plan: &VariancePlan| {
            let width = plan.request().bounds().width();
            plan.error().rmse / (width * width / 4.0)
        };
        let of_rank = |plan: &QuantilePlan| plan.chosen().rank_error.rmse();
        match self {
            Self::Weighted(plan) => Some(plan.chosen().risk.rmse() / plan.setting().bounds.width()),
            Self::Quantiles(plan) => Some(of_rank(plan)),
            Self::Variance(plan) => Some(of_variance(plan)),
            Self::Summary(plan) => {
                let mean = plan.rmse_of_mean().map(|rmse| rmse / plan.bounds().width());
                let variance = plan.variance_plan().map(of_variance);
                let quantiles = plan.quantile_plan().map(of_rank);
                [mean, variance, quantiles].into_iter().flatten().reduce(f64::max)
            }
            Self::Unbounded(_) | Self::AddRemove(_) | Self::AddRemoveParts(_) => None,
        }
    }

    /// The confidence of its interval, where there is one for one statistic.
    pub fn confidence(&self) -> Option<f64> {
        match self {
            Self::Weighted(plan) => Some(plan.request().options().confidence),
            Self::Quantiles(plan) => Some(plan.request().options().confidence),
            Self::Variance(plan) => Some(plan.request().options().confidence),
            Self::AddRemove(plan) => Some(plan.request().options().confidence),
            Self::Summary(_) | Self::Unbounded(_) | Self::AddRemoveParts(_) => None,
        }
    }

    /// The statistic's name, as in JSON.
    pub fn statistic(&self) -> &'static str {
        match self {
            Self::Weighted(plan) => plan.request().statistic().name(),
            Self::Quantiles(_) => "quantile",
            Self::Variance(_) => "variance",
            Self::Summary(_) => "summary",
            Self::Unbounded(plan) => plan.request().statistic(),
            Self::AddRemove(plan) => plan.request().statistic(),
            Self::AddRemoveParts(plan) => plan.statistic(),
        }
    }

    /// The estimator that it would use, where there is one for all.
    pub fn estimator(&self) -> Option<&'static str> {
        match self {
            Self::Weighted(plan) => Some(plan.chosen().estimator.name()),
            Self::Quantiles(plan) => Some(plan.chosen().estimator.name()),
            Self::Variance(_) => Some("affine"),
            Self::Unbounded(_) => Some(RangePlan::NAME),
            Self::AddRemove(plan) => Some(plan.chosen().estimator.name()),
            Self::Summary(_) | Self::AddRemoveParts(_) => None,
        }
    }

    /// Spends the budgets of the records of this table.
    ///
    /// # Errors
    ///
    /// Refuses a table that is not the one the plan was made for, and a plan without declared
    /// bounds, whose search asks the records themselves ([`UnboundedPlan::release`]).
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
            Self::Unbounded(_) | Self::AddRemoveParts(_) => {
                Err(Error::request("plan: a range is found in records, and not in a level table")
                    .with_hint("declare bounds, or name the data"))
            }
        }
    }

    /// What it costs to follow the plan, part by part; nothing is known of one that searches or
    /// that hides who takes part.
    fn costs(&self, session: &Session<'_>) -> Result<Vec<(Share, Vec<Cost>)>> {
        Ok(match self {
            Self::Weighted(plan) => vec![session.part(plan.part().share(), &plan.measurement())?],
            Self::Quantiles(plan) => vec![session.part(plan.part().share(), &plan.measurement())?],
            Self::Variance(plan) => vec![session.part(plan.part().share(), &plan.measurement())?],
            Self::Summary(plan) => plan.costs(session)?,
            Self::Unbounded(_) | Self::AddRemove(_) | Self::AddRemoveParts(_) => {
                return Err(not_in_a_session());
            }
        })
    }

    /// As [`release`](Self::release), in a session that has spent other parts of the budgets.
    fn release_in(self, table: &LevelTable, session: &mut Session<'_>) -> Result<Release> {
        match self {
            Self::Weighted(plan) => plan.release_in(table, session),
            Self::Quantiles(plan) => plan.release_in(table, session),
            Self::Variance(plan) => plan.release_in(table, session),
            Self::Summary(plan) => plan.release_in(table, session),
            Self::Unbounded(_) | Self::AddRemove(_) | Self::AddRemoveParts(_) => {
                Err(not_in_a_session())
            }
        }
    }
}

fn not_in_a_session() -> Error {
    Error::internal("internal error: a range is found for statistics that have bounds")
        .with_hint("please report it, with the options")
}

/// Plans of numbers.
impl NumberRequest {
    /// The plan for records of this profile, of which so much is added up.
    ///
    /// # Errors
    ///
    /// Refuses what the statistic refuses, and quantiles without candidates.
    pub fn plan(&self, allowed: Profile, numbers: Numbers) -> Result<Plan> {
        let bounds = numbers.grid.bounds();
        let weighted = |statistic, options: &Options| {
            let request = Request::new(statistic, bounds, options.clone())?;
            WeightedPlan::new(&request, allowed.clone(), numbers).map(Plan::from)
        };
        match self {
            Self::Mean(options) => weighted(Statistic::Mean, options),
            Self::Sum(options) => weighted(Statistic::Sum, options),
            Self::Quantiles { ranks, options, .. } => {
                let cells = numbers.cells.ok_or_else(no_candidates)?;
                QuantileRequest::new(bounds, cells, ranks.clone(), *options)?
                    .plan(allowed)
                    .map(Plan::from)
            }
            Self::Variance(options) => {
                let request = VarianceRequest::new(bounds, *options)?;
                VariancePlan::new(&request, allowed, numbers.grid).map(Plan::from)
            }
            Self::Summary { statistics, split, options, .. } => {
                SummaryPlan::new(statistics.clone(), numbers, allowed, *split, options)
                    .map(Plan::from)
            }
        }
    }
}

/// What a statistic of numbers without declared bounds will do, decided from public facts: a search
/// for a range, and the statistic inside it.
///
/// # Example
///
/// ```
/// use suum_core::{Epsilon, MemoryRecords, Neighbors, NumberRequest, Randomness, UnboundedPlan};
///
/// let one = Epsilon::new(1.0)?;
/// let mut people =
///     MemoryRecords::new((0..5000).map(|i| (one, 950.0 + f64::from(i % 101))).collect())?;
/// let mean = NumberRequest::mean(Neighbors::ReplaceOne);
/// let plan = UnboundedPlan::new(mean, "1:5000".parse()?)?;
/// let release = plan.release(&mut people, &mut Randomness::insecure(1))?;
/// assert!((release.estimate() - 1000.0).abs() < 5.0);
/// assert!(release.privacy[0].spent.within(one) && release.range().is_some());
/// # Ok::<(), suum_core::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct UnboundedPlan {
    request: NumberRequest,
    allowed: Profile,
    // The part of every budget for all of it.
    share: Share,
    search: RangePlan,
    // For a mean or a sum that learns in the range that was found.
    anywhere: Option<Box<Anywhere>>,
    // For values with standard deviation 1, inside the range around 0.
    standard: Plan,
}

/// What is left of a part of every budget for the steps that share it, once their shares are
/// rounded.
const ROUNDING: f64 = 0.999_999_999;

impl UnboundedPlan {
    /// A plan for records of this profile. Every release by it costs all that it says: two cost
    /// twice as much.
    ///
    /// # Errors
    ///
    /// Refuses a profile with which no range could be found, the target `dataset-correlated`, whose
    /// worst case has none, and options of a mean that speak of bounds.
    pub fn new(request: NumberRequest, allowed: Profile) -> Result<Self> {
        request.check_without_bounds()?;
        let share = request.share();
        let part = if share == Share::ALL { 1.0 } else { share.get() * ROUNDING };
        let search = RangePlan::of_part(&share.of_profile(&allowed)?, Neighbors::ReplaceOne, part)?;
        let search = search.reaching(request.least_reach());
        let anywhere = match &request {
            // Of a part of the budgets nothing is left to learn with.
            _ if share != Share::ALL => None,
            NumberRequest::Mean(options) => {
                Anywhere::new(Statistic::Mean, options, &search, &allowed)?
            }
            NumberRequest::Sum(options) => {
                Anywhere::new(Statistic::Sum, options, &search, &allowed)?
            }
            _ => None,
        };
        if let Some(anywhere) = anywhere {
            let standard = anywhere.of_normal()?.into();
            let anywhere = Some(Box::new(anywhere));
            return Ok(Self { request, allowed, share, search, anywhere, standard });
        }
        let bounds = Bounds::new(-search.reach(), search.reach())?;
        let inside = request.in_range(search.shares().statistic, bounds, 1.0);
        let standard = inside.plan(allowed.clone(), inside.numbers(Grid::new(bounds)))?;
        Ok(Self { request, allowed, share, search, anywhere: None, standard })
    }

    /// What is asked.
    pub fn request(&self) -> &NumberRequest {
        &self.request
    }

    /// The privacy levels, with all that they allow.
    pub fn allowed(&self) -> &Profile {
        &self.allowed
    }

    /// How the range is searched.
    pub fn search(&self) -> &RangePlan {
        &self.search
    }

    /// How many standard deviations the range that is found reaches to each side.
    pub fn reach(&self) -> f64 {
        self.anywhere.as_ref().map_or(self.search.reach(), |anywhere| anywhere.reach())
    }

    /// The plan of the statistic, for values with mean 0 and standard deviation 1 inside the range
    /// that the search finds of them.
    pub fn standard(&self) -> &Plan {
        &self.standard
    }

    /// The error that the mean or the sum of normal data will have, in standard deviations of the
    /// data; `None` for other statistics.
    pub fn expected_error(&self) -> Option<ExpectedError> {
        match &self.standard {
            Plan::Weighted(plan) => Some(plan.expected_error()),
            _ => None,
        }
    }

    /// τ of the mean inside the range, or of the sum.
    pub fn tau(&self) -> Option<f64> {
        match &self.standard {
            Plan::Weighted(plan) => plan.chosen().design.tau,
            _ => None,
        }
    }

    /// Whether the mean or the sum learns where the values lie, in the range that was found. Then
    /// its interval allows for what lies in that range, and [`standard`](Self::standard) is for
    /// what it is likely to learn of normal data.
    pub fn learns(&self) -> bool {
        self.anywhere.is_some()
    }

    /// The exact loss of a record that allows this budget: the search, and the statistic. Of a mean
    /// that [learns](Self::learns) it is the most that it can lose.
    pub fn loss_of(&self, budget: Epsilon) -> Loss {
        if let Some(anywhere) = &self.anywhere {
            let position = self.allowed.position(budget);
            return position.map_or(Loss::ZERO, |_| anywhere.most(budget));
        }
        match self.standard.loss_of(budget) {
            // Public records are published as they are, whatever the search costs.
            Loss::Unlimited => Loss::Unlimited,
            loss => loss.plus(&self.search.loss(budget)),
        }
    }

    /// The RMSE that every private estimator of the mean of normal data has for some mean, in
    /// standard deviations of the data ([`gaussian_lower_bound`]); `None` for other statistics, and
    /// where all errors are possible.
    pub fn lower_bound(&self) -> Option<f64> {
        let mean = matches!(self.request, NumberRequest::Mean(_));
        mean.then(|| gaussian_lower_bound(&self.allowed)).filter(|bound| bound.is_finite())
    }

    /// The RMSE that is expected of normal data over the lower bound.
    pub fn gap(&self) -> Option<f64> {
        Some(self.expected_error()?.rmse / self.lower_bound()?)
    }

    /// Finds a range and releases the statistic of the values clipped to it.
    ///
    /// # Errors
    ///
    /// Refuses, by a private decision, data in which there is no range to be found at this privacy:
    /// what the search spent is spent. Refuses records of another profile.
    pub fn release(
        &self,
        records: &mut dyn Records,
        randomness: &mut Randomness,
    ) -> Result<Release> {
        let mut session = Session::known(&self.allowed, randomness);
        // All of it, as planned, before anything is drawn.
        let mut costs = vec![(Share::ALL, self.search.costs(&session)?)];
        match &self.anywhere {
            Some(anywhere) => costs[0].1.push(anywhere.cost(&session)?),
            None => costs.extend(self.standard.costs(&session)?),
        }
        session.check(costs)?;
        let searched = self.search.find_in(records, &mut session);
        let found = searched.and_then(|found| found.ok_or_else(|| self.search.no_range()));
        let release = found.and_then(|found| self.release_in(found, records, &mut session));
        release.map_err(|refused| refused.after_spending(self.for_search()))
    }

    /// The part of every budget that the search may spend.
    fn for_search(&self) -> f64 {
        self.share.get() - self.search.shares().statistic.get()
    }

    /// The statistic of the values clipped to the range that was found.
    fn release_in(
        &self,
        found: FoundRange,
        records: &mut dyn Records,
        session: &mut Session<'_>,
    ) -> Result<Release> {
        let mut table = |numbers| {
            let table = records.table(numbers)?;
            if table.profile()? == self.allowed {
                return Ok(table);
            }
            Err(Error::table("records: their levels and counts are not those of the plan")
                .with_hint("plan with the profile of these records"))
        };
        if let Some(anywhere) = &self.anywhere
            && let Some(release) = anywhere.release(found, &mut table, session)?
        {
            return Ok(release);
        }
        let (share, variance) = (self.search.shares().statistic, found.bell.sd * found.bell.sd);
        let inside = self.request.in_range(share, found.bounds, variance);
        let numbers = inside.numbers(Grid::new(found.bounds));
        let plan = inside.plan(self.allowed.clone(), numbers)?;
        let mut release = plan.release_in(&table(numbers)?, session)?;
        release.charge_all(session);
        release.found_in(FoundRange { share: self.for_search(), ..found });
        Ok(release)
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

impl From<UnboundedPlan> for Plan {
    fn from(plan: UnboundedPlan) -> Self {
        Self::Unbounded(Box::new(plan))
    }
}

impl From<AddRemovePartsPlan> for Plan {
    fn from(plan: AddRemovePartsPlan) -> Self {
        Self::AddRemoveParts(Box::new(plan))
    }
}

impl From<AddRemovePlan> for Plan {
    fn from(plan: AddRemovePlan) -> Self {
        Self::AddRemove(Box::new(plan))
    }
}
