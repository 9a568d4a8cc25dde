//! Releases that do not tell whether anybody takes part.

use dashu_int::UBig;

use super::AddRemoveRequest;
use super::people::People;
use crate::session::{Account, Session};
use crate::{
    AddRemoveProcedure, Asked, Error, Estimate, ExpectedError, Grid, Interval, LevelTable, Noise,
    PersonValue, PrivacyUnits, Procedure, QuantileSplit, QuantilesTogether, Quantity, Randomness,
    Release, Result, Spending, UnitSums,
};

/// What was found, to be put together with what was asked for.
pub(super) struct Found {
    pub(super) estimates: Vec<Estimate>,
    pub(super) error: ExpectedError,
    pub(super) units: PrivacyUnits,
    pub(super) noise: Noise,
    pub(super) split: Vec<QuantileSplit>,
    pub(super) together: Option<QuantilesTogether>,
    pub(super) no_interval: Option<&'static str>,
}

impl AddRemoveRequest {
    /// Spends the budgets of everybody in the table, which may be nobody.
    ///
    /// The table's budgets go through [`DeclaredBudgets::of`](crate::DeclaredBudgets::of). Nothing
    /// that is refused, and nothing in the release but noisy numbers, depends on who is in it.
    ///
    /// # Errors
    ///
    /// Refuses a table made with other bounds, candidates or categories, a sum of persons' means,
    /// and what else there is of their totals.
    pub fn release(&self, table: LevelTable, randomness: &mut Randomness) -> Result<Release> {
        let neighbors = self.options().neighbors;
        self.release_in(
            &table,
            &mut Session::declared(self.budgets().clone(), neighbors, randomness),
        )
    }

    /// Refuses a table from which this cannot be released, before anything is drawn: by how it was
    /// made, never by who is in it.
    ///
    /// # Errors
    ///
    /// If it was made with other bounds, candidates or categories, without squares that are needed,
    /// or of persons' means where a sum is asked for, and the other way round.
    pub fn check_table(&self, table: &LevelTable) -> Result<()> {
        let bounds = self.inside();
        match self.asked() {
            Asked::Sum => table.check_persons(PersonValue::Total)?,
            Asked::Mean | Asked::Quantiles { .. } | Asked::Variance => {
                table.check_persons(PersonValue::Mean)?;
            }
            Asked::Count | Asked::Frequency(_) | Asked::Summary { .. } => {}
        }
        match self.asked() {
            Asked::Count => Ok(()),
            Asked::Mean | Asked::Sum => People::with_numbers(table, bounds, None).map(|_| ()),
            Asked::Frequency(categories) => People::in_categories(table, categories).map(|_| ()),
            Asked::Quantiles { cells, .. } => {
                People::with_numbers(table, bounds, Some(*cells)).map(|_| ())
            }
            Asked::Variance => People::with_numbers(table, bounds, None)?.0.check_squares(),
            Asked::Summary { .. } => self.parts().try_for_each(|part| part.check_table(table)),
        }
    }

    /// As [`release`](Self::release), in a session that may have spent other parts of the budgets.
    pub(super) fn release_in(
        &self,
        table: &LevelTable,
        session: &mut Session<'_>,
    ) -> Result<Release> {
        self.check_table(table)?;
        if session.account().neighbors() != self.options().neighbors {
            return Err(Error::internal("internal error: a request was made for other neighbours")
                .with_hint("please report it, with the options"));
        }
        session.begin(self.options().share);
        let bounds = self.inside();
        match self.asked() {
            Asked::Mean => self.release_mean(bounds, table, session),
            Asked::Sum => self.release_sum(bounds, table, session),
            Asked::Count => self.release_count(table, session),
            Asked::Frequency(categories) => self.release_frequencies(categories, table, session),
            Asked::Quantiles { cells, ranks } => {
                self.release_quantiles(bounds, *cells, ranks, table, session)
            }
            Asked::Variance => self.release_variance(bounds, table, session),
            Asked::Summary { statistics, .. } => self.release_several(statistics, table, session),
        }
    }

    /// The release of what was found, with a certificate of all that the session paid for.
    pub(super) fn published(
        &self,
        found: Found,
        table: &LevelTable,
        session: &Session<'_>,
    ) -> Release {
        let Found { estimates, error, units, noise, split, together, no_interval } = found;
        let tau = units.clip().get();
        let request = self.clone();
        let procedure = AddRemoveProcedure { request, tau, noise, split, together, no_interval };
        let procedure = Procedure::AddRemove(Box::new(procedure));
        let privacy = self.certificate(session.account());
        Release::new(table, session, estimates, Some(error), privacy, procedure)
    }

    /// What every declared budget has spent.
    pub(super) fn certificate(&self, account: &Account) -> Vec<Spending> {
        let rows = self.budgets().rows().into_iter();
        rows.map(|(level, epsilon)| Spending {
            level,
            epsilon,
            count: None,
            spent: account.spent_in_part(epsilon),
            weight: None,
        })
        .collect()
    }

    /// A number with its interval, as found.
    pub(super) fn number(
        &self,
        estimate: f64,
        interval: Interval,
        error: ExpectedError,
        sums: &UnitSums,
        grid: Option<&Grid>,
    ) -> Found {
        // Widening covers no less, and an estimate outside its own interval would puzzle everybody.
        let interval = Interval {
            lower: interval.lower.min(estimate),
            upper: interval.upper.max(estimate),
            ..interval
        };
        let of = match self.asked() {
            Asked::Sum => Quantity::Sum,
            Asked::Count => Quantity::Count,
            _ => Quantity::Mean,
        };
        let noise = discrete_laplace(sums.scale(), grid.map(Grid::points));
        Found {
            estimates: vec![Estimate { of, estimate, interval: Some(interval) }],
            error,
            units: sums.units(),
            noise,
            split: Vec::new(),
            together: None,
            no_interval: None,
        }
    }
}

/// The noise of sums.
pub(super) fn discrete_laplace(scale: UBig, grid: Option<u64>) -> Noise {
    Noise { distribution: "discrete-laplace", scale, grid }
}

/// Noise and sampling together.
pub(super) fn error(noise_sd: f64, sampling_sd: f64) -> ExpectedError {
    ExpectedError { noise_sd, sampling_sd, rmse: noise_sd.hypot(sampling_sd) }
}

/// Records between the bounds at which the worst mean is looked for; errors are smooth.
const PLACES: u32 = 64;

/// The largest error over all means.
pub(super) fn worst_mean(error: impl Fn(f64) -> ExpectedError) -> ExpectedError {
    let errors = (0..=PLACES).map(|place| error(f64::from(place) / f64::from(PLACES)));
    errors.fold(ExpectedError { noise_sd: 0.0, sampling_sd: 0.0, rmse: 0.0 }, |worst, next| {
        if next.rmse > worst.rmse { next } else { worst }
    })
}
