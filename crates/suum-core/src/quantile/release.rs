//! The release of quantiles.

use super::{QuantilePlan, Rank};
use crate::interval::Interval;
use crate::release::spending;
use crate::session::Session;
use crate::{
    Bounds, Error, ExpectedError, LevelTable, QuantileMechanism, Randomness, Replacement, Result,
    Spending,
};

/// One quantile.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize)]
pub struct Quantile {
    /// The share of people below it.
    pub q: Rank,
    /// The estimate, in units of the data: one of the candidates (or, for `mixed`, between them).
    pub estimate: f64,
    /// An interval for this quantile alone, in units of the data, that covers with at least the
    /// stated confidence, whatever ties and gaps the values have. `None` where none shorter than
    /// the bounds could be had.
    pub interval: Option<Interval>,
}

/// What was drawn for one quantile, in units of the data.
pub(crate) struct Drawn {
    pub(crate) q: Rank,
    pub(crate) estimate: f64,
    /// The ends that were asked for.
    pub(crate) lower: Option<f64>,
    pub(crate) upper: Option<f64>,
}

/// Quantiles in the order asked for. Estimates are sorted by their ranks, which never takes one
/// further from the truth; ends are not, since each covers for its own rank.
pub(crate) fn in_order(
    drawn: &[Drawn],
    bounds: Bounds,
    half_step: f64,
    confidence: f64,
) -> Vec<Quantile> {
    let mut order: Vec<usize> = (0..drawn.len()).collect();
    order.sort_by_key(|at| drawn[*at].q);
    let mut values: Vec<f64> = drawn.iter().map(|one| one.estimate).collect();
    values.sort_by(f64::total_cmp);
    let mut estimates = vec![0.0; values.len()];
    order.into_iter().zip(values).for_each(|(at, value)| estimates[at] = value);
    let quantile = |(one, estimate): (&Drawn, f64)| {
        let lower = one.lower.map(|end| bounds.clamp(end - half_step));
        let upper = one.upper.map(|end| bounds.clamp(end + half_step));
        let interval = (lower.is_some() || upper.is_some()).then(|| Interval {
            confidence,
            // Never without the estimate itself: widening covers no less.
            lower: lower.unwrap_or(bounds.lower()).min(estimate),
            upper: upper.unwrap_or(bounds.upper()).max(estimate),
        });
        Quantile { q: one.q, estimate, interval }
    };
    drawn.iter().zip(estimates).map(quantile).collect()
}

/// Private quantiles with everything about them that may be published, and nothing else.
///
/// It serialises to the JSON of the command line.
#[derive(Debug, Clone, PartialEq)]
pub struct QuantileRelease {
    /// The name of the column.
    pub column: Option<String>,
    /// The column that names persons, where a record is a person.
    pub person: Option<String>,
    /// What stands in place of missing values, if anything does.
    pub missing: Option<Replacement>,
    /// The quantiles, in the order asked for; of two of them, that of the larger q is not below the
    /// other.
    pub quantiles: Vec<Quantile>,
    /// The expected error of the ranks, as a share of all people.
    pub error: ExpectedError,
    /// Per cohort: allowed and spent.
    pub privacy: Vec<Spending>,
    /// The plan that was followed.
    pub plan: QuantilePlan,
    /// Whether the choices were made with secret entropy. If not, the release protects nobody.
    pub private: bool,
}

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
    /// let people = Cohort {
    ///     label: None,
    ///     epsilon: Epsilon::new(0.5)?,
    ///     count: 1000,
    ///     sums,
    ///     cells: counts,
    /// };
    /// let table = LevelTable::new(Some("rooms".into()), Measure::Numbers(numbers), vec![people])?;
    ///
    /// let request =
    ///     QuantileRequest::new(bounds, cells, vec![Rank::MEDIAN], QuantileOptions::default())?;
    /// let release =
    ///     request.plan(table.profile()?)?.release(table, &mut Randomness::insecure(1))?;
    /// assert_eq!(release.quantiles[0].estimate, 3.0);
    /// assert!(release.privacy[0].spent.within(Epsilon::new(0.5)?));
    /// # Ok::<(), suum_core::Error>(())
    /// ```
    pub fn release(
        self,
        table: LevelTable,
        randomness: &mut Randomness,
    ) -> Result<QuantileRelease> {
        let mut session = Session::known(self.allowed(), randomness);
        self.release_in(&table, &mut session)
    }

    /// As [`release`](Self::release), from a table of which other parts of the budget are still to
    /// be spent.
    pub(crate) fn release_in(
        self,
        table: &LevelTable,
        session: &mut Session<'_>,
    ) -> Result<QuantileRelease> {
        let bounds = self.request().bounds();
        let fits = table.numbers().is_some_and(|numbers| {
            numbers.grid.bounds() == bounds && numbers.cells == Some(self.request().cells())
        });
        if !fits {
            return Err(Error::table(
                "level table: its bounds or candidates are not those of the plan",
            )
            .with_hint("make the table with the same bounds, --cells or --step and --rows"));
        }
        table.check_for(self.allowed())?;
        session.begin(self.part().share());
        let cohorts = table.cohorts().iter();
        let cohorts =
            cohorts.filter_map(|cohort| Some((self.position(cohort.epsilon)?, &cohort.cells)));
        let candidates = session.measure(&self.measurement(), cohorts.collect())?;

        // From here on: post-processing.
        let answers = self.answers(candidates);
        let options = self.request().options();
        let drawn: Vec<Drawn> = self.places().iter().map(|place| place.drawn(&answers)).collect();
        let half_step = self.request().cells().half_step(bounds, options.whole);
        let quantiles = in_order(&drawn, bounds, half_step, options.confidence);
        let rank_error = self.chosen().rank_error;
        let weights = self.chosen().weights.per_level();
        Ok(QuantileRelease {
            column: table.column().map(str::to_owned),
            person: table.person().map(str::to_owned),
            missing: table.missing().cloned(),
            quantiles,
            error: ExpectedError {
                noise_sd: rank_error.noise.sqrt().min(1.0),
                sampling_sd: rank_error.sampling.sqrt().min(1.0),
                rmse: rank_error.rmse(),
            },
            privacy: table
                .cohorts()
                .iter()
                .filter_map(|cohort| {
                    let position = self.position(cohort.epsilon)?;
                    let spent = session.account().spent_in_part(cohort.epsilon);
                    Some(spending(cohort, spent, weights[position]))
                })
                .collect(),
            private: session.is_private(),
            plan: self,
        })
    }

    /// The answers to all questions, in units of the data.
    fn answers(&self, candidates: Vec<Vec<u32>>) -> Vec<f64> {
        let (bounds, cells) = (self.request().bounds(), self.request().cells());
        let value = |candidate| cells.value(bounds, candidate);
        let levels = match self.mechanism() {
            QuantileMechanism::Joint(_) => {
                return candidates.into_iter().flatten().map(value).collect();
            }
            QuantileMechanism::PerLevel(levels) => levels,
        };
        let betas = self.chosen().betas.as_deref().unwrap_or_default();
        let mut combined = vec![0.0; self.questions()];
        for ((position, _), answers) in levels.iter().zip(candidates) {
            let beta = betas.get(*position).copied().unwrap_or(0.0);
            for (combined, answer) in combined.iter_mut().zip(answers) {
                *combined += beta * (value(answer) - bounds.lower());
            }
        }
        combined.into_iter().map(|answer| bounds.clamp(bounds.lower() + answer)).collect()
    }
}
