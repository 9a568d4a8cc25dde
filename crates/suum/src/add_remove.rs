//! Statistics that hide who takes part: one function each, from a level table to a release.
//!
//! Budgets are declared, because those that occur are private. A table may be empty
//! ([`LevelTable::possibly_empty`](crate::LevelTable::possibly_empty)), and its release looks like
//! any other.
//!
//! # Example
//!
//! ```
//! use suum::{Options, Bounds, Grid, LevelTable, Measure, Tiers, add_remove};
//!
//! let tiers: Tiers = "strict=0.1,standard=1,public=inf".parse()?;
//! let budgets = add_remove::tiers(&tiers)?;
//! let measure = Measure::Numbers(Grid::new(Bounds::new(0.0, 77.0)?).into());
//! let nobody = LevelTable::possibly_empty(Some("visits".into()), measure, vec![])?;
//! let release =
//!     add_remove::mean(nobody, &budgets, &Options::add_remove(), &mut suum::entropy()?)?;
//! assert!((0.0..=77.0).contains(&release.estimate()));
//! for tier in &release.privacy {
//!     println!(
//!         "{} allows {} and spends {:.4}",
//!         tier.level,
//!         tier.epsilon,
//!         tier.spent.rounded_up()
//!     );
//! }
//! # Ok::<(), suum::Error>(())
//! ```

use suum_core::{
    AddRemoveRequest, Cells, DeclaredBudgets, LevelTable, Options, Randomness, Rank, Release,
    Result, Split, Statistics,
};
use suum_data::Tiers;

use crate::counted;

/// The budgets of consent tiers, all of them declared.
///
/// # Errors
///
/// Refuses tiers of which none may be used.
pub fn tiers(tiers: &Tiers) -> Result<DeclaredBudgets> {
    DeclaredBudgets::tiers(tiers.iter().map(|(label, epsilon)| (label.to_owned(), epsilon)))
}

/// The mean of the table's values, within the bounds of its grid.
///
/// # Errors
///
/// Refuses a table without values, and as [`AddRemoveRequest::mean`]; nothing depends on who is in
/// the table.
pub fn mean(
    table: LevelTable,
    budgets: &DeclaredBudgets,
    options: &Options,
    randomness: &mut Randomness,
) -> Result<Release> {
    let bounds = counted::numbers(&table)?.grid.bounds();
    AddRemoveRequest::mean(bounds, budgets.clone(), options.clone())?.release(table, randomness)
}

/// The sum of the table's values.
///
/// # Errors
///
/// Refuses a table without values, persons who count with the mean of their rows, and as
/// [`AddRemoveRequest::sum`].
pub fn sum(
    table: LevelTable,
    budgets: &DeclaredBudgets,
    options: &Options,
    randomness: &mut Randomness,
) -> Result<Release> {
    let bounds = counted::numbers(&table)?.grid.bounds();
    AddRemoveRequest::sum(bounds, budgets.clone(), options.clone())?.release(table, randomness)
}

/// The number of records that may be used.
///
/// # Errors
///
/// As [`AddRemoveRequest::count`].
///
/// # Example
///
/// ```
/// use suum::{Options, PrivacyColumn, Progress, Scan, add_remove};
///
/// let csv = "epsilon\n0.5\n2\n1\n";
/// let scan = Scan::new(PrivacyColumn::Budgets { column: "epsilon".into() }, None);
/// let table = suum::scan_csv(csv.as_bytes(), &scan, &Progress::default())?;
/// let (budgets, options) = ("0.5,2".parse()?, Options::add_remove());
/// let release = add_remove::count(table, &budgets, &options, &mut suum::entropy()?)?;
/// assert!(release.estimate() >= 0.0);
/// # Ok::<(), suum::Error>(())
/// ```
pub fn count(
    table: LevelTable,
    budgets: &DeclaredBudgets,
    options: &Options,
    randomness: &mut Randomness,
) -> Result<Release> {
    AddRemoveRequest::count(budgets.clone(), options.clone())?.release(table, randomness)
}

/// The share of every category of the table.
///
/// # Errors
///
/// Refuses a table without categories, and as [`AddRemoveRequest::frequency`].
pub fn frequency(
    table: LevelTable,
    budgets: &DeclaredBudgets,
    options: &Options,
    randomness: &mut Randomness,
) -> Result<Release> {
    let categories = counted::categories(&table)?;
    AddRemoveRequest::frequency(categories, budgets.clone(), options.clone())?
        .release(table, randomness)
}

/// The quantiles of the table's values, at these ranks.
///
/// # Errors
///
/// Refuses a table without counts at candidates, and as [`AddRemoveRequest::quantiles`].
pub fn quantile(
    table: LevelTable,
    ranks: &[Rank],
    budgets: &DeclaredBudgets,
    options: &Options,
    randomness: &mut Randomness,
) -> Result<Release> {
    let (bounds, cells) = counted::candidates(&table)?;
    let request = AddRemoveRequest::quantiles(
        bounds,
        cells,
        ranks.to_vec(),
        budgets.clone(),
        options.clone(),
    )?;
    request.release(table, randomness)
}

/// The variance of the table's values, their standard deviation and their mean.
///
/// # Errors
///
/// Refuses a table without squares, and as [`AddRemoveRequest::variance`].
pub fn variance(
    table: LevelTable,
    budgets: &DeclaredBudgets,
    options: &Options,
    randomness: &mut Randomness,
) -> Result<Release> {
    let bounds = counted::numbers(&table)?.grid.bounds();
    AddRemoveRequest::variance(bounds, budgets.clone(), options.clone())?.release(table, randomness)
}

/// Several statistics of the table's values, which share every budget as `split` says.
///
/// # Errors
///
/// Refuses a table without squares or candidates where they are needed, and as
/// [`AddRemoveRequest::summary`].
///
/// # Example
///
/// ```
/// use suum::{Bounds, Cells, Grid, LevelTable, Measure, Numbers, Options, Split, Statistics, add_remove};
///
/// let grid = Grid::new(Bounds::new(0.0, 77.0)?);
/// let numbers = Numbers { grid, squares: true, cells: Some(Cells::new(77)?) };
/// let nobody = LevelTable::possibly_empty(None, Measure::Numbers(numbers), vec![])?;
/// let statistics: Statistics = "mean,variance,q50".parse()?;
/// let (split, options) = (Split::even(&statistics), Options::add_remove());
/// let budgets = "0.1,1".parse()?;
/// let random = &mut suum::entropy()?;
/// let release = add_remove::summary(nobody, statistics, split, &budgets, &options, random)?;
/// assert_eq!(release.estimates.len(), 4, "with the standard deviation");
/// # Ok::<(), suum::Error>(())
/// ```
pub fn summary(
    table: LevelTable,
    statistics: Statistics,
    split: Split,
    budgets: &DeclaredBudgets,
    options: &Options,
    randomness: &mut Randomness,
) -> Result<Release> {
    let numbers = counted::numbers(&table)?;
    // Without quantiles the candidates play no part.
    let cells = numbers.cells.map_or_else(|| Cells::new(1), Ok)?;
    let over = (numbers.grid.bounds(), cells);
    let request =
        AddRemoveRequest::summary(over, statistics, split, budgets.clone(), options.clone())?;
    request.release(table, randomness)
}
