//! The mean of values without declared bounds, under replace-one neighbours.

use crate::request::check_probability;
use crate::session::Session;
use crate::{
    Bounds, Choice, Epsilon, Error, Estimator, ExpectedError, FoundRange, Grid, Loss, Neighbors,
    Options, Places, Profile, Randomness, RangePlan, Release, Request, Result, Share, Statistic,
    Step, Target, WeightedPlan, gaussian_lower_bound,
};

/// The options of a mean without declared bounds, with the defaults of the command line.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RangeOptions {
    /// What the estimate is meant to be close to: the population or the dataset. Default: the
    /// population.
    pub target: Target,
    /// The confidence of the interval, in (0, 1). Default: 0.95.
    pub confidence: f64,
}

impl Default for RangeOptions {
    fn default() -> Self {
        Self { target: Target::default(), confidence: 0.95 }
    }
}

impl RangeOptions {
    /// Refuses options that make no sense.
    ///
    /// # Errors
    ///
    /// Refuses a confidence outside (0, 1), and the target `dataset-correlated`: without bounds its
    /// worst case has none.
    pub fn check(&self) -> Result<()> {
        check_probability("confidence", self.confidence, 0.95)?;
        if self.target == Target::DatasetCorrelated {
            return Err(Error::request("target: dataset-correlated needs declared bounds")
                .with_hint("declare them with --bounds LO,HI, or choose another target"));
        }
        Ok(())
    }
}

/// What a mean without declared bounds will do, decided from public facts.
///
/// # Example
///
/// ```
/// use suum_core::{Epsilon, Places, Randomness, RangeOptions, Records, UnboundedMean};
///
/// let one = Epsilon::new(1.0)?;
/// let mut people =
///     Records::new((0..5000).map(|i| (one, 1000.0 + f64::from(i % 101) - 50.0)).collect())?;
/// let plan = UnboundedMean::new("1:5000".parse()?, RangeOptions::default())?;
/// let release = plan.release(&mut people, &mut Randomness::insecure(1))?;
/// assert!((release.estimate() - 1000.0).abs() < 5.0);
/// assert!(release.privacy[0].spent.within(one) && release.range().is_some());
/// # Ok::<(), suum_core::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct UnboundedMean {
    allowed: Profile,
    options: RangeOptions,
    search: RangePlan,
    // The mean of values with standard deviation 1, inside the range around 0.
    standard: WeightedPlan,
}

impl UnboundedMean {
    /// A plan for records of this profile. Every release by it costs all that it says: two cost
    /// twice as much.
    ///
    /// # Errors
    ///
    /// As [`RangeOptions::check`]; refuses a profile with which no range could be found.
    pub fn new(allowed: Profile, options: RangeOptions) -> Result<Self> {
        options.check()?;
        let search = RangePlan::new(&allowed, Neighbors::ReplaceOne)?;
        let bounds = Bounds::new(-search.reach(), search.reach())?;
        let standard = inside(&allowed, options, search.shares().mean, Grid::new(bounds), 1.0)?;
        Ok(Self { allowed, options, search, standard })
    }

    /// The privacy levels, with all that they allow.
    pub fn allowed(&self) -> &Profile {
        &self.allowed
    }

    /// The options.
    pub fn options(&self) -> &RangeOptions {
        &self.options
    }

    /// How the range is searched.
    pub fn search(&self) -> &RangePlan {
        &self.search
    }

    /// The error that the mean of normal data will have, in standard deviations of the data.
    pub fn expected_error(&self) -> ExpectedError {
        self.standard.expected_error()
    }

    /// τ of the mean inside the range.
    pub fn tau(&self) -> Option<f64> {
        self.standard.chosen().design.tau
    }

    /// The exact loss of a record that allows this budget: the search and the mean.
    pub fn loss(&self, budget: Epsilon) -> Loss {
        self.spent(&self.standard, budget)
    }

    /// What the search and the mean by this plan cost together.
    fn spent(&self, mean: &WeightedPlan, budget: Epsilon) -> Loss {
        let mean =
            mean.position(budget).map_or(Loss::ZERO, |position| mean.mechanism().loss(position));
        self.with_search(budget, mean)
    }

    /// A loss and that of the search; public records are published as they are, whatever the search
    /// costs.
    fn with_search(&self, budget: Epsilon, mean: Loss) -> Loss {
        match mean {
            Loss::Unlimited => mean,
            mean => mean.plus(&self.search.loss(budget)),
        }
    }

    /// What any private estimator's error of normal data exceeds with a probability of at least 1/4
    /// for some mean, in standard deviations of the data ([`gaussian_lower_bound`]).
    pub fn lower_bound(&self) -> f64 {
        gaussian_lower_bound(&self.allowed)
    }

    /// What our error exceeds with a probability of 1/4, as if it were normal, over the lower
    /// bound.
    pub fn gap(&self) -> f64 {
        UPPER_QUARTER * self.expected_error().rmse / self.lower_bound()
    }

    /// Finds a range and releases the mean of the values clipped to it.
    ///
    /// # Errors
    ///
    /// Refuses, by a private decision, data in which there is no range to be found at this privacy:
    /// what the search spent is spent. Refuses records of another profile.
    pub fn release(&self, places: &mut dyn Places, randomness: &mut Randomness) -> Result<Release> {
        let mut session = Session::known(&self.allowed, randomness);
        // All of it, as planned, before anything is drawn.
        let mean = session.cost(&self.standard.measurement())?;
        session.check([
            (Share::ALL, self.search.costs(&session)?),
            (self.search.shares().mean, vec![mean]),
        ])?;
        let searched = self.search.find_in(places, &mut session);
        let found = searched.and_then(|found| found.ok_or_else(|| self.search.no_range()));
        let release = found.and_then(|found| self.release_in(found, places, &mut session));
        release.map_err(|refused| refused.after_spending(1.0 - self.search.shares().mean.get()))
    }

    /// The mean of the values clipped to the range that was found.
    fn release_in(
        &self,
        found: FoundRange,
        places: &mut dyn Places,
        session: &mut Session<'_>,
    ) -> Result<Release> {
        let grid = Grid::new(found.bounds);
        let table = places.table(grid)?;
        if table.profile()? != self.allowed {
            return Err(Error::table("records: their levels and counts are not those of the plan")
                .with_hint("plan with the profile of these records"));
        }
        let (share, variance) = (self.search.shares().mean, found.bell.sd * found.bell.sd);
        let plan = inside(&self.allowed, self.options, share, grid, variance)?;
        let mut release = plan.release_in(&table, session)?;
        release.charge_all(session);
        release.steps.push(Step::Range(found));
        // Values beyond the range were moved to its ends, by nobody knows how much.
        release.estimates.iter_mut().for_each(|one| one.interval = None);
        Ok(release)
    }
}

/// A standard normal number lies further than this from zero with a probability of 1/4.
const UPPER_QUARTER: f64 = 1.150_349_380_376_008;

/// The plan of the mean inside a range.
fn inside(
    allowed: &Profile,
    options: RangeOptions,
    share: Share,
    grid: Grid,
    variance: f64,
) -> Result<WeightedPlan> {
    let bounds = grid.bounds();
    let worst = bounds.width() * bounds.width() / 4.0;
    let options = Options {
        target: options.target,
        estimator: Choice::Named(Estimator::Affine),
        confidence: options.confidence,
        variance: Some(variance.clamp(worst * 1e-9, worst)),
        share,
        ..Options::default()
    };
    let request = Request::new(Statistic::Mean, bounds, options)?;
    WeightedPlan::new(&request, allowed.clone(), grid)
}
