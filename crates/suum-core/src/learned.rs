//! A variance that is measured with a part of the budget, to tighten a mean.

use crate::session::Session;
use crate::{
    Error, LearnedVariance, LevelTable, Numbers, Options, Randomness, Release, Request, Result,
    Share, Split, Statistic, Step, VarianceOptions, VariancePlan, VarianceRequest, WeightedPlan,
};

/// The confidence of the interval whose upper end is taken for the variance.
const CONFIDENCE: f64 = 0.99;

/// Bounds on a variance, as a share of the worst case, above which the worst case is as good.
const USELESS: f64 = 0.9;

impl LearnedVariance {
    /// Measures the variance with its part of every budget, then the mean or sum with its own,
    /// planned for that variance. [`Split::private_variance`] is the usual split.
    ///
    /// Whether the variance is worth measuring is decided from public facts: if its noise alone
    /// makes any bound useless, the whole budget goes to the mean.
    ///
    /// # Errors
    ///
    /// As [`WeightedPlan::new`] and [`VariancePlan::new`]; refuses a table without squares, a
    /// declared variance, and statistics that are no mean or sum.
    ///
    /// # Example
    ///
    /// ```
    /// use suum_core::*;
    ///
    /// let grid = Grid::new(Bounds::new(0.0, 100.0)?);
    /// let points = i128::from(grid.points());
    /// // 10 000 people, all at 2: no variance at all.
    /// let centred = 2 * (points / 50) - points;
    /// let sums =
    ///     [points / 50, centred * centred].map(|one| ExactSum::from_raw(10_000 * one)).to_vec();
    /// let people = Cohort {
    ///     label: None,
    ///     epsilon: Epsilon::new(1.0)?,
    ///     count: 10_000,
    ///     sums,
    ///     cells: CellCounts::default(),
    /// };
    /// let numbers = Numbers { grid, squares: true, cells: None };
    /// let table =
    ///     LevelTable::new(Some("visits".into()), Measure::Numbers(numbers), vec![people])?;
    ///
    /// let (options, split) = (Options::default(), Split::private_variance());
    /// let randomness = &mut Randomness::insecure(1);
    /// let release =
    ///     LearnedVariance::release(Statistic::Mean, table, &options, split, randomness)?;
    /// assert!(
    ///     release.learned().and_then(|learned| learned.bound).is_some_and(|bound| bound < 100.0)
    /// );
    /// assert!(release.privacy[0].spent.within(Epsilon::new(1.0)?));
    /// # Ok::<(), suum_core::Error>(())
    /// ```
    pub fn release(
        statistic: Statistic,
        table: LevelTable,
        options: &Options,
        split: Split,
        randomness: &mut Randomness,
    ) -> Result<Release> {
        let shares = Share::split(&[split.variance, split.mean])?.into_iter();
        let shares = shares.map(|part| part.times(options.share));
        let mut shares = shares.collect::<Result<Vec<_>>>()?.into_iter();
        let (Some(for_variance), Some(for_mean)) = (shares.next(), shares.next()) else {
            return Err(Error::internal("internal error: a split of two has not two parts"));
        };
        if !matches!(statistic, Statistic::Mean | Statistic::Sum) || options.variance.is_some() {
            return Err(Error::request(
                "variance: private is for a mean or sum without a declared variance",
            )
            .with_hint("leave one of the two out"));
        }
        let Some(numbers) = table.numbers().copied().filter(|numbers| numbers.squares) else {
            return Err(Error::table(
                "level table: it has no squares, which a private variance needs",
            )
            .with_hint("make the table for a variance"));
        };
        let mut session = Session::known(&table.profile()?, randomness);
        let shares = (for_variance, for_mean);
        one_after_the_other(statistic, &table, numbers, options, shares, &mut session)
    }
}

/// The variance with one share of every budget, then the mean with another.
fn one_after_the_other(
    statistic: Statistic,
    table: &LevelTable,
    numbers: Numbers,
    options: &Options,
    (for_variance, for_mean): (Share, Share),
    session: &mut Session<'_>,
) -> Result<Release> {
    let grid = numbers.grid;
    let variance = VarianceOptions {
        target: options.target,
        neighbors: options.neighbors,
        confidence: CONFIDENCE,
        share: for_variance,
    };
    let variance = VarianceRequest::new(grid.bounds(), variance)?;
    let planned = VariancePlan::new(&variance, table.profile()?, grid)?;
    let worst = grid.bounds().width().powi(2) / 4.0;
    let plan_mean = |options: Options| {
        let request = Request::new(statistic, grid.bounds(), options)?;
        WeightedPlan::new(&request, table.profile()?, numbers)
    };
    // What the options of a mean refuse is refused before anything is spent.
    Request::new(statistic, grid.bounds(), options.clone())?;
    if planned.least_bound() > USELESS {
        let mut release = plan_mean(options.clone())?.release_in(table, session)?;
        release.steps.push(Step::Variance(LearnedVariance { share: 0.0, bound: None }));
        return Ok(release);
    }
    let measured = planned.release_in(table, session)?;
    let upper = measured.interval().map_or(worst, |interval| interval.upper);
    let bound = (upper < USELESS * worst).then_some(upper.max(worst * 1e-9));
    let mean = plan_mean(Options { variance: bound, share: for_mean, ..options.clone() })?;
    let mut release = mean.release_in(table, session)?;
    release.charge_all(session);
    let share = for_variance.get();
    release.steps.push(Step::Variance(LearnedVariance { share, bound }));
    Ok(release)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Bounds, Cohort, Epsilon, ErrorKind, ExactSum, Grid, Measure};

    /// Ten thousand people in the middle of the bounds.
    fn table(grid: Grid) -> LevelTable {
        let sums =
            vec![ExactSum::from_raw(10_000 * i128::from(grid.points()) / 2), ExactSum::default()];
        let epsilon = Epsilon::new(1.0).unwrap();
        let cohort =
            Cohort { label: None, epsilon, count: 10_000, sums, cells: Default::default() };
        let numbers = Numbers { grid, squares: true, cells: None };
        LevelTable::new(None, Measure::Numbers(numbers), vec![cohort]).unwrap()
    }

    #[test]
    fn both_together_keep_the_budget_or_nothing_is_released() {
        let grid = Grid::new(Bounds::UNIT);
        let release = |shares: [f64; 2]| {
            let [variance, mean] = shares.map(|share| Share::new(share).unwrap());
            let options = Options::default();
            let (table, mut randomness) = (table(grid), Randomness::insecure(1));
            let mut session = Session::known(&table.profile()?, &mut randomness);
            let shares = (variance, mean);
            let numbers = *table.numbers().unwrap();
            one_after_the_other(Statistic::Mean, &table, numbers, &options, shares, &mut session)
        };
        let split = release([0.25, 0.75]).unwrap();
        assert_eq!(split.learned().unwrap().share, 0.25);
        // Each within its own share, but not together.
        for shares in [[0.25, 1.0], [1.0, 1.0], [0.26, 0.75]] {
            assert_eq!(release(shares).unwrap_err().kind(), ErrorKind::Internal, "{shares:?}");
        }
    }
}
