//! One function per statistic: from a level table to a release.

use suum_core::{
    Bounds, Categories, LevelTable, Options, Profile, QuantileRequest, Randomness, Rank, Release,
    Request, Result, Split, Statistic, Statistics, SummaryPlan, UnboundedPlan, VariancePlan,
    VarianceRequest, WeightedPlan, WeightedRequest,
};
use suum_data::RecordBuffer;

use crate::counted;

/// The private mean of the table's values, within the bounds of its grid.
///
/// # Errors
///
/// Refuses a table without values, options that make no sense, and a profile in which nobody may be
/// used.
///
/// # Example
///
/// ```
/// use suum::{Bounds, Cohort, Epsilon, ExactSum, Grid, LevelTable, Measure, Options};
///
/// let grid = Grid::new(Bounds::new(0.0, 10.0)?);
/// let sum = ExactSum::from_raw(500 * i128::from(grid.points()) / 2);
/// let people = Cohort {
///     label: Some("standard".into()),
///     epsilon: Epsilon::new(0.5)?,
///     count: 500,
///     sums: vec![sum],
///     cells: Default::default(),
/// };
/// let table = LevelTable::new(Some("score".into()), Measure::Numbers(grid.into()), vec![people])?;
/// let release = suum::mean(table, &Options::default(), &mut suum::entropy()?)?;
/// assert!((0.0..=10.0).contains(&release.estimate()));
/// # Ok::<(), suum::Error>(())
/// ```
pub fn mean(table: LevelTable, options: &Options, randomness: &mut Randomness) -> Result<Release> {
    release(Statistic::Mean, table, options, randomness)
}

/// The private sum of the table's values: the number of records, which is public, times their mean.
///
/// # Errors
///
/// As [`mean`]; of persons it refuses a table of means, and a mean one of totals.
pub fn sum(table: LevelTable, options: &Options, randomness: &mut Randomness) -> Result<Release> {
    release(Statistic::Sum, table, options, randomness)
}

/// The number of records, which is public under replace-one neighbours.
///
/// # Errors
///
/// Refuses options that make no sense.
pub fn count(table: &LevelTable, options: &Options) -> Result<Release> {
    Release::count(table, options)
}

/// The private share of every category of the table.
///
/// # Errors
///
/// Refuses a table without categories, options that make no sense, and a profile in which nobody
/// may be used.
pub fn frequency(
    table: LevelTable,
    options: &Options,
    randomness: &mut Randomness,
) -> Result<Release> {
    let categories = counted::categories(&table)?;
    plan_frequency(table.profile()?, categories, options)?.release_frequencies(table, randomness)
}

/// The private quantiles of the table's values, at these ranks.
///
/// # Errors
///
/// Refuses a table without counts at candidates, options that make no sense, and a profile in which
/// nobody may be used.
///
/// # Example
///
/// ```
/// use suum::{
///     Bounds, Cells, Grid, Numbers, Options, PrivacyColumn, Progress, Rank, Scan, Value, ValueColumn,
/// };
///
/// let csv = "rooms,epsilon\n2,0.5\n3,inf\n3,1\n";
/// let bounds = Bounds::new(0.0, 10.0)?;
/// let numbers = Numbers {
///     grid: Grid::new(bounds),
///     squares: false,
///     cells: Some(Cells::with_step(bounds, 1.0)?),
/// };
/// let scan = Scan::new(
///     PrivacyColumn::Budgets { column: "epsilon".into() },
///     Some(Value::Number(ValueColumn { column: "rooms".into(), numbers, missing: None })),
/// );
/// let table = suum::scan_csv(csv.as_bytes(), &scan, &Progress::default())?;
/// let release =
///     suum::quantile(table, &[Rank::MEDIAN], &Options::default(), &mut suum::entropy()?)?;
/// assert!((0.0..=10.0).contains(&release.estimate()));
/// # Ok::<(), suum::Error>(())
/// ```
pub fn quantile(
    table: LevelTable,
    ranks: &[Rank],
    options: &Options,
    randomness: &mut Randomness,
) -> Result<Release> {
    let (bounds, cells) = counted::candidates(&table)?;
    let request = QuantileRequest::new(bounds, cells, ranks.to_vec(), options.clone())?;
    request.plan(table.profile()?)?.release(table, randomness)
}

/// The private variance of the table's values, and the mean that is measured with it.
///
/// # Errors
///
/// Refuses a table without squares, options that make no sense, and a profile in which nobody may
/// be used.
///
/// # Example
///
/// ```
/// use suum::Options;
/// use suum::{Bounds, Cells, Grid, Numbers, PrivacyColumn, Progress, Scan, Value, ValueColumn};
///
/// let csv = "score,epsilon\n2,0.5\n3,inf\n7,1\n";
/// let bounds = Bounds::new(0.0, 10.0)?;
/// let numbers = Numbers {
///     grid: Grid::new(bounds),
///     squares: true,
///     cells: Some(Cells::with_step(bounds, 1.0)?),
/// };
/// let scan = Scan::new(
///     PrivacyColumn::Budgets { column: "epsilon".into() },
///     Some(Value::Number(ValueColumn { column: "score".into(), numbers, missing: None })),
/// );
/// let table = suum::scan_csv(csv.as_bytes(), &scan, &Progress::default())?;
/// let release = suum::variance(table, &Options::default(), &mut suum::entropy()?)?;
/// assert!((0.0..=25.0).contains(&release.estimate()));
/// # Ok::<(), suum::Error>(())
/// ```
pub fn variance(
    table: LevelTable,
    options: &Options,
    randomness: &mut Randomness,
) -> Result<Release> {
    let numbers = counted::squares(&table)?;
    let request = VarianceRequest::new(numbers.grid.bounds(), options.clone())?;
    VariancePlan::new(&request, table.profile()?, numbers.grid)?.release(table, randomness)
}

/// Several private statistics of the table's values, which share every budget as `split` says.
///
/// # Errors
///
/// Refuses a table that lacks what a statistic needs, and what the statistics refuse alone.
///
/// # Example
///
/// ```
/// use suum::{Bounds, Cells, Grid, Numbers, PrivacyColumn, Progress, Scan, Value, ValueColumn};
/// use suum::{Options, Quantity, Split, Statistics};
///
/// let csv = "score,epsilon\n2,0.5\n3,inf\n7,1\n";
/// let bounds = Bounds::new(0.0, 10.0)?;
/// let numbers = Numbers {
///     grid: Grid::new(bounds),
///     squares: true,
///     cells: Some(Cells::with_step(bounds, 1.0)?),
/// };
/// let scan = Scan::new(
///     PrivacyColumn::Budgets { column: "epsilon".into() },
///     Some(Value::Number(ValueColumn { column: "score".into(), numbers, missing: None })),
/// );
/// let table = suum::scan_csv(csv.as_bytes(), &scan, &Progress::default())?;
/// let statistics: Statistics = "mean,q50".parse()?;
/// let (split, options) = (Split::even(&statistics), Options::default());
/// let release = suum::summary(table, &statistics, split, &options, &mut suum::entropy()?)?;
/// assert!(release.estimate_of(&Quantity::Mean).is_some());
/// # Ok::<(), suum::Error>(())
/// ```
pub fn summary(
    table: LevelTable,
    statistics: &Statistics,
    split: Split,
    options: &Options,
    randomness: &mut Randomness,
) -> Result<Release> {
    let numbers = *counted::numbers(&table)?;
    if statistics.variance {
        counted::squares(&table)?;
    }
    SummaryPlan::new(statistics.clone(), numbers, table.profile()?, split, options)?
        .release(table, randomness)
}

/// A private statistic of values without declared bounds: a range is found first, for a part of
/// every budget.
///
/// # Errors
///
/// Refuses options that make no sense, and data in which no range can be found at this privacy.
/// That is partly a private decision: what the search spent is spent then, too.
///
/// # Example
///
/// ```
/// use suum::{Neighbors, PrivacyColumn, Progress, Request, Scan, UnboundedColumn, Value};
///
/// let rows: String = (0..4000).map(|i| format!("{},1\n", 170 + (i * i) % 20)).collect();
/// let csv = format!("height,epsilon\n{rows}");
/// let height = UnboundedColumn { column: "height".into(), missing: None, cells: None };
/// let privacy = PrivacyColumn::Budgets { column: "epsilon".into() };
/// let scan = Scan::new(privacy, Some(Value::Unbounded(height)));
/// let mut people = suum::keep_csv(csv.as_bytes(), &scan, &Progress::default())?;
/// let mean = Request::mean(Neighbors::ReplaceOne);
/// let release = suum::unbounded(&mut people, mean, &mut suum::entropy()?)?;
/// assert!((160.0..200.0).contains(&release.estimate()));
/// # Ok::<(), suum::Error>(())
/// ```
pub fn unbounded(
    records: &mut RecordBuffer,
    request: Request,
    randomness: &mut Randomness,
) -> Result<Release> {
    UnboundedPlan::new(request, records.profile()?)?.release(records, randomness)
}

/// What a release of frequencies would do for this profile, before any value is read.
///
/// # Errors
///
/// As [`plan`].
pub fn plan_frequency(
    profile: Profile,
    categories: Categories,
    options: &Options,
) -> Result<WeightedPlan> {
    WeightedRequest::frequency(categories, options.clone())?.plan(profile)
}

/// What a release would do for this profile, before any value is read.
///
/// # Errors
///
/// Refuses options that make no sense and a profile in which nobody may be used.
///
/// # Example
///
/// ```
/// use suum::{Bounds, Options, Statistic};
///
/// let plan =
///     suum::plan(Statistic::Mean, "0.1:3400,inf:23".parse()?, Bounds::UNIT, &Options::default())?;
/// assert!(plan.gap().unwrap() >= 1.0);
/// # Ok::<(), suum::Error>(())
/// ```
pub fn plan(
    statistic: Statistic,
    profile: Profile,
    bounds: Bounds,
    options: &Options,
) -> Result<WeightedPlan> {
    WeightedRequest::new(statistic, bounds, options.clone())?.plan(profile)
}

fn release(
    statistic: Statistic,
    table: LevelTable,
    options: &Options,
    randomness: &mut Randomness,
) -> Result<Release> {
    let grid = counted::numbers(&table)?.grid;
    let request = WeightedRequest::new(statistic, grid.bounds(), options.clone())?;
    WeightedPlan::new(&request, table.profile()?, grid)?.release(table, randomness)
}
