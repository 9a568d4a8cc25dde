//! The release of quantiles.

use super::QuantilePlan;
use super::histogram::{CellNoise, CellShares};
use super::order::{QuantileDraw, in_order};
use crate::answer::release;
use crate::private::mechanism::QuantileAnswers;
use crate::private::session::Session;
use crate::{
    Cells, Error, ExpectedError, LevelTable, PersonValue, Procedure, QuantileMechanism, Randomness,
    Release, Result, Sensitivity, Target,
};

impl QuantilePlan {
    /// Spends the budgets: draws a candidate for every question.
    ///
    /// # Errors
    ///
    /// Refuses a table whose profile, bounds or candidates are not those the plan was made for.
    ///
    /// # Example
    ///
    /// ```
    /// use suum_core::*;
    ///
    /// let (bounds, cells) = (Bounds::new(0.0, 10.0)?, Cells::new(10)?);
    /// let numbers = Numbers { grid: Grid::new(bounds), squares: false, cells: Some(cells) };
    /// let counts = CellCounts::from_raw(vec![(2, 400), (3, 600)]);
    /// let points = i128::from(numbers.grid.points());
    /// let sums = vec![ExactSum::from_raw((2 * 400 + 3 * 600) * points / 10)];
    /// let people = LevelSums {
    ///     label: None,
    ///     epsilon: Epsilon::new(0.5)?,
    ///     count: 1000,
    ///     sums,
    ///     cells: counts,
    /// };
    /// let table = LevelTable::new(Some("rooms".into()), Measure::Numbers(numbers), vec![people])?;
    ///
    /// let request =
    ///     QuantileRequest::new(bounds, cells, vec![Rank::MEDIAN], Options::default())?;
    /// let release =
    ///     request.plan(table.profile()?)?.release(table, &mut Randomness::insecure(1))?;
    /// assert_eq!(release.estimates[0].estimate, 3.0);
    /// assert!(release.privacy[0].spent.within(Epsilon::new(0.5)?));
    /// # Ok::<(), suum_core::Error>(())
    /// ```
    pub fn release(self, table: LevelTable, randomness: &mut Randomness) -> Result<Release> {
        let mut session = Session::for_profile(self.allowed(), randomness);
        self.release_in(&table, &mut session)
    }

    /// Releases the quantiles in a session that may have spent other parts of the budgets; see
    /// [`release`](Self::release).
    pub(crate) fn release_in(
        self,
        table: &LevelTable,
        session: &mut Session<'_>,
    ) -> Result<Release> {
        let bounds = self.request().bounds();
        let fits = table.numbers().is_some_and(|numbers| {
            numbers.grid.bounds() == bounds && numbers.cells == Some(self.request().cells())
        });
        if !fits {
            return Err(Cells::mismatch("plan"));
        }
        table.check_ranked_persons(self.request().options().person_value(PersonValue::Rows))?;
        table.check_for(self.allowed())?;
        session.begin(self.part().share());
        let by_level = self.part().by_level(table)?.into_iter();
        let by_level = by_level.map(|(position, level_sums)| (position, &level_sums.cells));
        let answers = session.measure(&self.measurement(), by_level.collect())?;

        // From here on: post-processing.
        let (options, cells) = (self.request().options(), self.request().cells());
        let drawn: Vec<QuantileDraw> = match (answers, self.slack()) {
            (QuantileAnswers::Cells(shares), Some(slack)) => {
                let shares = CellShares::new(shares, CellNoise::SumZero);
                shares.read(self.request().ranks(), slack, (cells, bounds))
            }
            (QuantileAnswers::Candidates(candidates), _) => {
                let answers = self.answers(candidates);
                self.positions().iter().map(|position| position.drawn(&answers)).collect()
            }
            (QuantileAnswers::Cells(_), None) => {
                return Err(Error::internal("a histogram has no plan of its own"));
            }
        };
        let half_step = cells.half_step(bounds, options.whole);
        let mut quantiles = in_order(&drawn, bounds, half_step, options.confidence);
        if let Some(tv) = self.total_variation() {
            // The ranks already allow for correlated budgets.
            let bias = if options.target == Target::DatasetCorrelated { 0.0 } else { tv };
            let declared = self.request().difference().distance;
            for (one, draw) in quantiles.iter_mut().zip(&drawn) {
                let sensitivity = Sensitivity::from_rank(tv, bias, draw.q.get(), declared);
                one.sensitivity = Some(Box::new(sensitivity));
            }
        }
        let error = self.expected_error();
        let weights = self.chosen().weights.per_level();
        let privacy = release::certificate(table, self.part(), weights, session)?;
        let procedure = Procedure::Quantiles(Box::new(self));
        Ok(Release::new(table, session, quantiles, Some(error), privacy, procedure))
    }

    /// Returns the TV distance between the weights of tiers and their shares of the records; `None`
    /// if the quantiles of levels are combined, which have no common rank.
    fn total_variation(&self) -> Option<f64> {
        let weights = &self.chosen().weights;
        match self.mechanism() {
            QuantileMechanism::PerLevel(_) => None,
            _ => Some(weights.distance(self.part().profile()) / 2.0),
        }
    }

    /// Returns the expected error of the rank of an estimate, as a share of all records.
    pub(crate) fn expected_error(&self) -> ExpectedError {
        let error = self.chosen().rank_error;
        ExpectedError {
            noise_sd: error.noise.sqrt().min(1.0),
            sampling_sd: error.sampling.sqrt().min(1.0),
            rmse: error.rmse(),
        }
    }

    /// Returns the answers to all questions, in units of the data.
    fn answers(&self, candidates: Vec<Vec<u32>>) -> Vec<f64> {
        let (bounds, cells) = (self.request().bounds(), self.request().cells());
        let value = |candidate| cells.value(bounds, candidate);
        let levels = match self.mechanism() {
            QuantileMechanism::Joint(_) | QuantileMechanism::Refined(_) => {
                return candidates.into_iter().flatten().map(value).collect();
            }
            QuantileMechanism::PerLevel(levels) => levels,
        };
        let level_weights = self.chosen().level_weights.as_deref().unwrap_or_default();
        let mut combined = vec![0.0; self.questions()];
        for ((position, _), answers) in levels.iter().zip(candidates) {
            let level_weight = level_weights.get(*position).copied().unwrap_or(0.0);
            for (combined, answer) in combined.iter_mut().zip(answers) {
                *combined += level_weight * (value(answer) - bounds.lower());
            }
        }
        combined.into_iter().map(|answer| bounds.clamp(bounds.lower() + answer)).collect()
    }
}
