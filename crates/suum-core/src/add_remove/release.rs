//! A release that does not tell whether anybody takes part.

use dashu_int::UBig;

use super::AddRemoveRequest;
use super::request::Asked;
use crate::release::CLIPPED;
use crate::session::{Account, Session};
use crate::{
    Bounds, Cells, Epsilon, Estimator, ExpectedError, FoundRange, Frequency, Grid, Interval,
    LevelTable, Loss, PostProcessing, PrivacyUnits, Quantile, Randomness, Rank, Replacement,
    Result, Target, UnitSums,
};

/// A private statistic with everything about it that may be published, and nothing else.
///
/// How many people there are, which budgets occur and what anybody weighs is not in it. Estimates,
/// intervals, errors and τ depend on data through noise alone. It serialises to JSON in the style
/// of the other releases.
#[derive(Debug, Clone, PartialEq)]
pub struct AddRemoveRelease {
    /// What was estimated: `mean`, `sum`, `count`, `frequency` or `quantile`.
    pub statistic: &'static str,
    /// The name of the value column, if there is one.
    pub column: Option<String>,
    /// The column that names persons, where a record is a person.
    pub person: Option<String>,
    /// What stands in place of missing values, if anything does.
    pub missing: Option<Replacement>,
    /// The estimates.
    pub answer: AddRemoveAnswer,
    /// The error that is expected, from noisy numbers: in units of the statistic; for frequencies
    /// the largest over the categories before post-processing; for quantiles that of the rank. NaN
    /// where nothing is known.
    pub error: ExpectedError,
    /// The estimator.
    pub estimator: Estimator,
    /// τ: the most that anybody spent on the estimate.
    pub tau: f64,
    /// What the estimate is meant to be close to.
    pub target: Target,
    /// The declared bounds of numbers.
    pub bounds: Option<Bounds>,
    /// For every declared budget what a record that allows it has spent, whether or not there is
    /// one.
    pub privacy: Vec<DeclaredSpending>,
    /// The noise of the estimate.
    pub noise: AddRemoveNoise,
    /// The range that was found first, where no bounds were declared.
    pub range: Option<FoundRange>,
    /// Whether the noise came from secret entropy. If not, the release protects nobody.
    pub private: bool,
}

/// The estimates of a release.
#[derive(Debug, Clone, PartialEq)]
pub enum AddRemoveAnswer {
    /// A mean, a sum or a count.
    Number {
        /// The estimate, in units of the statistic.
        estimate: f64,
        /// A confidence interval for the estimand of the target; `None` where the bounds were
        /// learned from the data.
        interval: Option<Interval>,
    },
    /// The share of every category, in the order declared.
    Frequencies {
        /// The shares.
        frequencies: Vec<Frequency>,
        /// What was done to the noisy ones.
        post: PostProcessing,
    },
    /// Quantiles, in the order asked for.
    Quantiles {
        /// The quantiles; of two of them, that of the larger q is not below the other.
        quantiles: Vec<Quantile>,
        /// The candidates.
        cells: Cells,
        /// What each had of the budget.
        split: Vec<QuantileSplit>,
        /// Why some of them have no interval, if it is so.
        no_interval: Option<&'static str>,
        /// Whether values were declared to lie on the candidates.
        on_steps: bool,
    },
}

/// One line of the certificate: what a declared budget allows, and what this release cost a record
/// that has it.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct DeclaredSpending {
    /// The tier's name, or ε in a range.
    pub level: String,
    /// The declared budget.
    pub epsilon: Epsilon,
    /// The exact loss of such a record, for joining or leaving: of everything together, never above
    /// `epsilon`.
    pub spent: Loss,
}

/// What one quantile has of the budget for quantiles.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize)]
pub struct QuantileSplit {
    /// Which quantile.
    pub q: Rank,
    /// The part for the estimate.
    pub estimate: f64,
    /// The part for both ends of its interval together.
    pub interval: f64,
}

/// How the estimate was made noisy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AddRemoveNoise {
    /// `discrete-laplace`, or `permute-and-flip` for quantiles.
    pub distribution: &'static str,
    /// The integer scale of the noise; for quantiles the steps of one unit of ε.
    pub scale: UBig,
    /// G, for numbers.
    pub grid: Option<u64>,
}

impl AddRemoveRelease {
    /// The estimate of a mean, a sum or a count.
    pub fn estimate(&self) -> Option<f64> {
        match self.answer {
            AddRemoveAnswer::Number { estimate, .. } => Some(estimate),
            _ => None,
        }
    }

    /// The interval of a mean, a sum or a count.
    pub fn interval(&self) -> Option<Interval> {
        match self.answer {
            AddRemoveAnswer::Number { interval, .. } => interval,
            _ => None,
        }
    }

    /// Why there is no interval, or some quantiles have none.
    pub fn no_interval(&self) -> Option<&'static str> {
        match self.answer {
            AddRemoveAnswer::Number { interval: None, .. } => Some(CLIPPED),
            AddRemoveAnswer::Quantiles { no_interval, .. } => no_interval,
            _ => None,
        }
    }

    /// The shares of the categories, for a frequency.
    pub fn frequencies(&self) -> Option<&[Frequency]> {
        match &self.answer {
            AddRemoveAnswer::Frequencies { frequencies, .. } => Some(frequencies),
            _ => None,
        }
    }

    /// The quantiles, where they were asked for.
    pub fn quantiles(&self) -> Option<&[Quantile]> {
        match &self.answer {
            AddRemoveAnswer::Quantiles { quantiles, .. } => Some(quantiles),
            _ => None,
        }
    }
}

/// What was found, to be put together with what was asked for.
pub(super) struct Found {
    pub(super) answer: AddRemoveAnswer,
    pub(super) error: ExpectedError,
    pub(super) estimator: Estimator,
    pub(super) units: PrivacyUnits,
    pub(super) noise: AddRemoveNoise,
    pub(super) bounds: Option<Bounds>,
}

impl AddRemoveRequest {
    /// Spends the budgets of everybody in the table, which may be nobody.
    ///
    /// The table's budgets go through [`DeclaredBudgets::of`](crate::DeclaredBudgets::of). Nothing
    /// that is refused, and nothing in the release but noisy numbers, depends on who is in it.
    ///
    /// # Errors
    ///
    /// Refuses a table made with other bounds, candidates or categories, and a sum over persons.
    pub fn release(
        &self,
        table: LevelTable,
        randomness: &mut Randomness,
    ) -> Result<AddRemoveRelease> {
        self.release_in(&table, &mut Session::declared(self.budgets().clone(), randomness))
    }

    /// As [`release`](Self::release), in a session that may have spent other parts of the budgets.
    pub(super) fn release_in(
        &self,
        table: &LevelTable,
        session: &mut Session<'_>,
    ) -> Result<AddRemoveRelease> {
        session.begin(self.options().share);
        match self.asked() {
            Asked::Mean(bounds) => self.release_mean(*bounds, table, session),
            Asked::Sum(bounds) => self.release_sum(*bounds, table, session),
            Asked::Count => self.release_count(table, session),
            Asked::Frequency(categories) => self.release_frequencies(categories, table, session),
            Asked::Quantiles { bounds, cells, ranks } => {
                self.release_quantiles(*bounds, *cells, ranks, table, session)
            }
        }
    }

    /// The release of what was found, with a certificate of all that the session paid for.
    pub(super) fn published(
        &self,
        found: Found,
        table: &LevelTable,
        session: &Session<'_>,
    ) -> AddRemoveRelease {
        AddRemoveRelease {
            statistic: self.statistic(),
            column: table.column().map(str::to_owned),
            person: table.person().map(str::to_owned),
            missing: table.missing().cloned(),
            answer: found.answer,
            error: found.error,
            estimator: found.estimator,
            tau: found.units.clip().get(),
            target: self.options().target,
            bounds: found.bounds,
            privacy: self.certificate(session.account()),
            noise: found.noise,
            range: None,
            private: session.is_private(),
        }
    }

    /// What every declared budget has spent.
    pub(super) fn certificate(&self, account: &Account) -> Vec<DeclaredSpending> {
        let rows = self.budgets().rows().into_iter();
        rows.map(|(level, epsilon)| DeclaredSpending {
            level,
            epsilon,
            spent: account.spent_in_part(epsilon),
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
        Found {
            answer: AddRemoveAnswer::Number { estimate, interval: Some(interval) },
            error,
            estimator: self.options().estimator(),
            units: sums.units(),
            noise: AddRemoveNoise {
                distribution: "discrete-laplace",
                scale: sums.scale(),
                grid: grid.map(Grid::points),
            },
            bounds: grid.map(Grid::bounds),
        }
    }
}

/// Noise and sampling together.
pub(super) fn error(noise_sd: f64, sampling_sd: f64) -> ExpectedError {
    ExpectedError { noise_sd, sampling_sd, rmse: noise_sd.hypot(sampling_sd) }
}
