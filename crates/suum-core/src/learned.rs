//! A variance that is measured with a part of the budget, to tighten a mean.

use serde::Serialize;

use crate::release::{Release, Spending};
use crate::{
    Error, LevelTable, Options, Plan, Randomness, Request, Result, Share, Split, Statistic, VarianceOptions,
    VariancePlan, VarianceRequest,
};

/// What was found out about the variance before a mean was planned.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct LearnedVariance {
    /// The part of every budget that it cost; zero if it was not worth measuring.
    pub share: f64,
    /// A variance that the data exceed with a probability of at most 1/200, in squared units of the data. The mean
    /// was planned, and its interval made, as if it had been declared; `None` if it says no more than the bounds do.
    pub bound: Option<f64>,
}

/// The confidence of the interval whose upper end is taken for the variance.
const CONFIDENCE: f64 = 0.99;

/// Bounds on a variance, as a share of the worst case, above which the worst case is as good.
const USELESS: f64 = 0.9;

impl LearnedVariance {
    /// Measures the variance with its part of every budget, then the mean or sum with its own, planned for that
    /// variance. [`Split::private_variance`] is the usual split.
    ///
    /// Whether the variance is worth measuring is decided from public facts: if its noise alone makes any bound
    /// useless, the whole budget goes to the mean.
    ///
    /// # Errors
    ///
    /// As [`Plan::new`] and [`VariancePlan::new`]; refuses a table without squares, a declared variance, a share of
    /// the budget beside the split, and statistics that are no mean or sum.
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
    /// let sums = [points / 50, centred * centred].map(|one| ExactSum::from_raw(10_000 * one)).to_vec();
    /// let people = Cohort {
    ///     label: None, epsilon: Epsilon::new(1.0)?, count: 10_000, sums, cells: CellCounts::default(), kept: None,
    /// };
    /// let numbers = Numbers { grid, squares: true, cells: None };
    /// let table = LevelTable::new(Some("visits".into()), Measure::Numbers(numbers), vec![people])?;
    ///
    /// let (options, split) = (Options::default(), Split::private_variance());
    /// let randomness = &mut Randomness::insecure(1);
    /// let release = LearnedVariance::release(Statistic::Mean, table, &options, split, randomness)?;
    /// assert!(release.learned.and_then(|learned| learned.bound).is_some_and(|bound| bound < 100.0));
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
        if options.share != Share::ALL {
            return Err(Error::request(
                "share: the split says already what a private variance and its mean may spend",
            )
            .with_hint("leave the share at the whole budget"));
        }
        let mut shares = Share::split(&[split.variance, split.mean])?.into_iter();
        let (Some(for_variance), Some(for_mean)) = (shares.next(), shares.next()) else {
            return Err(Error::request("split: there are not two parts"));
        };
        if !matches!(statistic, Statistic::Mean | Statistic::Sum) || options.variance.is_some() {
            return Err(Error::request("variance: private is for a mean or sum without a declared variance")
                .with_hint("leave one of the two out"));
        }
        let Some(grid) = table.numbers().filter(|numbers| numbers.squares).map(|numbers| numbers.grid) else {
            return Err(Error::table("level table: it has no squares, which a private variance needs")
                .with_hint("make the table for a variance"));
        };
        let variance = VarianceOptions {
            target: options.target,
            neighbors: options.neighbors,
            confidence: CONFIDENCE,
            share: for_variance,
        };
        let variance = VarianceRequest::new(grid.bounds(), variance)?;
        let planned = VariancePlan::new(&variance, table.profile()?, grid)?;
        let worst = grid.bounds().width().powi(2) / 4.0;
        let mean = |options: Options, randomness: &mut Randomness| {
            let request = Request::new(statistic, grid.bounds(), options)?;
            Plan::new(&request, table.profile()?, grid)?.release_from(&table, randomness)
        };
        if planned.least_bound() > USELESS {
            let mut release = mean(options.clone(), randomness)?;
            release.learned = Some(LearnedVariance { share: 0.0, bound: None });
            return Ok(release);
        }
        let measured = planned.release_from(&table, randomness)?;
        let upper = measured.variance.interval.upper;
        let bound = (upper < USELESS * worst).then_some(upper.max(worst * 1e-9));
        let mut release = mean(Options { variance: bound, share: for_mean, ..options.clone() }, randomness)?;
        add(&mut release.privacy, &measured.privacy);
        release.learned = Some(LearnedVariance { share: for_variance.get(), bound });
        Ok(release)
    }
}

/// Adds what another release of the same table spent.
pub(crate) fn add(privacy: &mut [Spending], other: &[Spending]) {
    for (ours, theirs) in privacy.iter_mut().zip(other) {
        ours.spent = ours.spent.plus(&theirs.spent);
    }
}
