//! What is asked for where participation is hidden, and what is refused before data are read.

use super::asked::{Asked, Several};
use super::{DeclaredBudgets, options};
use crate::quantile::{check_interval_share, check_ranks};
use crate::request::{check_used, check_variance, unused};
use crate::session::Account;
use crate::summary::Measured;
use crate::{
    Bounds, Categories, Cells, Choice, Epsilon, Error, Estimator, Grid, Numbers, Options,
    PrivacyUnits, Rank, Result, Share, Split, Statistics,
};

/// A request that makes sense, for a release that does not tell whether anybody takes part.
///
/// # Example
///
/// ```
/// use suum_core::*;
///
/// let bounds = Bounds::new(0.0, 10.0)?;
/// let request = AddRemoveRequest::mean(bounds, "0.1,1".parse()?, Options::add_remove())?;
///
/// let grid = Grid::new(bounds);
/// let sum = ExactSum::from_raw(1000 * i128::from(grid.points()) / 4); // 1000 people, mean 2.5
/// let people = Cohort {
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
    asked: Asked,
    budgets: DeclaredBudgets,
    options: Options,
    // What several statistics are made of.
    parts: Vec<(Measured, AddRemoveRequest)>,
}

impl AddRemoveRequest {
    /// The mean of values inside `bounds`.
    ///
    /// # Errors
    ///
    /// Refuses probabilities out of range, a variance that values inside the bounds cannot have,
    /// the target `dataset-correlated`, estimators whose weights depend on how many people there
    /// are, `proportional` where budgets are unlimited, and options that are for another statistic.
    pub fn mean(bounds: Bounds, budgets: DeclaredBudgets, options: Options) -> Result<Self> {
        Self::checked(Asked::Mean(bounds), budgets, options)
    }

    /// The sum of values inside `bounds`: a noisy count, for which 50 to 90 % of the least budget
    /// are spent, times a noisy mean. With equal weights for all it is one noisy sum.
    ///
    /// # Errors
    ///
    /// As [`mean`](Self::mean).
    pub fn sum(bounds: Bounds, budgets: DeclaredBudgets, options: Options) -> Result<Self> {
        Self::checked(Asked::Sum(bounds), budgets, options)
    }

    /// The number of records that may be used, with noise for the least declared budget: everybody
    /// spends that alone.
    ///
    /// # Errors
    ///
    /// As [`mean`](Self::mean); there is nothing to choose about the weights of a count.
    pub fn count(budgets: DeclaredBudgets, options: Options) -> Result<Self> {
        Self::checked(Asked::Count, budgets, options)
    }

    /// The share of every category.
    ///
    /// # Errors
    ///
    /// As [`mean`](Self::mean).
    pub fn frequency(
        categories: Categories,
        budgets: DeclaredBudgets,
        options: Options,
    ) -> Result<Self> {
        Self::checked(Asked::Frequency(categories), budgets, options)
    }

    /// The quantiles at `ranks`, among candidates `cells` over `bounds`.
    ///
    /// # Errors
    ///
    /// As [`mean`](Self::mean), and as [`QuantileRequest::new`](crate::QuantileRequest::new).
    pub fn quantiles(
        bounds: Bounds,
        cells: Cells,
        ranks: Vec<Rank>,
        budgets: DeclaredBudgets,
        options: Options,
    ) -> Result<Self> {
        check_ranks(&ranks)?;
        Self::checked(Asked::Quantiles { bounds, cells, ranks }, budgets, options)
    }

    /// The variance of values inside `bounds`, and their mean, which costs nothing more.
    ///
    /// # Errors
    ///
    /// As [`mean`](Self::mean).
    pub fn variance(bounds: Bounds, budgets: DeclaredBudgets, options: Options) -> Result<Self> {
        Self::checked(Asked::Variance(bounds), budgets, options)
    }

    /// Several statistics of values inside `bounds`, which share every budget as `split` says;
    /// quantiles among candidates `cells`.
    ///
    /// # Errors
    ///
    /// As the statistics alone; refuses an empty list of them.
    ///
    /// # Example
    ///
    /// ```
    /// use suum_core::*;
    ///
    /// let statistics: Statistics = "mean,variance,q50".parse()?;
    /// let split = Split::even(&statistics);
    /// let request = AddRemoveRequest::summary(
    ///     (Bounds::UNIT, Cells::new(100)?),
    ///     statistics,
    ///     split,
    ///     "0.1,1".parse()?,
    ///     Options::add_remove(),
    /// )?;
    /// let shares = request.parts().map(|part| part.options().share.get());
    /// assert_eq!(shares.collect::<Vec<_>>(), [2.0 / 3.0, 1.0 / 3.0], "moments, and a quantile");
    /// # Ok::<(), suum_core::Error>(())
    /// ```
    pub fn summary(
        (bounds, cells): (Bounds, Cells),
        statistics: Statistics,
        split: Split,
        budgets: DeclaredBudgets,
        options: Options,
    ) -> Result<Self> {
        let part = |(measured, share): (Measured, Share)| {
            let plain = Options { interval_share: None, whole: false, share, ..options.clone() };
            let budgets = budgets.clone();
            let request = match measured {
                Measured::Mean => Self::mean(bounds, budgets, plain),
                Measured::Variance => Self::variance(bounds, budgets, plain),
                Measured::Quantiles => {
                    let options = Options { share, ..options.clone() };
                    Self::quantiles(bounds, cells, statistics.quantiles.clone(), budgets, options)
                }
            };
            Ok((measured, request?))
        };
        let shares = statistics.shares(split, options.share)?;
        let parts = shares.into_iter().map(part).collect::<Result<_>>()?;
        let cells = (!statistics.quantiles.is_empty()).then_some(cells);
        let several = Several { bounds, cells, statistics };
        Ok(Self { parts, ..Self::checked(Asked::Several(several), budgets, options)? })
    }

    fn checked(asked: Asked, budgets: DeclaredBudgets, options: Options) -> Result<Self> {
        options::check(&options)?;
        check_interval_share(options.interval_share)?;
        check_used(&options, asked.name(), asked.uses())?;
        if let (Asked::Mean(bounds) | Asked::Sum(bounds), Some(variance)) =
            (&asked, options.variance)
        {
            check_variance(variance, *bounds)?;
        }
        if asked == Asked::Count {
            if options.clip.is_some() {
                return Err(unused("clip", asked.name()));
            }
            if options::estimator(&options) == Estimator::Proportional {
                return Err(unused("estimator", asked.name()));
            }
        }
        let request = Self { asked, budgets, options, parts: Vec::new() };
        let options = &request.options;
        if options::estimator(options) == Estimator::Typical && !request.measures_spread() {
            return Err(Error::request(
                "estimator: typical is for means and sums without a declared variance",
            )
            .with_hint("choose auto or affine"));
        }
        let account = request.account();
        // Room below for the parts into which it is divided.
        if account.least().get() < Epsilon::MIN * 1e9 {
            return Err(Error::request(
                "budgets: the share of the least one that may be spent is too small",
            )
            .with_hint("declare a larger least budget"));
        }
        if options::estimator(options) == Estimator::Proportional {
            if account.most().is_public() {
                return Err(Error::request(
                    "estimator: proportional has no finite weights with budgets of inf",
                )
                .with_hint("choose affine, or declare a finite largest budget"));
            }
            PrivacyUnits::new(Share::ALL, account.most())?;
        }
        if let Some(clip) = options.clip {
            PrivacyUnits::new(Share::ALL, clip)?;
        }
        Ok(request)
    }

    /// The name of the statistic, as in JSON.
    pub fn statistic(&self) -> &'static str {
        self.asked.name()
    }

    /// The declared budgets.
    pub fn budgets(&self) -> &DeclaredBudgets {
        &self.budgets
    }

    /// The options.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// The declared bounds of numbers.
    pub fn bounds(&self) -> Option<Bounds> {
        match &self.asked {
            Asked::Mean(bounds)
            | Asked::Sum(bounds)
            | Asked::Variance(bounds)
            | Asked::Quantiles { bounds, .. } => Some(*bounds),
            Asked::Several(several) => Some(several.bounds),
            Asked::Count | Asked::Frequency(_) => None,
        }
    }

    /// Whether the spread of the values is measured beside a mean or a sum, which costs nothing
    /// more: unless it is declared.
    pub fn measures_spread(&self) -> bool {
        matches!(self.asked, Asked::Mean(_) | Asked::Sum(_)) && self.options.variance.is_none()
    }

    /// Whether a mean or a sum first learns where the values lie: where that was asked for, weights
    /// are chosen for a spread that is measured, and budgets are tiers. Of a range of budgets there
    /// are too many for sums in cells of each.
    pub fn adapts(&self) -> bool {
        self.options.adapt
            && self.options.estimator == Choice::Auto
            && self.estimator() == Estimator::Typical
            && self.budgets.are_tiers()
    }

    /// What has to be added up and counted of numbers, if any are asked for.
    pub fn numbers(&self) -> Option<Numbers> {
        let squares = match &self.asked {
            Asked::Variance(_) => true,
            Asked::Several(several) => several.statistics.mean || several.statistics.variance,
            _ => self.measures_spread(),
        };
        let cells = if self.adapts() { Some(Cells::of_sums()) } else { self.cells() };
        Some(Numbers { grid: Grid::new(self.bounds()?), squares, cells })
    }

    /// The candidates of quantiles, where those are asked for.
    pub fn cells(&self) -> Option<Cells> {
        match &self.asked {
            Asked::Quantiles { cells, .. } => Some(*cells),
            Asked::Several(several) => several.cells,
            _ => None,
        }
    }

    /// The ranks of quantiles, where those alone are asked for.
    pub fn ranks(&self) -> &[Rank] {
        match &self.asked {
            Asked::Quantiles { ranks, .. } => ranks,
            _ => &[],
        }
    }

    /// The categories, where their shares are asked for.
    pub fn categories(&self) -> Option<&Categories> {
        match &self.asked {
            Asked::Frequency(categories) => Some(categories),
            _ => None,
        }
    }

    /// The estimator that a release uses: a count has one way to be made, whatever it is called.
    pub fn estimator(&self) -> Estimator {
        match self.asked {
            Asked::Count => Estimator::Uniform,
            // For the variance that values usually have, where their own is measured.
            _ if self.options.estimator == Choice::Auto
                && self.options.clip.is_none()
                && self.measures_spread() =>
            {
                Estimator::Typical
            }
            _ => options::estimator(&self.options),
        }
    }

    /// What several statistics are made of: their requests, each of which may spend its share.
    pub fn parts(&self) -> impl Iterator<Item = &AddRemoveRequest> {
        self.parts.iter().map(|(_, request)| request)
    }

    /// The same, each with what it measures.
    pub(super) fn measured(&self) -> &[(Measured, AddRemoveRequest)] {
        &self.parts
    }

    pub(super) fn asked(&self) -> &Asked {
        &self.asked
    }

    /// The account of a release that has spent nothing yet.
    pub(super) fn account(&self) -> Account {
        let mut account = Account::declared(self.budgets.clone(), self.options.neighbors);
        account.begin(self.options.share);
        account
    }
}
