//! Add-remove requests, and what they refuse before data are read.

use super::options;
use crate::error::option;
use crate::plan::checks::{
    check_interval_share, check_per_person, check_step, check_used, check_variance, unused,
};
use crate::private::session::Account;
use crate::{
    Bounds, Categories, Cells, Choice, DeclaredBudgets, Epsilon, Error, Estimand, Estimator, Grid,
    Numbers, Options, PrivacyUnits, Rank, Request, Result, Share,
};

/// Validated request for a release that does not reveal whether anybody takes part.
///
/// # Example
///
/// ```
/// use suum_core::*;
///
/// let bounds = Bounds::new(0.0, 10.0)?;
/// let mean = Request::mean(Neighbors::AddRemove);
/// let request = mean.add_remove(bounds, "0.1,1".parse()?)?;
///
/// let grid = Grid::new(bounds);
/// let sum = ExactSum::from_raw(1000 * i128::from(grid.points()) / 4); // 1000 people, mean 2.5
/// let people = LevelSums {
///     label: None,
///     epsilon: Epsilon::new(0.5)?,
///     count: 1000,
///     sums: vec![sum],
///     cells: Default::default(),
/// };
/// let table = LevelTable::possibly_empty(
///     Some("visits".into()),
///     Measure::Numbers(grid.into()),
///     vec![people],
/// )?;
///
/// let release = request.release(table, &mut Randomness::insecure(1))?;
/// assert!((release.estimate() - 2.5).abs() < 0.2);
/// for row in &release.privacy {
///     assert!(row.spent.within(row.epsilon), "for every declared budget, whoever has it");
/// }
/// # Ok::<(), suum_core::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct AddRemoveRequest {
    request: Request,
    bounds: Bounds,
    budgets: DeclaredBudgets,
    // Requests of several statistics, each with the name of what it measures.
    parts: Vec<(&'static str, AddRemoveRequest)>,
}

impl Request {
    /// Returns the request under add-remove: for people with the declared budgets, and numbers
    /// inside `bounds`.
    ///
    /// # Errors
    ///
    /// Refuses probabilities out of range, a variance that values inside the bounds cannot have,
    /// the target `dataset-correlated`, estimators whose weights depend on how many people there
    /// are, `proportional` where budgets are unlimited, options that are for another statistic,
    /// ranks that are asked for twice, and an empty list of statistics.
    ///
    /// # Example
    ///
    /// ```
    /// use suum_core::*;
    ///
    /// let statistics: Statistics = "mean,variance,q50".parse()?;
    /// let asked = (statistics.clone(), Split::even(&statistics));
    /// let request = Request::summary(Cells::new(100)?, asked, Neighbors::AddRemove)
    ///     .add_remove(Bounds::UNIT, "0.1,1".parse()?)?;
    /// let shares = request.parts().map(|part| part.options().share.get());
    /// assert_eq!(shares.collect::<Vec<_>>(), [2.0 / 3.0, 1.0 / 3.0], "moments, and a quantile");
    /// # Ok::<(), suum_core::Error>(())
    /// ```
    pub fn add_remove(self, bounds: Bounds, budgets: DeclaredBudgets) -> Result<AddRemoveRequest> {
        let part = |(measured, part): (&'static str, Self)| {
            Ok((measured, part.add_remove(bounds, budgets.clone())?))
        };
        let parts = self.parts()?.into_iter().map(part).collect::<Result<_>>()?;
        let request = AddRemoveRequest { request: self, bounds, budgets, parts };
        request.check()?;
        Ok(request)
    }
}

impl AddRemoveRequest {
    fn check(&self) -> Result<()> {
        let (asked, options) = (self.estimand(), self.options());
        options::check(options)?;
        check_interval_share(options.interval_share)?;
        check_step(options.step)?;
        check_used(options, asked.name(), asked.any().uses())?;
        check_per_person(options, !asked.is_of_numbers())?;
        asked.any().check()?;
        if let Some(variance) = options.variance {
            check_variance(variance, self.bounds)?;
        }
        let estimator = options::estimator(options);
        if !asked.any().has_estimators() {
            if options.clip.is_some() {
                return Err(unused(option::CLIP, asked.name()));
            }
            if estimator == Estimator::Proportional {
                return Err(unused(option::ESTIMATOR, asked.name()));
            }
        }
        if estimator == Estimator::Typical && !self.measures_spread() {
            return Err(Error::request(
                option::ESTIMATOR,
                "typical is for means and sums without a declared variance",
            )
            .with_fix("choose auto or affine"));
        }
        let account = self.account();
        // Leaves room to divide the budget into parts.
        if account.least().get() < Epsilon::MIN * 1e9 {
            return Err(Error::request(
                "budgets",
                "the share of the least one that may be spent is too small",
            )
            .with_fix("declare a larger least budget"));
        }
        options::check_weights(estimator, &account)?;
        if let Some(clip) = options.clip {
            PrivacyUnits::new(Share::ALL, clip)?;
        }
        Ok(())
    }

    /// Returns the name of the statistic, as in JSON.
    pub fn statistic(&self) -> &'static str {
        self.estimand().name()
    }

    /// Returns the declared budgets.
    pub fn budgets(&self) -> &DeclaredBudgets {
        &self.budgets
    }

    /// Returns the options.
    pub fn options(&self) -> &Options {
        &self.request.options
    }

    /// Returns the declared bounds; `None` if the statistic has no numeric values.
    pub fn bounds(&self) -> Option<Bounds> {
        self.estimand().is_of_numbers().then_some(self.bounds)
    }

    /// Returns true if the spread of the values is measured along with a mean or a sum, which costs
    /// nothing more: unless a variance is declared.
    pub fn measures_spread(&self) -> bool {
        self.estimand().is_mean_or_sum() && self.options().variance.is_none()
    }

    /// Whether a mean or a sum first learns where the values lie: where that was asked for, weights
    /// are chosen for a spread that is measured, values are not known to have few steps, and there
    /// are few enough budgets for sums in cells of each: a range of them can be
    /// [coarser](DeclaredBudgets::coarser).
    pub fn adapts(&self) -> bool {
        self.may_adapt() && self.budgets.are_few()
    }

    /// Returns true if [`adapts`](Self::adapts) would be true for few enough budgets.
    pub fn may_adapt(&self) -> bool {
        // A mean of public records has no noise, so it gains nothing.
        self.options().adapt
            && !self.options().has_few_steps(self.bounds)
            && !self.budgets.least().is_public()
            && self.options().estimator == Choice::Auto
            && self.estimator() == Estimator::Typical
    }

    /// Returns the sums and counts of numbers that the statistic needs; `None` if it has no numeric
    /// values.
    pub fn numbers(&self) -> Option<Numbers> {
        let numbers = self.request.numbers(Grid::new(self.bounds()?));
        let cells = numbers.cells.filter(|cells| !cells.has_sums() || self.adapts());
        Some(Numbers { cells, ..numbers })
    }

    /// Returns the candidates of quantiles; `None` for other statistics.
    pub fn cells(&self) -> Option<Cells> {
        self.estimand().any().cells()
    }

    /// Returns the ranks of quantiles; empty for other statistics, and for several statistics.
    pub fn ranks(&self) -> &[Rank] {
        self.estimand().any().ranks()
    }

    /// Returns the categories, for statistics of shares.
    pub fn categories(&self) -> Option<&Categories> {
        self.estimand().any().categories()
    }

    /// Returns the estimator that a release uses. A count has one estimator only, whatever its
    /// name.
    pub fn estimator(&self) -> Estimator {
        let options = self.options();
        let is_auto = options.estimator == Choice::Auto && options.clip.is_none();
        match self.estimand().any().has_estimators() {
            false => Estimator::Uniform,
            // Measured spread: weights for a typical variance.
            true if is_auto && self.measures_spread() => Estimator::Typical,
            true => options::estimator(options),
        }
    }

    /// Returns the requests of several statistics, each with its share of the budget; empty for
    /// one.
    pub fn parts(&self) -> impl Iterator<Item = &AddRemoveRequest> {
        self.parts.iter().map(|(_, request)| request)
    }

    /// Returns the requests of several statistics, each with the name of what it measures.
    pub(crate) fn measured(&self) -> &[(&'static str, AddRemoveRequest)] {
        &self.parts
    }

    /// Returns the statistic to estimate.
    pub fn estimand(&self) -> &Estimand {
        &self.request.asked
    }

    /// Returns the declared bounds; the unit interval, unused, for statistics without bounds.
    pub(crate) fn inside(&self) -> Bounds {
        self.bounds
    }

    /// Returns the account of a release that has spent nothing yet.
    pub(crate) fn account(&self) -> Account {
        let mut account = Account::declared(self.budgets.clone(), self.options().neighbors);
        account.begin(self.options().share);
        account
    }
}
