//! What is asked for where participation is hidden, and what is refused before data are read.

use super::options;
use crate::error::option;
use crate::plan::checks::{check_interval_share, check_used, check_variance, unused};
use crate::private::session::Account;
use crate::{
    Bounds, Categories, Cells, Choice, DeclaredBudgets, Epsilon, Error, Estimand, Estimator, Grid,
    Numbers, Options, PrivacyUnits, Rank, Request, Result, Share,
};

/// A request that makes sense, for a release that does not tell whether anybody takes part.
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
    // What several statistics are made of: what each measures, and its request.
    parts: Vec<(&'static str, AddRemoveRequest)>,
}

impl Request {
    /// The same where it must not show who takes part: of people with such budgets, and of numbers
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
        let (asked, options) = (self.asked(), self.options());
        options::check(options)?;
        check_interval_share(options.interval_share)?;
        check_used(options, asked.name(), asked.any().uses())?;
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
        // Room below for the parts into which it is divided.
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

    /// The name of the statistic, as in JSON.
    pub fn statistic(&self) -> &'static str {
        self.asked().name()
    }

    /// The declared budgets.
    pub fn budgets(&self) -> &DeclaredBudgets {
        &self.budgets
    }

    /// The options.
    pub fn options(&self) -> &Options {
        &self.request.options
    }

    /// The declared bounds of numbers.
    pub fn bounds(&self) -> Option<Bounds> {
        self.asked().is_of_numbers().then_some(self.bounds)
    }

    /// Whether the spread of the values is measured beside a mean or a sum, which costs nothing
    /// more: unless it is declared.
    pub fn measures_spread(&self) -> bool {
        self.asked().is_mean_or_sum() && self.options().variance.is_none()
    }

    /// Whether a mean or a sum first learns where the values lie: where that was asked for, weights
    /// are chosen for a spread that is measured, and there are few enough budgets for sums in cells
    /// of each: a range of them can be [coarser](DeclaredBudgets::coarser).
    pub fn adapts(&self) -> bool {
        self.may_adapt() && self.budgets.are_few()
    }

    /// The same for budgets that are few enough.
    pub fn may_adapt(&self) -> bool {
        // Of public people without noise there is nothing to gain.
        self.options().adapt
            && !self.budgets.least().is_public()
            && self.options().estimator == Choice::Auto
            && self.estimator() == Estimator::Typical
    }

    /// What has to be added up and counted of numbers, if any are asked for.
    pub fn numbers(&self) -> Option<Numbers> {
        let numbers = self.request.numbers(Grid::new(self.bounds()?));
        let cells = numbers.cells.filter(|cells| !cells.has_sums() || self.adapts());
        Some(Numbers { cells, ..numbers })
    }

    /// The candidates of quantiles, where those are asked for.
    pub fn cells(&self) -> Option<Cells> {
        self.asked().any().cells()
    }

    /// The ranks of quantiles, where those alone are asked for.
    pub fn ranks(&self) -> &[Rank] {
        self.asked().any().ranks()
    }

    /// The categories, where their shares are asked for.
    pub fn categories(&self) -> Option<&Categories> {
        self.asked().any().categories()
    }

    /// The estimator that a release uses: a count has one way to be made, whatever it is called.
    pub fn estimator(&self) -> Estimator {
        let options = self.options();
        let is_auto = options.estimator == Choice::Auto && options.clip.is_none();
        match self.asked().any().has_estimators() {
            false => Estimator::Uniform,
            // For the variance that values usually have, where their own is measured.
            true if is_auto && self.measures_spread() => Estimator::Typical,
            true => options::estimator(options),
        }
    }

    /// What several statistics are made of: their requests, each of which may spend its share.
    pub fn parts(&self) -> impl Iterator<Item = &AddRemoveRequest> {
        self.parts.iter().map(|(_, request)| request)
    }

    /// The same, each with what it measures.
    pub(crate) fn measured(&self) -> &[(&'static str, AddRemoveRequest)] {
        &self.parts
    }

    /// What is estimated.
    pub fn asked(&self) -> &Estimand {
        &self.request.asked
    }

    /// The declared bounds; of what has none the unit interval, of which nothing is used.
    pub(crate) fn inside(&self) -> Bounds {
        self.bounds
    }

    /// The account of a release that has spent nothing yet.
    pub(crate) fn account(&self) -> Account {
        let mut account = Account::declared(self.budgets.clone(), self.options().neighbors);
        account.begin(self.options().share);
        account
    }
}
