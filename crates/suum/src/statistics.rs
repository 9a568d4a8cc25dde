//! One function per statistic: from a level table to a release.

use suum_core::{
    Bounds, Categories, Error, FrequencyRelease, LevelTable, Mechanism, Options, Plan, Profile, Randomness,
    Release, Request, Result, Statistic,
};
use suum_data::Sample;

/// The private mean of the table's values, within the bounds of its grid.
///
/// # Errors
///
/// Refuses a table without values, options that make no sense, and a profile in which nobody may be used.
///
/// # Example
///
/// ```
/// use suum::{Bounds, Cohort, Epsilon, ExactSum, Grid, LevelTable, Measure, Options};
///
/// let grid = Grid::new(Bounds::new(0.0, 10.0)?);
/// let sum = ExactSum::from_raw(500 * i128::from(grid.points()) / 2);
/// let people =
///     Cohort { label: Some("standard".into()), epsilon: Epsilon::new(0.5)?, count: 500, sums: vec![sum], kept: None };
/// let table = LevelTable::new(Some("score".into()), Measure::Sum(grid), vec![people])?;
/// let release = suum::mean(table, &Options::default(), &mut suum::entropy()?)?;
/// assert!((0.0..=10.0).contains(&release.estimate));
/// # Ok::<(), suum::Error>(())
/// ```
pub fn mean(table: LevelTable, options: &Options, randomness: &mut Randomness) -> Result<Release> {
    release(Statistic::Mean, table, options, randomness)
}

/// The private sum of the table's values: the number of records, which is public, times their mean.
///
/// # Errors
///
/// As [`mean`].
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
/// Refuses a table without categories, options that make no sense, and a profile in which nobody may be used.
pub fn frequency(
    table: LevelTable,
    options: &Options,
    randomness: &mut Randomness,
) -> Result<FrequencyRelease> {
    let categories = table.categories().cloned().ok_or_else(|| {
        Error::table("level table: it has no counts of categories")
            .with_hint("make it with categories: suum levels DATA --value COL --categories A,B …")
    })?;
    plan_frequency(table.profile()?, categories, options)?.release_frequencies(table, randomness)
}

/// The random sample that a plan for the estimator `sample` wants of the records.
///
/// # Errors
///
/// Refuses plans for other estimators.
pub fn sample(plan: &Plan, randomness: &Randomness) -> Result<Sample> {
    match plan.mechanism() {
        Mechanism::SampledSum(sampled) => Ok(Sample::new(sampled.clone(), randomness)),
        _ => Err(Error::request("sample: the plan is for another estimator")),
    }
}

/// What a release of frequencies would do for this profile, before any value is read.
///
/// # Errors
///
/// As [`plan`].
pub fn plan_frequency(profile: Profile, categories: Categories, options: &Options) -> Result<Plan> {
    Request::frequency(categories, options.clone())?.plan(profile)
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
/// let plan = suum::plan(Statistic::Mean, "0.1:3400,inf:23".parse()?, Bounds::UNIT, &Options::default())?;
/// assert!(plan.gap().unwrap() >= 1.0);
/// # Ok::<(), suum::Error>(())
/// ```
pub fn plan(statistic: Statistic, profile: Profile, bounds: Bounds, options: &Options) -> Result<Plan> {
    Request::new(statistic, bounds, options.clone())?.plan(profile)
}

fn release(
    statistic: Statistic,
    table: LevelTable,
    options: &Options,
    randomness: &mut Randomness,
) -> Result<Release> {
    let grid = *table.grid().ok_or_else(|| {
        Error::table("level table: it has counts but no sums")
            .with_hint("make it with a value column: suum levels DATA --value COL --bounds LO,HI …")
    })?;
    let request = Request::new(statistic, grid.bounds(), options.clone())?;
    Plan::new(&request, table.profile()?, grid)?.release(table, randomness)
}
