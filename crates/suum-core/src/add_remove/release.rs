//! Add-remove releases: they do not reveal whether anybody takes part.

use dashu_int::UBig;

use super::AddRemoveRequest;
use crate::private::session::{Account, Session};
use crate::{
    AddRemoveProcedure, Error, Estimate, ExpectedError, Grid, Interval, LevelName, LevelTable,
    Noise, PrivacyUnits, Procedure, QuantileSplit, QuantilesTogether, Quantity, Randomness,
    Release, Result, Spending, Totals,
};

/// Result of measuring a statistic, before it is combined with the request into a release.
pub(crate) struct Outcome {
    pub(crate) estimates: Vec<Estimate>,
    pub(crate) error: ExpectedError,
    pub(crate) units: PrivacyUnits,
    pub(crate) noise: Noise,
    pub(crate) split: Vec<QuantileSplit>,
    pub(crate) together: Option<QuantilesTogether>,
    pub(crate) no_interval: Option<&'static str>,
}

impl Outcome {
    /// Returns an outcome of these estimates, with discrete Laplace noise and no further facts.
    pub(crate) fn new(
        estimates: Vec<Estimate>,
        error: ExpectedError,
        sums: &Totals<PrivacyUnits>,
        grid: Option<&Grid>,
    ) -> Self {
        Self {
            estimates,
            error,
            units: sums.units(),
            noise: discrete_laplace(sums.scale().clone(), grid.map(Grid::points)),
            split: Vec::new(),
            together: None,
            no_interval: None,
        }
    }

    /// Returns the outcome of a single number with its interval.
    pub(crate) fn number(
        of: Quantity,
        estimate: f64,
        interval: Interval,
        error: ExpectedError,
        sums: &Totals<PrivacyUnits>,
        grid: Option<&Grid>,
    ) -> Self {
        // Widening keeps the coverage, and an estimate outside its own interval would be confusing.
        let interval = Interval {
            lower: interval.lower.min(estimate),
            upper: interval.upper.max(estimate),
            ..interval
        };
        let interval = Some(interval);
        let estimate = Estimate { of, estimate, interval, sensitivity: None };
        Self::new(vec![estimate], error, sums, grid)
    }
}

impl AddRemoveRequest {
    /// Releases the statistic of the records in the table, which may be empty, and spends their
    /// budgets.
    ///
    /// The table's budgets go through
    /// [`DeclaredBudgets::round_down`](crate::DeclaredBudgets::round_down). Refusals depend on
    /// nothing in the table, and the release on noisy numbers only.
    ///
    /// # Errors
    ///
    /// Refuses a table made with other bounds, candidates or categories, and a table of persons'
    /// means for a sum, or of persons' totals for any other statistic.
    pub fn release(&self, table: LevelTable, randomness: &mut Randomness) -> Result<Release> {
        let neighbors = self.options().neighbors;
        self.release_in(
            &table,
            &mut Session::declared(self.budgets().clone(), neighbors, randomness),
        )
    }

    /// Refuses a table that does not fit the request, before any noise is drawn. The refusal
    /// depends on how the table was made, never on its records.
    ///
    /// # Errors
    ///
    /// If it was made with other bounds, candidates or categories, without squares that are needed,
    /// or of persons' means where a sum is asked for, and the other way round.
    pub fn check_table(&self, table: &LevelTable) -> Result<()> {
        self.estimand().any().check_table(self, table)
    }

    /// Releases the statistic in a session that may have spent other parts of the budgets; see
    /// [`release`](Self::release).
    pub(crate) fn release_in(
        &self,
        table: &LevelTable,
        session: &mut Session<'_>,
    ) -> Result<Release> {
        self.check_table(table)?;
        if session.account().neighbors() != self.options().neighbors {
            return Err(Error::internal("a request was made for other neighbours"));
        }
        session.begin(self.options().share);
        self.estimand().any().release(self, table, session)
    }

    /// Builds the release of an outcome, with a certificate of everything that the session paid
    /// for.
    pub(crate) fn published(
        &self,
        found: Outcome,
        table: &LevelTable,
        session: &Session<'_>,
    ) -> Release {
        let Outcome { estimates, error, units, noise, split, together, no_interval } = found;
        let is_public = session.account().is_public();
        let tau = if is_public { f64::INFINITY } else { units.clip().get() };
        let noise = if is_public { Noise { scale: UBig::ZERO, ..noise } } else { noise };
        let error = if is_public { self::error(0.0, error.sampling_sd) } else { error };
        let request = self.clone();
        let procedure = AddRemoveProcedure { request, tau, noise, split, together, no_interval };
        let procedure = Procedure::AddRemove(Box::new(procedure));
        let privacy = self.certificate(session.account());
        Release::new(table, session, estimates, Some(error), privacy, procedure)
    }

    /// Returns the spending of every declared budget in this part of the release.
    pub(crate) fn certificate(&self, account: &Account) -> Vec<Spending> {
        let rows = self.budgets().rows().into_iter();
        rows.map(|(level, epsilon)| Spending {
            level: LevelName::Label(level),
            epsilon,
            count: None,
            spent: account.spent_in_part(epsilon),
            weight: None,
            delta: None,
        })
        .collect()
    }
}

/// Returns discrete Laplace noise of this scale.
pub(crate) fn discrete_laplace(scale: UBig, grid: Option<u64>) -> Noise {
    Noise { distribution: "discrete-laplace", scale, grid }
}

/// Returns the expected error that combines noise and sampling error.
pub(crate) fn error(noise_sd: f64, sampling_sd: f64) -> ExpectedError {
    ExpectedError { noise_sd, sampling_sd, rmse: noise_sd.hypot(sampling_sd) }
}

/// Number of steps between the bounds in the search for the worst mean; errors are smooth.
const POSITIONS: u32 = 64;

/// Returns the largest error over all means from 0 to 1.
pub(crate) fn worst_mean(error: impl Fn(f64) -> ExpectedError) -> ExpectedError {
    let errors = (0..=POSITIONS).map(|position| error(f64::from(position) / f64::from(POSITIONS)));
    errors.fold(ExpectedError { noise_sd: 0.0, sampling_sd: 0.0, rmse: 0.0 }, |worst, next| {
        if next.rmse > worst.rmse { next } else { worst }
    })
}
