//! Statistics that hide who takes part: one function each, from a level table to a release.
//!
//! Budgets are declared, because those that occur are private. A table may be empty
//! ([`LevelTable::possibly_empty`](crate::LevelTable::possibly_empty)), and its release looks like
//! any other.
//!
//! # Example
//!
//! ```
//! use suum::{AddRemoveOptions, Bounds, Grid, LevelTable, Measure, Tiers, add_remove};
//!
//! let tiers: Tiers = "strict=0.1,standard=1,public=inf".parse()?;
//! let budgets = add_remove::tiers(&tiers)?;
//! let measure = Measure::Numbers(Grid::new(Bounds::new(0.0, 77.0)?).into());
//! let nobody = LevelTable::possibly_empty(Some("visits".into()), measure, vec![])?;
//! let release =
//!     add_remove::mean(nobody, &budgets, &AddRemoveOptions::default(), &mut suum::entropy()?)?;
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
    AddRemoveOptions, AddRemoveRequest, DeclaredBudgets, LevelTable, Randomness, Rank, Release,
    Result,
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
    options: &AddRemoveOptions,
    randomness: &mut Randomness,
) -> Result<Release> {
    let bounds = counted::numbers(&table)?.grid.bounds();
    AddRemoveRequest::mean(bounds, budgets.clone(), *options)?.release(table, randomness)
}

/// The sum of the table's values.
///
/// # Errors
///
/// Refuses a table without values, persons with many rows, and as [`AddRemoveRequest::sum`].
pub fn sum(
    table: LevelTable,
    budgets: &DeclaredBudgets,
    options: &AddRemoveOptions,
    randomness: &mut Randomness,
) -> Result<Release> {
    let bounds = counted::numbers(&table)?.grid.bounds();
    AddRemoveRequest::sum(bounds, budgets.clone(), *options)?.release(table, randomness)
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
/// use suum::{AddRemoveOptions, PrivacyColumn, Progress, Scan, add_remove};
///
/// let csv = "epsilon\n0.5\n2\n1\n";
/// let scan = Scan::new(PrivacyColumn::Budgets { column: "epsilon".into() }, None);
/// let table = suum::scan_csv(csv.as_bytes(), &scan, &Progress::default())?;
/// let (budgets, options) = ("0.5,2".parse()?, AddRemoveOptions::default());
/// let release = add_remove::count(table, &budgets, &options, &mut suum::entropy()?)?;
/// assert!(release.estimate() >= 0.0);
/// # Ok::<(), suum::Error>(())
/// ```
pub fn count(
    table: LevelTable,
    budgets: &DeclaredBudgets,
    options: &AddRemoveOptions,
    randomness: &mut Randomness,
) -> Result<Release> {
    AddRemoveRequest::count(budgets.clone(), *options)?.release(table, randomness)
}

/// The share of every category of the table.
///
/// # Errors
///
/// Refuses a table without categories, and as [`AddRemoveRequest::frequency`].
pub fn frequency(
    table: LevelTable,
    budgets: &DeclaredBudgets,
    options: &AddRemoveOptions,
    randomness: &mut Randomness,
) -> Result<Release> {
    let categories = counted::categories(&table)?;
    AddRemoveRequest::frequency(categories, budgets.clone(), *options)?.release(table, randomness)
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
    options: &AddRemoveOptions,
    randomness: &mut Randomness,
) -> Result<Release> {
    let (bounds, cells) = counted::candidates(&table)?;
    let request =
        AddRemoveRequest::quantiles(bounds, cells, ranks.to_vec(), budgets.clone(), *options)?;
    request.release(table, randomness)
}
